// A form that adds one record to a table: all of it is sent at once, when it is submitted.

import { h } from "./dom.js";
import { isEmpty } from "./fields.js";
import { recordField } from "./record_fields.js";
import { request } from "./server.js";

export async function showForm(root, formId) {
  document.title = "Form - Airtable";
  root.replaceChildren(h("div", { class: "loadingBase", role: "progressbar", "aria-label": "Loading form" }));
  const form = await request(`/v0.3/form/${formId}/read`);
  document.title = `${form.name} - Airtable`;
  new Form(root, form).ask();
}

class Form {
  constructor(root, form) {
    this.root = root;
    this.form = form;
    this.rowId = form.rowId;
  }

  ask() {
    this.cells = {};
    this.fields = this.form.fields.map((field) =>
      recordField(field, {
        read: () => this.cells[field.id] ?? null,
        write: (value) => (this.cells[field.id] = value),
        today: this.form.today,
      }),
    );
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.button = h("button", { type: "button", class: "primaryButton", onclick: () => this.#submit() }, "Submit");
    this.#show(
      h("h1", {}, this.form.name),
      h("p", { class: "formBase" }, this.form.base),
      ...this.fields.map((field) => field.element),
      this.problem,
      this.button,
    );
    for (const field of this.fields) field.shown?.();
  }

  async #submit() {
    for (const field of this.fields) field.commit();
    const cells = Object.fromEntries(Object.entries(this.cells).filter(([, value]) => !isEmpty(value)));
    this.problem.hidden = true;
    this.button.disabled = true;
    this.button.replaceChildren("Submitting…");
    try {
      const { rowId } = await request(`/v0.3/form/${this.form.id}/submit`, { rowId: this.rowId, cells });
      this.rowId = rowId;
      this.#thank();
    } catch (error) {
      this.problem.replaceChildren(`Your answer could not be submitted: ${error.message}`);
      this.problem.hidden = false;
      this.button.disabled = false;
      this.button.replaceChildren("Submit");
    }
  }

  #thank() {
    const again = h("button", { type: "button", class: "linkButton", onclick: () => this.ask() }, "Submit another response");
    this.#show(h("h1", {}, "Thank you for submitting the form!"), again);
    again.focus();
  }

  #show(...children) {
    this.root.replaceChildren(h("div", { class: "formPage" }, h("main", { class: "formCard" }, ...children)));
  }
}
