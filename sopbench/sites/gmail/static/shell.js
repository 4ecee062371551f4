// What stands around the lists: the search box, the folders and labels, the account.

import { button, h, pressed } from "./dom.js";
import { newLabelDialog } from "./menus.js";
import { format, searchText } from "./route.js";

const FOLDERS = [["inbox", "Inbox"], ["starred", "Starred"], ["sent", "Sent"], ["drafts", "Drafts"], ["all", "All Mail"], ["spam", "Spam"], ["trash", "Trash"]];

export class Shell {
  constructor(app) {
    this.app = app;
    this.route = null;
    this.input = h("input.gb_te.aJh", { name: "q", type: "text", "aria-label": "Search mail", placeholder: "Search mail", autocomplete: "off", spellcheck: "false", maxlength: "2048" });
    this.clear = h("button.gb_Fe.clear", { type: "button", "aria-label": "Clear search", hidden: true, onclick: () => this.cleared() }, "✕");
    this.options = h("button.gb_Fe.options", { type: "button", "aria-label": "Show search options", "aria-haspopup": "true", "aria-expanded": "false", onclick: () => this.flipOptions() });
    this.form = h("form.aoT", { role: "search", id: "aso_search_form_anchor", onsubmit: (event) => {
      event.preventDefault();
      this.search(this.input.value);
    } }, h("button.gb_Fe.glass", { type: "submit", "aria-label": "Search mail" }), this.input, this.clear, this.options);
    this.nav = h("div.aeN", { role: "navigation" });
    this.input.addEventListener("input", () => (this.clear.hidden = !this.input.value));
    this.banner = h("header.gb_Da", { role: "banner" },
      h("div.brand", {}, button("Main menu", "gb_Mc.ic-menu", () => this.nav.classList.toggle("bhZ"), { "aria-expanded": "true" }), h("a.gb_he", { href: "#inbox", title: "Gmail", "aria-label": "Gmail" }, "Gmail")),
      this.form, this.account());
  }

  // The search box and the folder change with the address at once; the list follows when it is there.
  at(route) {
    if (this.route === null || format(this.route) !== format(route)) {
      this.input.value = searchText(route);
      this.clear.hidden = !this.input.value;
      this.closeOptions();
    }
    this.route = route;
    this.draw();
  }

  search(text) {
    const query = text.trim().replaceAll(/\s+/g, " ");
    this.input.blur();
    this.app.go(query ? { view: "search", argument: query } : { view: "inbox" });
  }

  cleared() {
    this.input.value = "";
    this.clear.hidden = true;
    if (this.route.view === "search") this.app.go({ view: "inbox" });
    this.input.focus();
  }

  draw() {
    const { inbox, drafts, labels } = this.app.navigation;
    const drawn = JSON.stringify([this.app.navigation, this.route?.view, this.route?.argument]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const counts = { inbox, drafts };
    const here = (view, argument = "") => this.route?.view === view && this.route.argument === argument;
    const link = (name, route, count, unit) => {
      const current = here(route.view, route.argument);
      return h(`div.aim${current ? ".ain" : ""}`, {}, h("div.TO", {}, h("div.TN", {},
        h(`span.qj.ic-${route.argument ? "label" : route.view}`, { "aria-hidden": "true" }),
        h(`span.nU${count ? ".n1" : ""}`, {}, h("a.J-Ke.n0", {
          href: format(route),
          tabindex: "0",
          draggable: "false",
          title: name,
          "aria-label": count && unit ? `${name} ${count} ${unit}` : null,
          "aria-current": current ? "page" : null,
          onclick: (event) => {
            event.preventDefault();
            this.app.go(route);
          },
        }, name)),
        h("div.bsU", { "aria-hidden": "true" }, count ? String(count) : ""))));
    };
    this.nav.replaceChildren(
      h("div.z0", {}, h("div.T-I.T-I-KE.L3", { role: "button", tabindex: "0", gh: "cm", onclick: () => this.app.compose({}), onkeydown: (event) => pressed(event) && this.app.compose({}) }, "Compose")),
      h("div.TK", {}, FOLDERS.map(([view, name]) => link(name, { view }, counts[view], view === "inbox" ? "unread" : ""))),
      h("div.aAw", {}, h("h2.aWk", {}, "Labels"), h("div.aAu", { role: "button", tabindex: "0", "aria-label": "Create new label", "data-tooltip": "Create new label",
        onclick: () => newLabelDialog(this.app, ""), onkeydown: (event) => pressed(event) && newLabelDialog(this.app, "") })),
      h("div.TK", {}, labels.map(({ name, unread }) => link(name, { view: "label", argument: name }, unread, "unread"))));
  }

  account() {
    const { name, email } = this.app.account;
    const box = h("div.gb_Wa", { role: "dialog", "aria-label": "Account Information", hidden: true },
      h("div", {}, email), h("div.hi", {}, `Hi, ${name.split(" ")[0]}!`), h("a", { href: "/Logout" }, "Sign out"));
    const link = h("a.gb_B", { role: "button", tabindex: "0", href: "#", "aria-label": `Google Account: ${name} (${email})`, "aria-expanded": "false", onclick: (event) => {
      event.preventDefault();
      box.hidden = !box.hidden;
      link.setAttribute("aria-expanded", String(!box.hidden));
    } }, name.slice(0, 1).toUpperCase());
    return h("div.gb_me", {}, link, box);
  }

  flipOptions() {
    if (this.panel) return this.closeOptions();
    const field = (label) => {
      const input = h("input.ZH", { type: "text", "aria-label": label, autocomplete: "off" });
      return [input, h("div.w-Nw", {}, h("span", { "aria-hidden": "true" }, label), input)];
    };
    const [from, fromRow] = field("From");
    const [to, toRow] = field("To");
    const [subject, subjectRow] = field("Subject");
    const [has, hasRow] = field("Has the words");
    const [not, notRow] = field("Doesn't have");
    const attached = h("input", { type: "checkbox", id: "has-attachment" });
    const term = (operator, input) => (input.value.trim() ? `${operator}(${input.value.trim()})` : "");
    const go = () => {
      const terms = [term("from:", from), term("to:", to), term("subject:", subject), has.value.trim(), not.value.trim() ? `-{${not.value.trim()}}` : "", attached.checked ? "has:attachment" : ""];
      this.search(terms.filter(Boolean).join(" "));
    };
    this.panel = h("div.SK", { role: "dialog", "aria-label": "Search options", onkeydown: (event) => {
      if (event.key === "Enter" && event.target.tagName === "INPUT") go();
      if (event.key === "Escape") this.closeOptions();
    } }, fromRow, toRow, subjectRow, hasRow, notRow,
    h("label.w-Nw", {}, attached, " Has attachment"),
    h("div.SL", {}, h("div.T-I.aoO", { role: "button", tabindex: "0", "aria-label": "Search", onclick: go, onkeydown: (event) => pressed(event) && go() }, "Search")));
    this.options.setAttribute("aria-expanded", "true");
    this.banner.append(this.panel);
    from.focus();
  }

  closeOptions() {
    this.panel?.remove();
    this.panel = null;
    this.options.setAttribute("aria-expanded", "false");
  }
}
