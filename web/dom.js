// Elements of the page. Text of jobs is always set as text, never as HTML.

// element("a", {class: "job", href: "#x"}, "text", child)
export function element(tag, attributes = {}, ...children) {
  const made = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((each) => each !== undefined && each !== null));
  return made;
}

// What a list of definitions holds, of pairs of a name and a text.
export function definitions(pairs) {
  return pairs.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
}

// A share of 0..1 as a bar. Its width is set by script: the page's security policy forbids style attributes.
export function bar(share, label) {
  const filled = element("span", { class: "bar-filled" });
  filled.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return element("span", { class: "bar", role: "img", "aria-label": label }, filled);
}
