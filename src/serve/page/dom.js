// Making elements. Nothing here knows the game. Texts go in as text nodes, never as markup, so
// that what a server or a link says cannot become part of the page.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// An HTML element with attributes ("onclick" adds a listener) and children.
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for SVG.
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Sets attributes of an element that is there already; null takes one away.
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

const SHAPES = {
  win: () => svg("circle", { r: 10, class: "shape" }),
  draw: () => svg("rect", { x: -9.5, y: -9.5, width: 19, height: 19, class: "shape" }),
  loss: () => svg("path", { d: "M0 -12.5L12.5 0L0 12.5L-12.5 0Z", class: "shape" }),
  unknown: () => svg("circle", { r: 10, class: "shape", "stroke-dasharray": "3 2" }),
};

// The mark of a value: shape, letter and colour each tell it alone. A drawing about the origin,
// some 10 units in radius; `number` is the win-in, where there is room for it.
export function mark(value, number) {
  const kind = value ?? "unknown";
  const letter = { win: "W", draw: "D", loss: "L", unknown: "?" }[kind];
  const text = number && kind !== "draw" ? letter + number : letter;
  const size = ["one", "one", "two", "long", "longest"][Math.min(text.length, 4)];
  return svg("g", { class: `mark ${kind} ${size}` }, SHAPES[kind](),
    svg("text", { "text-anchor": "middle", dy: "0.35em" }, text));
}

// The mark as a picture in a line of text, which says the same in words.
export function inlineMark(value) {
  return svg("svg", { viewBox: "-13 -13 26 26", class: "inline", "aria-hidden": "true" },
    mark(value));
}
