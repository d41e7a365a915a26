// Whether a box can be clicked itself; a styled one often cannot be seen.
(element) => {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return box.width > 1 && box.height > 1 && style.visibility === "visible" && Number(style.opacity) > 0.01
    && style.pointerEvents !== "none" && style.clipPath === "none" && style.clip === "auto";
}
