// Boxes that open at an element and close on Escape or a click elsewhere.

const GAP = 4;

/** Shows `element` below (or, without room there, above) `anchor`. Returns {close}. */
export function openPopover({ anchor, element, onClose = () => {}, outside = true }) {
  element.classList.add("popover");
  document.body.append(element);
  place();
  let open = true;
  const resized = new ResizeObserver(place);
  resized.observe(element);
  document.addEventListener("scroll", place, true);

  function place() {
    const box = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = box.bottom + GAP + height <= innerHeight || box.top < height;
    element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    element.style.top = `${below ? Math.min(box.bottom + GAP, Math.max(8, innerHeight - height - 8)) : box.top - GAP - height}px`;
  }

  function close() {
    if (!open) return;
    open = false;
    resized.disconnect();
    document.removeEventListener("scroll", place, true);
    document.removeEventListener("mousedown", away, true);
    element.removeEventListener("keydown", escape);
    element.remove();
    onClose();
  }

  function away(event) {
    if (!element.contains(event.target) && !anchor.contains(event.target)) close();
  }

  function escape(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    close();
  }

  if (outside) document.addEventListener("mousedown", away, true);
  element.addEventListener("keydown", escape);
  return { close, place };
}
