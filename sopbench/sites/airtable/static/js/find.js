// "Find in view": marks the cells that hold a text and walks through them.

import { h, iconButton } from "./dom.js";
import { display } from "./fields.js";

const DEBOUNCE_MS = 150;

export class Find {
  constructor(grid) {
    this.grid = grid;
    this.matches = [];
    this.at = -1;
    this.timer = 0;
    this.button = h(
      "button",
      {
        type: "button",
        class: "iconButton findToggle",
        "aria-label": "toggle view search input",
        "aria-pressed": "false",
        title: "Find in view",
        onclick: () => (this.open ? this.close() : this.show()),
      },
      ...iconButton("search", "").childNodes,
    );
    this.input = h("input", { type: "text", placeholder: "Find in view", autocomplete: "off", spellcheck: "false" });
    this.count = h("div", { class: "findCount", "aria-live": "polite" });
    this.previous = iconButton("up", "Previous result", () => this.#step(-1));
    this.next = iconButton("down", "Next result", () => this.#step(1));
    this.box = h(
      "div",
      { class: "findBox", role: "search" },
      this.input,
      this.count,
      this.previous,
      this.next,
      iconButton("close", "Close search", () => this.close()),
    );
    this.input.addEventListener("input", () => this.#later());
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  get open() {
    return this.box.isConnected;
  }

  show() {
    if (!this.open) this.button.after(this.box);
    this.button.setAttribute("aria-pressed", "true");
    this.input.focus();
    this.input.select();
    this.#draw();
  }

  close() {
    if (!this.open) return;
    clearTimeout(this.timer);
    this.box.remove();
    this.button.setAttribute("aria-pressed", "false");
    this.input.value = "";
    this.searched = "";
    this.matches = [];
    this.at = -1;
    this.#mark();
    this.grid.element.focus({ preventScroll: true });
  }

  /** The rows have changed: look again, and stay where we were. A term that is still being typed is not looked for yet. */
  refresh() {
    if (!this.open || !this.term || this.searched !== this.term) return;
    const current = this.#key_of(this.matches[this.at]);
    this.#search();
    const kept = this.matches.findIndex((match) => this.#key_of(match) === current);
    this.at = kept >= 0 ? kept : Math.min(Math.max(this.at, 0), this.matches.length - 1);
    this.#mark();
    this.#draw();
  }

  get term() {
    return this.input.value.trim().toLowerCase();
  }

  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#start(), DEBOUNCE_MS);
  }

  #start() {
    this.#search();
    this.at = this.matches.length ? 0 : -1;
    this.searched = this.term;
    this.#reveal();
  }

  #search() {
    const { term } = this;
    this.matches = [];
    if (!term) return;
    for (const row of this.grid.rows) {
      for (const { field } of this.grid.columns) {
        if (display(field, row.cells[field.id] ?? null).toLowerCase().includes(term)) {
          this.matches.push({ rowId: row.id, fieldId: field.id });
        }
      }
    }
  }

  #step(by) {
    if (this.searched !== this.term) {
      clearTimeout(this.timer);
      this.#start();
      return;
    }
    if (!this.matches.length) return;
    this.at = (this.at + by + this.matches.length) % this.matches.length;
    this.#reveal();
  }

  #reveal() {
    this.#mark();
    this.#draw();
    const match = this.matches[this.at];
    if (match) this.grid.select(match.rowId, match.fieldId, { focus: false });
  }

  #key_of(match) {
    return match ? `${match.rowId}/${match.fieldId}` : "";
  }

  #mark() {
    this.grid.marks = { all: new Set(this.matches.map((match) => this.#key_of(match))), current: this.#key_of(this.matches[this.at]) };
    this.grid.schedule();
  }

  #draw() {
    const found = this.matches.length;
    this.count.textContent = !this.term ? "" : found ? `${this.at + 1} of ${found}` : "No results";
    this.previous.disabled = this.next.disabled = !found;
  }

  #key(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.input) this.#step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
