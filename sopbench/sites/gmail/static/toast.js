// The dark box at the lower left that says what was done, and takes it back.

import { h, pressed } from "./dom.js";

const SHOWN_MS = 8000;
export const corner = h("div.b8", { role: "alert", "aria-live": "assertive", "aria-atomic": "true" });
let timer = 0;

export function toast(text, actions = {}) {
  clearTimeout(timer);
  const links = Object.entries(actions).map(([name, act]) => h("span.ag.a8k", {
    role: "link",
    tabindex: "0",
    onclick: () => {
      dismiss();
      act();
    },
    onkeydown: (event) => pressed(event) && event.currentTarget.click(),
  }, name));
  corner.replaceChildren(h("div.vh", {},
    h("span.aT", {}, h("span.bAq", {}, text), links),
    h("div.bBe", { role: "button", tabindex: "0", "aria-label": "Close", onclick: dismiss }, "✕")));
  timer = setTimeout(dismiss, SHOWN_MS);
}

export function dismiss() {
  clearTimeout(timer);
  corner.replaceChildren();
}
