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

// Gives the box these children, and leaves those alone that it has already: a reader may be about to click on them.
// What is new comes first, so children are compared from the last one on.
export function replaceChanged(box, made) {
  const old = [...box.children];
  while (old.length > made.length) old.shift().remove();
  const added = made.length - old.length;
  old.forEach((each, i) => { if (!each.isEqualNode(made[added + i])) each.replaceWith(made[added + i]); });
  box.prepend(...made.slice(0, added));
}

// An element whose children are made anew at each refresh; hidden while there are none.
export function live(tag, attributes, children) {
  const box = element(tag, attributes);
  const draw = () => {
    const made = children().filter((each) => each !== null && each !== undefined);
    box.hidden = made.length === 0;
    if (made.every((each) => each instanceof Element)) replaceChanged(box, made);
    else box.replaceChildren(...made);
  };
  draw();
  onRefresh(draw);
  return box;
}
