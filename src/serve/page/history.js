// The turns of the game as buttons, and the course of value and depth as a drawing. The drawing
// says who wins by direction and shape, and when by length; the buttons say the same in words.

import { el, svg, inlineMark } from "./dom.js";
import { capital, named, plies, read } from "./position.js";

// The winner of a position, seen from nowhere: "w", "b", "draw" or null where it is not known.
function winner(node, info) {
  if (node.value === null || node.value === undefined) return null;
  if (node.value === "draw") return "draw";
  const mover = read(node.position, info).side;
  return (node.value === "win") === (mover === "w") ? "w" : "b";
}

function words(node, info) {
  const who = winner(node, info);
  if (who === null) return "value unknown";
  if (who === "draw") return "draw";
  const when = node.depth === null ? "" : node.depth === 0 ? ", now" : ` in ${plies(node.depth)}`;
  return `${named(who)} wins${when}`;
}

const title = (node, at) => (at === 0 ? "Start" : `${at}. ${node.turn}`);

export function history(place, game, onpick) {
  place.replaceChildren(...game.nodes.map((node, at) => {
    const said = words(node, game.info);
    return el("li", {}, el("button", { type: "button", "data-ply": at, title: said,
      "aria-label": `${title(node, at)}: ${said}`,
      "aria-current": at === game.cursor ? "step" : null, onclick: () => onpick(at) },
    inlineMark(tone(node, game.info)), ` ${title(node, at)}`));
  }));
  const current = place.querySelector("[aria-current]");
  if (current && place.scrollHeight > place.clientHeight) {
    place.scrollTop = current.offsetTop - place.offsetTop - place.clientHeight / 2;
  }
}

// The mark beside a turn is for the player who made it.
function tone(node, info) {
  const who = winner(node, info);
  if (who === null || who === "draw") return who;
  const side = read(node.position, info).side;
  const made = node.turn === null || node.removal_owed ? side : (side === "w" ? "b" : "w");
  return who === made ? "win" : "loss";
}

const [HIGH, EDGE] = [150, 84];

export function graph(place, game, onpick) {
  const { nodes, info, cursor } = game;
  if (nodes.length < 2) {
    place.replaceChildren();
    return;
  }
  // As wide as the room for it, so that its letters are as large as others.
  const wide = Math.max(260, Math.min(place.clientWidth || 600, 760));
  const middle = HIGH / 2;
  const deepest = Math.max(4, ...nodes.map((node) => node.depth ?? 0));
  const step = (wide - EDGE - 16) / Math.max(nodes.length - 1, 6);
  const x = (at) => EDGE + at * step;
  const y = (node) => {
    const who = winner(node, info);
    if (who === null) return HIGH + 12;    // below the drawing: neither a win nor a draw
    if (who !== "w" && who !== "b") return middle;
    const long = 10 + ((node.depth ?? deepest) / deepest) * (middle - 24);
    return who === "w" ? middle - long : middle + long;
  };
  const gaps = nodes.some((node) => winner(node, info) === null);
  const high = gaps ? HIGH + 24 : HIGH;
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", class: "graph",
    "aria-label": `Value and depth over the game: ${summary(game)}` },
  svg("line", { class: "axis", x1: EDGE - 10, y1: middle, x2: wide, y2: middle }),
  label(16, "white wins"), label(HIGH - 8, "black wins"), label(middle + 4, "draw"),
  gaps ? label(HIGH + 16, "no table") : null,
  nodes.map((node, at) => svg("g", { class: `at ${at === cursor ? "here" : ""}`,
    onclick: () => onpick(at) },
  svg("rect", { class: "reach", x: x(at) - step / 2, y: 0, width: step, height: high }),
  svg("title", {}, `${title(node, at)}: ${words(node, info)}`),
  winner(node, info) === null ? null
    : svg("line", { class: "stem", x1: x(at), y1: middle, x2: x(at), y2: y(node) }),
  svg("g", { transform: `translate(${x(at)} ${y(node)})` }, dot(node, info)))));
  place.replaceChildren(drawing, el("p", { class: "small" },
    "The further from the middle, the more plies to the end."));
}

const label = (y, text) => svg("text", { x: 0, y, class: "label" }, text);

function dot(node, info) {
  const r = 6;
  const who = winner(node, info);
  if (who === "w") return svg("path", { class: "dot white", d: `M0 ${-r}L${r} ${r}H${-r}Z` });
  if (who === "b") return svg("path", { class: "dot black", d: `M0 ${r}L${r} ${-r}H${-r}Z` });
  if (who === "draw") {
    return svg("rect", { class: "dot draw", x: -r + 1, y: -r + 1, width: 2 * r - 2,
      height: 2 * r - 2 });
  }
  return svg("text", { class: "dot unknown", "text-anchor": "middle", dy: "0.35em" }, "?");
}

function summary({ nodes, info }) {
  const ends = [nodes[0], nodes.at(-1)].map((node) => capital(words(node, info)));
  return `at the start: ${ends[0]}; at the end of the line: ${ends[1]}`;
}
