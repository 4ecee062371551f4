// The list of choices of a single select, with a filter.

import { freshId, h, icon } from "./dom.js";
import { pillColor } from "./fields.js";
import { openPopover } from "./popover.js";

export function openSelectList({ anchor, field, value, onPick, onClose }) {
  const id = freshId("options");
  const input = h("input", {
    type: "text",
    class: "optionFilter",
    placeholder: "Find an option",
    "aria-label": "Find an option",
    "aria-controls": id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = h("ul", { class: "optionList", role: "listbox", id, "aria-label": field.name });
  const element = h("div", { class: "selectPopover" }, input, list);
  let shown = [];
  let active = 0;

  function draw() {
    const wanted = input.value.trim().toLowerCase();
    shown = field.options.choices.filter((choice) => choice.name.toLowerCase().includes(wanted));
    active = Math.min(active, Math.max(0, shown.length - 1));
    list.replaceChildren(
      ...shown.map((choice, index) =>
        h(
          "li",
          {
            role: "option",
            id: `${id}-${choice.id}`,
            class: `option ${index === active ? "active" : ""}`,
            "aria-selected": String(choice.name === value),
            onclick: () => pick(choice.name),
          },
          h("span", { class: `choiceToken ${pillColor(field, choice.name)}` }, choice.name),
          choice.name === value ? icon("check") : null,
        ),
      ),
    );
    if (!shown.length) list.append(h("li", { class: "noOptions", role: "presentation" }, "No options match"));
    if (shown.length) input.setAttribute("aria-activedescendant", `${id}-${shown[active].id}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function pick(name) {
    popover.close();
    onPick(name);
  }

  function step(by) {
    if (!shown.length) return;
    active = (active + by + shown.length) % shown.length;
    draw();
    list.children[active].scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("input", () => {
    active = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && shown.length) pick(shown[active].name);
    else if (event.key === "Tab") popover.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  active = Math.max(0, field.options.choices.findIndex((choice) => choice.name === value));
  draw();
  const popover = openPopover({ anchor, element, onClose });
  input.focus({ preventScroll: true });
  return popover;
}
