// Drops files on an element that takes them in no other way. Returns whether the page took the drop.
(element, given) => {
  const transfer = new DataTransfer();
  for (const file of given.files) {
    const bytes = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
    transfer.items.add(new File([bytes], file.name, { type: file.type }));
  }
  const fire = (name) => element.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, composed: true, dataTransfer: transfer }));
  fire("dragenter");
  const wanted = !fire("dragover");
  const taken = !fire("drop");
  return wanted || taken;
}
