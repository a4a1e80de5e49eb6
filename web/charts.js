// Pictures over time, by Chart.js.
import { Chart, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip } from "chart.js";

import { colourOf } from "./colours.js";
import { element } from "./dom.js";
import { clock, figure } from "./format.js";
import { onRefresh } from "./live.js";
import { addModeOfMarks, kMarks, markLines } from "./marks.js";

Chart.register(Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, kMarks);
addModeOfMarks("markOrColumn", "index");
addModeOfMarks("markOrNearest", "nearest");

const shown = new Set();

export function destroyCharts() {
  for (const each of shown) each.destroy();
  shown.clear();
}

// [{x, y}] of two columns; unknown values are gaps.
export function pointsOf(times, column) {
  return times.map((x, i) => ({ x, y: column[i] ?? NaN }));
}

const kInstant = 1e-3; // seconds: two points of a step may not have the same time, or they would be stacked

// The same as steps. What an epoch sees was changed right after the epoch before.
export function stepsOf(times, column) {
  return times.flatMap((x, i) => {
    const y = column[i] ?? NaN;
    return i === 0 ? [{ x, y }] : [{ x: times[i - 1] + kInstant, y }, { x, y }];
  });
}

function axis(title, more = {}) {
  return {
    type: "linear",
    title: { display: true, text: title, color: colourOf("quiet") },
    grid: { color: colourOf("line") },
    border: { color: colourOf("line") },
    ...more,
    ticks: { color: colourOf("quiet"), maxTicksLimit: 8, includeBounds: false, ...more.ticks },
  };
}

const kClockSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400]; // seconds

// At whole minutes and the like, eight at most; undefined of more than a week, where the chart finds its own.
const clockStep = (span) => kClockSteps.find((each) => span / each <= 8);

// A set's line is dashed in the legend as it is in the chart. Chart.js' own items have the dashes of its points.
function legendItems(chart) {
  const items = Chart.defaults.plugins.legend.labels.generateLabels(chart);
  const dashes = (item) => ({ lineDash: chart.data.datasets[item.datasetIndex].borderDash ?? [], lineWidth: 2 });
  return items.map((item) => (item.pointStyle === "line" ? { ...item, ...dashes(item) } : item));
}

// Lines have the names of sets that have one.
function legendLabels(stacked) {
  const filter = (item) => item.text !== "";
  const size = stacked ? { boxWidth: 12, boxHeight: 12 } : { usePointStyle: true, pointStyleWidth: 22 };
  return { color: colourOf("text"), filter, generateLabels: legendItems, ...size };
}

function tooltip(describe, xText) {
  return {
    callbacks: {
      title: (items) => (items.length > 0 ? xText(items[0].parsed.x) : ""),
      label: (item) => describe?.(item) ?? `${item.dataset.label}: ${figure(item.parsed.y)}`,
      afterLabel: (item) => markLines(item.raw),
    },
    // Of many jobs those that hold something.
    filter: (item) => Number.isFinite(item.parsed.y) && !(item.chart.options.hidesZeros && item.parsed.y === 0 && !item.raw.marks),
    itemSort: (a, b) => b.parsed.y - a.parsed.y,
  };
}

// The datasets of a chart anew; what a reader has switched off stays so.
function renew(chart, sets, xScale, yMax) {
  const hidden = new Set(chart.data.datasets.filter((_, i) => !chart.isDatasetVisible(i)).map((set) => set.label));
  chart.data.datasets = sets();
  chart.data.datasets.forEach((set, i) => chart.setDatasetVisibility(i, !hidden.has(set.label)));
  const { max, stepSize } = xScale();
  chart.options.scales.x.max = max;
  chart.options.scales.x.ticks.stepSize = stepSize;
  chart.options.scales.y.max = yMax?.(chart.data.datasets);
  chart.update("none");
}

// Draws the chart of a figure again, after what it shows has changed.
export function redrawChart(box) {
  box.redraw?.();
}

// A figure with a chart: `sets` makes Chart.js' datasets, with points of seconds (or of whatever `xTitle` says), and
// `xMax` and `yMax` (of these datasets) the ends of the axes. `note` is a sentence for who sees such a chart for the first time.
// `describe` tells an item of a tooltip, and `xText` where on the axis it is.
export function chartFigure({ title, note, label, sets, yTitle, xMax, xMin = 0, yMin, yMax, stacked = false, legend = true,
                              describe, xTitle = "", xTicks, xText = clock }) {
  const canvas = element("canvas", { role: "img", "aria-label": label });
  const box = element("figure", { class: "chart" }, element("figcaption", {}, title),
                      note ? element("p", { class: "note" }, note) : null,
                      element("div", { class: "canvas" }, canvas));
  // A canvas is measured when it is drawn, so it has to be in the page by then.
  queueMicrotask(() => {
    if (!canvas.isConnected) return;
    const xScale = () => ({ max: xMax(), stepSize: xTicks ? undefined : clockStep(xMax() - xMin) });
    const { max, stepSize } = xScale();
    const datasets = sets();
    const x = axis(xTitle, { min: xMin, max, ticks: { callback: xTicks ?? ((value) => clock(value)), stepSize } });
    x.title.display = xTitle !== "";
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        hidesZeros: stacked,
        interaction: { mode: stacked ? "markOrColumn" : "markOrNearest", axis: "x", intersect: false },
        elements: { point: { radius: 0, hitRadius: 6 }, line: { borderWidth: 2 } },
        scales: { x, y: axis(yTitle, { min: yMin, max: yMax?.(datasets), stacked }) },
        plugins: {
          legend: { display: legend, position: "bottom", labels: legendLabels(stacked) },
          tooltip: tooltip(describe, xText),
        },
      },
    });
    shown.add(chart);
    box.redraw = () => renew(chart, sets, xScale, yMax);
    onRefresh(box.redraw);
  });
  return box;
}
