// An expanded record: a dialog with all fields of one record, one under the other.

import { h, iconButton, toast } from "./dom.js";
import { display } from "./fields.js";
import { openPopover } from "./popover.js";
import { recordField } from "./record_fields.js";

export class RecordDialog extends EventTarget {
  constructor(store, view) {
    super();
    this.store = store;
    this.view = view;
    this.rowId = null;
    this.editors = [];
  }

  get isOpen() {
    return this.rowId !== null;
  }

  open(rowId) {
    if (this.rowId === rowId) return;
    if (!this.isOpen) this.#build();
    else this.commit();
    this.rowId = rowId;
    const { table, schema } = this.store;
    this.editors = table.fields.map((field) =>
      recordField(field, {
        today: schema.today,
        read: () => this.store.value(rowId, field.id),
        write: (value) => this.#write(rowId, field.id, value),
      }),
    );
    this.body.replaceChildren(...this.editors.map((editor) => editor.element));
    this.body.scrollTop = 0;
    this.#head();
    for (const editor of this.editors) editor.shown?.();
    this.dialog.focus({ preventScroll: true });
  }

  /** With `leave` the reader has closed it, and the address is to follow. */
  close({ leave = true } = {}) {
    if (!this.isOpen) return;
    this.commit();
    const rowId = this.rowId;
    this.rowId = null;
    this.editors = [];
    this.menu?.close();
    this.overlay.remove();
    this.dispatchEvent(new CustomEvent("closed", { detail: { rowId, leave } }));
  }

  commit() {
    for (const editor of this.editors) editor.commit();
  }

  /** The store has changed: show what came from elsewhere. */
  refresh() {
    if (!this.isOpen) return;
    if (!this.store.rows.has(this.rowId)) {
      toast("This record has been deleted");
      this.editors = [];
      this.close();
      return;
    }
    for (const editor of this.editors) editor.show(this.store.value(this.rowId, editor.field.id));
    this.#head();
  }

  #write(rowId, fieldId, value) {
    this.view.keep = rowId;
    this.store.setCell(rowId, fieldId, value);
  }

  #build() {
    this.previous = iconButton("up", "Previous record", () => this.#step(-1));
    this.next = iconButton("down", "Next record", () => this.#step(1));
    this.heading = h("h2", { class: "recordTitle truncate" });
    this.body = h("div", { class: "detailViewBody" });
    const more = iconButton("more", "More actions", () => this.#openMenu(more), { "aria-haspopup": "menu" });
    this.dialog = h(
      "div",
      { class: "detailView", role: "dialog", "aria-modal": "true", tabindex: "-1" },
      h(
        "div",
        { class: "detailViewHeader" },
        this.previous,
        this.next,
        h("span", { class: "tableName truncate" }, this.store.table.name),
        h("span", { class: "spacer" }),
        iconButton("link", "Copy record URL", () => this.#copyUrl()),
        more,
        iconButton("close", "Close", () => this.close()),
      ),
      this.heading,
      this.body,
    );
    this.overlay = h("div", { class: "detailViewOverlay" }, this.dialog);
    this.overlay.addEventListener("mousedown", (event) => {
      if (event.target === this.overlay) this.close();
    });
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    document.body.append(this.overlay);
  }

  #head() {
    const [primary] = this.store.table.fields;
    const title = display(primary, this.store.value(this.rowId, primary.id)) || "Unnamed record";
    if (this.heading.textContent !== title) this.heading.textContent = title;
    this.dialog.setAttribute("aria-label", title);
    const rows = this.view.rows();
    const at = rows.findIndex((row) => row.id === this.rowId);
    this.previous.disabled = at <= 0;
    this.next.disabled = at < 0 || at >= rows.length - 1;
  }

  #step(by) {
    this.commit();
    const rows = this.view.rows();
    const to = rows[rows.findIndex((row) => row.id === this.rowId) + by];
    if (!to) return;
    this.open(to.id);
    this.dispatchEvent(new CustomEvent("moved", { detail: to.id }));
  }

  #key(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      const stops = [...this.dialog.querySelectorAll("button, input, textarea, [tabindex='0']")].filter((node) => !node.disabled && !node.hidden);
      const edge = event.shiftKey ? stops[0] : stops.at(-1);
      if (document.activeElement !== edge && !(event.shiftKey && document.activeElement === this.dialog)) return;
      event.preventDefault();
      (event.shiftKey ? stops.at(-1) : stops[0]).focus();
    }
  }

  async #copyUrl() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast("Record URL copied to clipboard");
    } catch {
      toast("The browser does not allow copying here");
    }
  }

  #openMenu(anchor) {
    const item = (text, act) =>
      h("button", { type: "button", role: "menuitem", class: "menuItem", onclick: () => (this.menu.close(), act()) }, text);
    const element = h(
      "div",
      { class: "menu", role: "menu", "aria-label": "More actions" },
      item("Duplicate record", () => this.#duplicate()),
      item("Delete record", () => this.#destroy()),
    );
    this.menu = openPopover({ anchor, element });
    element.querySelector("button").focus();
  }

  #duplicate() {
    this.commit();
    const id = this.store.createRow(this.store.rows.get(this.rowId).cells);
    this.open(id);
    this.dispatchEvent(new CustomEvent("moved", { detail: id }));
  }

  #destroy() {
    const rowId = this.rowId;
    this.editors = [];
    this.close();
    this.store.destroyRow(rowId);
  }
}
