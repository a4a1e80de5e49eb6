// Charts by the number of workers of a training.
import { chartFigure } from "./charts.js";
import { colourOf } from "./colours.js";
import { counted, duration, figure } from "./format.js";

const whole = (value) => (Number.isInteger(value) ? value : "");

// What is measured as filled points, estimates as empty ones.
export function curve(label, sizes, valueOf, colour) {
  const data = sizes.map((each) => ({ x: each.workers, y: valueOf(each) ?? NaN, size: each }));
  const fill = ({ raw }) => (raw?.size.measured ? colour : colourOf("raised"));
  return { label, data, borderColor: colour, pointRadius: 5, pointHoverRadius: 7, pointBackgroundColor: fill, clip: 8 };
}

// A chart with a point for each number of workers. `adviceOf` returns the advice as it is when the chart is drawn: the
// `job` by its name, and its `sizes`, each with `workers`, `secondsPerIteration` and whether that was `measured`.
export function bySize(adviceOf, { title, label, yTitle, sets, describe, legend = false }) {
  return chartFigure({
    title, label, yTitle, sets, describe, legend, yMin: 0, xTitle: "workers", xTicks: whole, xText: (value) => counted(value, "worker"),
    xMax: () => Math.max(2, ...adviceOf().sizes.map((each) => each.workers)),
  });
}

export function basis(size) {
  return size.measured ? "measured" : "estimated";
}

// "90" and the others, of rising percentage.
export function percentages(advice) {
  return Object.keys(advice.sizes[0]?.secondsToReduction ?? {}).sort((a, b) => a - b);
}

// `sizes` have `secondsToReduction` by percentage, too.
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

function speedSets(sizes) {
  const points = sizes.map((each) => ({ x: each.workers, y: 1 / each.secondsPerIteration, measured: each.measured }));
  return [
    { label: "measured", data: points.filter((each) => each.measured), showLine: false, pointRadius: 5, clip: 8,
      backgroundColor: colourOf("first"), borderColor: colourOf("first") },
    { label: "believed", data: points, borderColor: colourOf("forecast"), borderDash: [6, 4], pointRadius: 3, clip: 8 },
  ];
}

export function speedChart(adviceOf) {
  return bySize(adviceOf, {
    title: "How fast it is with so many workers", label: `iterations in a second of ${adviceOf().job} by its workers`,
    yTitle: "iterations per second", legend: true, sets: () => speedSets(adviceOf().sizes),
    describe: (item) => `${item.dataset.label}: ${figure(item.parsed.y, 3)} iterations/s`,
  });
}
