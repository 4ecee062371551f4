// The grid: draws the rows and columns in sight, keeps the selection, and opens editors over cells.

import { h, icon } from "./dom.js";
import { columnWidth } from "./fields.js";
import { ROW_HEAD_WIDTH, ROW_HEIGHT, RowPool, fillRow, headerCell } from "./grid_rows.js";
import { GridInput } from "./grid_input.js";
import { openCellEditor } from "./cell_editors.js";

const OVERSCAN_ROWS = 4;
const OVERSCAN_PX = 120;

export class Grid extends EventTarget {
  constructor(store, view) {
    super();
    this.store = store;
    this.view = view;
    this.rows = [];
    this.columns = [];
    this.selection = null; // {rowId, fieldId}
    this.checkedRows = new Set();
    this.marks = { all: new Set(), current: "" }; // cells found by "Find in view", as "row/field"
    this.editor = null;
    this.#build();
    this.input = new GridInput(this);
    this.scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.schedule()).observe(this.scroller);
  }

  #build() {
    this.headerLeft = h("div", { class: "headerLeftPane" });
    this.headerRight = h("div", { class: "headerRightPane" });
    this.leftInner = h("div", { class: "dataLeftPaneInnerContent paneInnerContent" });
    this.rightInner = h("div", { class: "dataRightPaneInnerContent paneInnerContent" });
    this.addRow = h(
      "button",
      {
        type: "button",
        class: "dataRow ghost leftPane rowInsertionEnabled",
        "aria-label": "Insert new record in grid",
        title: "You can also insert a new record anywhere by pressing Shift-Enter",
        tabindex: "-1",
      },
      icon("plus"),
    );
    this.left = h("div", { class: "dataLeftPane" }, this.leftInner, this.addRow);
    this.right = h("div", { class: "dataRightPane" }, this.rightInner);
    this.header = h("div", { class: "headerRow", role: "row", "aria-rowindex": "1" }, this.headerLeft, this.headerRight);
    this.panes = h("div", { class: "panes" }, this.left, this.right);
    this.scroller = h("div", { class: "antiscroll-inner" }, this.header, this.panes);
    this.element = h("div", { class: "gridView", id: "gridView", role: "grid", tabindex: "0" }, this.scroller);
    this.pools = { left: new RowPool(this.leftInner, "left"), right: new RowPool(this.rightInner, "right") };
  }

  /** Takes over what the view shows now. */
  refresh() {
    if (!this.store.table) return;
    this.rows = this.view.rows();
    this.indexes = new Map(this.rows.map((row, index) => [row.id, index]));
    let x = 0;
    this.columns = this.view.fields.map((field, index) => {
      const width = index === 0 ? 220 : columnWidth(field);
      const column = { field, index, width, left: index === 0 ? ROW_HEAD_WIDTH : x };
      if (index > 0) x += width;
      return column;
    });
    this.leftWidth = ROW_HEAD_WIDTH + this.columns[0].width;
    this.rightWidth = x;
    if (this.selection && !(this.indexes.has(this.selection.rowId) && this.columnOf(this.selection.fieldId))) this.selection = null;
    this.element.setAttribute("aria-label", `${this.store.table.name} ${this.store.table.view.name}`);
    this.element.setAttribute("aria-rowcount", this.rows.length + 1);
    this.element.setAttribute("aria-colcount", this.columns.length);
    this.schedule();
  }

  columnOf(fieldId) {
    return this.columns.find(({ field }) => field.id === fieldId);
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#render();
    });
  }

  #render() {
    if (!this.columns.length) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    this.left.style.width = this.headerLeft.style.width = `${this.leftWidth}px`;
    this.right.style.left = `${this.leftWidth}px`;
    const total = this.leftWidth + this.rightWidth + 60;
    this.header.style.width = this.panes.style.width = `${total}px`;
    this.panes.style.height = `${(this.rows.length + 1) * ROW_HEIGHT + 40}px`;
    this.addRow.style.top = `${this.rows.length * ROW_HEIGHT}px`;
    this.scroller.style.scrollPadding = `${ROW_HEIGHT}px 0 0 ${this.leftWidth}px`;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN_ROWS);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + OVERSCAN_ROWS);
    const seen = this.columns.filter(
      ({ index, left, width }) =>
        index > 0 && left + width > scrollLeft - OVERSCAN_PX && left < scrollLeft + clientWidth - this.leftWidth + OVERSCAN_PX,
    );
    this.#renderHeader(seen);
    const visible = this.rows.slice(first, last).map((row, offset) => ({ row, index: first + offset }));
    this.#renderRows(visible, seen);
    this.#paintMarks();
    this.editor?.follow();
  }

  #renderHeader(seen) {
    const signature = this.columns.map(({ field }) => field.id + field.name).join() + "|" + seen.map(({ index }) => index).join();
    if (signature === this.headerSignature) return;
    this.headerSignature = signature;
    const [primary] = this.columns;
    this.headerLeft.replaceChildren(headerCell(primary.field, 0, primary.left, primary.width));
    this.headerRight.replaceChildren(...seen.map(({ field, index, left, width }) => headerCell(field, index, left, width)));
    this.headerRight.style.left = `${this.leftWidth}px`;
  }

  #renderRows(visible, seen) {
    const [primary] = this.columns;
    const content = (row, columns) => JSON.stringify(columns.map(({ field }) => [field.id, row.cells[field.id] ?? null]));
    this.pools.left.sync(
      visible.map(({ row, index }) => {
        const checked = this.checkedRows.has(row.id);
        return {
          row,
          index,
          signature: `${index}|${checked}|${content(row, [primary])}`,
          fill: (node) => fillRow(node, row, index, [primary], { checked }),
        };
      }),
    );
    this.pools.right.sync(
      visible.map(({ row, index }) => ({
        row,
        index,
        signature: `${index}|${content(row, seen)}`,
        fill: (node) => fillRow(node, row, index, seen),
      })),
    );
  }

  /** Selection and found cells are classes on nodes that stay. */
  #paintMarks() {
    const active = this.selection && `cell-${this.selection.rowId}-${this.selection.fieldId}`;
    for (const node of this.panes.querySelectorAll("[role=gridcell]")) {
      const key = `${node.dataset.rowid}/${node.dataset.columnid}`;
      const selected = node.id === active;
      node.classList.toggle("cursorCell", selected);
      node.setAttribute("aria-selected", String(selected));
      node.classList.toggle("searchMatch", this.marks.all.has(key));
      node.classList.toggle("searchCurrent", this.marks.current === key);
    }
    for (const node of this.panes.querySelectorAll(".dataRow[data-rowid]")) {
      node.classList.toggle("cursorRow", node.dataset.rowid === this.selection?.rowId);
    }
    if (active) this.element.setAttribute("aria-activedescendant", active);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(rowId, fieldId, { focus = true, scroll = true } = {}) {
    const left = this.selection && this.selection.rowId !== rowId && this.view.keep === this.selection.rowId;
    this.selection = { rowId, fieldId };
    if (left) {
      this.view.keep = null;
      this.refresh();
    }
    if (scroll) this.scrollTo(rowId, fieldId);
    if (focus) this.element.focus({ preventScroll: true });
    this.schedule();
  }

  clearSelection() {
    this.selection = null;
    this.schedule();
  }

  scrollTo(rowId, fieldId) {
    const index = this.indexes.get(rowId);
    const column = this.columnOf(fieldId);
    if (index === undefined || !column) return;
    const top = index * ROW_HEIGHT;
    const height = this.scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top > this.scroller.scrollTop + height) this.scroller.scrollTop = top - height;
    if (column.index === 0) return;
    const width = this.scroller.clientWidth - this.leftWidth;
    if (column.left < this.scroller.scrollLeft) this.scroller.scrollLeft = column.left;
    else if (column.left + column.width > this.scroller.scrollLeft + width) this.scroller.scrollLeft = column.left + column.width - width;
  }

  /** The view is redrawn at once, so that the cell is there to be edited. */
  flush() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.#render();
  }

  edit(typed = null) {
    if (!this.selection || this.editor) return;
    const { rowId, fieldId } = this.selection;
    const column = this.columnOf(fieldId);
    if (column.field.type === "checkbox") return this.toggle(rowId, fieldId);
    this.scrollTo(rowId, fieldId);
    this.flush();
    this.editor = openCellEditor(this, rowId, column, typed);
  }

  toggle(rowId, fieldId) {
    this.write(rowId, fieldId, this.store.value(rowId, fieldId) === true ? null : true);
  }

  write(rowId, fieldId, value) {
    this.view.keep = rowId;
    this.store.setCell(rowId, fieldId, value);
  }

  addRecord() {
    this.editor?.commit();
    const id = this.store.createRow();
    this.view.keep = id;
    this.refresh();
    this.flush();
    this.select(id, this.columns[0].field.id);
  }

  expand(rowId) {
    this.editor?.commit();
    this.dispatchEvent(new CustomEvent("expand", { detail: rowId }));
  }
}
