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
export function replaceChanged(box, made) {
  if (made[0]?.id) replaceById(box, made);
  else replaceByPlace(box, made);
}

// A long list drops its last row for each new one, so that places shift. Its rows have ids.
function replaceById(box, made) {
  const old = new Map([...box.children].map((each) => [each.id, each]));
  const wanted = made.map((each) => (old.get(each.id)?.isEqualNode(each) ? old.get(each.id) : each));
  const stays = new Set(wanted);
  for (const each of old.values()) if (!stays.has(each)) each.remove();
  wanted.forEach((each, i) => { if (box.children[i] !== each) box.insertBefore(each, box.children[i] ?? null); });
}

// What is new comes first, so children are compared from the last one on.
function replaceByPlace(box, made) {
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
