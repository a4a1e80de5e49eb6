// What each number of workers would mean for a training: its speed, its time and its cost.
import { chartFigure, colourOf } from "./charts.js";
import { element } from "./dom.js";
import { clock, counted, duration, figure } from "./format.js";
import { plainTable } from "./plain_table.js";

const whole = (value) => (Number.isInteger(value) ? value : "");

// What is measured as filled points, estimates as empty ones.
function curve(label, sizes, valueOf, colour) {
  const data = sizes.map((each) => ({ x: each.workers, y: valueOf(each) ?? NaN, size: each }));
  const fill = ({ raw }) => (raw?.size.measured ? colour : colourOf("raised"));
  return { label, data, borderColor: colour, pointRadius: 5, pointHoverRadius: 7, pointBackgroundColor: fill, clip: 8 };
}

// `adviceOf` tells the advice as it is when it is drawn, as do those below.
function bySize(adviceOf, { title, label, yTitle, sets, describe, legend = false }) {
  return chartFigure({
    title, label, yTitle, sets, describe, legend, yMin: 0, xTitle: "workers", xTicks: whole, xText: (value) => counted(value, "worker"),
    xMax: () => Math.max(2, ...adviceOf().sizes.map((each) => each.workers)),
  });
}

function basis(size) {
  return size.measured ? "measured" : "estimated";
}

// "90" and the others, of rising percentage.
function percentages(advice) {
  return Object.keys(advice.sizes[0]?.secondsToReduction ?? {}).sort((a, b) => a - b);
}

export function timeChart(adviceOf) {
  const colours = () => ["first", "second", "forecast"].map(colourOf);
  return bySize(adviceOf, {
    title: "How long it takes from now on", label: `minutes until parts of the reduction of ${adviceOf().job} by its workers`,
    yTitle: "minutes", legend: true,
    sets: () => percentages(adviceOf()).map((each, i) =>
      curve(`to ${each}%`, adviceOf().sizes, (size) => size.secondsToReduction[each] / 60, colours()[i % 3])),
    describe: (item) => `${item.dataset.label}: ${duration(60 * item.parsed.y)}, ${basis(item.raw.size)}`,
  });
}

function costChart(advice) {
  return bySize(() => advice, {
    title: `What it costs${advice.toldPercent ? ` to ${advice.toldPercent}%` : ""}`,
    label: `core-hours of ${advice.job} by its workers`, yTitle: "core-hours",
    sets: () => [curve("core-hours", advice.sizes, (size) => size.coreHours, colourOf("second"))],
    describe: (item) => `${figure(item.parsed.y, 3)} core-hours, ${basis(item.raw.size)}`,
  });
}

function speedChart(advice) {
  return bySize(() => advice, {
    title: "How fast it is with so many workers", label: `iterations in a second of ${advice.job} by its workers`,
    yTitle: "iterations per second",
    sets: () => [curve("speed", advice.sizes, (size) => 1 / size.secondsPerIteration, colourOf("first"))],
    describe: (item) => `${figure(item.parsed.y, 3)} iterations/s, ${basis(item.raw.size)}`,
  });
}

function marksOf(advice, size) {
  const marks = [basis(size)];
  if (size.workers === advice.fastest) marks.push("fastest");
  if (size.workers === advice.knee) marks.push("knee");
  if (size.workers === advice.workers) marks.push("now");
  return marks.join(", ");
}

function sizeTable(advice) {
  const columns = percentages(advice);
  const head = ["workers", "iteration", ...columns.map((each) => `to ${each}%`), ...(advice.toldPercent ? ["core-hours"] : []), ""];
  const row = (size) => [
    size.workers, duration(size.secondsPerIteration), ...columns.map((each) => clock(size.secondsToReduction[each])),
    ...(advice.toldPercent ? [figure(size.coreHours, 3)] : []), marksOf(advice, size),
  ];
  return plainTable("Each number of workers", head, advice.sizes.map(row));
}

export function adviceView(advice) {
  const charts = percentages(advice).length > 0 ? [timeChart(() => advice), costChart(advice)] : [];
  const sentences = advice.sentences.map(({ name, text }) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  return [
    element("h2", { class: "job-name" }, advice.job), element("dl", { class: "sentences" }, ...sentences),
    element("div", { class: "charts" }, ...charts, speedChart(advice)),
    element("p", { class: "quiet" }, "Filled points were measured, empty ones are estimated."), sizeTable(advice),
  ];
}
