// A table that is not sorted or searched.
import { element } from "./dom.js";

function headCell(text) {
  return text === "" ? element("td") : element("th", { scope: "col" }, text);
}

// A section with its heading. Cells are texts, numbers or elements; the first of a row names it, and a column without a
// heading has remarks.
export function plainTable(title, head, rows) {
  const cell = (content, place) => {
    if (place === 0) return element("th", { scope: "row" }, content);
    return element("td", { class: head[place] === "" ? "remark" : null }, content);
  };
  const table = element("table", { class: "plain" },
                        element("thead", {}, element("tr", {}, ...head.map(headCell))),
                        element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))));
  return element("section", { "aria-label": title }, element("h2", {}, title),
                 element("div", { class: "scroll", tabindex: "0" }, table));
}
