// Small helpers to build elements.

/** h("button", {class: "x", onclick: fn, "aria-label": "Close"}, "text", child) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "html") element.innerHTML = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const PATHS = {
  search: '<circle cx="7" cy="7" r="4.5"/><path d="M10.5 10.5 14 14"/>',
  close: '<path d="M4 4l8 8M12 4l-8 8"/>',
  up: '<path d="M4 10l4-4 4 4"/>',
  down: '<path d="M4 6l4 4 4-4"/>',
  left: '<path d="M10 4l-4 4 4 4"/>',
  right: '<path d="M6 4l4 4-4 4"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  expand: '<path d="M9.5 3H13v3.5M13 3L9 7M6.5 13H3V9.5M3 13l4-4"/>',
  check: '<path d="M3.5 8.5l3 3 6-7"/>',
  link: '<path d="M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 013.5 3.5L10.5 8.5M9 11l-1.5 1.5A2.5 2.5 0 014 9l1.5-1.5"/>',
  more: '<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.4"/>',
  hide: '<path d="M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM3 13L13 3"/>',
  filter: '<path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3"/>',
  group: '<rect x="2.5" y="3" width="11" height="4"/><rect x="2.5" y="9" width="11" height="4"/>',
  sort: '<path d="M5 3v10M5 13l-2-2M5 13l2-2M11 13V3M11 3L9 5M11 3l2 2"/>',
  color: '<path d="M8 2.5s4 4 4 7a4 4 0 01-8 0c0-3 4-7 4-7z"/>',
  share: '<path d="M9 3h4v4M13 3L7.5 8.5M11 9v4H3V5h4"/>',
  grid: '<rect x="2.5" y="3" width="11" height="10"/><path d="M2.5 7.5h11M6.5 3v10"/>',
  singleLineText: '<path d="M3.5 12.5L8 3.5l4.5 9M5 9.5h6"/>',
  multilineText: '<path d="M3 4h10M3 7h10M3 10h10M3 13h6"/>',
  singleSelect: '<circle cx="8" cy="8" r="5.5"/><path d="M6 7l2 2 2-2"/>',
  date: '<rect x="2.5" y="3.5" width="11" height="10"/><path d="M2.5 6.5h11M5.5 2v3M10.5 2v3"/>',
  checkbox: '<rect x="2.5" y="2.5" width="11" height="11" rx="2"/><path d="M5 8.2l2 2 4-4.4"/>',
  email: '<rect x="2" y="3.5" width="12" height="9" rx="1"/><path d="M2.5 4.5L8 9l5.5-4.5"/>',
  number: '<path d="M6 2.5L4.5 13.5M11.5 2.5L10 13.5M2.5 6h11M2.5 10h11"/>',
};

export function icon(name) {
  return h("span", {
    class: "icon",
    "aria-hidden": "true",
    html:
      `<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3"` +
      ` stroke-linecap="round" stroke-linejoin="round">${PATHS[name] ?? ""}</svg>`,
  });
}

export function iconButton(name, label, onclick, more = {}) {
  return h("button", { type: "button", class: "iconButton", "aria-label": label, title: label, onclick, ...more }, icon(name));
}

let counter = 0;

/** A fresh id for aria-labelledby and the like. */
export function freshId(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

let toastTimer = 0;

/** A short message at the foot of the page. */
export function toast(message) {
  document.querySelector(".toast")?.remove();
  const element = h("div", { class: "toast", role: "alert" }, message);
  document.body.append(element);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.remove(), 4000);
}
