// Which week is shown: a button with a list of weeks, and a step to either side.

import { el, icon } from "./dom.js";

export class WeekPicker {
  constructor(weeks, format, choose) {
    this.weeks = weeks;
    this.format = format;
    this.choose = choose;
    this.label = el("span", { class: "picker__label" });
    this.button = el("button", { type: "button", class: "picker__button", "aria-haspopup": "listbox", "aria-expanded": "false", onclick: () => this.flip() }, this.label, icon("down"));
    this.list = el("ul", { class: "picker__list", role: "listbox", "aria-label": "Weeks", tabindex: "-1", hidden: true, onkeydown: (event) => this.key(event) });
    this.newer = el("button", { type: "button", class: "picker__step", "aria-label": "Next week", onclick: () => this.step(-1) }, icon("right"));
    this.older = el("button", { type: "button", class: "picker__step", "aria-label": "Previous week", onclick: () => this.step(1) }, icon("left"));
    this.element = el("div", { class: "picker" }, this.older, el("div", { class: "picker__box" }, this.button, this.list), this.newer);
    document.addEventListener("mousedown", (event) => this.element.contains(event.target) || this.close());
  }

  show(id) {
    this.at = this.weeks.findIndex((week) => week.id === id);
    const week = this.weeks[this.at];
    this.label.replaceChildren(el("strong", {}, `Week ${week.number}`), ` ${this.format.range(week)}`);
    this.newer.disabled = this.at === 0;
    this.older.disabled = this.at === this.weeks.length - 1;
  }

  flip() {
    if (this.list.hidden) this.open();
    else this.close();
  }

  open() {
    this.list.replaceChildren(...this.weeks.map((week, at) => el("li", {
      class: "picker__option", role: "option", id: `week-${week.id}`, tabindex: "-1", "aria-selected": String(at === this.at), onclick: () => this.pick(at),
    }, el("span", { class: "picker__week" }, `Week ${week.number}`), el("span", { class: "picker__range" }, this.format.range(week)), week.open ? el("span", { class: "tag" }, "to date") : null)));
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.focus(this.at);
  }

  close() {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  focus(at) {
    this.list.children[Math.min(Math.max(at, 0), this.weeks.length - 1)].focus();
  }

  key(event) {
    const at = [...this.list.children].indexOf(document.activeElement);
    if (event.key === "ArrowDown") this.focus(at + 1);
    else if (event.key === "ArrowUp") this.focus(at - 1);
    else if (event.key === "Enter" || event.key === " ") this.pick(at);
    else if (event.key === "Escape") {
      this.close();
      this.button.focus();
    } else return;
    event.preventDefault();
  }

  pick(at) {
    this.close();
    this.button.focus();
    this.choose(this.weeks[at].id);
  }

  step(by) {
    this.choose(this.weeks[this.at + by].id);
  }
}
