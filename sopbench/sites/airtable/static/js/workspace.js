// A base: its bar, the tabs of its tables, the toolbar, the grid and the expanded record.

import { h, icon, toast } from "./dom.js";
import { Find } from "./find.js";
import { Grid } from "./grid.js";
import { RecordDialog } from "./record.js";
import { Store } from "./store.js";
import { toolbar } from "./toolbar.js";
import { View } from "./view.js";

export class Workspace {
  static async open(root, baseId, navigate) {
    root.replaceChildren(h("div", { class: "loadingBase", role: "progressbar", "aria-label": "Loading base" }));
    return new Workspace(root, await Store.open(baseId), navigate);
  }

  constructor(root, store, navigate) {
    this.store = store;
    this.navigate = navigate;
    this.view = new View(store);
    this.grid = new Grid(store, this.view);
    this.find = new Find(this.grid);
    this.record = new RecordDialog(store, this.view);
    this.bar = toolbar(store, this.view, this.find);
    this.#build(root);
    this.#listen();
  }

  #build(root) {
    const { schema } = this.store;
    this.status = h("div", { class: "savingStatus", role: "status" });
    this.tabs = h("div", { class: "tableTabs", role: "tablist", "aria-label": "Tables" });
    this.footerCount = h("div", { class: "selectionCount" });
    this.content = h("div", { class: "viewContainer" });
    this.footer = h(
      "div",
      { class: "summaryBar" },
      h("button", { type: "button", class: "addRecordButton", "aria-label": "Add record", onclick: () => this.store.table && this.grid.addRecord() }, icon("plus"), h("span", {}, "Add…")),
      this.footerCount,
    );
    const home = h("a", { href: "/", class: "homeLink", "aria-label": "Home", title: "Home" }, h("span", { class: "logo", "aria-hidden": "true" }));
    home.addEventListener("click", (event) => {
      event.preventDefault();
      this.navigate("/");
    });
    const initials = schema.user.name.split(" ").map((part) => part[0]).join("").slice(0, 2);
    root.replaceChildren(
      h(
        "div",
        { class: "baseContainer" },
        h("header", { class: "topBar" }, home, h("h1", { class: "baseName" }, schema.name), this.status, h("span", { class: "spacer" }), h("span", { class: "avatar", title: schema.user.name, role: "img", "aria-label": schema.user.name }, initials)),
        this.tabs,
        this.bar.element,
        this.content,
        this.footer,
      ),
    );
  }

  #listen() {
    const { store, view, grid, record, find } = this;
    const redraw = () => {
      grid.refresh();
      record.refresh();
      clearTimeout(this.findTimer);
      this.findTimer = setTimeout(() => find.refresh(), 150);
      const count = grid.rows.length;
      this.footerCount.textContent = `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} record${count === 1 ? "" : "s"}`;
    };
    store.addEventListener("change", () => store.table && redraw());
    view.addEventListener("change", redraw);
    store.addEventListener("rejected", (event) => toast(`Couldn’t save: ${event.detail}`));
    store.saving.addEventListener("state", () => this.#showSaving());
    grid.addEventListener("expand", (event) => this.navigate(this.#path(event.detail)));
    record.addEventListener("moved", (event) => history.replaceState(null, "", this.#path(event.detail)));
    record.addEventListener("closed", (event) => {
      const { rowId, leave } = event.detail;
      if (leave && location.pathname !== this.#path()) history.pushState(null, "", this.#path());
      if (store.rows.has(rowId) && grid.indexes.has(rowId)) grid.select(rowId, grid.selection?.fieldId ?? grid.columns[0].field.id);
    });
    this.onKey = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f" && !record.isOpen) {
        event.preventDefault();
        find.show();
      }
    };
    this.onLeave = (event) => {
      record.commit();
      grid.editor?.commit();
      if (store.saving.unsaved) event.preventDefault();
    };
    addEventListener("keydown", this.onKey);
    addEventListener("beforeunload", this.onLeave);
  }

  dispose() {
    this.record.close({ leave: false });
    this.grid.editor?.commit();
    this.store.closed = true;
    removeEventListener("keydown", this.onKey);
    removeEventListener("beforeunload", this.onLeave);
  }

  #showSaving() {
    const { state } = this.store.saving;
    this.status.className = `savingStatus ${state}`;
    this.status.replaceChildren({ idle: "", saving: "Saving…", saved: "All changes saved", error: "Couldn’t save" }[state]);
    if (state === "error") {
      this.status.append(h("button", { type: "button", class: "retryButton", onclick: () => this.store.saving.retry() }, "Retry"));
    }
  }

  #path(rowId = null) {
    const table = this.store.table;
    return `/${[this.store.schema.id, table.id, table.view.id, rowId].filter(Boolean).join("/")}`;
  }

  /** Shows what the address says: a table, and perhaps a record. */
  async show(tableId, recordId) {
    const table = this.store.tableOf(tableId);
    if (this.store.table !== table) await this.#openTable(table);
    if (this.store.table !== table) return;
    if (recordId && this.store.rows.has(recordId)) {
      if (location.pathname !== this.#path(recordId)) history.replaceState(null, "", this.#path(recordId));
      this.record.open(recordId);
    } else {
      this.record.close({ leave: false });
      if (location.pathname !== this.#path()) history.replaceState(null, "", this.#path());
      if (recordId) toast("This record is not in the table");
    }
  }

  async #openTable(table) {
    this.record.close({ leave: false });
    this.grid.editor?.commit();
    this.find.close();
    Object.assign(this.view, { filters: [], sorts: [], hidden: new Set(), keep: null });
    Object.assign(this.grid, { selection: null, headerSignature: null, checkedRows: new Set() });
    document.title = `${table.name} - ${this.store.schema.name} - Airtable`;
    this.tabs.replaceChildren(
      ...this.store.schema.tables.map((each) =>
        h("button", { type: "button", class: "tableTab", role: "tab", "aria-selected": String(each === table), onclick: () => this.navigate(`/${this.store.schema.id}/${each.id}/${each.view.id}`) }, each.name),
      ),
    );
    this.bar.element.hidden = this.footer.hidden = true;
    this.content.replaceChildren(h("div", { class: "loadingView" }, "Loading this view…"));
    await this.store.openTable(table.id);
    this.bar.label();
    this.bar.element.hidden = this.footer.hidden = false;
    this.content.replaceChildren(this.grid.element);
    this.grid.scroller.scrollTo(0, 0);
    this.grid.schedule();
  }
}
