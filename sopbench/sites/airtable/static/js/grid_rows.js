// The cells of the grid: builds the nodes of a row's left and right pane, and reuses them while scrolling.

import { columnType, display, isEmpty, pillColor } from "./fields.js";
import { h, icon } from "./dom.js";

export const ROW_HEIGHT = 32;
export const ROW_HEAD_WIDTH = 76;

/** What stands in a cell. */
export function cellContent(field, value) {
  if (field.type === "checkbox") {
    const checked = value === true;
    return h(
      "div",
      { class: "checkboxCell" },
      h(
        "div",
        { class: `checkboxMark ${checked ? "checked" : ""}`, role: "checkbox", "aria-checked": String(checked), "aria-label": field.name },
        checked ? icon("check") : null,
      ),
    );
  }
  if (field.type === "singleSelect" && !isEmpty(value)) {
    return h("div", { class: "cellToken" }, h("span", { class: `choiceToken ${pillColor(field, value)}` }, String(value)));
  }
  const text = display(field, value);
  return h("div", { class: "line-height-4 overflow-hidden truncate" }, field.type === "multilineText" ? text.replace(/\s+/g, " ") : text);
}

/** Nodes of one pane, keyed by row; those out of sight serve again for rows that come into sight. */
export class RowPool {
  constructor(container, side) {
    this.container = container;
    this.side = side;
    this.nodes = new Map();
    this.free = [];
  }

  /** Brings the pane to hold exactly these rows: [{row, index, signature, fill(node)}]. */
  sync(wanted) {
    const ids = new Set(wanted.map(({ row }) => row.id));
    for (const [id, node] of this.nodes) {
      if (ids.has(id)) continue;
      this.nodes.delete(id);
      this.free.push(node);
    }
    for (const { row, index, signature, fill } of wanted) {
      let node = this.nodes.get(row.id);
      if (!node) {
        node = this.free.pop() ?? this.#make();
        node.dataset.rowid = row.id;
        node.signature = null;
        this.nodes.set(row.id, node);
      }
      if (node.signature !== signature) {
        node.signature = signature;
        node.style.top = `${index * ROW_HEIGHT}px`;
        node.setAttribute("aria-rowindex", index + 2);
        fill(node);
      }
    }
    for (const node of this.free) node.remove();
    this.free = this.free.slice(0, 8);
    for (const node of this.nodes.values()) if (!node.isConnected) this.container.append(node);
  }

  #make() {
    return h("div", { class: `dataRow ${this.side}Pane rowExpansionEnabled rowSelectionEnabled`, role: "row" });
  }
}

/** Puts a row into a node. Of a node that shows the row already, only what has changed is replaced. */
export function fillRow(node, row, index, columns, head = null) {
  const bound = [row.id, index, head?.checked, ...columns.map(({ field, left }) => field.id + left)].join();
  const values = columns.map(({ field }) => row.cells[field.id] ?? null);
  if (node.bound === bound) {
    columns.forEach(({ field }, at) => {
      if (node.values[at] !== values[at]) node.cells[at].replaceChildren(cellContent(field, values[at]));
    });
  } else {
    node.cells = columns.map(({ field, index: column, left, width }) => cell(field, column, left, width, row, index));
    node.replaceChildren(...(head ? [rowHead(index, head.checked)] : []), ...node.cells);
  }
  node.bound = bound;
  node.values = values;
}

function rowHead(index, checked) {
  return h(
    "div",
    { class: "rowNumberCell" },
    h("span", { class: "rowNumber", "aria-hidden": "true" }, String(index + 1)),
    h(
      "div",
      { class: `rowCheckbox ${checked ? "checked" : ""}`, role: "checkbox", "aria-label": "Select record", "aria-checked": String(checked) },
      checked ? icon("check") : null,
    ),
    h("button", { type: "button", class: "expandRowButton", "aria-label": "Expand record", title: "Expand record", tabindex: "-1" }, icon("expand")),
  );
}

function cell(field, columnIndex, left, width, row, rowIndex) {
  const node = h("div", {
    class: `cell read ${columnIndex === 0 ? "primary" : ""} ${columnType(field)}`,
    role: "gridcell",
    id: `cell-${row.id}-${field.id}`,
    "data-rowid": row.id,
    "data-rowindex": rowIndex,
    "data-columnid": field.id,
    "data-columnindex": columnIndex,
    "data-columntype": columnType(field),
    "aria-colindex": columnIndex + 1,
  });
  node.style.left = `${left}px`;
  node.style.width = `${width}px`;
  node.append(cellContent(field, row.cells[field.id] ?? null));
  return node;
}

export function headerCell(field, columnIndex, left, width) {
  const node = h(
    "div",
    {
      class: "headerCell",
      role: "columnheader",
      "data-columnid": field.id,
      "data-columnindex": columnIndex,
      "data-columntype": columnType(field),
      "aria-colindex": columnIndex + 1,
    },
    icon(field.type),
    h("span", { class: "name truncate" }, field.name),
  );
  node.style.left = `${left}px`;
  node.style.width = `${width}px`;
  return node;
}
