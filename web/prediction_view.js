// This view shows recorded losses beside the forecasts that a predictor made of them some iterations before.
import { chartFigure } from "./charts.js";
import { colourOf } from "./colours.js";
import { element } from "./dom.js";
import { counted, figure } from "./format.js";
import { plainTable } from "./plain_table.js";

const kColours = ["second", "forecast", "quiet"];
const kDashes = [[6, 4], [2, 3], [12, 3]]; // in turn, when the colours are used up

const ahead = (horizon) => `forecast ${counted(horizon, "iteration")} before`;

function forecastSets(trace) {
  return trace.curves.map(({ horizon, iterations, losses }, i) => ({
    label: ahead(horizon), data: iterations.map((x, k) => ({ x, y: losses[k] ?? NaN })),
    borderDash: kDashes[Math.floor(i / kColours.length) % kDashes.length], borderWidth: 1.5,
    borderColor: colourOf(kColours[i % kColours.length]), pointStyle: "line",
  }));
}

function lossSets(trace) {
  const recorded = trace.losses.map((y, x) => ({ x, y }));
  return [{ label: "recorded", data: recorded, borderColor: colourOf("first"), pointStyle: "line" }, ...forecastSets(trace)];
}

// The axis spans the recorded losses and a quarter more on each side: forecasts that are far off would make it too long for
// the rest to be seen.
function spanOf(trace) {
  const known = trace.losses.filter(Number.isFinite);
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const margin = (high - low || Math.abs(high) || 1) / 4;
  return { yMin: low - margin, yMax: () => high + margin };
}

// By how much each forecast was above or below what came.
function errorSets(trace) {
  return forecastSets(trace).map((set) => ({
    ...set, data: set.data.map(({ x, y }) => ({ x, y: (100 * (y - trace.losses[x])) / trace.range })),
  }));
}

function byIteration(trace, more) {
  return chartFigure({
    xTitle: "iteration", xTicks: (value) => figure(value), xText: (value) => `iteration ${value}`,
    xMax: () => Math.max(1, trace.losses.length - 1), ...more,
  });
}

function lossChart(trace) {
  return byIteration(trace, {
    title: trace.file, label: `losses of ${trace.file} by iterations, with their forecasts`, sets: () => lossSets(trace),
    yTitle: "loss", ...spanOf(trace),
  });
}

function errorChart(trace) {
  return byIteration(trace, {
    title: "Forecast less what came", label: `errors of the forecasts of ${trace.file} by iterations`,
    sets: () => errorSets(trace), yTitle: "percent of the range",
  });
}

const percentText = (share) => (Number.isFinite(share) ? `${figure(100 * share, 3)}%` : "-");

function errorTable(prediction) {
  const horizons = prediction.horizons;
  const head = ["trace", "forecasts", ...horizons.map((each) => `of the loss, +${each}`),
                ...horizons.map((each) => `of its range, +${each}`)];
  const row = (name, each) => [
    name, each.forecasts, ...horizons.map((h) => percentText(each.relativeError[h])),
    ...horizons.map((h) => percentText(each.rangeError[h])),
  ];
  const link = (trace) => element("a", { href: `#trace=${encodeURIComponent(trace.file)}` }, trace.file);
  const rows = prediction.files.map((each) => row(link(each), each));
  return plainTable("By how much forecasts were off", head, [...rows, row("all", prediction.overall)]);
}

// The trace that the page's address names, or the first one with a forecast.
function chosenTrace(prediction) {
  const name = new URLSearchParams(location.hash.slice(1)).get("trace");
  const withForecasts = prediction.files.find((each) => each.forecasts > 0);
  return prediction.files.find((each) => each.file === name) ?? withForecasts ?? prediction.files[0];
}

export function predictionView(prediction) {
  const trace = chosenTrace(prediction);
  return [
    element("p", { class: "verdict" }, `What the predictor ${prediction.predictor} said of these losses, and what came`),
    element("div", { class: "charts" }, lossChart(trace), ...(trace.forecasts > 0 && trace.range > 0 ? [errorChart(trace)] : [])),
    errorTable(prediction),
  ];
}
