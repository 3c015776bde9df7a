// The game that is shown: a start, the positions that came of it, and a cursor among them. Every
// change asks the server, and an answer that has been overtaken by another change is dropped by its
// number. The address carries the whole line, so that Back, reload and a sent link come to the same.

import * as api from "./api.js";
import { parts, read } from "./position.js";

export class Game {
  constructor(changed) {
    this.changed = changed;     // called with a word for what has happened
    this.info = null;           // the answer about the variant
    this.nodes = [];            // {turn, position, removal_owed, value, depth}
    this.cursor = 0;
    this.answer = null;         // about the position at the cursor
    this.trouble = null;
    this.asked = 0;
  }

  get node() { return this.nodes[this.cursor]; }
  get position() { return this.node && this.info ? read(this.node.position, this.info) : null; }
  get side() { return this.position?.side; }

  // The text of the line up to the node `end`, as the server reads it.
  text(end = this.nodes.length - 1, half = "") {
    const turns = this.nodes.slice(1, end + 1).map((node) => node.turn);
    if (half) turns.push(half);
    return this.nodes[0].position + (turns.length ? joint(this.nodes[0]) + turns.join(" ") : "");
  }

  // Shows a variant and a line of it. `history` is push, replace or none.
  async open(id, text = "startpos", { at = null, history = "push" } = {}) {
    const mine = ++this.asked;
    try {
      const known = this.info?.variant === id;
      const [info, line] = await Promise.all([known ? this.info : api.variant(id),
        api.line(id, text).catch((trouble) => trouble)]);
      if (mine !== this.asked) return false;
      const nodes = line.plies ?? beginning(text, info, line);
      this.info = info;
      this.nodes = nodes;
      this.cursor = at === null ? this.nodes.length - 1
        : Math.max(0, Math.min(at, this.nodes.length - 1));
      if (!known) this.changed("variant");
      await this.arrive(history, "opened");
      return true;
    } catch (trouble) {
      if (mine !== this.asked) return false;
      this.fail(trouble, () => this.open(id, text, { at, history }));
      return false;
    }
  }

  // A turn from the answers, or one that the server has yet to judge (where no table told them).
  async play(turn) {
    const known = this.answer?.turns.find((one) => one.turn === turn);
    if (!known) return this.attempt(turn);
    const node = { turn: this.whole(turn), position: known.position, removal_owed: false,
      value: turned(known.value), depth: known.depth === null ? null : known.depth - 1 };
    this.append(node);
    return this.arrive("push", "played");
  }

  async attempt(turn) {
    const mine = ++this.asked;
    const base = this.text(this.cursor);
    const text = base + (base.includes(" moves ") ? " " : " moves ") + turn;
    try {
      const line = await api.line(this.info.variant, text);
      if (mine !== this.asked) return;
      this.append({ ...line.plies.at(-1), turn: this.whole(turn) });
      await this.arrive("push", "played");
    } catch (trouble) {
      if (mine !== this.asked) return;
      if (trouble.code === "bad-position") this.changed("refused", trouble.message);
      else this.fail(trouble, () => this.attempt(turn));
    }
  }

  // After a half turn the removal makes one turn of the two.
  whole(turn) {
    const half = this.cursor > 0 && this.node.removal_owed && parts(turn).to === null;
    return half ? this.node.turn + turn : turn;
  }

  append(node) {
    const merged = node.turn !== null && this.cursor > 0 && this.node.removal_owed;
    const end = merged ? this.cursor : this.cursor + 1;
    if (this.nodes[end]?.turn === node.turn && this.nodes[end].position === node.position) {
      this.cursor = end;
      return;
    }
    this.nodes = [...this.nodes.slice(0, end), node];
    this.cursor = end;
  }

  goTo(at, history = "push") {
    if (at < 0 || at >= this.nodes.length || at === this.cursor) return Promise.resolve();
    this.cursor = at;
    return this.arrive(history, "moved");
  }

  // Asks for the position at the cursor and tells of the arrival, once before and once after.
  async arrive(history, what) {
    const mine = ++this.asked;
    this.trouble = null;
    this.answer = api.kept(this.info.variant, this.node.position) ?? null;
    this.remember(history);
    this.changed(this.answer ? what : "asking");
    if (this.answer) return;
    try {
      const answer = await api.position(this.info.variant, this.node.position);
      if (mine !== this.asked) return;
      this.answer = answer;
      Object.assign(this.node, { value: answer.value, depth: answer.depth });
      this.changed(what);
    } catch (trouble) {
      if (mine !== this.asked) return;
      this.fail(trouble, () => this.arrive("none", what));
    }
  }

  // An error that belongs to this program is not the server's: it goes to the console.
  fail(trouble, again) {
    if (!(trouble instanceof api.Trouble)) throw trouble;
    this.trouble = trouble;
    this.again = again;
    this.changed("trouble");
  }

  // The address. A half turn that is being made on the board is part of it.
  remember(history, half = "") {
    if (history === "none") return;
    const hash = new URLSearchParams({ variant: this.info.variant,
      position: half ? this.text(this.cursor, half) : this.text() });
    if (!half && this.cursor < this.nodes.length - 1) hash.set("ply", this.cursor);
    const address = `#${hash}`;
    if (address === location.hash) return;
    const how = history === "replace" ? "replaceState" : "pushState";
    window.history[how](null, "", address);
  }
}

// The empty board can be shown even where its table is damaged; nothing else can.
function beginning(text, info, trouble) {
  if (text !== "startpos" || trouble.code !== "damaged-table") throw trouble;
  return [{ turn: null, position: info.start, removal_owed: false, value: null, depth: null }];
}

const turned = (value) => ({ win: "loss", loss: "win" }[value] ?? value);

// A start that is a half turn itself has its "moves" already.
const joint = (start) => (start.position.includes(" moves ") ? " " : " moves ");

// What an address says: the variant, the line and the place in it.
export function addressed() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const ply = hash.get("ply");
  return { variant: hash.get("variant"), text: hash.get("position") ?? "startpos",
    at: ply !== null && /^\d{1,4}$/.test(ply) ? Number(ply) : null };
}
