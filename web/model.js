// The page's document (src/page/document.h) as the views use it.
import { kColours } from "./colours.js";

// Adds what a part of a document says of a figure. A part begins where the known epochs end.
function addSteps(known, part) {
  known.epochs.push(...part.epochs);
  known.values.push(...part.values);
}

const kFigures = ["workers", "cores", "iterations", "losses"];

// The value of a figure at each of `count` epochs; null where it is not known.
function columnOf(steps, count) {
  const column = new Array(count).fill(null);
  for (let i = 0; i < steps.epochs.length; ++i) {
    column.fill(steps.values[i], steps.epochs[i], i + 1 < steps.epochs.length ? steps.epochs[i + 1] : count);
  }
  return column;
}

export class Job {
  constructor(raw, run) {
    this.raw = raw;
    this.run = run;
    this.key = `${raw.namespace}/${raw.name}`;
    this.take(raw);
  }

  // What is known of it now. What is told over time stays in `raw`.
  take(raw) {
    const { series, changes, outlooks, ...now } = raw;
    for (const old of this.told ?? []) delete this[old];
    this.told = Object.keys(now);
    Object.assign(this, now);
    if (this.gone && !this.isOver) this.endAs("Gone");
    this.columns = new Map();
  }

  // It ended without an end of its own: nothing is expected of it any more.
  endAs(state) {
    this.state = state;
    delete this.remainingSeconds;
    delete this.milestones;
    delete this.forecastFinalLoss;
  }

  // Its name, with the namespace where that is not the usual one.
  get label() {
    return this.namespace === "default" ? this.name : this.key;
  }

  add(part) {
    for (const figure of kFigures) addSteps(this.raw.series[figure], part.series[figure]);
    this.raw.changes.push(...part.changes);
    this.raw.outlooks.push(...part.outlooks);
    this.take(part);
  }

  get changes() {
    return this.raw.changes;
  }

  get outlooks() {
    return this.raw.outlooks;
  }

  // One of kFigures, by epoch.
  column(figure) {
    if (!this.columns.has(figure)) this.columns.set(figure, columnOf(this.raw.series[figure], this.run.epochs.length));
    return this.columns.get(figure);
  }

  // Its losses at the times at which they changed: [{x, y}].
  points(figure) {
    const { epochs, values } = this.raw.series[figure];
    return epochs.map((epoch, i) => ({ x: this.run.epochs[epoch], y: values[i] })).filter((each) => each.y !== null);
  }

  get isOver() {
    return ["Complete", "Failed", "Gone", "Stopped"].includes(this.state);
  }

  // Its first loss. Where the page saw it later, the one that its progress and its forecast tell.
  get first() {
    const seen = this.raw.series.losses.values.find((each) => each !== null);
    const { forecastFinalLoss: final, progress, loss } = this;
    if (seen === undefined || this.isOver || final === undefined || !(progress < 0.999)) return seen;
    const told = final + (loss - final) / (1 - progress);
    return Math.abs(told - final) > Math.abs(seen - final) ? told : seen;
  }

  // The lowest loss, or of a metric that is to rise the highest; while it goes on, the one that it is going to.
  get best() {
    const known = this.raw.series.losses.values.filter((each) => each !== null);
    if (!this.isOver && this.forecastFinalLoss !== undefined) known.push(this.forecastFinalLoss);
    return known.reduce((a, b) => (this.mode === "Maximize" ? Math.max(a, b) : Math.min(a, b)), this.first);
  }

  // When it ended; undefined while it has not.
  get end() {
    return this.completionSeconds === undefined ? undefined : this.arrivalSeconds + this.completionSeconds;
  }

  // Core-seconds that it held.
  get used() {
    const cores = this.column("cores");
    const { epochs } = this.run;
    let sum = 0;
    for (let i = 1; i < epochs.length; ++i) sum += (cores[i] ?? 0) * (epochs[i] - epochs[i - 1]);
    return sum;
  }

  // Seconds from its arrival to that percentage of its loss reduction.
  reduction(wanted) {
    return this.raw.reductions?.find((each) => each.percent === wanted)?.seconds;
  }
}

// Why it has what it has, or why it failed. A job that is complete has nothing any more.
export const whyOf = (job) => (job.state === "Complete" ? "" : (job.reason ?? ""));

export class Run {
  constructor(raw) {
    this.policy = raw.policy;
    this.began = raw.began;
    this.epochs = raw.epochs;
    this.raw = raw;
    this.jobs = raw.jobs.map((each) => new Job(each, this));
    this.byKey = new Map(this.jobs.map((each) => [each.key, each]));
  }

  // Takes a part of the document that goes on where this run ends.
  add(part) {
    this.epochs.push(...part.epochs);
    addSteps(this.raw.capacity, part.capacity);
    addSteps(this.raw.price, part.price);
    for (const each of this.jobs) each.columns.clear();
    for (const raw of part.jobs) {
      const known = this.byKey.get(`${raw.namespace}/${raw.name}`);
      if (known) known.add(raw);
      else this.addJob(new Job(raw, this));
    }
  }

  addJob(job) {
    this.jobs.push(job);
    this.byKey.set(job.key, job);
  }

  // The last epoch, or the end of the job that ended last: nobody decides any more after that.
  get end() {
    const ends = this.jobs.map((job) => job.end ?? job.arrivalSeconds);
    return Math.max(this.epochs.at(-1) ?? 0, ...ends);
  }

  get capacity() {
    return columnOf(this.raw.capacity, this.epochs.length);
  }

  get price() {
    return columnOf(this.raw.price, this.epochs.length);
  }
}

// The part of its reduction that a job still has before it, by epoch, 1 to 0: of the losses of all runs, so that
// runs can be compared. Null before it arrives, 1 until its first loss is known.
export function lossLeft(job, best) {
  const { first } = job;
  const range = first - best;
  return job.column("losses").map((loss, i) => {
    if (job.run.epochs[i] < job.arrivalSeconds) return null;
    if (loss === null || !(Math.abs(range) > 0)) return 1;
    return Math.min(1, Math.max(0, (loss - best) / range));
  });
}

export class Model {
  constructor(raw) {
    this.title = raw.title;
    this.version = raw.version;
    this.resource = raw.resource;
    this.verdict = raw.verdict;
    this.runs = raw.runs.map((each) => new Run(each));
    this.isOver = raw.over;
    const unfinished = this.runs.flatMap((run) => run.jobs).filter((job) => this.isOver && !job.isOver);
    for (const job of unfinished) job.endAs("Stopped");
    this.colours = new Map();
    this.giveColours();
  }

  // A part of the document that goes on where the last run ends.
  add(part) {
    this.runs.at(-1).add(part);
    this.giveColours();
  }

  // To the jobs that used most cores, while there are colours; a job keeps its own.
  giveColours() {
    const known = new Map(this.runs.flatMap((run) => run.jobs).reverse().map((job) => [job.key, job]));
    const jobs = [...known.values()].filter((job) => !this.colours.has(job.key));
    const free = kColours.filter((colour) => ![...this.colours.values()].includes(colour));
    const most = jobs.map((job) => ({ key: job.key, used: job.used })).sort((a, b) => b.used - a.used);
    most.slice(0, free.length).forEach((each, i) => this.colours.set(each.key, free[i]));
  }

  // The run that details are shown of: while there is more to come, the one that goes on.
  get shown() {
    return this.isOver ? this.runs[0] : this.runs.at(-1);
  }

  // Two runs of the same jobs can be compared when both are over.
  get isComparison() {
    return this.isOver && this.runs.length > 1;
  }

  // What is shared: "cores", or "GPUs".
  get unit() {
    return this.resource === "cpu" ? "cores" : this.resource.endsWith("/gpu") ? "GPUs" : this.resource;
  }

  get end() {
    return Math.max(...this.runs.map((each) => each.end));
  }

  // The best loss that a job had in any run.
  bestOf(key) {
    const known = this.runs.map((each) => each.byKey.get(key)).filter((each) => each?.first !== undefined);
    const best = known.map((each) => each.best);
    return known[0]?.mode === "Maximize" ? Math.max(...best) : Math.min(...best);
  }

  // The jobs whose losses fell, which is what a picture of losses can show.
  learning(run) {
    return run.jobs.filter((each) => each.first !== undefined && each.first !== this.bestOf(each.key));
  }
}
