// The window in which a mail is written. Loaded when the first one is opened.

import { call, excuse } from "./api.js";
import { freshId, h, pressed } from "./dom.js";
import { Drafting } from "./drafting.js";
import { plainText, showText } from "./editor_text.js";
import { RecipientField } from "./recipients.js";
import { toast } from "./toast.js";

const styled = new Promise((ready) => {
  document.head.append(h("link", { rel: "stylesheet", href: "/mail/_/static/compose.css", onload: ready, onerror: ready }));
});

export async function composeWindow(app, letter) {
  await styled;
  new Compose(app, letter).open();
}

class Compose {
  constructor(app, letter) {
    this.app = app;
    this.thread = letter.thread;
    this.isOpen = true;
    const changed = () => this.drafting.changed();
    this.to = new RecipientField("To", letter.to, changed);
    this.cc = new RecipientField("Cc", letter.cc, changed);
    this.subject = h("input.aFz", { type: "text", name: "subjectbox", "aria-label": "Subject", placeholder: "Subject", value: letter.subject ?? "", autocomplete: "off", spellcheck: "true", tabindex: "1",
      oninput: changed, onchange: () => this.retitle() });
    this.text = h("div.Am.aiL.editable", { role: "textbox", contenteditable: "true", "aria-label": "Message Body", "aria-multiline": "true", tabindex: "1", spellcheck: "false", oninput: changed });
    showText(this.text, letter.text ?? "");
    this.saved = h("span.oG", { role: "status", "aria-live": "polite" });
    this.drafting = new Drafting(letter.id ?? null, {
      written: () => this.written(),
      say: (words) => this.saved.replaceChildren(words),
      kept: (answer) => this.kept(answer),
    });
    this.element = this.draw();
    this.retitle();
  }

  open() {
    document.body.append(this.element);
    (this.to.isEmpty() ? this.to.input : this.text).focus();
  }

  draw() {
    const heading = freshId();
    this.title = h("div.aYF", { id: heading });
    const reveal = h("span.aB.gQ", { role: "link", tabindex: "1", "aria-label": "Add Cc recipients ‪(Ctrl-Shift-C)‬", "data-tooltip": "Add Cc recipients ‪(Ctrl-Shift-C)‬",
      onclick: () => this.showCc(), onkeydown: (event) => pressed(event) && this.showCc() }, "Cc");
    this.reveal = reveal;
    this.to.element.append(reveal);
    this.cc.element.hidden = this.cc.isEmpty();
    reveal.hidden = !this.cc.element.hidden;
    return h("div.AD", { role: "dialog", "aria-labelledby": heading, onkeydown: (event) => this.keys(event) },
      h("div.Hp", {}, h("h2.a3E", {}, this.title), this.saved,
        h("div.Hm", {},
          this.tool("Minimize", "Hl", () => this.flip("minimized"), "–"),
          this.tool("Full screen ‪(Shift for pop-out)‬", "Hq", () => this.flip("full"), "⤢"),
          this.tool("Save & close", "Ha", () => this.close(), "✕"))),
      h("form.bAs", { onsubmit: (event) => event.preventDefault() }, this.to.element, this.cc.element, h("div.aoD.az6", {}, this.subject), this.text),
      h("div.btC", {},
        this.tool("Send ‪(Ctrl-Enter)‬", "T-I.aoO", () => this.send(), "Send"),
        this.tool("Discard draft ‪(Ctrl-Shift-D)‬", "og.ic-delete", () => this.discard(), "")));
  }

  tool(name, classes, act, content) {
    return h(`div.${classes}`, { role: "button", tabindex: "1", "aria-label": name, "data-tooltip": name, onclick: act, onkeydown: (event) => pressed(event) && act() }, content);
  }

  written() {
    return { to: this.to.value(), cc: this.cc.value(), subject: this.subject.value, text: plainText(this.text), thread: this.thread };
  }

  retitle() {
    this.title.textContent = this.subject.value.trim() || "New Message";
  }

  showCc() {
    this.cc.element.hidden = false;
    this.reveal.hidden = true;
    this.cc.input.focus();
  }

  flip(kind) {
    this.element.classList.toggle(kind);
  }

  keys(event) {
    event.stopPropagation();
    const chord = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && chord) this.send();
    else if (event.key === "Escape") this.close();
    else if (event.key.toLowerCase() === "c" && chord && event.shiftKey) this.showCc();
    else if (event.key.toLowerCase() === "d" && chord && event.shiftKey) this.discard();
    else return;
    event.preventDefault();
  }

  // The list of drafts follows what is kept, when it is the one that is shown.
  kept(answer) {
    this.app.navigated(answer.navigation);
    if (this.app.shown() === this.app.list && this.app.list.route?.view === "drafts") this.app.list.refresh();
  }

  async close() {
    this.gather();
    if (!this.drafting.id && !this.hasContent()) return this.leave();
    await this.finish("Saving...", async () => {
      await this.drafting.settle();
      toast("Draft saved");
    });
  }

  async send() {
    this.gather();
    const unread = [...this.to.unreadable(), ...this.cc.unreadable()];
    if (unread.length) return toast(`The address "${unread[0]}" was not recognized. Please make sure that all addresses are properly formed.`);
    await this.finish("Sending...", async (words) => {
      await this.drafting.rest();
      const answer = await call("send", { ...this.written(), draft: this.drafting.id }, words);
      this.app.navigated(answer.navigation);
      toast("Message sent", { "View message": () => (location.hash = `#sent/${answer.id}`) });
    });
  }

  async discard() {
    await this.finish("Working...", async (words) => {
      await this.drafting.rest();
      if (this.drafting.id) this.app.navigated((await call("discard", { draft: this.drafting.id }, words)).navigation);
      toast("Draft discarded.");
    });
  }

  gather() {
    this.to.commit();
    this.cc.commit();
  }

  hasContent() {
    const { to, cc, subject, text } = this.written();
    return Boolean(to || cc || subject.trim() || text.trim());
  }

  // Out of sight while the last call is under way; back when it fails.
  async finish(words, act) {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.element.hidden = true;
    try {
      await act(words);
      this.leave();
      this.app.reload();
    } catch (error) {
      this.isOpen = true;
      this.element.hidden = false;
      toast(excuse(error));
    }
  }

  leave() {
    this.isOpen = false;
    this.drafting.stop();
    this.element.remove();
  }
}
