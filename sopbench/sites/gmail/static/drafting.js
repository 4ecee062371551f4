// Keeps a letter on the server while it is written: a while after the last change, one call at a time.

import { call } from "./api.js";

const PAUSE_MS = 1200;
const AGAIN_MS = 5000;

export class Drafting {
  constructor(id, { written, say, kept }) {
    this.id = id;
    this.written = written;
    this.say = say;
    this.kept = kept;
    this.isDirty = false;
    this.timer = 0;
    this.underWay = Promise.resolve();
  }

  changed() {
    this.isDirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save().catch(() => this.later()), PAUSE_MS);
  }

  // Everything that was written is on the server when this is done. Raises what the call raises.
  async settle() {
    clearTimeout(this.timer);
    await this.rest();
    if (this.isDirty) await this.save();
  }

  // No call is under way, and none begins by itself.
  async rest() {
    clearTimeout(this.timer);
    await this.underWay.catch(() => {});
  }

  stop() {
    clearTimeout(this.timer);
  }

  save() {
    const next = this.underWay.catch(() => {}).then(() => this.keep());
    this.underWay = next;
    return next;
  }

  async keep() {
    if (!this.isDirty) return;
    this.isDirty = false;
    this.say("Saving…");
    try {
      const answer = await call("draft", { ...this.written(), draft: this.id }, "");
      this.id = answer.draft;
      if (!this.isDirty) this.say("Draft saved");
      this.kept(answer);
    } catch (error) {
      this.isDirty = true;
      this.say("Couldn’t save draft");
      throw error;
    }
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save().catch(() => this.later()), AGAIN_MS);
  }
}
