// The field for recipients: every address becomes a chip.

import { h } from "./dom.js";

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;
const ENDS_ONE = new Set(["Enter", ",", ";"]);

export class RecipientField {
  constructor(name, given, changed) {
    this.name = name;
    this.changed = changed;
    this.people = [];
    this.input = h("input.agP.aFw", {
      type: "text", name: name.toLowerCase(), role: "combobox", "aria-label": `${name} recipients`, "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-expanded": "false",
      autocomplete: "off", autocorrect: "off", autocapitalize: "off", spellcheck: "false", tabindex: "1",
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
      onpaste: (event) => this.pasted(event),
      onblur: () => this.commit(),
    });
    this.chips = h("div.afZ", { role: "listbox", "aria-label": `Chosen ${name}`, "aria-orientation": "horizontal" });
    this.element = h("div.aoD.hl", { name: name.toLowerCase(), onclick: (event) => event.target === this.element && this.input.focus() },
      h("span.gO", { "aria-hidden": "true" }, name), h("div.aH9", {}, this.chips, this.input));
    this.add(given ?? "");
  }

  value() {
    return [...this.people.map(({ name, email }) => (name ? `"${name.replaceAll('"', "")}" <${email}>` : email)), this.input.value.trim()].filter(Boolean).join(", ");
  }

  isEmpty() {
    return this.people.length === 0;
  }

  unreadable() {
    return this.people.filter(({ email }) => !ADDRESS.test(email)).map(({ email }) => email);
  }

  // What was typed becomes chips.
  commit() {
    if (!this.input.value.trim()) return false;
    const typed = this.input.value;
    this.input.value = "";
    this.add(typed);
    this.changed();
    return true;
  }

  typed() {
    if (/[,;]\s*$/.test(this.input.value)) this.commit();
    else this.changed();
  }

  key(event) {
    if (ENDS_ONE.has(event.key) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.commit();
    } else if (event.key === "Tab" && !event.shiftKey && this.commit()) event.preventDefault();
    else if (event.key === "Backspace" && !this.input.value && this.people.length) this.remove(this.people.length - 1);
  }

  pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[,;\n]/.test(text)) return;
    event.preventDefault();
    this.add(text);
    this.changed();
  }

  add(text) {
    const known = new Set(this.people.map(({ email }) => email.toLowerCase()));
    for (const person of split(text)) {
      if (known.has(person.email.toLowerCase())) continue;
      known.add(person.email.toLowerCase());
      this.people.push(person);
    }
    this.draw();
  }

  remove(at) {
    this.people.splice(at, 1);
    this.draw();
    this.changed();
    this.input.focus();
  }

  draw() {
    this.chips.replaceChildren(...this.people.map(({ name, email }, at) => h(`div.afV${ADDRESS.test(email) ? "" : ".a1E"}`, {
      role: "option", "aria-selected": "false", tabindex: "-1", translate: "no", "data-hovercard-id": email, "data-name": name || email, title: email,
    }, h("span.akl", {}, name || email), h("span.afX", { role: "button", "aria-label": `Press delete to remove ${email}`, onclick: () => this.remove(at) }, "✕"))));
  }
}

// "Ann Lee <ann@lee.test>, bob@x.test" → people; a comma within quotation marks parts nothing.
function split(text) {
  const parts = text.match(/(?:"[^"]*"|[^,;\n])+/g) ?? [];
  return parts.map((part) => part.trim()).filter(Boolean).map((part) => {
    const found = /^(.*?)\s*<([^<>]+)>$/.exec(part);
    return found ? { name: found[1].replaceAll('"', "").trim(), email: found[2].trim() } : { name: "", email: part };
  });
}
