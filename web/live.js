// What is drawn again when the document has grown: each view says how, and forgets it when another takes its place.
import { element } from "./dom.js";

const all = new Set();

export function onRefresh(draw) {
  all.add(draw);
}

export function refresh() {
  for (const draw of all) draw();
}

export function forgetRefreshes() {
  all.clear();
}

// An element whose children are made anew at each refresh; hidden while there are none.
export function live(tag, attributes, children) {
  const box = element(tag, attributes);
  const draw = () => {
    const made = children().filter((each) => each !== null && each !== undefined);
    box.hidden = made.length === 0;
    box.replaceChildren(...made);
  };
  draw();
  onRefresh(draw);
  return box;
}
