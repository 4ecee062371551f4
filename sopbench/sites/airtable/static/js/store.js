// The base as the page knows it: schema, the rows of the open table, changes made here and elsewhere.

import { isEmpty } from "./fields.js";
import { SaveQueue } from "./saving.js";
import { request } from "./server.js";

const POLL_MS = 1000;

export class Store extends EventTarget {
  static async open(baseId) {
    return new Store(await request(`/v0.3/application/${baseId}/read`));
  }

  constructor(schema) {
    super();
    this.schema = schema;
    this.newRowIds = schema.newRowIds;
    this.saving = new SaveQueue();
    this.table = null;
    this.rows = new Map();
    this.destroyed = new Set();
    this.revision = 0;
    this.closed = false;
    this.saving.addEventListener("saved", (event) => this.#acknowledged(event.detail));
    this.saving.addEventListener("rejected", (event) => this.#rejected(event.detail));
    this.#poll();
  }

  tableOf(id) {
    return this.schema.tables.find((table) => table.id === id) ?? this.schema.tables[0];
  }

  async openTable(id) {
    const table = this.tableOf(id);
    this.opening = table;
    this.table = null;
    this.rows = new Map();
    const data = await request(`/v0.3/table/${table.id}/readData`);
    if (this.opening !== table) return; // another table was asked for meanwhile
    this.#take(table, data);
    this.table = table;
    this.#changed();
  }

  value(rowId, fieldId) {
    return this.rows.get(rowId)?.cells[fieldId] ?? null;
  }

  setCell(rowId, fieldId, value) {
    const row = this.rows.get(rowId);
    const next = isEmpty(value) ? null : value;
    if (!row || (row.cells[fieldId] ?? null) === next) return;
    row.cells = { ...row.cells, [fieldId]: next };
    this.saving.push({ kind: "updateCells", tableId: this.table.id, rowId, cells: { [fieldId]: next } });
    this.#changed();
  }

  createRow(cells = {}) {
    const id = this.newRowIds.shift();
    this.rows.set(id, { id, revision: 0, cells: { ...cells } });
    this.saving.push({ kind: "create", tableId: this.table.id, rowId: id, cells: { ...cells } });
    this.#changed();
    return id;
  }

  destroyRow(rowId) {
    this.rows.delete(rowId);
    this.destroyed.add(rowId);
    this.saving.push({ kind: "destroy", tableId: this.table.id, rowId });
    this.#changed();
  }

  /** All rows as the server has them, and over them what it has not yet acknowledged. */
  #take(table, data) {
    this.rows = new Map(data.rows.map((row) => [row.id, row]));
    this.revision = data.revision;
    for (const { kind, tableId, rowId, cells } of this.saving.operations) {
      if (tableId !== table.id) continue;
      if (kind === "destroy") this.rows.delete(rowId);
      else {
        const row = this.rows.get(rowId) ?? { id: rowId, revision: 0, cells: {} };
        this.rows.set(rowId, { ...row, cells: { ...row.cells, ...cells } });
      }
    }
  }

  #merge(row) {
    const mine = this.rows.get(row.id);
    if (this.destroyed.has(row.id) || (mine && mine.revision >= row.revision)) return false;
    const cells = { ...row.cells };
    for (const fieldId of this.saving.pendingFields(row.id)) cells[fieldId] = mine?.cells[fieldId] ?? null;
    this.rows.set(row.id, { ...row, cells });
    return true;
  }

  #acknowledged({ operation, answer }) {
    if (answer.newRowId) this.newRowIds.push(answer.newRowId);
    if (answer.row && operation.tableId === this.table?.id && this.#merge(answer.row)) this.#changed();
  }

  async #rejected({ error }) {
    this.dispatchEvent(new CustomEvent("rejected", { detail: error.message }));
    if (this.table) await this.openTable(this.table.id);
  }

  #poll() {
    setTimeout(async () => {
      try {
        if (this.table) await this.#fetchChanges(this.table);
      } catch {
        // The next poll tries again.
      }
      if (!this.closed) this.#poll();
    }, POLL_MS);
  }

  async #fetchChanges(table) {
    const changes = await request(`/v0.3/table/${table.id}/changes?since=${this.revision}`);
    if (this.table !== table) return;
    this.revision = changes.revision;
    let changed = false;
    for (const row of changes.rows) changed = this.#merge(row) || changed;
    for (const id of changes.destroyed) changed = this.rows.delete(id) || changed;
    if (changes.schemaRevision !== this.schema.schemaRevision) {
      await this.#reloadSchema();
      changed = true;
    }
    if (changed) this.#changed();
  }

  async #reloadSchema() {
    const fresh = await request(`/v0.3/application/${this.schema.id}/read`);
    this.schema.schemaRevision = fresh.schemaRevision;
    for (const table of fresh.tables) {
      const known = this.schema.tables.find((each) => each.id === table.id);
      for (const field of table.fields) Object.assign(known.fields.find((each) => each.id === field.id), field);
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
