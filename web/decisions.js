// What was decided: a numbered list, whose numbers are on the picture of who holds the cores.
import { element } from "./dom.js";
import { clock } from "./format.js";
import { live } from "./live.js";

const kMostRows = 200;

// The decisions about some jobs of a run in the order of time: [{number, job, seconds, text}], from 1 on.
export function decisionsOf(jobs) {
  const all = jobs.flatMap((job) => job.changes.map((change) => ({ job, ...change })));
  return all.sort((a, b) => a.seconds - b.seconds).map((each, i) => ({ number: i + 1, ...each }));
}

const rowId = (run, number) => `decision-${run.policy}-${number}`;

function showRow(run, number) {
  const row = document.getElementById(rowId(run, number));
  row?.scrollIntoView({ block: "nearest" });
  row?.focus({ preventScroll: true });
}

// Puts marks on the steps (charts.js) of what a job holds. The last decision about a job is its end, after which it holds
// nothing: that is marked where it still held something.
export function withMarks(steps, job, decisions) {
  const marked = [...steps];
  for (const { number, seconds, text } of decisions.filter((each) => each.job === job)) {
    const after = marked.findIndex((each) => each.x > seconds);
    const isEnd = after > 0 && !(marked[after].y > 0) && marked[after - 1].y > 0;
    const place = after < 0 ? marked.length - 1 : isEnd ? after - 1 : after;
    if (place < 0) continue;
    const mark = { number, text, show: () => showRow(job.run, number) };
    marked[place] = { ...marked[place], marks: [...(marked[place].marks ?? []), mark] };
  }
  return marked;
}

function rowOf(run, { number, job, seconds, text }, namesJobs) {
  const name = namesJobs ? [element("a", { href: `#job=${encodeURIComponent(job.key)}` }, job.label), " "] : [];
  return element("li", { id: rowId(run, number), tabindex: "-1" }, element("span", { class: "mark" }, String(number)), " ",
                 element("time", {}, clock(seconds)), " ", ...name, element("span", {}, text));
}

// The list of the decisions about some jobs of a run, the newest first, or once the run is over as it went.
export function decisionList(run, jobs, { heading, isOver, namesJobs }) {
  const shown = () => {
    const all = decisionsOf(jobs());
    return isOver ? all.slice(0, kMostRows) : all.slice(-kMostRows).reverse();
  };
  const left = () => {
    const more = decisionsOf(jobs()).length - kMostRows;
    return more > 0 ? [`and ${more} ${isOver ? "later" : "before"}`] : [];
  };
  return element("section", { class: "chart", "aria-label": heading }, element("h2", {}, heading),
                 live("ol", { class: "decisions", tabindex: "0" }, () => shown().map((each) => rowOf(run, each, namesJobs))),
                 live("p", { class: "quiet" }, left));
}
