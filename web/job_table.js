// The jobs as rows, which are drawn when they come into sight.
import { kOtherColour } from "./colours.js";
import { bar, element } from "./dom.js";
import { duration, figure, percent } from "./format.js";
import { onRefresh, replaceChanged } from "./live.js";
import { whyOf } from "./model.js";

const kSpark = { width: 120, height: 24 };

// How the loss fell, and dotted where it is going.
function sparkline(model, job) {
  const points = job.points("losses");
  const expected = job.isOver ? [] : (job.outlooks.at(-1)?.seconds ?? []).map((x, i) => ({ x, y: job.outlooks.at(-1).losses[i] }));
  const all = [...points, ...expected];
  const svg = element("svg:svg", { class: "spark", viewBox: `0 0 ${kSpark.width} ${kSpark.height}`, role: "img",
                                   "aria-label": points.length > 0 ? `loss from ${figure(points[0].y)} to ${figure(points.at(-1).y)}` : "no loss yet" });
  if (points.length < 2) return svg;
  const [left, right] = [all[0].x, Math.max(...all.map((each) => each.x))];
  const [low, high] = [Math.min(...all.map((each) => each.y)), Math.max(...all.map((each) => each.y))];
  const place = ({ x, y }) => `${((x - left) / (right - left || 1)) * kSpark.width},${2 + (1 - (y - low) / (high - low || 1)) * (kSpark.height - 4)}`;
  const line = (list, more) => element("svg:polyline", { points: list.map(place).join(" "), fill: "none", stroke: model.colours.get(job.key) ?? kOtherColour, "stroke-width": 2, ...more });
  if (expected.length > 1) svg.append(line(expected, { "stroke-dasharray": "2 3" }));
  svg.append(line(points, {}));
  return svg;
}

const kColumns = [
  { name: "Job", sort: (job) => job.key, cell: (model, job) => nameCell(model, job) },
  { name: "State", sort: (job) => job.state, cell: (_, job) => element("span", { class: `state ${job.state.toLowerCase()}` }, job.state) },
  { name: "Workers", sort: (job) => -job.workers.ready, cell: (_, job) => workersCell(job) },
  { name: "Loss", sort: (job) => job.loss ?? Infinity, cell: (model, job) => sparkline(model, job) },
  { name: "Now", sort: (job) => job.loss ?? Infinity, cell: (_, job) => figure(job.loss ?? NaN) },
  { name: "Going to", sort: (job) => job.forecastFinalLoss ?? Infinity, cell: (_, job) => figure(job.isOver ? NaN : job.forecastFinalLoss ?? NaN) },
  { name: "Done", sort: (job) => -(job.progress ?? -1), cell: (_, job) => progressCell(job) },
];

const kWhy = { name: "Why", sort: (job) => whyOf(job), cell: (_, job) => whyOf(job) };

function nameCell(model, job) {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = model.colours.get(job.key) ?? kOtherColour;
  return element("a", { href: `#job=${encodeURIComponent(job.key)}`, class: "name" }, swatch,
                 job.label);
}

function workersCell(job) {
  const each = job.workers.coresEach === undefined ? "" : ` × ${figure(job.workers.coresEach, 3)}`;
  const text = job.isOver || job.gone ? "-" : `${job.workers.ready} of ${job.workers.max}${each}`;
  return element("span", {}, text);
}

function progressCell(job) {
  const share = job.state === "Complete" ? 1 : job.progress;
  return share === undefined ? element("span", {}, "-") : element("span", { class: "progress" }, bar(share, percent(share)), percent(share));
}

// Seconds to 50, 90 and 95 percent and to the end, of each run.
function timeColumns(model) {
  return model.runs.flatMap((run) => [50, 90, 95, "end"].map((what) => {
    const timeOf = (job) => (what === "end" ? run.byKey.get(job.key)?.completionSeconds : run.byKey.get(job.key)?.reduction(what));
    return { name: what === "end" ? "End" : `${what}%`, group: run.policy, sort: (job) => timeOf(job) ?? Infinity, number: true,
             cell: (_, job) => duration(timeOf(job) ?? NaN) };
  }));
}

function columnsOf(model) {
  const hasEnds = model.runs.some((run) => run.jobs.some((job) => job.reductions));
  if (model.isComparison) return [kColumns[0], ...timeColumns(model)];
  return hasEnds && model.isOver ? [...kColumns.slice(0, 2), kColumns[3], ...timeColumns(model), kWhy] : [...kColumns, kWhy];
}

function compare(a, b) {
  return typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
}

// The rows of jobs. Only those in sight have more than a name, and are filled again when their jobs have news.
class Rows {
  constructor(model, columns) {
    this.model = model;
    this.columns = columns;
    this.byKey = new Map();
    this.inSight = new Set();
    this.body = element("div", { role: "rowgroup", class: "rows" });
    this.sight = new IntersectionObserver((entries) => this.look(entries), { rootMargin: "300px" });
  }

  look(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.inSight.add(target);
      else this.inSight.delete(target);
      if (isIntersecting) this.fill(target);
    }
  }

  fill(row) {
    const job = this.model.shown.byKey.get(row.dataset.key);
    const cells = this.columns.map((column) =>
      element("div", { role: "cell", class: column.number ? "number" : "" }, column.cell(this.model, job)));
    if (row.childElementCount < cells.length) row.replaceChildren(...cells);
    else replaceChanged(row, cells);
  }

  rowOf(job) {
    if (!this.byKey.has(job.key)) {
      const name = element("div", { role: "cell", class: "" }, nameCell(this.model, job));
      const row = element("div", { role: "row", class: "row", "data-key": job.key }, name);
      this.byKey.set(job.key, row);
      this.sight.observe(row);
    }
    return this.byKey.get(job.key);
  }

  // Rows that stay where they are, are not touched.
  show(jobs) {
    const rows = jobs.map((job) => this.rowOf(job));
    const isSame = rows.length === this.body.children.length && rows.every((row, i) => row === this.body.children[i]);
    if (!isSame) this.body.replaceChildren(...rows);
  }

  refill() {
    for (const row of this.inSight) this.fill(row);
  }
}

const idOf = (column) => `${column.group ?? ""} ${column.name}`;

// What the reader looks for, and the column by which jobs are sorted. They stay when the page is drawn anew.
const chosen = { wanted: "", order: undefined };

export function jobTable(model) {
  const run = model.shown;
  const columns = columnsOf(model);
  const rows = new Rows(model, columns);
  const show = () => {
    const order = columns.find((each) => idOf(each) === chosen.order) ?? columns[0];
    const found = run.jobs.filter((job) => job.key.toLowerCase().includes(chosen.wanted.toLowerCase()));
    found.sort((a, b) => compare(order.sort(a), order.sort(b)));
    rows.show(found);
    heads.forEach((head, i) => head.setAttribute("aria-sort", columns[i] === order ? "ascending" : "none"));
    count.textContent = found.length === run.jobs.length ? "" : `${found.length} of ${run.jobs.length}`;
  };
  const headOf = (column) => {
    const group = model.runs.length > 1 && column.group ? element("small", {}, column.group, " ") : null;
    const button = element("button", { type: "button", onclick: () => { chosen.order = idOf(column); show(); } }, group, column.name);
    return element("div", { role: "columnheader", class: column.number ? "number" : "" }, button);
  };
  const heads = columns.map(headOf);
  const count = element("span", { class: "quiet", role: "status" });
  const search = element("input", { type: "search", placeholder: "Find a job", "aria-label": "Find a job", value: chosen.wanted,
                                    oninput: (event) => { chosen.wanted = event.target.value; show(); } });
  const layout = model.isComparison ? "compared" : columns.some((each) => each.number) ? "over" : "";
  const table = element("div", { role: "table", "aria-label": "Jobs", class: `table ${layout}` },
                        element("div", { role: "rowgroup" }, element("div", { role: "row", class: "row heads" }, ...heads)), rows.body);
  show();
  onRefresh(() => { show(); rows.refill(); });
  return element("section", { id: "jobs", "aria-label": "Jobs" },
                 element("div", { class: "bar-above" }, element("h2", {}, "Jobs"), search, count),
                 element("div", { class: "scroll", tabindex: "0" }, table));
}
