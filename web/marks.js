// Numbered marks on a chart. A point whose `marks` are [{number, text, row}] gets a circle with the first number: its
// tooltip has the texts, and a click leads to the element with the id `row`, where there is one. Where circles would overlap, the later one stands to the right, and is a
// dot where that is taken too.
import { Interaction } from "chart.js";

import { colourOf } from "./colours.js";

const kRadius = 8; // CSS pixels
const kDot = 3;

const drawnOn = new WeakMap(); // of a chart: [{x, y, radius, datasetIndex, index, element, marks}]

function pointsWithMarks(chart) {
  return chart.getSortedVisibleDatasetMetas().flatMap(({ data, index: datasetIndex }) => {
    const points = chart.data.datasets[datasetIndex].data;
    return data.flatMap((element, index) => (points[index].marks ? [{ element, datasetIndex, index, marks: points[index].marks }] : []));
  });
}

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// Where the circles are drawn: within the canvas, also at the chart's edge. Dots come first, so that they hide no number.
function placed(chart) {
  const within = (value, end) => Math.min(Math.max(value, kRadius + 1), end - kRadius - 1);
  const circles = [], dots = [];
  for (const each of pointsWithMarks(chart).sort((a, b) => a.marks[0].number - b.marks[0].number)) {
    const place = { x: within(each.element.x, chart.width), y: within(each.element.y, chart.height) };
    const beside = { ...place, x: within(place.x + 2 * kRadius, chart.width) };
    const free = [place, beside].find((at) => circles.every((circle) => distance(circle, at) >= 2 * kRadius));
    if (free) circles.push({ ...each, ...free, radius: kRadius });
    else dots.push({ ...each, ...place, radius: kDot });
  }
  return [...dots, ...circles];
}

function drawMark(context, { x, y, radius, marks }, edge) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = radius === kDot ? colourOf("text") : colourOf("back");
  context.fill();
  if (radius === kDot) return;
  context.strokeStyle = edge;
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = colourOf("text");
  context.font = `600 ${marks[0].number < 100 ? 10 : 8}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(marks[0].number, x, y + 0.5);
}

function markAt(chart, event) {
  const near = (drawnOn.get(chart) ?? []).filter((each) => distance(each, event) <= Math.max(each.radius, 2 * kDot));
  return near.sort((a, b) => distance(a, event) - distance(b, event))[0];
}

// Under the pointer is a mark, or what `otherwise` finds.
export function addModeOfMarks(name, otherwise) {
  Interaction.modes[name] = (chart, event, ...more) => {
    const mark = markAt(chart, event);
    return mark ? [mark] : Interaction.modes[otherwise](chart, event, ...more);
  };
}

export const kMarks = {
  id: "marks",
  afterDatasetsDraw(chart) {
    const marks = placed(chart);
    drawnOn.set(chart, marks);
    chart.ctx.save();
    for (const each of marks) drawMark(chart.ctx, each, chart.data.datasets[each.datasetIndex].borderColor);
    chart.ctx.restore();
  },
  afterEvent(chart, { event }) {
    const mark = markAt(chart, event);
    const row = mark && document.getElementById(mark.marks[0].row);
    if (event.type === "mousemove") chart.canvas.style.cursor = row ? "pointer" : "";
    if (event.type !== "click" || !row) return;
    row.scrollIntoView({ block: "nearest" });
    row.focus({ preventScroll: true });
  },
};

// Lines that fit into a tooltip.
function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if ((lines.at(-1) + word).length > 60) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  return lines;
}

// What a tooltip says of a point's marks.
export function markLines(point) {
  return (point.marks ?? []).flatMap(({ number, text }) => wrapped(`${number}. ${text}`));
}
