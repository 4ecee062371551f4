import { request } from "./api.js";
import { el } from "./dom.js";

export function loginPage() {
  const field = (id, label, attributes) => {
    const input = el("input", { id, class: "input", required: true, ...attributes });
    return [input, el("div", { class: "field" }, el("label", { for: id }, label), input)];
  };
  const [email, emailField] = field("email", "Work email", { type: "email", autocomplete: "username" });
  const [password, passwordField] = field("password", "Password", { type: "password", autocomplete: "current-password" });
  const problem = el("p", { class: "form__problem", role: "alert" });
  const submit = el("button", { type: "submit", class: "button button--primary" }, "Sign in");

  const signIn = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    submit.textContent = "Signing in…";
    problem.textContent = "";
    try {
      await request("POST", "/session", { email: email.value, password: password.value });
      const next = new URLSearchParams(location.search).get("next") ?? "";
      location.assign(/^\/(?![/\\])/.test(next) ? next : "/reports/cash-flow");
    } catch (error) {
      problem.textContent = error.message;
      submit.disabled = false;
      submit.textContent = "Sign in";
      password.select();
    }
  };

  document.title = "Sign in · Tallybook";
  return el("main", { class: "login" },
    el("form", { class: "login__card", onsubmit: signIn },
      el("div", { class: "brand brand--dark" }, el("img", { src: "/static/favicon.svg", alt: "", width: "28", height: "28" }), "Tallybook"),
      el("h1", {}, "Welcome back"),
      el("p", { class: "muted" }, "Sign in to see where your cash is going."),
      emailField, passwordField, problem, submit,
      el("p", { class: "login__foot muted" }, "Forgot your password? Ask your workspace owner to reset it.")));
}
