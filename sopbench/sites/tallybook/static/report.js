// The cash-flow page: four figures, the chart, and the statement of the week.

import { get } from "./api.js";
import { cashChart } from "./chart.js";
import { el, icon } from "./dom.js";
import { change, formats } from "./format.js";
import { WeekPicker } from "./picker.js";
import { toast } from "./toast.js";

export class CashFlowPage {
  constructor(me) {
    this.me = me;
    this.format = formats(me);
    this.turn = 0;
    this.body = el("div", { class: "report" });
    this.updated = el("span", { class: "muted" });
    this.head = el("div", { class: "page__head" }, el("div", {}, el("h1", {}, "Cash flow"), el("p", { class: "muted" }, `All accounts · ${me.currency} · `, this.updated)));
    this.element = el("main", { class: "page" }, this.head, this.body);
    document.title = "Cash flow · Tallybook";
    this.begin();
  }

  async begin() {
    this.loading();
    try {
      const { weeks, current } = await get("/weeks");
      this.weeks = weeks;
      this.current = current;
    } catch (error) {
      return this.failed(error, () => this.begin());
    }
    this.picker = new WeekPicker(this.weeks, this.format, (id) => this.go(id));
    this.head.append(this.picker.element);
    addEventListener("popstate", () => this.load(this.wanted()));
    await this.load(this.wanted());
    setTimeout(() => this.feedIsReady(), this.me.bankFeed.readyInMs);
  }

  wanted() {
    const id = new URLSearchParams(location.search).get("week");
    return this.weeks.some((week) => week.id === id) ? id : this.current;
  }

  go(id) {
    history.pushState(null, "", `?week=${id}`);
    this.load(id);
  }

  async load(id) {
    this.picker.show(id);
    this.loading();
    await this.fetch(id);
  }

  // Only the answer to the latest question is shown.
  async fetch(id) {
    this.turn += 1;
    const mine = this.turn;
    try {
      const report = await get(`/reports/cash-flow?week=${id}`);
      if (mine === this.turn) this.draw(report);
    } catch (error) {
      if (mine === this.turn) this.failed(error, () => this.load(id));
    }
  }

  async feedIsReady() {
    await this.fetch(this.wanted());
    toast("Bank feeds are up to date.");
    this.updated.textContent = "Updated just now";
  }

  loading() {
    const bones = (count, kind) => Array.from({ length: count }, () => el("div", { class: `bone bone--${kind}` }));
    this.body.setAttribute("aria-busy", "true");
    this.body.replaceChildren(
      el("p", { class: "sr-only", role: "status" }, "Loading…"),
      el("div", { class: "stats" }, bones(4, "stat")),
      el("div", { class: "columns" }, el("section", { class: "panel" }, bones(9, "row")), el("section", { class: "panel" }, bones(1, "chart"))));
  }

  failed(error, again) {
    this.body.removeAttribute("aria-busy");
    this.body.replaceChildren(el("div", { class: "panel panel--empty" }, el("p", {}, error.message), el("button", { type: "button", class: "button", onclick: again }, "Try again")));
  }

  draw(report) {
    const [moneyIn, moneyOut] = report.sections;
    this.updated.textContent ||= "Syncing bank feeds…";
    this.body.removeAttribute("aria-busy");
    this.body.replaceChildren(
      el("dl", { class: "stats" },
        this.stat("Cash balance", report.cash, report.cashBefore, { note: `on ${this.format.fullDay(report.ends)}` }),
        this.stat("Money in", moneyIn.total, report.before && moneyIn.totalBefore),
        this.stat("Money out", -moneyOut.total, report.before && -moneyOut.totalBefore, { lessIsGood: true }),
        this.stat("Net cash flow", report.net, report.netBefore)),
      el("div", { class: "columns" },
        el("section", { class: "panel", "aria-labelledby": "statement" }, el("h2", { id: "statement" }, "Statement"), this.statement(report)),
        el("section", { class: "panel", "aria-labelledby": "trend" }, el("h2", { id: "trend" }, "Cash balance"), cashChart(report.history, this.format),
          el("p", { class: "muted small" }, "Balance at the end of each week, all accounts."))));
  }

  stat(name, value, before, { note = "vs previous week", lessIsGood = false } = {}) {
    const ratio = change(value, before);
    const delta = ratio === null ? "—" : [el("span", { class: ratio < 0 === lessIsGood ? "up" : "down" }, ratio < 0 ? "▼" : "▲", el("span", { class: "sr-only" }, ratio < 0 ? " down " : " up "), ` ${this.format.share(ratio)}`), ` ${note}`];
    return el("div", { class: "stat" }, el("dt", {}, name), el("dd", { class: `stat__value${value < 0 ? " negative" : ""}` }, this.format.money(value)), el("dd", { class: "stat__delta" }, delta));
  }

  statement({ before, sections, net, netBefore, ...week }) {
    const dash = (value) => (before ? this.cell(value) : el("td", { class: "num" }, "—"));
    const row = (name, now, then, kind = "") => el("tr", { class: kind }, el("th", { scope: "row", title: name }, name), this.cell(now), dash(then), this.ratio(now, before ? then : null));
    return el("table", { class: "statement" },
      el("colgroup", {}, el("col"), el("col", { class: "w-amount" }), el("col", { class: "w-amount" }), el("col", { class: "w-change" })),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Category"), this.header(week), before ? this.header(before) : el("th", { scope: "col", class: "num" }, "—"), el("th", { scope: "col", class: "num" }, "Change"))),
      sections.map((section) => el("tbody", {},
        el("tr", { class: "group" }, el("th", { colspan: "4", scope: "rowgroup" }, section.title)),
        section.lines.map((line) => row(line.category, line.amount, line.before)),
        row(`Total ${section.title.toLowerCase()}`, section.total, section.totalBefore, "subtotal"))),
      el("tfoot", {}, row("Net cash flow", net, netBefore, "total")));
  }

  header(week) {
    return el("th", { scope: "col", class: "num" }, `Week ${week.number}`, el("small", {}, `${this.format.day(week.starts)} – ${this.format.day(week.ends)}`));
  }

  cell(value) {
    return el("td", { class: `num${value < 0 ? " negative" : ""}` }, value === 0 ? "–" : this.format.amount(value));
  }

  ratio(now, before) {
    const ratio = change(now, before);
    const text = ratio === null ? "—" : ratio < 0 ? `(${this.format.share(ratio)})` : this.format.share(ratio);
    return el("td", { class: "num muted" }, text);
  }
}

export function placeholderPage(title) {
  document.title = `${title} · Tallybook`;
  return el("main", { class: "page" }, el("div", { class: "page__head" }, el("h1", {}, title)),
    el("div", { class: "panel panel--empty" }, icon("invoices"), el("p", {}, "This workspace is on the Reports plan."), el("p", { class: "muted" }, "Ask the owner to add this module.")));
}
