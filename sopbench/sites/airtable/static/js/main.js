// Reads the address and shows the page it names.
//   /                                    all bases
//   /login                               signing in
//   /{base}/{form}/form                  a form of a base
//   /{base}/{table}/{view}/{record}      a base; table, view and record may be left out

import { h } from "./dom.js";
import { showForm } from "./form.js";
import { showHome } from "./home.js";
import { showLogin } from "./login.js";
import { Workspace } from "./workspace.js";

const root = document.getElementById("hyperbaseContainer");
let workspace = null;

async function show() {
  const [base, ...rest] = location.pathname.split("/").filter(Boolean);
  if (workspace && (workspace.store.schema.id !== base || rest[1] === "form")) {
    workspace.dispose();
    workspace = null;
  }
  try {
    if (!base) await showHome(root, navigate);
    else if (base === "login") showLogin(root);
    else if (rest[1] === "form") await showForm(root, rest[0]);
    else {
      workspace ??= await Workspace.open(root, base, navigate);
      await workspace.show(
        rest[0],
        rest.slice(1).find((part) => part.startsWith("rec")),
      );
    }
  } catch (error) {
    showProblem(error);
  }
}

function showProblem(error) {
  workspace?.dispose();
  workspace = null;
  document.title = "Airtable";
  const missing = error.status === 403 || error.status === 404;
  root.replaceChildren(
    h(
      "main",
      { class: "notFound", role: "alert" },
      h("h1", {}, missing ? "We couldn’t find that base" : "Something went wrong"),
      missing ? h("a", { href: "/" }, "Back to home") : h("button", { type: "button", class: "primaryButton", onclick: show }, "Try again"),
    ),
  );
}

function navigate(path) {
  if (path !== location.pathname) history.pushState(null, "", path);
  show();
}

addEventListener("popstate", show);
show();
