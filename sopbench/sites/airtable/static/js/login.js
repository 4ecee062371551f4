// Signing in: first the e-mail address, then the password.

import { h } from "./dom.js";
import { request } from "./server.js";

export function showLogin(root) {
  document.title = "Sign in - Airtable";
  const email = h("input", { id: "emailLogin", type: "email", name: "email", placeholder: "Email address", autocomplete: "username" });
  const password = h("input", { id: "passwordLogin", type: "password", name: "password", placeholder: "Password", autocomplete: "current-password" });
  const button = h("button", { type: "submit", class: "primaryButton" }, "Continue");
  const problem = h("p", { class: "problem", role: "alert" });
  const passwordPart = h("div", { class: "formPart", hidden: true }, h("label", { for: "passwordLogin" }, "Password"), password);
  const form = h("form", { class: "loginForm", novalidate: true }, h("h1", {}, "Sign in to Airtable"), h("div", { class: "formPart" }, h("label", { for: "emailLogin" }, "Email"), email), passwordPart, problem, button);

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    button.disabled = true;
    try {
      if (passwordPart.hidden) {
        await request("/auth/login", { email: email.value });
        passwordPart.hidden = false;
        button.textContent = "Sign in";
        password.focus();
      } else {
        await request("/auth/login", { email: email.value, password: password.value });
        const to = new URLSearchParams(location.search).get("continue") ?? "/";
        location.assign(/^\/(?!\/)/.test(to) ? to : "/");
      }
    } catch (error) {
      problem.textContent = error.message;
    }
    button.disabled = false;
  });
  root.replaceChildren(h("div", { class: "loginPage" }, form));
  email.focus();
}
