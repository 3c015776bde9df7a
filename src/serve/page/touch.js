// From touched points to a turn. What has been touched so far narrows the legal turns down; when one
// is left and wholly touched, it is the turn. It also says, for each point, what touching it means,
// in a word for the eye and a sentence for the ear.

import { EMPTY, WHITE, after, parts, short, stoneOf, winIn } from "./position.js";

const ALL_ARROWS = 30;   // more moves than this are drawn only from the touched stone

export class Touch {
  constructor() { this.picked = []; }

  clear() { this.picked = []; }

  // Turns that begin as touched.
  fitting(turns) {
    return turns.filter(({ turn }) =>
      this.picked.every((point, i) => parts(turn).touched[i] === point));
  }

  // The half turn on the board, if the stone to take is all that is missing.
  half(turns) {
    const fit = this.fitting(turns);
    if (!this.picked.length || !fit.length) return "";
    const first = parts(fit[0].turn);
    const quiet = first.touched.length - (first.take ? 1 : 0);
    return first.take && quiet > 0 && this.picked.length === quiet ? this.picked.join("-") : "";
  }

  // A touch: {turn} to be played, {half: true}, {picked: true}, or {refused: words}.
  touch(point, game) {
    const { position } = game;
    const turns = game.answer?.turns;
    if (!turns) return this.blind(point, position);
    const next = this.fitting(turns).filter((t) =>
      parts(t.turn).touched[this.picked.length] === point);
    if (next.length) {
      this.picked.push(point);
      const done = next.find((t) => parts(t.turn).touched.length === this.picked.length);
      return done ? { turn: done.turn } : { picked: true };
    }
    if (this.half(turns)) return { refused: `${point} cannot be taken.` };
    if (this.picked.at(-1) === point) {
      this.clear();
      return { picked: true };
    }
    if (turns.some((t) => parts(t.turn).touched[0] === point)) {
      this.picked = [point];
      return { picked: true };
    }
    if (game.answer.over) return { refused: "The game is over." };
    return { refused: this.picked.length ? `No turn goes from ${this.picked[0]} to ${point}.`
      : `No turn begins with ${point}.` };
  }

  // Where no table tells the turns, the server judges what is touched.
  blind(point, position) {
    const stone = position.stones[point];
    if (position.owed) return { turn: `x${point}` };
    if (stone === stoneOf(position.side)) {
      this.picked = this.picked[0] === point ? [] : [point];
      return { picked: true };
    }
    if (stone !== EMPTY) return { refused: `${point} is taken.` };
    const turn = this.picked.length ? `${this.picked[0]}-${point}` : point;
    this.clear();
    return { turn };
  }

  // The picture for the board: stones, labels, states, marks, arrows.
  picture(game, { hints, bright }) {
    const { position } = game;
    const turns = game.answer?.turns ?? [];
    const fit = this.fitting(turns);
    const half = this.half(turns);
    const shown = half ? after(position, half) : position;
    const next = new Map();
    for (const one of fit) {
      const point = parts(one.turn).touched[this.picked.length];
      if (point && !next.has(point)) next.set(point, one);    // best first
    }
    const labels = {};
    const states = {};
    for (const { name } of game.info.board.points) {
      labels[name] = label(name, shown.stones[name], next.get(name), this, hints);
      states[name] = this.states(name, next, half, game);
    }
    const marks = [];
    const arrows = [];
    if (hints) this.draw(fit, next, marks, arrows);
    if (bright) highlight(bright, marks, arrows);
    return { stones: shown.stones, labels, states, marks, arrows };
  }

  states(name, next, half, game) {
    const states = [];
    if (this.picked.includes(name)) states.push("picked");
    if (next.has(name)) states.push(half || game.position.owed ? "takeable" : "open");
    const last = game.node.turn ? parts(game.node.turn) : null;
    if (last && (last.to === name || last.from === name)) states.push("last");
    return states;
  }

  draw(fit, next, marks, arrows) {
    const moves = new Map();
    for (const one of fit) {
      const { from, to, touched } = parts(one.turn);
      if (from && to && !moves.has(`${from}-${to}`) && this.picked.length < 2
        && touched.length > this.picked.length) moves.set(`${from}-${to}`, { from, to, one });
    }
    const all = this.picked.length === 0 && moves.size <= ALL_ARROWS;
    for (const { from, to, one } of moves.values()) {
      if (all || this.picked.length) arrows.push({ from, to, value: one.value });
      if (all) marks.push(markOf(from, one, { between: to, small: true }));
    }
    for (const [point, one] of next) {
      if (all && parts(one.turn).from) continue;
      marks.push(markOf(point, one));
    }
  }
}

const number = (one) => (one.depth === null || one.depth === undefined ? "" : winIn(one.depth));

const markOf = (point, one, more) =>
  ({ point, value: one.value, number: number(one), ...more });

// A turn that is pointed at in the list.
function highlight(one, marks, arrows) {
  const { from, to, take } = parts(one.turn);
  marks.length = 0;
  arrows.length = 0;
  if (from) arrows.push({ from, to, value: one.value, strong: true });
  if (to) marks.push(markOf(to, one));
  if (take) marks.push(markOf(take, one));
}

function label(name, stone, one, touch, hints) {
  const what = stone === EMPTY ? "empty" : stone === WHITE ? "white stone" : "black stone";
  const words = [`${name}, ${what}`];
  if (touch.picked.includes(name)) words.push("picked");
  if (one) {
    const { from, take, touched } = parts(one.turn);
    const at = touch.picked.length;
    const value = hints ? `: ${short(one.value, one.depth)}` : "";
    if (take && at === touched.length - 1) words.push(`take this stone${value}`);
    else if (from && at === 0) words.push(`move from here${value && `${value} at best`}`);
    else words.push(`${from ? "move" : "place"} here${value}${value && take ? " at best" : ""}`);
  }
  return words.length > 1 ? `${words[0]}; ${words.slice(1).join("; ")}` : words[0];
}
