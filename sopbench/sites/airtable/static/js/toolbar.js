// The bar above the grid: hide fields, filter and sort, each with its own box.

import { h, icon, iconButton } from "./dom.js";
import { openPopover } from "./popover.js";
import { OPERATORS } from "./view.js";

export function toolbar(store, view, find) {
  const hide = tool("hide", "Hide fields", (button) => openHide(store, view, button));
  const filter = tool("filter", "Filter", (button) => openFilter(store, view, button));
  const sort = tool("sort", "Sort", (button) => openSort(store, view, button));

  function label() {
    const name = (id) => store.table.fields.find((field) => field.id === id)?.name;
    const active = view.filters.filter((each) => ["isEmpty", "isNotEmpty"].includes(each.operator) || each.text.trim());
    setLabel(hide, view.hidden.size ? plural(view.hidden.size, "hidden field") : "Hide fields", view.hidden.size);
    setLabel(filter, active.length ? `Filtered by ${[...new Set(active.map((each) => name(each.fieldId)))].join(", ")}` : "Filter", active.length);
    setLabel(sort, view.sorts.length ? `Sorted by ${plural(view.sorts.length, "field")}` : "Sort", view.sorts.length);
  }

  view.addEventListener("change", label);
  const element = h(
    "div",
    { class: "viewConfigContainer", role: "toolbar", "aria-label": "View" },
    h("button", { type: "button", class: "tool viewName", "aria-label": `${store.schema.tables[0].view.name}, current view` }, icon("grid"), h("span", {}, store.schema.tables[0].view.name)),
    h("span", { class: "spacer" }),
    hide,
    filter,
    unavailable("group", "Group"),
    sort,
    unavailable("color", "Color"),
    unavailable("share", "Share and sync"),
    find.button,
  );
  return { element, label };
}

function tool(iconName, text, open) {
  let popover = null;
  const button = h("button", { type: "button", class: "tool", "aria-haspopup": "dialog", "aria-expanded": "false" }, icon(iconName), h("span", { class: "toolLabel" }, text));
  button.addEventListener("click", () => {
    if (popover) return popover.close();
    const element = open(button);
    element.setAttribute("role", "dialog");
    element.setAttribute("aria-label", text);
    button.setAttribute("aria-expanded", "true");
    popover = openPopover({
      anchor: button,
      element,
      onClose: () => {
        popover = null;
        button.setAttribute("aria-expanded", "false");
        button.focus();
      },
    });
    element.querySelector("input, select, button")?.focus();
  });
  return button;
}

function unavailable(iconName, text) {
  return h("button", { type: "button", class: "tool", "aria-disabled": "true", title: `${text} is not available on your plan` }, icon(iconName), h("span", { class: "toolLabel" }, text));
}

function setLabel(button, text, active) {
  button.querySelector(".toolLabel").textContent = text;
  button.classList.toggle("active", Boolean(active));
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function openHide(store, view) {
  return h(
    "div",
    { class: "toolBox" },
    ...store.table.fields.slice(1).map((field) => {
      const shown = !view.hidden.has(field.id);
      const item = h("button", { type: "button", class: "switchItem", role: "switch", "aria-checked": String(shown) }, h("span", { class: "switch" }), icon(field.type), field.name);
      item.addEventListener("click", () => {
        if (!view.hidden.delete(field.id)) view.hidden.add(field.id);
        item.setAttribute("aria-checked", String(!view.hidden.has(field.id)));
        view.changed();
      });
      return item;
    }),
  );
}

function select(label, options, value, onchange) {
  const element = h("select", { "aria-label": label }, ...options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  element.addEventListener("change", () => onchange(element.value));
  return element;
}

const fieldOptions = (store) => store.table.fields.map((field) => [field.id, field.name]);

function openFilter(store, view) {
  const element = h("div", { class: "toolBox filterBox" });
  let timer = 0;

  function value(filter) {
    const input = h("input", { type: "text", "aria-label": "Value", placeholder: "Enter a value", value: filter.text, autocomplete: "off" });
    input.addEventListener("input", () => {
      filter.text = input.value;
      clearTimeout(timer);
      timer = setTimeout(() => view.changed(), 150);
    });
    return input;
  }

  function line(filter, index) {
    const update = (part) => {
      Object.assign(filter, part);
      view.changed();
      draw();
    };
    const bare = ["isEmpty", "isNotEmpty"].includes(filter.operator);
    return h(
      "div",
      { class: "conditionLine", role: "group", "aria-label": `Condition ${index + 1}` },
      h("span", { class: "conjunction" }, index === 0 ? "Where" : "and"),
      select("Field", fieldOptions(store), filter.fieldId, (fieldId) => update({ fieldId })),
      select("Operator", Object.entries(OPERATORS), filter.operator, (operator) => update({ operator })),
      bare ? h("span", { class: "noValue" }) : value(filter),
      iconButton("close", "Remove condition", () => {
        view.filters.splice(index, 1);
        view.changed();
        draw();
      }),
    );
  }

  function draw() {
    element.replaceChildren(
      h("p", { class: "hint" }, view.filters.length ? "In this view, show records" : "No filter conditions are applied to this view"),
      ...view.filters.map(line),
      h("button", { type: "button", class: "linkButton", onclick: add }, icon("plus"), "Add condition"),
    );
  }

  function add() {
    view.filters.push({ fieldId: store.table.fields[0].id, operator: "contains", text: "" });
    view.changed();
    draw();
    element.querySelector(".conditionLine:last-of-type input")?.focus();
  }

  draw();
  return element;
}

function openSort(store, view) {
  const element = h("div", { class: "toolBox sortBox" });

  function line(sort, index) {
    return h(
      "div",
      { class: "conditionLine", role: "group", "aria-label": `Sort ${index + 1}` },
      select("Sort by", fieldOptions(store), sort.fieldId, (fieldId) => update(sort, { fieldId })),
      select("Direction", [["up", "A → Z"], ["down", "Z → A"]], sort.descending ? "down" : "up", (way) => update(sort, { descending: way === "down" })),
      iconButton("close", "Remove sort", () => {
        view.sorts.splice(index, 1);
        view.changed();
        draw();
      }),
    );
  }

  function update(sort, part) {
    Object.assign(sort, part);
    view.changed();
  }

  function draw() {
    element.replaceChildren(
      h("p", { class: "hint" }, "Sort by"),
      ...view.sorts.map(line),
      h("button", { type: "button", class: "linkButton", onclick: add }, icon("plus"), "Add another sort"),
    );
  }

  function add() {
    const used = view.sorts.map((sort) => sort.fieldId);
    const free = store.table.fields.find((field) => !used.includes(field.id)) ?? store.table.fields[0];
    view.sorts.push({ fieldId: free.id, descending: false });
    view.changed();
    draw();
  }

  if (!view.sorts.length) add();
  draw();
  return element;
}
