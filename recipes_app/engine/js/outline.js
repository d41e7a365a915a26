// Draws a frame around the element; it takes no clicks, and is gone when the page is.
(element) => {
  const box = element.getBoundingClientRect();
  const frame = document.createElement("div");
  const at = { position: "absolute", left: `${box.x + scrollX - 5}px`, top: `${box.y + scrollY - 5}px`, width: `${box.width + 4}px`, height: `${box.height + 4}px` };
  Object.assign(frame.style, at, { border: "3px solid #d1242f", "border-radius": "4px", "z-index": "2147483647", "pointer-events": "none", "box-sizing": "content-box" });
  document.documentElement.append(frame);
}
