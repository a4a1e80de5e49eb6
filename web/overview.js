// All jobs of all runs: who held the cores, how the losses fell, what a core was worth, and what was decided.
import { chartFigure, pointsOf, stepsOf } from "./charts.js";
import { colourOf, faint, kOtherColour } from "./colours.js";
import { decisionList, withMarks } from "./decisions.js";
import { definitions, element } from "./dom.js";
import { counted, duration, figure } from "./format.js";
import { jobTable } from "./job_table.js";
import { live } from "./live.js";
import { lossLeft } from "./model.js";
import { sentenceOf } from "./policies.js";

function coresSets(model, run) {
  const named = run.jobs.filter((job) => model.colours.has(job.key));
  const others = run.jobs.filter((job) => !model.colours.has(job.key));
  const steps = (column) => stepsOf(run.epochs, column.map((each) => each ?? 0));
  const set = (label, data, colour) => ({
    label, data, fill: "stack",
    backgroundColor: faint(colour, 0.75), borderColor: colour, borderWidth: 1, pointStyle: "rect",
  });
  const sets = named.map((job) =>
    set(job.label, withMarks(steps(job.column("cores")), job), model.colours.get(job.key)));
  if (others.length > 0) {
    const sum = run.epochs.map((_, i) => others.reduce((all, job) => all + (job.column("cores")[i] ?? 0), 0));
    sets.push(set(counted(others.length, "other job"), steps(sum), kOtherColour));
  }
  return sets;
}

function coresChart(model, run) {
  // What is held may be more than a capacity that was known once.
  const yMax = (sets) => {
    const held = (sets[0]?.data ?? []).map((_, i) => sets.reduce((sum, set) => sum + set.data[i].y, 0));
    return [...run.capacity, ...held].reduce((most, each) => Math.max(most, each ?? 0), 0) || undefined;
  };
  const { unit } = model;
  return chartFigure({
    title: `Who holds the ${unit}${model.runs.length > 1 ? ` under ${run.policy}` : ""}`,
    note: `${sentenceOf(run.policy)} Each number is a decision. The list of what was decided has it in words.`.trim(),
    label: `${unit} held by each job over time`,
    sets: () => coresSets(model, run), yTitle: unit, xMax: () => model.end, yMin: 0,
    yMax, stacked: true,
  });
}

// Over the jobs that are there; a job that is over stays as it was last.
function meanLeft(model, run) {
  const jobs = model.learning(run).map((job) => lossLeft(job, model.bestOf(job.key)));
  return run.epochs.map((_, i) => {
    const there = jobs.map((each) => each[i]).filter((each) => each !== null);
    return there.length > 0 ? there.reduce((a, b) => a + b, 0) / there.length : null;
  });
}

function lossSets(model) {
  if (model.runs.length > 1) {
    return model.runs.map((run, i) => ({
      label: run.policy, data: pointsOf(run.epochs, meanLeft(model, run)),
      borderColor: i === 0 ? colourOf("first") : colourOf("second"), borderDash: i === 0 ? [] : [6, 4], pointStyle: "line",
    }));
  }
  const [run] = model.runs;
  const jobs = model.learning(run);
  const sets = jobs.filter((job) => model.colours.has(job.key)).map((job) => ({
    label: job.label, data: pointsOf(run.epochs, lossLeft(job, model.bestOf(job.key))),
    borderColor: model.colours.get(job.key), pointStyle: "line",
  }));
  if (jobs.length === sets.length) return sets;
  const mean = pointsOf(run.epochs, meanLeft(model, run));
  return [...sets, { label: "mean of all", data: mean, borderColor: colourOf("text"), borderDash: [6, 4], pointStyle: "line" }];
}

function lossChart(model) {
  return chartFigure({
    title: model.runs.length > 1 ? "Loss that is left, mean of all jobs" : "Loss that is left of each job",
    note: `1 when a job begins, 0 at the lowest loss that it comes to.${model.runs.length > 1 ? " The mean rises when a job arrives." : ""}`,
    label: "the part of the loss reduction that jobs have before them over time, from 1 to 0",
    sets: () => lossSets(model), yTitle: "of its reduction", xMax: () => model.end, yMin: 0, yMax: () => 1,
  });
}

function priceSets(model) {
  return model.runs.map((run, i) => ({
    label: run.policy, data: pointsOf(run.epochs, run.price), stepped: "before",
    borderColor: i === 0 ? colourOf("first") : colourOf("second"), borderDash: i === 0 ? [] : [6, 4], pointStyle: "line",
  })).filter((set) => set.data.some((each) => Number.isFinite(each.y)));
}

function priceChart(model) {
  return chartFigure({
    title: `What one more of the ${model.unit} was worth`, label: "the price over time",
    note: "The price: how much faster the losses of the jobs would have fallen with it. A job gets the cores by which it gains at least the price.",
    sets: () => priceSets(model),
    yTitle: model.unit === "cores" ? "loss per core-second" : "loss per second", xMax: () => model.end, yMin: 0, legend: model.runs.length > 1,
  });
}

function waiting(run) {
  return live("section", { "aria-label": "Who waits" }, () => {
    const jobs = run.jobs.filter((job) => !job.gone && (job.state === "Waiting" || job.state === "Pending"));
    if (jobs.length === 0) return [];
    const rows = jobs.map((job) => element("li", {}, element("b", {}, job.label), ` ${job.reason ?? ""}`));
    return [element("h2", {}, "Who waits"), element("ul", {}, ...rows)];
  });
}

function decisions(model, run) {
  const heading = `What was decided${model.runs.length > 1 ? ` under ${run.policy}` : ""}`;
  return decisionList(run, { heading, isOver: model.isOver });
}

function factsOf(model) {
  const run = model.shown;
  const byState = new Map();
  for (const job of run.jobs) byState.set(job.state, (byState.get(job.state) ?? 0) + 1);
  const states = [...byState].map(([state, count]) => `${count} ${state}`).join(", ");
  const price = run.price.findLast((each) => each !== null);
  return [
    ["jobs", run.jobs.length === 0 ? "none yet" : states],
    ...model.runs.map((each) => [each.policy === "" ? "time" : `time under ${each.policy}`, duration(each.end)]),
    ...(model.isOver ? [] : [["price now", price === undefined ? "-" : figure(price, 2)]]),
  ];
}

function totals(model) {
  return live("dl", { class: "facts" }, () => definitions(factsOf(model)));
}

export function overview(model) {
  const run = model.shown;
  const each = (make) => model.runs.map((one) => make(model, one));
  const charts = [...each(coresChart), ...each(decisions), lossChart(model), priceChart(model)];
  return [
    model.verdict ? element("p", { class: "verdict" }, model.verdict) : null, totals(model), waiting(run),
    element("div", { class: "charts" }, ...charts), jobTable(model),
  ];
}
