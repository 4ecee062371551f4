// Writes on their way to the server: one after the other, in the order they were made.

import { request } from "./server.js";

export class SaveQueue extends EventTarget {
  constructor() {
    super();
    this.waiting = [];
    this.sending = null;
    this.state = "idle"; // idle, saving, saved, error
  }

  get operations() {
    return this.sending ? [this.sending, ...this.waiting] : [...this.waiting];
  }

  get unsaved() {
    return this.operations.length > 0;
  }

  /** {kind: "create" | "updateCells" | "destroy", tableId, rowId, cells} */
  push(operation) {
    const last = this.waiting.at(-1);
    if (operation.kind === "updateCells" && last?.rowId === operation.rowId && last.kind !== "destroy") {
      last.cells = { ...last.cells, ...operation.cells };
    } else {
      this.waiting.push(operation);
    }
    this.#enter("saving");
    this.#run();
  }

  retry() {
    this.#enter("saving");
    this.#run();
  }

  /** Ids of the cells of a row that are not yet acknowledged. */
  pendingFields(rowId) {
    const own = this.operations.filter((operation) => operation.rowId === rowId);
    return new Set(own.flatMap((operation) => Object.keys(operation.cells ?? {})));
  }

  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  async #run() {
    if (this.sending) return;
    while (this.waiting.length) {
      this.sending = this.waiting.shift();
      const { kind, tableId, rowId, cells } = this.sending;
      try {
        const answer = await request(`/v0.3/row/${rowId}/${kind}`, { tableId, cells });
        const done = this.sending;
        this.sending = null;
        this.dispatchEvent(new CustomEvent("saved", { detail: { operation: done, answer } }));
      } catch (error) {
        const failed = this.sending;
        this.sending = null;
        if (error.status >= 400 && error.status < 500) {
          this.dispatchEvent(new CustomEvent("rejected", { detail: { operation: failed, error } }));
          continue;
        }
        this.waiting.unshift(failed);
        this.#enter("error");
        return;
      }
    }
    this.#enter("saved");
  }
}
