// The page with all bases.

import { h } from "./dom.js";
import { request } from "./server.js";

export async function showHome(root, navigate) {
  document.title = "Home - Airtable";
  root.replaceChildren(h("div", { class: "loadingBase", role: "progressbar", "aria-label": "Loading" }));
  const { applications } = await request("/v0.3/applications");
  const card = (base) => {
    const link = h(
      "a",
      { class: "baseCard", href: `/${base.id}` },
      h("span", { class: "baseIcon", "aria-hidden": "true" }, base.name.slice(0, 2)),
      h("span", { class: "baseCardName" }, base.name),
      h("span", { class: "baseCardKind", "aria-hidden": "true" }, "Base"),
    );
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      navigate(link.pathname);
    });
    return link;
  };
  root.replaceChildren(
    h(
      "div",
      { class: "homePage" },
      h("header", { class: "homeBar" }, h("span", { class: "logo", "aria-hidden": "true" }), h("strong", {}, "Airtable")),
      h("main", {}, h("h1", {}, "Home"), h("div", { class: "baseCards" }, ...applications.map(card))),
    ),
  );
}
