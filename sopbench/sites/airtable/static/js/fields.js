// How values of each field type are shown, put into an editor, and read from what was typed.
// A value is null, true, a number or a string; dates are "YYYY-MM-DD".

const COLUMN_TYPES = { singleLineText: "text", multilineText: "multilineText", singleSelect: "select" };

export function columnType(field) {
  return COLUMN_TYPES[field.type] ?? field.type;
}

export function columnWidth(field) {
  const widths = { multilineText: 260, number: 130, checkbox: 110, date: 130, singleSelect: 150, email: 220 };
  return widths[field.type] ?? 190;
}

export function isEmpty(value) {
  return value === null || value === undefined || value === "";
}

/** As shown in the grid. */
export function display(field, value) {
  if (isEmpty(value)) return "";
  if (field.type === "number") return formatNumber(value, field.options?.precision ?? 0);
  if (field.type === "date") return displayDate(value);
  if (field.type === "checkbox") return "";
  return String(value);
}

/** As put into an editor: the whole value. */
export function editText(field, value) {
  if (isEmpty(value)) return "";
  if (field.type === "date") return displayDate(value);
  if (field.type === "checkbox") return "checked";
  return String(value);
}

/** What was typed → {ok, value}. */
export function parse(field, text) {
  const trimmed = text.trim();
  if (field.type === "multilineText") return { ok: true, value: text === "" ? null : text };
  if (field.type === "checkbox") return { ok: true, value: /^(checked|true|yes|1|x)$/i.test(trimmed) || null };
  if (trimmed === "") return { ok: true, value: null };
  if (field.type === "number") return parseNumber(trimmed);
  if (field.type === "date") return parseDate(trimmed);
  if (field.type === "singleSelect") {
    const choice = field.options.choices.find((each) => each.name.toLowerCase() === trimmed.toLowerCase());
    return choice ? { ok: true, value: choice.name } : { ok: false };
  }
  return { ok: true, value: text.replace(/\s*\n\s*/g, " ") };
}

function parseNumber(text) {
  const plain = text.replace(/[,\s$]/g, "");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return { ok: false };
  return { ok: true, value: Number(plain) };
}

export function parseDate(text) {
  let parts = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (parts) return checkedDate(+parts[1], +parts[2], +parts[3]);
  parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text);
  if (!parts) return { ok: false };
  const year = parts[3].length === 2 ? 2000 + +parts[3] : +parts[3];
  return checkedDate(year, +parts[1], +parts[2]);
}

function checkedDate(year, month, day) {
  const date = new Date(Date.UTC(year, month - 1, day));
  const fits = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return fits ? { ok: true, value: isoDate(year, month, day) } : { ok: false };
}

export function isoDate(year, month, day) {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

export function displayDate(iso) {
  const [year, month, day] = iso.split("-");
  return `${+month}/${+day}/${year}`;
}

function formatNumber(value, precision) {
  const [whole, fraction] = Math.abs(value).toFixed(precision).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return (value < 0 ? "-" : "") + grouped + (fraction ? "." + fraction : "");
}

/** Orders values of one field: empty first, choices in their own order. */
export function compare(field, left, right) {
  if (isEmpty(left) || isEmpty(right)) return Number(isEmpty(right)) - Number(isEmpty(left));
  if (field.type === "singleSelect") {
    const names = field.options.choices.map((choice) => choice.name);
    return names.indexOf(left) - names.indexOf(right);
  }
  if (typeof left === "string") {
    const [a, b] = [left.toLowerCase(), right.toLowerCase()];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return left - right;
}

export function pillColor(field, name) {
  const choice = field.options?.choices.find((each) => each.name === name);
  return `pill-${(choice?.color ?? "grayLight2").replace("Light2", "")}`;
}
