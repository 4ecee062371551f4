// The window in which a mail is written.

import { call, excuse } from "./api.js";
import { freshId, h, pressed } from "./dom.js";
import { toast } from "./toast.js";

export function composeWindow(app, letter) {
  const heading = freshId();
  const field = (name, label, value, attributes = {}) => h("input", { type: "text", name, "aria-label": label, placeholder: label, value: value ?? "", autocomplete: "off", ...attributes });
  const to = field("to", "To recipients", letter.to, { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" });
  const cc = field("cc", "CC recipients", letter.cc, { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" });
  const subject = field("subjectbox", "Subject", letter.subject);
  const text = h("div.Am.aiL.editable", { role: "textbox", contenteditable: "true", "aria-label": "Message Body", "aria-multiline": "true", tabindex: "1", spellcheck: "false" });
  text.innerText = letter.text ?? "";
  const draft = letter.id ?? null;

  const written = () => ({ to: to.value, cc: cc.value, subject: subject.value, text: text.innerText.trimEnd(), thread: letter.thread, draft });
  const close = () => dialog.remove();
  const order = async (name, data, words, done) => {
    try {
      const answer = await call(name, data, words);
      close();
      app.navigated(answer.navigation);
      done(answer);
      app.reload();
    } catch (error) {
      toast(excuse(error));
    }
  };
  const send = () => order("send", written(), "Sending...", (answer) => toast("Message sent", { "View message": () => (location.hash = `#sent/${answer.id}`) }));
  const save = () => {
    const { to: recipients, subject: topic, text: words } = written();
    if (!recipients && !topic && !words.trim()) return close();
    return order("draft", written(), "Saving...", () => toast("Draft saved"));
  };
  const discard = () => (draft ? order("discard", { draft }, "Working...", () => toast("Draft discarded.")) : (close(), toast("Draft discarded.")));
  const tool = (name, classes, act, content) => h(`div.${classes}`, { role: "button", tabindex: "1", "aria-label": name, "data-tooltip": name, onclick: act, onkeydown: (event) => pressed(event) && act() }, content);

  const dialog = h("div.AD", {
    role: "dialog",
    "aria-labelledby": heading,
    onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      else if (event.key === "Escape") save();
    },
  },
  h("div.Hp", {}, h("h2.a3E", { id: heading }, letter.subject || "New Message"), tool("Save & close", "Ha", save, "✕")),
  h("form.bAs", { onsubmit: (event) => event.preventDefault() }, to, cc, subject, text),
  h("div.btC", {}, tool("Send (Ctrl-Enter)", "T-I.aoO", send, "Send"), tool("Discard draft (Ctrl-Shift-D)", "og.ic-delete", discard, "")));
  document.body.append(dialog);
  (letter.to ? text : to).focus();
}
