// The list of conversations and the toolbar above it.

import { perform, relabel, move } from "./actions.js";
import { call, load } from "./api.js";
import { button, freshId, h, nextFrame, pressed } from "./dom.js";
import { actionMenu, labelMenu, moveMenu } from "./menus.js";
import { format, listKey, title } from "./route.js";
import { rowElement } from "./row.js";

const EMPTY = {
  search: "No messages matched your search. Try using search options such as sender, date, size and more.",
  label: "There are no conversations with this label.",
  inbox: "Your inbox is empty. No new mail!",
  starred: "No starred messages. Stars let you give messages a special status to make them easier to find. To star a message, click on the star outline beside any message or conversation.",
  sent: "No sent messages! Send one now!",
  drafts: "You don't have any saved drafts. Saving a draft allows you to keep a message you aren't ready to send yet.",
  all: "No mail.",
  spam: "Hooray, no spam here!",
  trash: "No conversations in Trash.",
};

export class ListView {
  constructor(app) {
    this.app = app;
    this.route = null;
    this.data = null;
    this.selected = new Set();
    this.toolbar = h("div.G-atb", { gh: "tm" });
    this.main = h("div.nH.ae4", { tabindex: "-1" });
    this.element = h("div.nH.bkK", {}, this.toolbar, this.main);
  }

  // Show a route. What is on the screen stays until the answer is there, unless this list was left only for a moment.
  async open(route, wanted) {
    const known = this.route !== null && listKey(this.route) === listKey(route);
    if (known && this.app.shown() !== this) {
      this.app.show(this);
      this.announce();
      this.main.focus({ preventScroll: true });
      await this.refresh(wanted);
      return;
    }
    this.app.busy(true);
    try {
      const data = await load("list", { view: route.view, argument: route.argument, page: route.page }, wanted);
      if (!wanted()) return;
      await nextFrame();
      if (!wanted()) return;
      this.route = route;
      this.selected.clear();
      this.take(data);
      this.main.scrollTop = 0;
      this.app.show(this);
      this.announce();
      if (!known && !document.activeElement?.closest("input, [role=dialog], [role=menu]")) this.main.focus({ preventScroll: true });
    } finally {
      if (wanted()) this.app.busy(false);
    }
  }

  // Ask again for the same list, without a word.
  async refresh(wanted = this.app.stillHere()) {
    const { view, argument, page } = this.route;
    const key = listKey(this.route);
    const data = await call("list", { view, argument, page }, "").catch(() => null);
    if (!data || !wanted() || listKey(this.route) !== key) return;
    await nextFrame();
    if (wanted() && JSON.stringify(data) !== JSON.stringify(this.data)) this.take(data);
    if (this.app.shown() === this) this.announce();
  }

  take(data) {
    this.data = data;
    const present = new Set(data.rows.map((row) => row.id));
    for (const id of this.selected) if (!present.has(id)) this.selected.delete(id);
    this.app.navigated(data.navigation);
    this.draw();
  }

  // What was done elsewhere to conversations shows at once in the rows.
  patch({ threads, add, remove }) {
    if (!this.data) return;
    const { view, argument } = this.route;
    const leaves = (view === "inbox" && remove.includes("INBOX")) || add.includes("TRASH") || add.includes("SPAM")
      || (view === "label" && remove.includes(argument));
    for (const row of this.data.rows.filter((one) => threads.includes(one.id))) {
      if (add.includes("UNREAD")) row.unread = true;
      if (remove.includes("UNREAD")) Object.assign(row, { unread: false, people: row.people.map((p) => ({ ...p, unread: false })) });
      if (add.includes("STARRED") || remove.includes("STARRED")) row.starred = add.includes("STARRED");
      if (remove.includes("INBOX")) row.labels = row.labels.filter((name) => name !== "Inbox");
      const own = this.app.labels();
      row.userLabels = [...new Set([...row.userLabels.filter((n) => !remove.includes(n)), ...add.filter((n) => own.includes(n))])].sort();
      row.labels = [...row.labels.filter((n) => n === "Inbox"), ...row.userLabels.filter((n) => view !== "label" || n !== argument)];
    }
    if (leaves) {
      const before = this.data.rows.length;
      this.data.rows = this.data.rows.filter((row) => !threads.includes(row.id));
      this.data.total -= before - this.data.rows.length;
      for (const id of threads) this.selected.delete(id);
    }
    this.draw();
  }

  announce() {
    const { navigation } = this.data;
    const unread = this.route.view === "inbox" ? navigation.inbox
      : navigation.labels.find((label) => this.route.view === "label" && label.name === this.route.argument)?.unread ?? 0;
    this.app.title(`${title(this.route)}${unread ? ` (${unread})` : ""}`);
  }

  draw() {
    const { rows } = this.data;
    const name = this.route.view === "search" ? `Search results for ${this.route.argument}` : title(this.route);
    this.main.setAttribute("aria-label", name);
    this.drawToolbar();
    if (!rows.length) {
      this.main.replaceChildren(h("div.ae4", {}, h("table.TB", {}, h("tbody", {}, h("tr", {}, h("td.TC", {}, EMPTY[this.route.view]))))));
      return;
    }
    const body = h("tbody", {}, rows.map((row) => rowElement(row, this.selected.has(row.id), this)));
    const table = h("table.F.cf.zt", { role: "grid", "aria-readonly": "true", id: freshId() }, body);
    this.main.replaceChildren(h("div.Cp", {}, h("div", {}, table)));
  }

  drawToolbar() {
    const { total, start, rows } = this.data;
    const all = rows.length > 0 && this.selected.size === rows.length;
    const state = all ? "true" : this.selected.size ? "mixed" : "false";
    const select = h("div.T-Jo.bGI", {
      role: "checkbox",
      "aria-label": "Select",
      "aria-checked": state,
      tabindex: "0",
      onclick: () => this.select(this.selected.size ? [] : rows.map((row) => row.id)),
      onkeydown: (event) => pressed(event) && event.currentTarget.click(),
    }, h("div.T-Jo-auh"));
    const page = (step) => this.app.go({ ...this.route, page: this.route.page + step });
    const last = start + rows.length;
    this.toolbar.replaceChildren(
      h("div.aqK", {}, select, this.selected.size ? this.forSelection() : this.forList()),
      h("div.ar5", {},
        rows.length ? h("span.Dj", {}, h("span", {}, h("span.ts", {}, String(start + 1)), "–", h("span.ts", {}, String(last))), " of ", h("span.ts", {}, String(total))) : null,
        button("Newer", "amD.ic-left", () => page(-1), { "aria-disabled": start > 0 ? null : "true" }),
        button("Older", "amD.ic-right", () => page(1), { "aria-disabled": last < total ? null : "true" })));
  }

  forList() {
    const ids = () => this.data.rows.filter((row) => row.unread).map((row) => row.id);
    return [
      button("Refresh", "nu.ic-refresh", () => this.app.reload(), { act: "20" }),
      button("More email options", "nf.ic-more", (event) => actionMenu(event.currentTarget, {
        "Mark all as read": () => ids().length && perform(this.app, "read", ids()),
      }), { "aria-haspopup": "true", "aria-expanded": "false" }),
    ];
  }

  forSelection() {
    const ids = [...this.selected];
    const chosen = this.data.rows.filter((row) => this.selected.has(row.id));
    const act = (kind) => () => perform(this.app, kind, ids);
    const anyUnread = chosen.some((row) => row.unread);
    const states = Object.fromEntries(this.app.labels().map((name) => {
      const count = chosen.filter((row) => row.userLabels.includes(name)).length;
      return [name, count === chosen.length ? "true" : count ? "mixed" : "false"];
    }));
    const menu = { "aria-haspopup": "true", "aria-expanded": "false" };
    return [
      chosen.some((row) => row.inbox)
        ? button("Archive", "lR.ic-archive", act("archive"), { act: "7" })
        : button("Move to Inbox", "ic-inbox", act("inbox"), { act: "8" }),
      button("Report spam", "nN.ic-spam", act("spam"), { act: "9" }),
      button("Delete", "nX.ic-delete", act("trash"), { act: "10" }),
      anyUnread
        ? button("Mark as read", "ic-read", act("read"), { act: "1" })
        : button("Mark as unread", "ic-unread", act("unread"), { act: "2" }),
      button("Snooze", "brq.ic-snooze", () => this.app.snooze(ids)),
      button("Move to", "ns.ic-move", (event) => moveMenu(this.app, event.currentTarget, (name) => moveTo(this.app, ids, name)), menu),
      button("Labels", "mw.ic-label", (event) => labelMenu(this.app, event.currentTarget, states, (add, remove) => relabel(this.app, ids, add, remove)), menu),
    ];
  }

  select(ids) {
    this.selected = new Set(ids);
    this.draw();
  }

  toggle(id) {
    if (!this.selected.delete(id)) this.selected.add(id);
    this.draw();
  }

  openRow(row) {
    if (row.draft) this.app.compose(row.draft);
    else location.hash = format({ ...this.route, thread: row.id });
  }
}

export function moveTo(app, ids, name) {
  if (name === "Trash") return perform(app, "trash", ids);
  if (name === "Spam") return perform(app, "spam", ids);
  return move(app, ids, name);
}
