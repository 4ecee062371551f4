// The editors of an expanded record, one for each kind of field.
// Each is {element, show(value), commit()}: `show` is for values from elsewhere and leaves an edit under way alone.

import { openDatePicker } from "./date_picker.js";
import { freshId, h, icon, iconButton } from "./dom.js";
import { columnType, display, editText, isEmpty, parse, pillColor } from "./fields.js";
import { openSelectList } from "./select_list.js";

const AUTOSAVE_MS = 400;
const AUTOSAVED = ["singleLineText", "multilineText", "email"];

/** `read()` gives the present value, `write(value)` saves one, `today` is the site's day. */
export function recordField(field, { read, write, today }) {
  const labelId = freshId("label");
  const editor = makeEditor(field, labelId, read, write, today);
  editor.show(read());
  const element = h(
    "div",
    { class: "labelCellPair", "data-columnid": field.id, "data-columntype": columnType(field) },
    h("div", { class: "fieldLabel" }, icon(field.type), h("label", { id: labelId, for: editor.focusId }, field.name)),
    h("div", { class: "cellContainer" }, editor.element),
  );
  return { ...editor, element, field };
}

function makeEditor(field, labelId, read, write, today) {
  if (field.type === "checkbox") return checkboxEditor(labelId, read, write);
  if (field.type === "singleSelect") return selectEditor(field, labelId, read, write);
  return textEditor(field, labelId, read, write, today);
}

function textEditor(field, labelId, read, write, today) {
  const long = field.type === "multilineText";
  const focusId = freshId("field");
  const input = h(long ? "textarea" : "input", {
    id: focusId,
    class: "fieldInput",
    "aria-labelledby": labelId,
    "aria-multiline": long ? "true" : null,
    rows: long ? "2" : null,
    type: long ? null : "text",
    inputmode: { number: "decimal", email: "email" }[field.type],
    placeholder: field.type === "date" ? "M/D/YYYY" : null,
    autocomplete: "off",
    spellcheck: "false",
  });
  let shown = "";
  let timer = 0;
  let picker = null;

  const focused = () => document.activeElement === input;
  const dirty = () => input.value !== shown;
  const put = (value) => {
    shown = long || focused() ? editText(field, value) : display(field, value);
    input.value = shown;
    grow();
  };
  const grow = () => {
    if (!long) return;
    input.style.height = "auto";
    input.style.height = `${Math.max(56, input.scrollHeight + 2)}px`;
  };
  const commit = () => {
    clearTimeout(timer);
    if (!dirty()) return;
    const parsed = parse(field, input.value);
    if (parsed.ok) {
      shown = input.value;
      write(parsed.value);
    } else {
      put(read());
    }
  };
  const openPicker = () => {
    if (field.type !== "date" || picker) return;
    picker = openDatePicker({
      anchor: input,
      input,
      today,
      onPick: (text) => {
        input.value = text;
        closePicker();
        commit();
      },
    });
  };
  const closePicker = () => {
    picker?.close();
    picker = null;
  };

  input.addEventListener("input", () => {
    grow();
    clearTimeout(timer);
    if (AUTOSAVED.includes(field.type)) timer = setTimeout(commit, AUTOSAVE_MS);
  });
  input.addEventListener("focus", () => {
    if (!dirty()) {
      const before = input.value;
      put(read());
      if (input.value !== before) input.select();
    }
    openPicker();
  });
  input.addEventListener("click", openPicker);
  input.addEventListener("blur", () => {
    closePicker();
    commit();
    put(read());
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && picker?.element.isConnected) {
      closePicker();
      event.stopPropagation();
    } else if (event.key === "Enter" && !long && !event.isComposing) {
      closePicker();
      commit();
      event.preventDefault();
    }
  });
  return {
    element: input,
    focusId,
    commit,
    show: (value) => (focused() || dirty() ? undefined : put(value)),
    shown: grow,
  };
}

function checkboxEditor(labelId, read, write) {
  const element = h("div", { class: "checkboxMark large", role: "checkbox", tabindex: "0", "aria-labelledby": labelId });
  const show = (value) => {
    if (element.getAttribute("aria-checked") === String(value === true)) return;
    element.setAttribute("aria-checked", String(value === true));
    element.classList.toggle("checked", value === true);
    element.replaceChildren(...(value === true ? [icon("check")] : []));
  };
  const toggle = () => {
    write(read() === true ? null : true);
    show(read());
  };
  element.addEventListener("click", toggle);
  element.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    toggle();
  });
  return { element, show, commit() {} };
}

function selectEditor(field, labelId, read, write) {
  let list = null;
  let shown;
  const value = h("span", { class: "selectValue" });
  const button = h(
    "button",
    { type: "button", class: "selectButton", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-labelledby": labelId },
    value,
    icon("down"),
  );
  const clear = iconButton("close", `Clear ${field.name}`, () => {
    write(null);
    show(read());
    button.focus();
  });
  const show = (name) => {
    if (name === shown) return;
    shown = name;
    value.replaceChildren(isEmpty(name) ? "" : h("span", { class: `choiceToken ${pillColor(field, name)}` }, name));
    clear.hidden = isEmpty(name);
  };
  const open = () => {
    if (list) return list.close();
    button.setAttribute("aria-expanded", "true");
    list = openSelectList({
      anchor: button,
      field,
      value: read(),
      onPick: (name) => {
        write(name);
        show(read());
      },
      onClose: () => {
        list = null;
        button.setAttribute("aria-expanded", "false");
        button.focus();
      },
    });
  };
  button.addEventListener("click", open);
  button.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") open();
    else if ((event.key === "Delete" || event.key === "Backspace") && !isEmpty(read())) clear.click();
    else return;
    event.preventDefault();
  });
  return { element: h("div", { class: "selectField" }, button, clear), show, commit: () => list?.close() };
}
