// Cash at the end of each week, as a line over a filled area.

import { svg } from "./dom.js";

const WIDTH = 560;
const HEIGHT = 220;
const LEFT = 56;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 26;
const LINES = 4;
const STEPS = [1, 2, 2.5, 5, 10];

export function cashChart(history, format) {
  const values = history.map((week) => week.cash);
  const grid = scale(Math.min(...values), Math.max(...values));
  const [low, high] = [grid[0], grid.at(-1)];
  const x = (at) => LEFT + (at * (WIDTH - LEFT - RIGHT)) / Math.max(1, history.length - 1);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) * (HEIGHT - TOP - BOTTOM)) / (high - low);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const base = HEIGHT - BOTTOM;
  const every = Math.ceil(history.length / 6);
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Cash balance over ${history.length} weeks` },
    grid.map((value) => [
      svg("line", { class: "chart__grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { class: "chart__tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, format.compact(value)),
    ]).flat(),
    svg("path", { class: "chart__area", d: `M${points.join("L")}L${x(values.length - 1)},${base}L${x(0)},${base}Z` }),
    svg("polyline", { class: "chart__line", points: points.join(" ") }),
    history.map((week, at) => svg("circle", { class: "chart__dot", cx: x(at), cy: y(week.cash), r: at === history.length - 1 ? 4.5 : 2.5 },
      svg("title", {}, `${format.fullDay(week.ends)}: ${format.money(week.cash)}`))),
    history.map((week, at) => ((history.length - 1 - at) % every === 0
      ? svg("text", { class: "chart__tick", x: x(at), y: HEIGHT - 6, "text-anchor": at === history.length - 1 ? "end" : "middle" }, format.day(week.ends)) : null)));
}

// Round figures for the lines of the grid, with all values between them.
function scale(low, high) {
  const rough = (high - low || Math.abs(high) || 1) / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.find((one) => one * power >= rough) * power;
  const lines = [];
  for (let value = Math.floor(low / step) * step; value < high + step; value += step) lines.push(value);
  return lines;
}
