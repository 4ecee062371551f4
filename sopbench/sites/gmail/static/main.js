// The mail application: one page, a list and a conversation in turn, led by the part of the address after "#".

import { perform } from "./actions.js";
import { call, excuse, status } from "./api.js";
import { h } from "./dom.js";
import { ListView } from "./list.js";
import { closeMenu } from "./menus.js";
import { current, format } from "./route.js";
import { Shell } from "./shell.js";
import { ThreadView } from "./thread.js";
import { corner, toast } from "./toast.js";

class App {
  constructor({ account, navigation }) {
    this.account = account;
    this.navigation = navigation;
    this.turn = 0;
    this.view = null;
    this.shell = new Shell(this);
    this.list = new ListView(this);
    this.thread = new ThreadView(this);
    this.content = h("div.AO", {}, h("div.Tm.aeJ", {}, h("div.aeF", {})));
    document.body.append(this.shell.banner, h("div.nH.bkL", {}, this.shell.nav, this.content), status, corner);
    document.getElementById("loading").remove();
    window.addEventListener("hashchange", () => this.reload());
    document.addEventListener("keydown", (event) => this.shortcut(event));
    if (!location.hash) history.replaceState(null, "", "#inbox");
    this.reload();
  }

  labels() {
    return this.navigation.labels.map((label) => label.name);
  }

  // Follow the address; an answer that comes after a later turn is not shown.
  async reload() {
    this.turn += 1;
    const wanted = this.stillHere();
    const route = current();
    closeMenu();
    this.shell.at(route);
    try {
      await (route.thread ? this.thread : this.list).open(route, wanted);
    } catch (error) {
      if (wanted()) toast(excuse(error), { Retry: () => this.reload() });
    }
  }

  stillHere() {
    const mine = this.turn;
    return () => mine === this.turn;
  }

  go(route) {
    const hash = format(route);
    if (hash === location.hash) this.reload();
    else location.hash = hash;
  }

  back() {
    const { view, argument } = this.thread.route;
    const left = this.list.route;
    this.go(left?.view === view && left.argument === argument ? left : { view, argument });
  }

  shown() {
    return this.view;
  }

  // The view that is left stays in the page, unseen.
  show(view) {
    if (this.view === view) return;
    this.view?.main.removeAttribute("role");
    this.view = view;
    view.main.setAttribute("role", "main");
    const holder = this.content.querySelector(".aeF");
    if (view.element.parentNode !== holder) holder.append(view.element);
    for (const child of holder.children) child.style.display = child === view.element ? "" : "none";
  }

  busy(on) {
    for (const { main } of [this.list, this.thread]) main.removeAttribute("aria-busy");
    if (on) this.view?.main.setAttribute("aria-busy", "true");
  }

  title(text) {
    document.title = `${text} - ${this.account.email} - Gmail`;
  }

  navigated(navigation) {
    this.navigation = navigation;
    this.shell.draw();
  }

  changed(change) {
    this.list.patch(change);
    this.thread.patch(change);
    if (this.view !== this.list) return;
    this.list.announce();
    this.list.refresh();
  }

  async compose(letter) {
    try {
      const { composeWindow } = await import("./compose.js");
      await composeWindow(this, letter);
    } catch (error) {
      toast(excuse(error));
    }
  }

  snooze(ids) {
    toast(ids.length === 1 ? "Conversation snoozed until tomorrow, 8:00 AM." : `${ids.length} conversations snoozed until tomorrow, 8:00 AM.`);
  }

  shortcut(event) {
    const typing = event.target.closest("input, textarea, [contenteditable], [role=dialog], [role=menu], [role=alertdialog]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inThread = this.view === this.thread;
    const selected = [...this.list.selected];
    if (event.key === "/") this.shell.input.focus();
    else if (event.key === "c") this.compose({});
    else if (event.key === "u" && inThread) this.back();
    else if (event.key === "e" && inThread) this.thread.leave("archive");
    else if (event.key === "e" && selected.length) perform(this, "archive", selected);
    else return;
    event.preventDefault();
  }
}

call("start").then((start) => new App(start), (error) => {
  const message = document.querySelector("#loading .msg");
  message.replaceChildren(`${excuse(error)} `, h("a", { href: "" }, "Try again"));
});
