// One open conversation.

import { perform, relabel } from "./actions.js";
import { Failed, excuse, load } from "./api.js";
import { button, h, nextFrame, pressed } from "./dom.js";
import { moveTo } from "./list.js";
import { actionMenu, closeMenu, labelMenu, moveMenu } from "./menus.js";
import { messageElement } from "./message.js";
import { format, wayBack } from "./route.js";
import { toast } from "./toast.js";

export class ThreadView {
  constructor(app) {
    this.app = app;
    this.route = null;
    this.thread = null;
    this.expanded = new Set();
    this.toolbar = h("div.G-atb", { gh: "mtb" });
    this.main = h("div.nH", { tabindex: "-1" });
    this.element = h("div.nH.if", {}, this.toolbar, this.main);
  }

  async open(route, wanted) {
    this.app.busy(true);
    try {
      const { thread, navigation } = await load("thread", { id: route.thread }, wanted);
      if (!wanted()) return;
      await nextFrame();
      if (!wanted()) return;
      const again = this.thread?.id === thread.id && this.app.shown() === this;
      this.route = route;
      this.thread = thread;
      if (!again) {
        this.expanded = new Set(thread.messages.filter((m, at) => m.unread || at === thread.messages.length - 1).map((m) => m.id));
      }
      this.app.navigated(navigation);
      this.app.list.patch({ threads: [thread.id], add: [], remove: ["UNREAD"] });
      this.draw();
      this.app.show(this);
      if (!again) this.main.scrollTop = 0;
      this.app.title(thread.subject);
      this.main.querySelector("[role=listitem]:last-of-type")?.focus();
    } catch (error) {
      if (!(error instanceof Failed) || error.code !== 404) throw error;
      toast(excuse(error));
      location.replace(format({ ...route, thread: null }));
    } finally {
      if (wanted()) this.app.busy(false);
    }
  }

  patch({ threads, add, remove }) {
    if (!this.thread || !threads.includes(this.thread.id)) return;
    const own = this.app.labels();
    this.thread.labels = [...new Set([...this.thread.labels.filter((n) => !remove.includes(n)), ...add.filter((n) => own.includes(n))])].sort();
    if (remove.includes("INBOX")) this.thread.inbox = false;
    if (add.includes("INBOX")) this.thread.inbox = true;
    if (add.includes("STARRED") || remove.includes("STARRED")) this.thread.messages.at(-1).starred = add.includes("STARRED");
    this.draw();
  }

  draw() {
    closeMenu();
    this.drawToolbar();
    const { subject, id, number, messages } = this.thread;
    const closed = messages.some((message) => !this.expanded.has(message.id));
    const head = h("div.nH.ha", {},
      h("h2.hP", { tabindex: "-1", "data-thread-perm-id": `thread-f:${number}`, "data-legacy-thread-id": id }, subject),
      h("span.J-J5-Ji.chips", {}, this.chips()),
      h("div.bHJ", {},
        messages.length > 1 ? button(closed ? "Expand all" : "Collapse all", closed ? "ic-expand" : "ic-collapse", () => this.expandAll(closed)) : null,
        button("Print all", "ic-print", () => window.print())));
    this.main.setAttribute("aria-label", subject);
    const list = h("div.nH.aHU", { role: "list" }, messages.map((message, at) => messageElement(message, this, at === messages.length - 1)));
    this.main.replaceChildren(head, list, this.replies());
  }

  chips() {
    const chip = (name, remove) => h("div.hU.hM", {},
      h("div.hN", { role: "link", tabindex: "0", title: `Search for all messages with label ${name}`, name, onclick: () => this.search(name) }, name),
      h("span.hO", {
        role: "button",
        tabindex: "0",
        title: `Remove label ${name} from this conversation`,
        "aria-label": `Remove label ${name} from this conversation`,
        onclick: remove,
        onkeydown: (event) => pressed(event) && remove(),
      }, "✕"));
    const { id, inbox, labels } = this.thread;
    return [
      inbox ? chip("Inbox", () => this.leave("archive")) : null,
      labels.map((name) => chip(name, () => relabel(this.app, [id], [], [name]))),
    ];
  }

  search(name) {
    location.hash = name === "Inbox" ? "#inbox" : format({ view: "label", argument: name });
  }

  drawToolbar() {
    const { id, labels, inbox } = this.thread;
    const states = Object.fromEntries(this.app.labels().map((name) => [name, String(labels.includes(name))]));
    const menu = { "aria-haspopup": "true", "aria-expanded": "false" };
    const leave = (kind) => () => this.leave(kind);
    this.toolbar.replaceChildren(
      h("div.aqK", {},
        button(wayBack(this.route), "lS.ic-back", () => this.app.back(), { act: "19" }),
        h("span.gap"),
        inbox ? button("Archive", "lR.ic-archive", leave("archive"), { act: "7" }) : button("Move to Inbox", "ic-inbox", () => perform(this.app, "inbox", [id]), { act: "8" }),
        button("Report spam", "nN.ic-spam", leave("spam"), { act: "9" }),
        button("Delete", "nX.ic-delete", leave("trash"), { act: "10" }),
        h("span.gap"),
        button("Mark as unread", "ic-unread", leave("unread"), { act: "2" }),
        button("Snooze", "brq.ic-snooze", () => this.app.snooze([id])),
        h("span.gap"),
        button("Move to", "ns.ic-move", (event) => moveMenu(this.app, event.currentTarget, async (name) => {
          if (await moveTo(this.app, [id], name)) this.app.back();
        }), menu),
        button("Labels", "mw.ic-label", (event) => labelMenu(this.app, event.currentTarget, states, (add, remove) => relabel(this.app, [id], add, remove)), menu),
        button("More email options", "nf.ic-more", (event) => actionMenu(event.currentTarget, {
          "Mark as unread": leave("unread"),
          "Add star": () => perform(this.app, "star", [id]),
          "Remove star": () => perform(this.app, "unstar", [id]),
        }), menu)),
      h("div.ar5", {}, this.neighbours()));
  }

  // The place of this conversation in the list it was opened from, when that list is at hand.
  neighbours() {
    const { route, data } = this.app.list;
    const at = data && route.view === this.route.view && route.argument === this.route.argument ? data.rows.findIndex((row) => row.id === this.thread.id) : -1;
    if (at < 0) return null;
    const to = (row) => () => this.app.list.openRow(row);
    const step = (name, icon, row) => button(name, `amD.${icon}`, row ? to(row) : () => {}, { "aria-disabled": row ? null : "true" });
    return [
      h("span.Dj", {}, h("span.ts", {}, String(data.start + at + 1)), " of ", h("span.ts", {}, String(data.total))),
      step("Newer", "ic-left", data.rows[at - 1]),
      step("Older", "ic-right", data.rows[at + 1]),
    ];
  }

  async leave(kind) {
    if (await perform(this.app, kind, [this.thread.id])) this.app.back();
  }

  replies() {
    const link = (name, kind) => h("span.ams", {
      role: "link",
      tabindex: "0",
      onclick: () => this.reply(kind),
      onkeydown: (event) => pressed(event) && this.reply(kind),
    }, name);
    const last = this.thread.messages.at(-1);
    return h("div.amn", {}, link("Reply", "reply"), last.to.length + last.cc.length > 1 ? link("Reply all", "all") : null, link("Forward", "forward"));
  }

  reply(kind, message = this.thread.messages.at(-1)) {
    const other = message.from.short === "me" ? message.to : [message.from];
    const rest = [...message.to, ...message.cc].filter((person) => person.short !== "me" && !other.includes(person));
    const addresses = (people) => people.map((person) => person.email).join(", ");
    const plain = message.subject.replace(/^(re|fwd):\s*/i, "");
    if (kind === "forward") {
      const text = `\n\n---------- Forwarded message ---------\nFrom: ${message.from.name} <${message.from.email}>\nDate: ${message.title}\nSubject: ${message.subject}\n\n${message.text}`;
      return this.app.compose({ subject: `Fwd: ${plain}`, text });
    }
    const quoted = message.text.split("\n").map((line) => `> ${line}`).join("\n");
    const text = `\n\nOn ${message.title} ${message.from.name} <${message.from.email}> wrote:\n${quoted}`;
    return this.app.compose({ to: addresses(other), cc: kind === "all" ? addresses(rest) : "", subject: `Re: ${plain}`, text, thread: this.thread.id });
  }

  toggle(id) {
    if (!this.expanded.delete(id)) this.expanded.add(id);
    this.draw();
  }

  expandAll(open) {
    const { messages } = this.thread;
    this.expanded = new Set((open ? messages : messages.slice(-1)).map((message) => message.id));
    this.draw();
  }
}
