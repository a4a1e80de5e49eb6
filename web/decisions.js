// What was decided: a numbered list, whose numbers are on the picture of who holds the cores.
import { element } from "./dom.js";
import { clock } from "./format.js";
import { live } from "./live.js";

const kMostRows = 200;

const known = new WeakMap(); // of a run: its decisions, and how many there were then

// The decisions about all jobs of a run in the order of time, numbered from 1 on: [{number, job, seconds, text}].
function decisionsOf(run) {
  const count = run.jobs.reduce((sum, job) => sum + job.changes.length, 0);
  if (known.get(run)?.length !== count) {
    const all = run.jobs.flatMap((job) => job.changes.map((change) => ({ job, ...change })));
    known.set(run, all.sort((a, b) => a.seconds - b.seconds).map((each, i) => ({ number: i + 1, ...each })));
  }
  return known.get(run);
}

const rowId = (run, number) => `decision-${run.policy}-${number}`;

// The point of the steps (charts.js) at which a decision is marked: what the job held from then on, or for its end, after
// which it holds nothing, what it held last. Each epoch has two points.
function placeOf(steps, seconds) {
  const after = steps.findIndex((each) => each.x > seconds);
  const place = after < 0 ? steps.length - 1 : after;
  if (steps[place]?.y > 0) return place;
  const before = [place - 1, place - 2, place - 3].find((each) => steps[each]?.y > 0);
  return before ?? place;
}

// The steps of what a job holds, with marks (marks.js) of the decisions about it.
export function withMarks(steps, job) {
  const marked = [...steps];
  for (const { number, seconds, text } of decisionsOf(job.run).filter((each) => each.job === job)) {
    const place = placeOf(marked, seconds);
    if (place < 0) continue;
    const marks = [...(marked[place].marks ?? []), { number, text, row: rowId(job.run, number) }];
    marked[place] = { ...marked[place], marks };
  }
  return marked;
}

function rowOf(run, { number, job, seconds, text }, namesJob) {
  const name = namesJob ? [element("a", { href: `#job=${encodeURIComponent(job.key)}` }, job.label), " "] : [];
  return element("li", { id: rowId(run, number), tabindex: "-1" }, element("span", { class: "mark" }, String(number)), " ",
                 element("time", {}, clock(seconds)), " ", ...name, element("span", {}, text));
}

// The list of the decisions of a run, or of those about the job `of`: the newest first, or once the run is over as it went.
export function decisionList(run, { heading, isOver, of }) {
  const all = () => decisionsOf(run).filter((each) => !of || each.job === of);
  const rows = () => {
    const shown = isOver ? all().slice(0, kMostRows) : all().slice(-kMostRows).reverse();
    return shown.map((each) => rowOf(run, each, !of));
  };
  const left = () => {
    const more = all().length - kMostRows;
    return more > 0 ? [`and ${more} ${isOver ? "later" : "before"}`] : [];
  };
  return element("section", { class: "chart", "aria-label": heading }, element("h2", {}, heading),
                 live("ol", { class: "decisions", tabindex: "0" }, rows), live("p", { class: "quiet" }, left));
}
