// The board as SVG: points, lines, stones, the values of turns, and a keyboard way over the points.
// It is built once a variant and only changed afterwards, so that the focus stays where it is. It
// knows nothing of rules: what a point means is in the labels it is given.

import { el, svg, set, mark } from "./dom.js";
import { WHITE, BLACK, EMPTY } from "./position.js";

const STEP = 100;   // units of the drawing for one step of the board's own coordinates

export class Board {
  constructor(place, { onpoint, onescape }) {
    this.place = place;
    this.onpoint = onpoint;
    this.onescape = onescape;
    this.points = new Map();
  }

  // Draws the empty board of a variant, whatever its geometry.
  build(info) {
    const { points, edges } = info.board;
    const xs = points.map((p) => p.x);
    const ys = points.map((p) => p.y);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const span = Math.max(right - left, high - low, 1);
    this.radius = STEP * Math.min(0.42 * nearest(points), 0.13 * span);
    const rim = this.radius + 0.1 * STEP * span;
    const spot = (p) => [(p.x - left) * STEP, (high - p.y) * STEP];

    this.points = new Map(points.map((p) => {
      const [x, y] = spot(p);
      return [p.name, { name: p.name, x, y }];
    }));
    const box = [-rim, -rim, (right - left) * STEP + 2 * rim, (high - low) * STEP + 2 * rim];
    this.arrows = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this.svg = svg("svg", { viewBox: box.join(" "), role: "group", class: "board",
      "aria-label": "Board; arrow keys move between points, Enter acts, Escape takes back" },
    svg("rect", { x: box[0], y: box[1], width: box[2], height: box[3], rx: rim / 4, class: "wood" }),
    svg("g", { class: "lines", "aria-hidden": "true" }, edges.map(([a, b]) => {
      const [from, to] = [this.points.get(a), this.points.get(b)];
      return svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
    })),
    this.coordinates(rim),
    svg("g", { "aria-hidden": "true" }, [...this.points.values()].map((p) =>
      svg("circle", { cx: p.x, cy: p.y, r: this.radius * 0.22, class: "dot" }))),
    [...this.points.values()].map((p) => this.build_point(p)),
    this.arrows, this.marks);
    this.svg.addEventListener("click", (event) => {
      const point = event.target.closest("[data-point]")?.dataset.point;
      if (point) this.act(point);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.place.replaceChildren(this.svg);
    this.home(points[0].name);
  }

  build_point(p) {
    p.halo = svg("circle", { r: this.radius * 1.12, class: "halo" });
    p.stone = svg("circle", { r: this.radius * 0.86, class: "stone" });
    p.node = svg("g", { "data-point": p.name, role: "button", tabindex: -1, class: "point",
      transform: `translate(${p.x} ${p.y})` },
    svg("circle", { r: this.radius * 1.15, class: "reach" }), p.halo, p.stone);
    return p.node;
  }

  // Letters below and digits at the left, where the points' names are a letter and a digit that
  // say where they are.
  coordinates(rim) {
    const group = svg("g", { class: "names", "aria-hidden": "true" });
    const all = [...this.points.values()];
    const low = Math.max(...all.map((p) => p.y));
    const columns = new Map();
    const rows = new Map();
    for (const p of all) {
      const found = /^([a-z])(\d)$/.exec(p.name);
      if (!found) return group;
      columns.set(found[1], p.x);
      rows.set(found[2], p.y);
    }
    const size = Math.min(rim * 0.36, 34);
    for (const [letter, x] of columns) {
      group.append(svg("text", { x, y: low + rim * 0.87, "font-size": size,
        "text-anchor": "middle" }, letter));
    }
    for (const [digit, y] of rows) {
      group.append(svg("text", { x: -rim * 0.82, y: y + size * 0.35, "font-size": size,
        "text-anchor": "middle" }, digit));
    }
    return group;
  }

  // What stands where, and what can be done. `labels` and `states` by the points' names.
  show({ stones, labels, states = {}, marks = [], arrows = [] }) {
    for (const p of this.points.values()) {
      const stone = stones[p.name];
      const kind = { [WHITE]: "white", [BLACK]: "black", [EMPTY]: "empty" }[stone];
      set(p.stone, { class: `stone ${kind}` });
      set(p.node, { "aria-label": labels[p.name] ?? p.name,
        class: `point ${(states[p.name] ?? []).join(" ")}` });
    }
    this.marks.replaceChildren(...marks.map((m) => this.mark_at(m)));
    this.arrows.replaceChildren(...arrows.map((a) => this.arrow(a)));
  }

  mark_at({ point, value, number, small, between }) {
    const p = this.points.get(point);
    const q = between ? this.points.get(between) : p;
    // Between two points the mark stands a little nearer to where the stone goes.
    const [x, y] = [p.x + (q.x - p.x) * 0.44, p.y + (q.y - p.y) * 0.44];
    const size = (this.radius * (small ? 0.46 : 0.6)) / 10;
    return svg("g", { transform: `translate(${x} ${y}) scale(${size})` }, mark(value, number));
  }

  arrow({ from, to, value, strong }) {
    const [a, b] = [this.points.get(from), this.points.get(to)];
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / long, (b.y - a.y) / long];
    const [start, end] = [this.radius * 0.86, long - this.radius * 0.3];
    const head = this.radius * 0.3;
    const tip = [a.x + dx * end, a.y + dy * end];
    const neck = [tip[0] - dx * head * 1.4, tip[1] - dy * head * 1.4];
    const corner = (s) => `${neck[0] - dy * head * s} ${neck[1] + dx * head * s}`;
    return svg("g", { class: `arrow ${value ?? "unknown"} ${strong ? "strong" : ""}` },
      svg("line", { x1: a.x + dx * start, y1: a.y + dy * start, x2: neck[0], y2: neck[1] }),
      svg("path", { d: `M${tip[0]} ${tip[1]}L${corner(0.8)}L${corner(-0.8)}Z` }));
  }

  // The one point that Tab comes to.
  home(name) {
    for (const p of this.points.values()) set(p.node, { tabindex: p.name === name ? 0 : -1 });
    this.at = name;
  }

  act(name) {
    this.home(name);
    this.onpoint(name);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      const next = this.neighbour(this.at, way);
      if (next) {
        this.home(next);
        this.points.get(next).node.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.act(this.at);
    } else if (event.key === "Escape") {
      this.onescape();
    } else {
      return;
    }
    event.preventDefault();
  }

  // The nearest point in a direction; points off the straight line count as further away.
  neighbour(name, [wx, wy]) {
    const here = this.points.get(name);
    let best = null;
    for (const p of this.points.values()) {
      const along = (p.x - here.x) * wx + (p.y - here.y) * wy;
      const aside = Math.abs((p.x - here.x) * wy) + Math.abs((p.y - here.y) * wx);
      if (along < 1 || aside > along * 2.5) continue;
      const far = along + 3 * aside;
      if (!best || far < best.far) best = { far, name: p.name };
    }
    return best?.name ?? null;
  }
}

// The smallest distance between two points, in steps.
function nearest(points) {
  let least = Infinity;
  points.forEach((p, i) => points.slice(0, i).forEach((q) => {
    least = Math.min(least, Math.hypot(p.x - q.x, p.y - q.y));
  }));
  return Number.isFinite(least) && least > 0 ? least : 1;
}

// How many stones are in hand, drawn as stones and said in words.
export function hands(place, position) {
  const side = (name, kind, n) => el("span", { class: "hand" }, `${name} in hand: ${n} `,
    el("span", { "aria-hidden": "true", class: `pile ${kind}` },
      ...Array.from({ length: n }, () => el("i"))));
  place.replaceChildren(side("White", "white", position.hands.w),
    side("Black", "black", position.hands.b));
}
