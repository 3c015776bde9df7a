// Every legal turn with its value, best first, grouped by value. Pointing at one (or tabbing to it)
// shows it on the board.

import { el, inlineMark } from "./dom.js";
import { plies, short } from "./position.js";

const TITLES = { win: "Wins", draw: "Draws", loss: "Losses" };

export function turns(place, game, { onplay, onbright }) {
  const answer = game.answer;
  if (!answer) {
    const words = game.trouble ? "No values here." : "Asking.";
    place.replaceChildren(el("p", { class: "small" }, words));
    return;
  }
  if (!answer.turns.length) {
    place.replaceChildren(el("p", { class: "small" },
      answer.over ? "None: the game is over." : "There is no legal turn."));
    return;
  }
  const groups = Object.keys(TITLES)
    .map((value) => [value, answer.turns.filter((one) => one.value === value)])
    .filter(([, list]) => list.length);
  place.replaceChildren(...groups.map(([value, list]) => {
    const id = `turns-${value}`;
    return el("section", { class: `group ${value}`, "aria-labelledby": id },
      el("h3", { id }, inlineMark(value), ` ${TITLES[value]} `,
        el("span", { class: "small" }, String(list.length))),
      el("ul", {}, list.map((one) => entry(one, onplay, onbright))));
  }));
}

function entry(one, onplay, onbright) {
  const depth = one.depth === null ? "" : ` (${plies(one.depth)})`;
  return el("li", {}, el("button", { type: "button", "data-turn": one.turn,
    onclick: () => onplay(one.turn),
    onpointerenter: () => onbright(one), onpointerleave: () => onbright(null),
    onfocus: () => onbright(one), onblur: () => onbright(null) },
  el("b", {}, one.turn), " ", el("span", {}, short(one.value, one.depth)),
  el("span", { class: "small" }, depth)));
}
