// One row of the list.

import { perform } from "./actions.js";
import { freshId, h, pressed } from "./dom.js";

export function rowElement(row, selected, list) {
  const heading = freshId();
  const spoken = [row.unread ? "unread" : null, row.people.map((p) => p.short === "me" ? "me" : p.name).join(", "), row.subject, row.date, row.snippet];
  return h(`tr.zA.${row.unread ? "zE" : "yO"}${selected ? ".x7" : ""}`, {
    role: "row",
    id: freshId(),
    tabindex: "-1",
    draggable: "true",
    "aria-labelledby": heading,
    onclick: (event) => event.target.closest("[role=checkbox], .aXw, .bqX") || list.openRow(row),
    onkeydown: (event) => event.key === "Enter" && event.target === event.currentTarget && list.openRow(row),
  },
  h("td.PF.xY"),
  h("td.oZ-x3.xY", { "data-tooltip": "Select" }, checkbox(row, selected, heading, list)),
  h("td.apU.xY", {}, star(row, list)),
  h("td.yX.xY", { role: "gridcell", tabindex: "-1" },
    h("div.afn", { id: heading }, spoken.filter(Boolean).join(", ")),
    h("div.yW", {}, h("span.bA4", {}, people(row, list)), row.count > 1 ? [" ", h("span.bx0", {}, String(row.count))] : null)),
  h("td.xY.a4W", { role: "gridcell", tabindex: "-1" }, h("div.xS", { role: "link" },
    row.labels.length ? h("div.yi", {}, row.labels.map((name) => h("div.ar.as", {}, h("div.at", { title: name }, h("div.au", {}, h("div.av", {}, name)))))) : null,
    h("div.xT", {},
      h("div.y6", {}, h("span.bog", {}, h("span", {
        "data-thread-id": `#thread-f:${row.number}`,
        "data-legacy-thread-id": row.id,
        "data-legacy-last-message-id": row.last,
      }, row.subject))),
      h("span.y2", {}, h("span.Zt", {}, " - "), row.snippet))),
    row.files.length ? h("div.brd", {}, row.files.slice(0, 3).map((name) => h("div.brc", { role: "listitem", title: name }, h("span.brg", {}, name)))) : null),
  h("td.byZ.yf.xY", {}, row.files.length ? h("span.yE", { role: "img", title: "Has attachment", "aria-label": "Has attachment" }) : null),
  h("td.xW.xY", { role: "gridcell", tabindex: "-1" }, h("span", { title: row.title, "aria-label": row.title, id: freshId() }, h(row.unread ? "span.bq3" : "span", {}, row.date))),
  h("td.bq4.xY", {}, hover(row, list)));
}

function checkbox(row, selected, heading, list) {
  return h("div.oZ-jc.T-Jo.J-J5-Ji", {
    role: "checkbox",
    "aria-labelledby": heading,
    "aria-checked": String(selected),
    tabindex: "-1",
    onclick: () => list.toggle(row.id),
    onkeydown: (event) => pressed(event) && list.toggle(row.id),
  }, h("div.T-Jo-auh"));
}

function star(row, list) {
  const name = row.starred ? "Starred" : "Not starred";
  return h(`span.aXw.T-KT${row.starred ? ".T-KT-Jp" : ""}`, {
    role: "button",
    title: name,
    "aria-label": name,
    tabindex: "-1",
    onclick: () => perform(list.app, row.starred ? "unstar" : "star", [row.id]),
  }, row.starred ? "★" : "☆");
}

function people(row, list) {
  const sent = list.route.view === "sent";
  const shown = row.people.length > 3 ? [row.people[0], null, ...row.people.slice(-2)] : row.people;
  const spans = shown.map((person, at) => person === null ? " .. " : [
    at && shown[at - 1] !== null ? ", " : "",
    h(person.unread ? "span.zF" : "span.yP", { email: person.email, name: person.short === "me" ? "me" : person.name, "data-hovercard-id": person.email, translate: "no" }, person.short),
  ]);
  return row.draft ? h("span.boq", {}, "Draft") : [sent ? "To: " : "", spans];
}

function hover(row, list) {
  const tool = (name, kind, icon) => h(`li.bqX.${icon}`, {
    role: "button",
    "aria-label": name,
    "data-tooltip": name,
    tabindex: "-1",
    onclick: () => kind ? perform(list.app, kind, [row.id]) : list.app.snooze([row.id]),
  });
  return h("ul.bqY", { role: "toolbar" },
    row.inbox ? tool("Archive", "archive", "ic-archive") : null,
    tool("Delete", "trash", "ic-delete"),
    row.unread ? tool("Mark as read", "read", "ic-read") : tool("Mark as unread", "unread", "ic-unread"),
    tool("Snooze", null, "ic-snooze"));
}
