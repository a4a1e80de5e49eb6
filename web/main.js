// The page: it draws the document that it holds, or the one that its server tells of, and the job or the trace that its
// address names.
import { adviceView } from "./advice_view.js";
import { destroyCharts } from "./charts.js";
import { element } from "./dom.js";
import { jobView } from "./job_view.js";
import { forgetRefreshes, refresh } from "./live.js";
import { Model } from "./model.js";
import { overview } from "./overview.js";
import { predictionView } from "./prediction_view.js";

let model; // of runs
let other; // a document of something else than runs
const main = document.getElementById("main");
const title = element("span", { class: "quiet" });
const connection = element("span", { class: "connection", role: "status" });

function header() {
  const theme = element("button", { type: "button", onclick: switchTheme, "aria-label": "Switch between light and dark" }, "◐");
  return [element("h1", {}, element("a", { href: "#" }, "slaq"), " ", title), connection, theme];
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme; // by the reader, in place of the browser's

function setTheme() {
  document.documentElement.dataset.theme = chosenTheme ?? (prefersDark.matches ? "dark" : "light");
}

function switchTheme() {
  chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  setTheme();
  draw();
}

// The job of "#job=default%2Fkmeans".
function chosenJob() {
  const key = new URLSearchParams(location.hash.slice(1)).get("job");
  return key === null ? undefined : model.shown?.byKey.get(key);
}

function contentOf() {
  if (other?.advice) return adviceView(other.advice);
  if (other?.prediction) return predictionView(other.prediction);
  if (!model) return [element("p", { class: "quiet" }, "Waiting for the first decision")];
  const job = chosenJob();
  if (job) return jobView(model, job);
  return model.runs.length > 0 ? overview(model) : [element("p", { class: "quiet" }, "Nothing has run yet")];
}

function draw() {
  destroyCharts();
  forgetRefreshes();
  const job = model && chosenJob();
  title.textContent = (model ?? other)?.title ?? "";
  document.title = `${job ? `${job.name} · ` : ""}slaq ${title.textContent}`;
  main.replaceChildren(...contentOf().filter((each) => each !== null && each !== undefined));
}

// Takes a document, or a part that one goes on with.
function take(told) {
  if (told.part) {
    model.add(told.part);
    refresh();
  } else {
    if (told.runs) model = new Model(told);
    else other = told;
    draw();
  }
}

function follow() {
  const events = new EventSource("events");
  events.onopen = () => { connection.textContent = "live"; };
  events.onmessage = (event) => {
    const told = JSON.parse(event.data);
    take(told);
    if (!told.over) return;
    connection.textContent = "over";
    events.close();
  };
  // The browser tries again by itself, and is told the whole document then.
  events.onerror = () => { connection.textContent = "not connected; trying again"; };
}

addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  draw();
  scrollTo(0, 0);
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && model && chosenJob()) location.hash = "";
});
prefersDark.addEventListener("change", () => { setTheme(); draw(); });
setTheme();
document.getElementById("header").append(...header());
const held = document.getElementById("document").textContent;
if (held === "") {
  draw();
  follow();
} else {
  take(JSON.parse(held));
}
