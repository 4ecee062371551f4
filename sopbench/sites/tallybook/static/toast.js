import { el } from "./dom.js";

const SHOWN_MS = 5000;
const corner = el("div", { class: "toasts", role: "status", "aria-live": "polite" });

export function toast(text) {
  if (!corner.isConnected) document.body.append(corner);
  const box = el("div", { class: "toast" }, text, el("button", { type: "button", class: "toast__close", "aria-label": "Dismiss", onclick: () => box.remove() }, "×"));
  corner.append(box);
  setTimeout(() => box.remove(), SHOWN_MS);
}
