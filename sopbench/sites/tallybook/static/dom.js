// el("td", { class: "num", onclick }, "text", child)
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  assign(node, attributes, children);
  return node;
}

// The same for drawings.
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(node, attributes, children);
  return node;
}

function assign(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

const ICONS = {
  overview: "M4 13h6V4H4zm10 7h6V4h-6zM4 20h6v-4H4z",
  cashflow: "M4 17l5-6 4 4 7-9M15 6h5v5",
  invoices: "M6 3h9l4 4v14H6zM9 12h7M9 16h7",
  bills: "M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6",
  settings: "M4 7h10M18 7h2M4 17h4M12 17h8M16 5v4M10 15v4",
  down: "M7 10l5 5 5-5",
  left: "M14 7l-5 5 5 5",
  right: "M10 7l5 5-5 5",
  check: "M5 12l5 5 9-10",
};

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
