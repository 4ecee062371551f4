// A month to pick a day from. Dates are "YYYY-MM-DD"; nothing here asks the browser what day it is.

import { h, iconButton } from "./dom.js";
import { displayDate, isoDate, parseDate } from "./fields.js";
import { openPopover } from "./popover.js";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `input` keeps the focus; `onPick` is given the day as it is typed: "6/2/2026". */
export function openDatePicker({ anchor, input, today, onPick }) {
  const element = h("div", { class: "datePicker", role: "dialog", "aria-label": "Choose a date" });
  element.addEventListener("mousedown", (event) => event.preventDefault());
  let [year, month] = monthOf(chosen() ?? today);

  function chosen() {
    const parsed = parseDate(input.value.trim());
    return parsed.ok ? parsed.value : null;
  }

  function turn(by) {
    const index = year * 12 + month - 1 + by;
    [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    draw();
  }

  function day(number) {
    const iso = isoDate(year, month, number);
    return h(
      "button",
      {
        type: "button",
        tabindex: "-1",
        class: `day ${iso === chosen() ? "chosen" : ""} ${iso === today ? "today" : ""}`,
        "aria-label": `${MONTHS[month - 1]} ${number}, ${year}`,
        "aria-pressed": String(iso === chosen()),
        onclick: () => onPick(displayDate(iso)),
      },
      String(number),
    );
  }

  function draw() {
    const blanks = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
    const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
    element.replaceChildren(
      h(
        "div",
        { class: "monthBar" },
        iconButton("left", "Previous month", () => turn(-1), { tabindex: "-1" }),
        h("span", { class: "month", "aria-live": "polite" }, `${MONTHS[month - 1]} ${year}`),
        iconButton("right", "Next month", () => turn(1), { tabindex: "-1" }),
      ),
      h(
        "div",
        { class: "days" },
        ...WEEKDAYS.map((name) => h("abbr", { class: "weekday", title: name }, name.slice(0, 2))),
        ...Array.from({ length: blanks }, () => h("span")),
        ...Array.from({ length: days }, (_, index) => day(index + 1)),
      ),
      h("button", { type: "button", class: "todayButton", tabindex: "-1", onclick: () => onPick(displayDate(today)) }, "Today"),
    );
  }

  function follow() {
    const iso = chosen();
    if (iso) [year, month] = monthOf(iso);
    draw();
  }

  draw();
  const popover = openPopover({ anchor, element, onClose: () => input.removeEventListener("input", follow) });
  input.addEventListener("input", follow);
  return { ...popover, element };
}

function monthOf(iso) {
  return iso.split("-").slice(0, 2).map(Number);
}
