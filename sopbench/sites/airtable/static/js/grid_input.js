// Mouse, keyboard and clipboard on the grid.

import { editText, parse } from "./fields.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class GridInput {
  constructor(grid) {
    this.grid = grid;
    const { element, panes, addRow } = grid;
    panes.addEventListener("mousedown", (event) => this.#down(event));
    panes.addEventListener("click", (event) => this.#click(event));
    panes.addEventListener("dblclick", (event) => this.#doubleClick(event));
    panes.addEventListener("mouseover", (event) => this.#hover(event.target.closest(".dataRow")?.dataset.rowid));
    panes.addEventListener("mouseleave", () => this.#hover(null));
    addRow.addEventListener("click", () => grid.addRecord());
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("copy", (event) => this.#copy(event));
    element.addEventListener("cut", (event) => this.#copy(event, true));
    element.addEventListener("paste", (event) => this.#paste(event));
  }

  #hover(rowId) {
    for (const node of this.grid.panes.querySelectorAll(".dataRow.hovered")) {
      if (node.dataset.rowid !== rowId) node.classList.remove("hovered");
    }
    if (!rowId) return;
    for (const node of this.grid.panes.querySelectorAll(`.dataRow[data-rowid="${rowId}"]`)) node.classList.add("hovered");
  }

  #down(event) {
    const cell = event.target.closest("[role=gridcell]");
    if (!cell || event.button !== 0 || event.target.closest(".cellEditor")) return;
    event.preventDefault();
    this.grid.editor?.commit();
    this.grid.select(cell.dataset.rowid, cell.dataset.columnid, { scroll: false });
  }

  #click(event) {
    const rowId = event.target.closest(".dataRow")?.dataset.rowid;
    if (!rowId || event.target.closest(".cellEditor")) return;
    if (event.target.closest(".expandRowButton")) this.grid.expand(rowId);
    else if (event.target.closest(".rowCheckbox")) this.#check(rowId);
    else if (event.target.closest(".checkboxMark")) this.grid.toggle(rowId, event.target.closest("[role=gridcell]").dataset.columnid);
  }

  #check(rowId) {
    const { checkedRows } = this.grid;
    if (!checkedRows.delete(rowId)) checkedRows.add(rowId);
    this.grid.schedule();
  }

  #doubleClick(event) {
    const cell = event.target.closest("[role=gridcell]");
    if (cell && cell.dataset.columntype !== "checkbox") this.grid.edit();
  }

  move(rows, columns) {
    const { selection, indexes, rows: all, columns: shown, columnOf } = this.grid;
    if (!selection) return false;
    const row = indexes.get(selection.rowId) + rows;
    const column = columnOf.call(this.grid, selection.fieldId).index + columns;
    const inside = row >= 0 && row < all.length && column >= 0 && column < shown.length;
    const to = all[Math.max(0, Math.min(all.length - 1, row))];
    this.grid.select(to.id, shown[Math.max(0, Math.min(shown.length - 1, column))].field.id);
    return inside;
  }

  #key(event) {
    if (event.target !== this.grid.element || event.isComposing) return;
    const { grid } = this;
    const command = event.ctrlKey || event.metaKey;
    if (!grid.selection) {
      if (MOVES[event.key] && grid.rows.length) {
        event.preventDefault();
        grid.select(grid.rows[0].id, grid.columns[0].field.id);
      }
      return;
    }
    if (MOVES[event.key]) {
      event.preventDefault();
      const far = command ? Math.max(grid.rows.length, grid.columns.length) : 1;
      this.move(...MOVES[event.key].map((step) => step * far));
    } else if (event.key === "Tab") {
      if (this.move(0, event.shiftKey ? -1 : 1)) event.preventDefault();
    } else if (command || event.altKey) {
      return;
    } else {
      this.#act(event);
    }
  }

  #act(event) {
    const { grid } = this;
    const { rowId, fieldId } = grid.selection;
    const type = grid.columnOf(fieldId).field.type;
    if (event.key === "Enter" && event.shiftKey) grid.addRecord();
    else if (event.key === "Enter" || event.key === "F2") grid.edit();
    else if (event.key === " ") {
      if (type === "checkbox") grid.toggle(rowId, fieldId);
      else grid.expand(rowId);
    } else if (event.key === "Delete" || event.key === "Backspace") grid.write(rowId, fieldId, null);
    else if (event.key === "Escape") grid.clearSelection();
    else if (event.key === "PageDown") this.move(this.#page(), 0);
    else if (event.key === "PageUp") this.move(-this.#page(), 0);
    else if (event.key === "Home") this.move(0, -grid.columns.length);
    else if (event.key === "End") this.move(0, grid.columns.length);
    else {
      // The key is typed into the editor that opens under it.
      if (event.key.length === 1 && type !== "checkbox") grid.edit("");
      return;
    }
    event.preventDefault();
  }

  #page() {
    return Math.max(1, Math.floor(this.grid.scroller.clientHeight / 32) - 2);
  }

  #copy(event, cut = false) {
    const { grid } = this;
    if (event.target.closest(".cellEditor") || !grid.selection) return;
    const { rowId, fieldId } = grid.selection;
    event.clipboardData.setData("text/plain", editText(grid.columnOf(fieldId).field, grid.store.value(rowId, fieldId)));
    event.preventDefault();
    if (cut) grid.write(rowId, fieldId, null);
  }

  #paste(event) {
    const { grid } = this;
    if (event.target.closest(".cellEditor") || !grid.selection) return;
    event.preventDefault();
    const { rowId, fieldId } = grid.selection;
    const parsed = parse(grid.columnOf(fieldId).field, event.clipboardData.getData("text/plain"));
    if (parsed.ok) grid.write(rowId, fieldId, parsed.value);
  }
}
