// The frame around every page, and which page the address means.

import { get, request } from "./api.js";
import { el, icon } from "./dom.js";
import { loginPage } from "./login.js";
import { CashFlowPage, placeholderPage } from "./report.js";

const PAGES = [["overview", "Overview", "/overview"], ["cashflow", "Cash flow", "/reports/cash-flow"], ["invoices", "Invoices", "/invoices"], ["bills", "Bills", "/bills"], ["settings", "Settings", "/settings"]];
const root = document.getElementById("app");

async function start() {
  if (location.pathname === "/login") return root.replaceChildren(loginPage());
  root.replaceChildren(el("div", { class: "splash", role: "status" }, "Loading…"));
  try {
    const me = await get("/me");
    document.documentElement.lang = me.locale;
    root.replaceChildren(frame(me));
    window.onpopstate = () => (here() === "/reports/cash-flow" ? null : location.reload());
  } catch (error) {
    root.replaceChildren(el("div", { class: "splash", role: "alert" }, error.message));
  }
}

const here = () => location.pathname.replace(/\/$/, "");

function frame(me) {
  const page = PAGES.find(([, , path]) => path === here());
  const links = PAGES.map(([name, title, path]) => el("a", { class: "nav__link", href: path, "aria-current": path === here() ? "page" : null }, icon(name), title));
  const initials = me.name.split(" ").map((part) => part[0]).slice(0, 2).join("");
  const leave = async () => {
    await request("DELETE", "/session");
    location.assign("/login");
  };
  return el("div", { class: "frame" },
    el("aside", { class: "side" },
      el("div", { class: "brand" }, el("img", { src: "/static/favicon.svg", alt: "", width: "24", height: "24" }), "Tallybook"),
      el("nav", { class: "nav", "aria-label": "Main" }, links),
      el("div", { class: "side__foot" }, el("div", { class: "side__company", title: me.company }, me.company), el("div", { class: "side__plan" }, "Reports plan"))),
    el("div", { class: "content" },
      el("header", { class: "top" }, el("div", { class: "top__crumb" }, "Reports", icon("right"), page?.[1] ?? "Not found"), el("div", { class: "top__user" },
        el("span", { class: "avatar", title: me.email }, initials), el("button", { type: "button", class: "link", onclick: leave }, "Sign out"))),
      page?.[0] === "cashflow" ? new CashFlowPage(me).element : placeholderPage(page?.[1] ?? "Page not found")));
}

start();
