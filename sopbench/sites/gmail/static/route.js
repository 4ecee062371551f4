// The part of the address after "#": which list, which page of it, which conversation.

const FOLDERS = {
  inbox: "Inbox",
  starred: "Starred",
  sent: "Sent",
  drafts: "Drafts",
  all: "All Mail",
  spam: "Spam",
  trash: "Trash",
};
const IN_SEARCH_BOX = { inbox: "", starred: "is:starred", sent: "in:sent", drafts: "in:draft", all: "", spam: "in:spam", trash: "in:trash" };

export function current() {
  return parse(location.hash.slice(1));
}

// "search/from%3Adana+after%3A2025%2F06%2F01/p2" → {view, argument, page, thread}
export function parse(hash) {
  const parts = hash.split("/");
  const view = parts.shift();
  const route = { view, argument: "", page: 1, thread: null };
  const last = parts.length > 1 || view in FOLDERS ? parts.at(-1) ?? "" : "";
  if (/^1[0-9a-f]{15}$/.test(last)) route.thread = parts.pop();
  else if (/^p\d+$/.test(last)) route.page = Math.max(1, Number(parts.pop().slice(1)));
  if (view === "search" || view === "label") {
    route.argument = decode(parts.join("/"));
    if (route.argument) return route;
  }
  return view in FOLDERS ? route : { view: "inbox", argument: "", page: 1, thread: null };
}

export function format({ view, argument = "", page = 1, thread = null }) {
  let hash = `#${view}`;
  if (argument) hash += `/${encode(argument)}`;
  if (thread) hash += `/${thread}`;
  else if (page > 1) hash += `/p${page}`;
  return hash;
}

export function listKey({ view, argument, page }) {
  return JSON.stringify([view, argument, page]);
}

// "Inbox", "Search results", "“Processed”": what stands in the window title and on the way back.
export function title({ view, argument }) {
  if (view === "search") return "Search results";
  return view === "label" ? `"${argument}"` : FOLDERS[view];
}

export function wayBack({ view, argument }) {
  if (view === "search") return "Back to search results";
  return `Back to ${view === "label" ? `"${argument}"` : FOLDERS[view]}`;
}

export function searchText({ view, argument }) {
  if (view === "search") return argument;
  return view === "label" ? `label:${argument.replaceAll(/[\s/]+/g, "-").toLowerCase()}` : IN_SEARCH_BOX[view];
}

function encode(text) {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function decode(text) {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced).trim();
  } catch {
    return spaced.trim();
  }
}
