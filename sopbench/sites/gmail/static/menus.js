// Menus that hang from a button, and small dialogs.

import { createLabel } from "./actions.js";
import { excuse } from "./api.js";
import { freshId, h, pressed } from "./dom.js";

let open = null;

document.addEventListener("mousedown", (event) => {
  if (open && !open.menu.contains(event.target) && !open.anchor.contains(event.target)) closeMenu();
});

export function closeMenu(refocus = false) {
  if (!open) return;
  const { menu, anchor } = open;
  open = null;
  menu.remove();
  anchor.setAttribute("aria-expanded", "false");
  if (refocus) anchor.focus();
}

function hang(menu, anchor) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return false;
  const box = anchor.getBoundingClientRect();
  menu.style.left = `${Math.min(box.left, innerWidth - 260)}px`;
  menu.style.top = `${box.bottom + 2}px`;
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      closeMenu(true);
    }
  });
  document.body.append(menu);
  anchor.setAttribute("aria-expanded", "true");
  open = { menu, anchor };
  return true;
}

// A plain menu: {"Mark as unread": act, …}.
export function actionMenu(anchor, entries) {
  const items = Object.entries(entries).map(([name, act]) => item(name, () => {
    closeMenu();
    act();
  }));
  const menu = h("div.J-M.aX1", { role: "menu", "aria-haspopup": "true" }, items);
  if (hang(menu, anchor)) items[0]?.focus();
}

function item(name, act, attributes = {}, ...children) {
  return h("div.J-N", {
    role: "menuitem",
    tabindex: "-1",
    ...attributes,
    onclick: act,
    onkeydown: (event) => pressed(event) && event.currentTarget.click(),
  }, h("div.J-N-Jz", {}, children.length ? children : name));
}

// "Label as:". `states` maps each label to "true", "false" or "mixed"; `apply(add, remove)` is called at most once.
export function labelMenu(app, anchor, states, apply) {
  const wanted = new Map();
  const input = h("input.bqf", { type: "text", "aria-label": "Label-as menu open", autocomplete: "off", spellcheck: "false" });
  const body = h("div.J-M-Jz");
  const menu = h("div.J-M.agd.aX1", { role: "menu", "aria-label": "Label as" },
    h("div.J-awr.J-awr-JE", {}, "Label as:"), h("div.A0", {}, input), body);
  let marked = -1;

  const state = (name) => wanted.get(name) ?? states[name] ?? "false";
  const changed = () => [...wanted].some(([name, value]) => value !== (states[name] ?? "false"));
  const toggle = (name) => {
    wanted.set(name, state(name) === "true" ? "false" : "true");
    draw();
  };
  const finish = (extra = []) => {
    const differs = [...wanted].filter(([name, value]) => value !== (states[name] ?? "false"));
    const add = [...differs.filter(([, value]) => value === "true").map(([name]) => name), ...extra];
    const remove = differs.filter(([, value]) => value === "false").map(([name]) => name);
    closeMenu(true);
    if (add.length || remove.length) apply(add, remove);
  };
  const draw = () => {
    const typed = input.value.trim();
    const names = app.labels().filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
    const rows = names.map((name) => h("div.J-LC", {
      role: "menuitemcheckbox",
      "aria-checked": state(name),
      title: name,
      tabindex: "-1",
      onclick: () => toggle(name),
      onkeydown: (event) => pressed(event) && toggle(name),
    }, h("div.J-LC-Jz", {}, h("div.J-LC-Jo", { "aria-hidden": "true" }), name)));
    if (typed && !app.labels().some((name) => name.toLowerCase() === typed.toLowerCase())) {
      rows.push(item(`“${typed}” (create new)`, () => finish([typed])));
    }
    if (marked >= rows.length) marked = rows.length - 1;
    rows[marked]?.classList.add("J-LC-JT");
    const foot = changed() ? [item("Apply", () => finish())] : [
      item("Create new", () => {
        closeMenu();
        newLabelDialog(app, typed, (name) => apply([name], []));
      }),
      item("Manage labels", () => closeMenu(true)),
    ];
    body.replaceChildren(h("div.aX2", {}, rows), h("div.J-Kh", { role: "separator" }), ...foot);
    return rows;
  };
  input.addEventListener("input", () => {
    marked = input.value.trim() ? 0 : -1;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      marked = Math.max(0, marked + (event.key === "ArrowDown" ? 1 : -1));
      draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      const row = draw()[marked];
      if (row?.getAttribute("role") === "menuitem") return row.click();
      if (row) wanted.set(row.title, state(row.title) === "true" ? "false" : "true");
      finish();
    }
  });
  draw();
  if (hang(menu, anchor)) input.focus();
}

// "Move to:".
export function moveMenu(app, anchor, choose) {
  const input = h("input.bqf", { type: "text", "aria-label": "Move-to menu open", autocomplete: "off", spellcheck: "false" });
  const body = h("div.J-M-Jz");
  const menu = h("div.J-M.agd.aX1", { role: "menu", "aria-label": "Move to" },
    h("div.J-awr.J-awr-JE", {}, "Move to:"), h("div.A0", {}, input), body);
  const draw = () => {
    const typed = input.value.trim().toLowerCase();
    const names = [...app.labels(), "Spam", "Trash"].filter((name) => name.toLowerCase().includes(typed));
    const rows = names.map((name) => item(name, () => {
      closeMenu(true);
      choose(name);
    }, { title: name }));
    body.replaceChildren(...rows, h("div.J-Kh", { role: "separator" }), item("Create new", () => {
      closeMenu();
      newLabelDialog(app, input.value, choose);
    }), item("Manage labels", () => closeMenu(true)));
    return rows;
  };
  input.addEventListener("input", draw);
  input.addEventListener("keydown", (event) => event.key === "Enter" && input.value.trim() && draw()[0]?.click());
  draw();
  if (hang(menu, anchor)) input.focus();
}

export function newLabelDialog(app, proposal, created) {
  const heading = freshId();
  const input = h("input.xx", { type: "text", "aria-label": "Please enter a new label name:", maxlength: "225", value: proposal });
  const problem = h("div.problem", { role: "alert" });
  const before = document.activeElement;
  const close = () => {
    shade.remove();
    before?.focus?.();
  };
  const create = async () => {
    try {
      const name = await createLabel(app, input.value);
      close();
      created?.(name);
    } catch (error) {
      problem.textContent = excuse(error);
    }
  };
  const dialog = h("div.Kj-JD", {
    role: "alertdialog",
    "aria-modal": "true",
    "aria-labelledby": heading,
    onkeydown: (event) => event.key === "Escape" && close(),
  },
  h("div.Kj-JD-K7", { id: heading, role: "heading", "aria-level": "2" }, "New label"),
  h("div.Kj-JD-Jz", {}, h("div", {}, "Please enter a new label name:"), input, problem),
  h("div.Kj-JD-Jl", {}, h("button.J-at1-atl", { name: "cancel", onclick: close }, "Cancel"), h("button.J-at1-auR", { name: "ok", onclick: create }, "Create")));
  const shade = h("div.Kj-JD-Jh", {}, dialog);
  input.addEventListener("keydown", (event) => event.key === "Enter" && create());
  document.body.append(shade);
  input.focus();
}
