// What can be done to conversations, from the list and from an open one alike.

import { call, excuse } from "./api.js";
import { toast } from "./toast.js";

const many = (ids, one, several) => (ids.length === 1 ? one : `${ids.length} conversations ${several}`);

const KINDS = {
  archive: (ids) => ({ remove: ["INBOX"], says: many(ids, "Conversation archived.", "archived.") }),
  trash: (ids) => ({ add: ["TRASH"], says: many(ids, "Conversation moved to Trash.", "moved to Trash.") }),
  spam: (ids) => ({ add: ["SPAM"], says: many(ids, "Conversation marked as spam.", "marked as spam.") }),
  inbox: (ids) => ({ add: ["INBOX"], says: many(ids, "Conversation moved to Inbox.", "moved to Inbox.") }),
  read: (ids) => ({ remove: ["UNREAD"], says: many(ids, "Conversation marked as read.", "marked as read.") }),
  unread: (ids) => ({ add: ["UNREAD"], says: many(ids, "Conversation marked as unread.", "marked as unread.") }),
  star: () => ({ add: ["STARRED"] }),
  unstar: () => ({ remove: ["STARRED"] }),
};

// Returns what was changed, or null when the server refused.
export function perform(app, kind, threads) {
  return change(app, { threads, ...KINDS[kind](threads) });
}

export function relabel(app, threads, add, remove) {
  const quoted = (names) => names.map((name) => `“${name}”`).join(", ");
  const subject = many(threads, "Conversation", "");
  let says = `${subject.trim()} added to ${quoted(add)}.`;
  if (!add.length) says = `${subject.trim()} removed from ${quoted(remove)}.`;
  if (add.length && remove.length) says = "Labels changed.";
  return change(app, { threads, add, remove, says });
}

export function move(app, threads, label) {
  return change(app, { threads, add: [label], remove: ["INBOX"], says: `${many(threads, "Conversation", "").trim()} moved to “${label}”.` });
}

async function change(app, { threads, add = [], remove = [], says = "" }) {
  try {
    const answer = await call("change", { threads, add, remove }, "Working...");
    app.navigated(answer.navigation);
    if (says) toast(says, { Undo: () => undo(app, answer.undo) });
    const changed = { threads, add, remove };
    app.changed(changed);
    return changed;
  } catch (error) {
    toast(excuse(error));
    return null;
  }
}

async function undo(app, token) {
  try {
    const answer = await call("undo", { undo: token }, "Undoing...");
    app.navigated(answer.navigation);
    toast("Action undone.");
    app.reload();
  } catch (error) {
    toast(excuse(error));
  }
}

export async function createLabel(app, name) {
  const answer = await call("label", { name }, "Working...");
  app.navigated(answer.navigation);
  return answer.name;
}
