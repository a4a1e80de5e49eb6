// One job: its loss and what was expected of it, its sizes, how fast it is at each, and what was decided.
import { chartFigure, redrawChart, stepsOf } from "./charts.js";
import { colourOf, faint } from "./colours.js";
import { decisionList, withMarks } from "./decisions.js";
import { definitions, element } from "./dom.js";
import { clock, duration, figure, percent } from "./format.js";
import { live, onRefresh } from "./live.js";
import { whyOf } from "./model.js";
import { percentages, speedChart, timeChart } from "./size_charts.js";

function forecastSets(outlook) {
  const line = outlook.seconds.map((x, i) => ({ x, y: outlook.losses[i] }));
  const shift = (by) => line.map(({ x, y }) => ({ x, y: y + by }));
  const error = outlook.error ?? 0;
  const edge = { borderColor: "transparent", pointHitRadius: 0 };
  return [
    { label: `expected at ${clock(outlook.seconds[0])}`, data: line, borderColor: colourOf("forecast"), borderDash: [6, 4], pointStyle: "line" },
    ...(error > 0 ? [
      { label: "error of earlier forecasts", data: shift(error), fill: "+1", backgroundColor: faint(colourOf("forecast"), 0.25), pointStyle: "rect", ...edge },
      { label: "", data: shift(-error), ...edge },
    ] : []),
  ];
}

// The forecast that is looked at: the newest one, or one that a reader chose by its place.
class Choice {
  constructor(job) {
    this.job = job;
    // Of a job that is over the newest one tells nothing that its loss does not.
    this.place = job.isOver && job.outlooks.length > 1 ? Math.floor((job.outlooks.length - 1) / 2) : undefined;
  }

  get outlook() {
    return this.place === undefined ? this.job.outlooks.at(-1) : this.job.outlooks[this.place];
  }

  get made() {
    return this.outlook?.seconds[0];
  }
}

const endOf = (job) => job.end ?? job.run.end;

function lossSets(job, choice) {
  const name = job.mode === "Maximize" ? "metric" : "loss";
  const sets = [{ label: name, data: job.points("losses"), borderColor: colourOf("first"), pointStyle: "line" }];
  return choice.outlook ? [...sets, ...forecastSets(choice.outlook)] : sets;
}

// The loss with a slider: a forecast can be looked at as it was at any time.
function lossSection(job) {
  const choice = new Choice(job);
  const chart = chartFigure({
    title: "Loss, and what was expected of it", label: `loss of ${job.name} over time, with its forecast`,
    sets: () => lossSets(job, choice), yTitle: "loss", xMin: Math.max(0, job.arrivalSeconds),
    xMax: () => (job.isOver ? endOf(job) : Math.max(job.run.end, choice.outlook?.seconds.at(-1) ?? 0)),
    describe: (item) => (item.dataset.label === "" ? "" : undefined),
  });
  const output = element("output", { for: "then" });
  const slider = element("input", { type: "range", id: "then", min: 0 });
  const show = () => {
    slider.max = Math.max(0, job.outlooks.length - 1);
    slider.value = choice.place ?? slider.max;
    output.textContent = choice.made === undefined ? "" : clock(choice.made);
    box.hidden = job.outlooks.length < 2;
  };
  slider.addEventListener("input", () => {
    const place = Number(slider.value);
    choice.place = place === job.outlooks.length - 1 ? undefined : place;
    show();
    redrawChart(chart);
  });
  const box = element("p", { class: "slider" }, element("label", { for: "then" }, "Forecast as it was at "), output, slider);
  show();
  onRefresh(show);
  chart.append(box);
  return chart;
}

function sizeSets(job, unit) {
  const line = stepsOf(job.run.epochs, job.column("cores").map((each) => each ?? 0));
  const colour = colourOf("first");
  return [{ label: unit, data: withMarks(line, job), fill: "origin", pointStyle: "rect", borderColor: colour,
            backgroundColor: faint(colour, 0.25) }];
}

function sizeChart(model, job) {
  return chartFigure({
    title: `What it held of the ${model.unit}, and each decision`, label: `${model.unit} of ${job.name} over time`,
    sets: () => sizeSets(job, model.unit), yTitle: model.unit, yMin: 0, xMin: Math.max(0, job.arrivalSeconds),
    xMax: () => endOf(job), legend: false,
  });
}

// How long it takes with each number of workers, by its speeds and by the iterations that are left.
function adviceOf(job) {
  const seconds = (speed) => (job.milestones ?? []).map((each) => [each.percent, each.iterationsLeft * speed.secondsPerIteration]);
  const speeds = (job.speeds ?? []).filter((each) => each.secondsPerIteration > 0);
  return { job: job.name, sizes: speeds.map((each) => ({ ...each, secondsToReduction: Object.fromEntries(seconds(each)) })) };
}

// Its speed with each number of workers, and how long it takes with each, while it runs and that can be told.
function chartsBySize(job) {
  if (job.workers.max < 2) return [];
  const speeds = speedChart(() => adviceOf(job));
  const areTold = () => !job.isOver && percentages(adviceOf(job)).length > 0;
  const makeTimes = () => timeChart(() => adviceOf(job));
  let times = areTold() ? makeTimes() : undefined;
  onRefresh(() => {
    if (areTold() === (times !== undefined)) return;
    times?.remove();
    times = areTold() ? makeTimes() : undefined;
    if (times) speeds.after(times);
  });
  return times ? [speeds, times] : [speeds];
}

function facts(job) {
  const cost = job.resizeCost ?? {};
  const known = [
    ["state", job.state],
    ["iteration", job.iteration === undefined ? undefined : figure(job.iteration, 9)],
    ["loss", job.loss === undefined ? undefined : figure(job.loss)],
    ["going to", job.isOver || job.forecastFinalLoss === undefined ? undefined : figure(job.forecastFinalLoss)],
    ["done", job.progress === undefined ? undefined : percent(job.progress)],
    ["remaining", job.isOver || job.remainingSeconds === undefined ? undefined : duration(job.remainingSeconds)],
    ["90% after", job.reduction(90) === undefined ? undefined : duration(job.reduction(90))],
    ["complete after", job.completionSeconds === undefined ? undefined : duration(job.completionSeconds)],
    ["convergence", job.convergence],
    ["trainings of its kind", job.kind?.name],
    ["a growth costs", cost.growSeconds === undefined ? undefined : duration(cost.growSeconds)],
    ["a shrink costs", cost.shrinkSeconds === undefined ? undefined : duration(cost.shrinkSeconds)],
    ["work done again", cost.lostSeconds === undefined ? undefined : duration(cost.lostSeconds)],
  ];
  return definitions(known.filter(([, value]) => value !== undefined && value !== ""));
}

export function jobView(model, job) {
  const runs = model.runs.length > 1 ? element("p", { class: "quiet" }, `under ${job.run.policy}`) : null;
  return [
    element("p", {}, element("a", { href: "#", id: "back" }, "← all jobs")),
    element("h2", { class: "job-name" }, job.key), runs,
    live("p", { class: "verdict" }, () => (whyOf(job) ? [whyOf(job)] : [])),
    live("dl", { class: "facts" }, () => facts(job)),
    element("div", { class: "charts" }, lossSection(job), sizeChart(model, job), ...chartsBySize(job),
            decisionList(job.run, { heading: "What was decided", isOver: model.isOver, of: job })),
  ];
}
