// One message of an open conversation.

import { perform } from "./actions.js";
import { button, h, pressed } from "./dom.js";
import { actionMenu } from "./menus.js";

export function messageElement(message, view, last) {
  const open = view.expanded.has(message.id);
  const { from } = message;
  const sender = h("span.gD", { email: from.email, name: from.name, "data-hovercard-id": from.email, translate: "no" }, h("span", {}, from.name));
  const head = h("div.gE.iv.gt", { onclick: (event) => !last && !event.target.closest("[role=button], .ajA") && view.toggle(message.id) },
    h("div.avatar", { "aria-hidden": "true" }, from.name.slice(0, 1).toUpperCase()),
    h("div.gH", {},
      h("div.line", {},
        h("h3.iw", {}, h("span.qu", { translate: "no" }, sender, " ", open ? h("span.go", {},  h("span", { "aria-hidden": "true" }, "<"), from.email, h("span", { "aria-hidden": "true" }, ">")) : null)),
        message.files.length && !open ? h("span.yE", { role: "img", "aria-label": "Has attachment" }) : null,
        h("span.g3", { title: message.title, alt: message.title, tabindex: "-1" }, open ? message.date : message.short),
        star(message, view),
        open ? button("Reply", "aaq.ic-reply", () => view.reply("reply", message)) : null,
        open ? button("More message options", "aap.ic-more", (event) => actionMenu(event.currentTarget, {
          Reply: () => view.reply("reply", message),
          Forward: () => view.reply("forward", message),
          "Delete this message": () => view.leave("trash"),
          "Mark unread from here": () => view.leave("unread"),
          Print: () => window.print(),
        }), { "aria-haspopup": "true", "aria-expanded": "false" }) : null),
      open ? recipients(message) : h("div.iA.g6", {}, message.snippet)));
  return h(`div.${open ? "h7" : "kv"}`, { role: "listitem", "aria-expanded": String(open), tabindex: "-1",
    onkeydown: (event) => event.target === event.currentTarget && event.key === "Enter" && !last && view.toggle(message.id) },
  h("div.adn.ads", { "data-message-id": `#msg-f:${message.number}`, "data-legacy-message-id": message.id }, head, open ? [body(message), files(message)] : null));
}

function star(message, view) {
  const name = message.starred ? "Starred" : "Not starred";
  return h("div.zd.bi4", {
    role: "checkbox",
    "aria-label": name,
    "aria-checked": String(message.starred),
    tabindex: "0",
    onclick: (event) => {
      event.stopPropagation();
      perform(view.app, message.starred ? "unstar" : "star", [view.thread.id]);
    },
  }, message.starred ? "★" : "☆");
}

function recipients(message) {
  const people = [...message.to, ...message.cc];
  const names = people.map((person, at) => [at ? ", " : "", h("span.g2", { email: person.email, name: person.name, "data-hovercard-id": person.email, translate: "no" }, person.short)]);
  const details = h("div.ajA", { hidden: true }, table(message));
  const flip = (event) => {
    details.hidden = !details.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!details.hidden));
  };
  return h("div.ajw", {}, h("span.hb", {}, "to ", names),
    h("div.ajy", { role: "button", tabindex: "0", "aria-label": "Show details", "data-tooltip": "Show details", "aria-haspopup": "true", "aria-expanded": "false",
      onclick: flip, onkeydown: (event) => pressed(event) && flip(event) }, "▾"), details);
}

function table(message) {
  const written = (people) => people.map((person) => (person.name === person.email ? person.email : `${person.name} <${person.email}>`)).join(", ");
  const rows = { "from:": written([message.from]), "to:": written(message.to), "cc:": written(message.cc), "date:": message.title, "subject:": message.subject };
  return h("table.cf", {}, h("tbody", {}, Object.entries(rows).filter(([, value]) => value).map(([name, value]) => h("tr.ajv", {}, h("td.gG", {}, h("span.gI", {}, name)), h("td.gL", {}, h("span.gI", {}, value))))));
}

function body(message) {
  const inner = h("div", { dir: "ltr" });
  inner.innerHTML = message.html;
  const quote = inner.querySelector(".gmail_quote");
  if (quote && trailing(quote, inner) && !quote.textContent.trim().startsWith("---------- Forwarded message")) fold(quote);
  return h("div.ii.gt", {}, h("div.a3s.aiL", {}, inner));
}

// Whether nothing readable comes after the quotation, and something before it.
function trailing(quote, root) {
  const after = document.createRange();
  after.setStartAfter(quote);
  after.setEndAfter(root.lastChild);
  return after.toString().trim() === "" && root.textContent.trim() !== quote.textContent.trim();
}

function fold(quote) {
  quote.hidden = true;
  const dots = h("div.ajR", {
    role: "button",
    tabindex: "0",
    "aria-label": "Show trimmed content",
    "data-tooltip": "Show trimmed content",
    "aria-expanded": "false",
    onclick: () => {
      quote.hidden = !quote.hidden;
      const name = quote.hidden ? "Show trimmed content" : "Hide expanded content";
      dots.setAttribute("aria-label", name);
      dots.setAttribute("data-tooltip", name);
      dots.setAttribute("aria-expanded", String(!quote.hidden));
    },
    onkeydown: (event) => pressed(event) && dots.click(),
  }, h("div.ajT", { "aria-hidden": "true" }, "•••"));
  quote.before(h("div.yj6qo", {}, dots));
}

function files(message) {
  if (!message.files.length) return null;
  const count = message.files.length === 1 ? "One attachment" : `${message.files.length} Attachments`;
  return h("div.hq.gt", {}, h("h2.aVW", {}, h("span.aVW", {}, count), h("span", {}, " • Scanned by Gmail")),
    h("div.aQH", {}, message.files.map((file) => h("span.aZo", { download_url: `${file.type}:${file.name}:${new URL(file.href, location.href)}` },
      h("a.aQy", { role: "link", href: file.href, download: file.name, "aria-label": `Preview attachment ${file.name}` },
        h("span.aV3", { title: file.name }, file.name), h("span.SaH2Ve", {}, size(file.size))),
      h("button.aQv", { type: "button", "aria-label": `Download attachment ${file.name}`, "data-tooltip": "Download", onclick: (event) => event.currentTarget.previousSibling.click() })))));
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
