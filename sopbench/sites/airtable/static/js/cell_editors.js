// Editors that lie over a cell of the grid. Each has commit(), cancel() and closes itself.

import { openDatePicker } from "./date_picker.js";
import { h } from "./dom.js";
import { editText, parse } from "./fields.js";
import { ROW_HEIGHT } from "./grid_rows.js";
import { openSelectList } from "./select_list.js";

const LONG_WIDTH = 320;

/** `typed`: null opens the editor on the present value, a text replaces it. */
export function openCellEditor(grid, rowId, column, typed) {
  const put = (node) => {
    // A long text's editor is wider than its cell, and stays within what is seen.
    const edge = grid.scroller.scrollLeft + grid.scroller.clientWidth - grid.leftWidth - LONG_WIDTH - 4;
    const left = column.field.type === "multilineText" && column.index > 0 ? Math.min(column.left, Math.max(0, edge)) : column.left;
    node.style.left = `${left}px`;
    node.style.width = `${column.width}px`;
    node.style.top = `${(grid.indexes.get(rowId) ?? 0) * ROW_HEIGHT}px`;
  };
  const place = (node) => {
    put(node);
    (column.index === 0 ? grid.left : grid.right).append(node);
  };
  return column.field.type === "singleSelect"
    ? selectEditor(grid, rowId, column, place, put)
    : textEditor(grid, rowId, column, typed, place, put);
}

function textEditor(grid, rowId, column, typed, place, put) {
  const { field } = column;
  const long = field.type === "multilineText";
  const input = h(long ? "textarea" : "input", { class: "cellEditorInput", "aria-label": field.name, autocomplete: "off", spellcheck: "false" });
  const box = h("div", { class: `cellEditor ${long ? "long" : ""} ${field.type}` }, input);
  input.value = typed ?? editText(field, grid.store.value(rowId, field.id));
  let open = true;
  let picker = null;

  const close = () => {
    open = false;
    picker?.close();
    grid.editor = null;
    const inside = box.contains(document.activeElement);
    box.remove();
    if (inside) grid.element.focus({ preventScroll: true });
    grid.schedule();
  };
  const editor = {
    commit() {
      if (!open) return;
      const parsed = parse(field, input.value);
      const text = input.value;
      close();
      if (parsed.ok && text !== editText(field, grid.store.value(rowId, field.id))) grid.write(rowId, field.id, parsed.value);
    },
    cancel: () => open && close(),
    follow: () => put(box),
  };

  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") {
      editor.cancel();
    } else if (event.key === "Enter" && !(long && event.shiftKey)) {
      editor.commit();
      grid.input.move(event.shiftKey ? -1 : 1, 0);
    } else if (event.key === "Tab") {
      editor.commit();
      grid.input.move(0, event.shiftKey ? -1 : 1);
    } else {
      return;
    }
    event.preventDefault();
  });
  input.addEventListener("blur", () => setTimeout(() => !picker?.element.contains(document.activeElement) && editor.commit()));
  place(box);
  input.focus({ preventScroll: true });
  if (typed === null) input.setSelectionRange(input.value.length, input.value.length);
  if (field.type === "date") {
    picker = openDatePicker({
      anchor: box,
      input,
      today: grid.store.schema.today,
      onPick: (text) => {
        input.value = text;
        editor.commit();
      },
    });
  }
  return editor;
}

function selectEditor(grid, rowId, column, place, put) {
  const { field } = column;
  const anchor = h("div", { class: "cellEditor anchor" });
  place(anchor);
  const close = () => {
    grid.editor = null;
    anchor.remove();
    grid.element.focus({ preventScroll: true });
  };
  const list = openSelectList({
    anchor,
    field,
    value: grid.store.value(rowId, field.id),
    onPick: (name) => grid.write(rowId, field.id, name),
    onClose: close,
  });
  return { commit: () => list.close(), cancel: () => list.close(), follow: () => put(anchor) };
}
