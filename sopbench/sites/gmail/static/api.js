// Calls to the server, and the yellow line that tells that one is under way.

import { h } from "./dom.js";

const RETRY_MS = [1000, 3000];
const line = h("div.vX.UC", { role: "status", "aria-live": "polite" });
let underWay = [];

export const status = line;

export class Failed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// Ask once. `words` stand in the yellow line while the answer is awaited.
export async function call(name, data = {}, words = "Loading...") {
  const mine = { words };
  underWay.push(mine);
  show();
  try {
    const response = await fetch(`/mail/u/0/i/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(data),
    });
    if (response.status === 401) {
      location.assign("/mail/u/0/");
      return await new Promise(() => {});
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Failed(response.status, answer.error ?? "");
    return answer;
  } finally {
    underWay = underWay.filter((one) => one !== mine);
    show();
  }
}

// Ask for something to show; the network and the server get second chances.
export async function load(name, data, stillWanted) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await call(name, data);
    } catch (error) {
      const final = error instanceof Failed && error.code < 500;
      if (final || tried === RETRY_MS.length || !stillWanted()) throw error;
      await troubled(error, RETRY_MS[tried]);
    }
  }
}

async function troubled(error, wait) {
  const mine = { words: `${excuse(error)} Retrying in ${Math.round(wait / 1000)}s...` };
  underWay.push(mine);
  show();
  await new Promise((done) => setTimeout(done, wait));
  underWay = underWay.filter((one) => one !== mine);
  show();
}

export function excuse(error) {
  if (!(error instanceof Failed)) return "Unable to reach Gmail. Please check your internet connection.";
  if (error.code < 500 && error.message) return error.message;
  return `Oops, the system encountered a problem (#${error.code}).`;
}

function show() {
  const words = underWay.at(-1)?.words ?? "";
  line.classList.toggle("busy", words !== "");
  line.replaceChildren(...(words ? [h("div.J-J5-Ji.ag", {}, h("span.v1", {}, words))] : []));
}
