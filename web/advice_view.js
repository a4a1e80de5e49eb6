// This view shows how fast a training is with each number of workers, how long it takes and what it costs.
import { colourOf } from "./colours.js";
import { definitions, element } from "./dom.js";
import { clock, duration, figure } from "./format.js";
import { plainTable } from "./plain_table.js";
import { basis, bySize, curve, percentages, speedChart, timeChart } from "./size_charts.js";

function costChart(advice) {
  return bySize(() => advice, {
    title: `What it costs${advice.toldPercent ? ` to ${advice.toldPercent}%` : ""}`,
    label: `core-hours of ${advice.job} by its workers`, yTitle: "core-hours",
    sets: () => [curve("core-hours", advice.sizes, (size) => size.coreHours, colourOf("second"))],
    describe: (item) => `${figure(item.parsed.y, 3)} core-hours, ${basis(item.raw.size)}`,
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
  const sentences = definitions(advice.sentences.map(({ name, text }) => [name, text]));
  return [
    element("h2", { class: "job-name" }, advice.job), element("dl", { class: "sentences" }, ...sentences),
    element("div", { class: "charts" }, ...charts, speedChart(() => advice)),
    element("p", { class: "quiet" }, "Of times and costs filled points were measured, empty ones are estimated."), sizeTable(advice),
  ];
}
