// What the view shows: filters, sorts and hidden fields of the open table.

import { compare, display, isEmpty, parse } from "./fields.js";

export const OPERATORS = {
  contains: "contains",
  doesNotContain: "does not contain",
  is: "is",
  isNot: "is not",
  isEmpty: "is empty",
  isNotEmpty: "is not empty",
};

export class View extends EventTarget {
  constructor(store) {
    super();
    this.store = store;
    this.filters = [];
    this.sorts = [];
    this.hidden = new Set();
    this.keep = null; // a row that stays in sight though it no longer fits, until the selection leaves it
  }

  get fields() {
    return this.store.table.fields.filter((field) => !this.hidden.has(field.id));
  }

  /** Rows that fit the filters, in order. */
  rows() {
    const rows = [...this.store.rows.values()].filter((row) => row.id === this.keep || this.#fits(row));
    if (!this.sorts.length) return rows;
    return rows.sort((left, right) => {
      for (const { fieldId, descending } of this.sorts) {
        const field = this.#field(fieldId);
        const order = compare(field, left.cells[fieldId] ?? null, right.cells[fieldId] ?? null);
        if (order) return descending ? -order : order;
      }
      return 0;
    });
  }

  changed() {
    this.keep = null;
    this.dispatchEvent(new Event("change"));
  }

  #field(id) {
    return this.store.table.fields.find((field) => field.id === id);
  }

  #fits(row) {
    return this.filters.every((filter) => fits(this.#field(filter.fieldId), row.cells[filter.fieldId] ?? null, filter));
  }
}

function fits(field, value, { operator, text }) {
  if (operator === "isEmpty") return isEmpty(value);
  if (operator === "isNotEmpty") return !isEmpty(value);
  if (text.trim() === "" && field.type !== "checkbox") return true;
  const shown = display(field, value).toLowerCase();
  const wanted = text.trim().toLowerCase();
  if (operator === "contains") return shown.includes(wanted);
  if (operator === "doesNotContain") return !shown.includes(wanted);
  const parsed = parse(field, text);
  const same = parsed.ok && !["singleLineText", "multilineText", "email"].includes(field.type)
    ? (value ?? null) === parsed.value
    : shown === wanted;
  return operator === "is" ? same : !same;
}
