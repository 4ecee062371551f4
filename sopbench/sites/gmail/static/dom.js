// Building elements.

let lastId = 40;

// Ids look like ":2f" and are new at every rendering.
export function freshId() {
  lastId += 1;
  return `:${lastId.toString(36)}`;
}

// h("td.yX.xY", {role: "gridcell", onclick}, child, [children], "text")
export function h(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// A div that is a button, as all buttons of the toolbars are.
export function button(name, classes, act, attributes = {}, ...children) {
  return h(`div.T-I.J-J5-Ji.T-I-ax7.${classes}`, {
    role: "button",
    tabindex: "0",
    "aria-label": name,
    "data-tooltip": name,
    ...attributes,
    onclick: (event) => event.currentTarget.getAttribute("aria-disabled") === "true" || act(event),
    onkeydown: (event) => pressed(event) && event.currentTarget.click(),
  }, children.length ? children : h("div.asa", {}, h("div.ar9", { "aria-hidden": "true" })));
}

export function pressed(event) {
  if (event.key !== "Enter" && event.key !== " ") return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

export function nextFrame() {
  return new Promise((done) => requestAnimationFrame(() => done()));
}
