// Sign-in: the two forms work by themselves; once this has loaded they change places without a page load.

const HYDRATION_MS = 180;
const SLIDE_MS = 220;
const card = document.getElementById("initialView");
const view = document.getElementById("view");
const progress = card.querySelector(".progress");

setTimeout(hydrate, HYDRATION_MS);

function hydrate() {
  document.addEventListener("submit", submitted);
  document.addEventListener("change", (event) => {
    if (event.target.id === "showPassword") {
      view.querySelector("[name=Passwd]").type = event.target.checked ? "text" : "password";
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest(".chip")) show(switchAccount(), true);
  });
  window.addEventListener("popstate", () => show(location.href, false));
}

function switchAccount() {
  return `/signin/v2/identifier?continue=${encodeURIComponent(view.querySelector("[name=continue]").value)}`;
}

async function submitted(event) {
  event.preventDefault();
  if (card.getAttribute("aria-busy") === "true") return;
  const form = event.target;
  busy(true);
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(new FormData(form)),
    });
    if (!response.ok) throw new Error(String(response.status));
    const answer = await response.json();
    if (answer.problem) return complain(form, answer.problem);
    if (answer.next.startsWith("/signin/")) return await show(answer.next, true);
    location.assign(answer.next);
  } catch {
    complain(form, "Something went wrong. Please try again.");
  }
}

function complain(form, problem) {
  busy(false);
  const input = form.querySelector(".field input");
  form.querySelector(".problem").textContent = problem;
  input.setAttribute("aria-invalid", "true");
  input.focus();
  input.select();
}

async function show(address, push) {
  busy(true);
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  card.classList.add("leaving");
  await new Promise((done) => setTimeout(done, SLIDE_MS));
  if (push) history.pushState({}, "", address);
  view.replaceChildren(...page.getElementById("view").childNodes);
  card.classList.remove("leaving");
  busy(false);
  view.querySelector(".field input").focus();
}

function busy(on) {
  card.setAttribute("aria-busy", String(on));
  progress.hidden = !on;
}
