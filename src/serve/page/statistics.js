// Counts of a variant's subspaces as a map of squares: stones of the mover down, of the opponent
// across. Shades are of one colour and every square says its number, so that no colour has to be
// told from another. A subspace without a table is said to have none; a square that belongs to no
// subspace stays blank. The same numbers stand in a table below.

import * as api from "./api.js";
import { el } from "./dom.js";
import { plies } from "./position.js";

const PLANES = { wins: "Wins", draws: "Draws", losses: "Losses", deepest: "Deepest" };
const SHADES = 6;

// "4-3+2-1" as numbers: mover and opponent on the board, mover and opponent in hand.
function numbers(name) {
  const [board, hand] = name.split("+");
  return [...board.split("-"), ...(hand ?? "0-0").split("-")].map(Number);
}

export class Statistics {
  constructor(place) {
    this.place = place;
    this.plane = "wins";
    this.view = "moving";
    this.asked = 0;
  }

  async open(info) {
    const mine = ++this.asked;
    this.place.replaceChildren(el("p", { class: "small" }, "Counting."));
    try {
      const counted = await api.statistics(info.variant);
      if (mine !== this.asked) return;
      this.info = info;
      this.counted = new Map(counted.map((one) => [one.subspace, one]));
      this.all = info.coverage.map(({ subspace }) => ({ subspace, at: numbers(subspace) }));
      if (!this.views().some(([view]) => view === this.view)) this.view = "moving";
      this.build();
    } catch (trouble) {
      if (mine !== this.asked) return;
      this.place.replaceChildren(
        el("p", {}, `${trouble.message} ${trouble.remedy ?? ""}`),
        el("button", { type: "button", onclick: () => this.open(info) }, "Try again"));
    }
  }

  // Moving subspaces, placing ones by what is in hand in all, and each pair of hands by itself.
  views() {
    const pairs = new Set(this.all.map(({ at }) => `${at[2]}-${at[3]}`));
    pairs.delete("0-0");
    const order = [...pairs].sort((a, b) => sum(b) - sum(a) || (a < b ? 1 : -1));
    return [["moving", "Moving"], ...(order.length ? [["hands", "Placing, all by hands"]] : []),
      ...order.map((pair) => [pair, `Placing, ${pair} in hand`])];
  }

  build() {
    const options = (list, chosen) => list.map(([value, text]) =>
      el("option", { value, selected: value === chosen }, text));
    const missing = this.all.length - this.counted.size;
    this.map = el("div", { class: "scroll" });
    this.title = el("p", { class: "small", id: "heat-title" });
    this.place.replaceChildren(
      el("div", { class: "row" },
        el("label", {}, "Subspaces ", el("select", { id: "view",
          onchange: (event) => { this.view = event.target.value; this.draw(); } },
        options(this.views(), this.view))),
        el("label", {}, "Show ", el("select", { id: "plane",
          onchange: (event) => { this.plane = event.target.value; this.draw(); } },
        options(Object.entries(PLANES), this.plane)))),
      this.title,
      this.map,
      el("p", { class: "small" }, `${this.counted.size} of ${this.all.length} subspaces have ` +
        `tables.${missing ? ` The others are made with: merels generate ${this.info.variant}` : ""}`),
      el("details", {}, el("summary", {}, "The numbers as a table"),
        el("div", { class: "scroll" }, this.listing())));
    this.draw();
  }

  draw() {
    const moving = this.view === "moving";
    const hands = this.view === "hands";
    const cells = new Map();
    for (const one of this.all) {
      const [a, b, c, d] = one.at;
      if (hands ? c + d === 0 : `${c}-${d}` !== (moving ? "0-0" : this.view)) continue;
      const key = hands ? `${c}-${d}` : `${a}-${b}`;
      cells.set(key, [...(cells.get(key) ?? []), one.subspace]);
    }
    const down = axis(cells, 0);
    const across = axis(cells, 1);
    const of = hands ? "stones in hand" : "stones on the board";
    this.title.textContent = `${PLANES[this.plane]}, by ${of}: the mover's down, ` +
      "the opponent's across";
    this.map.replaceChildren(el("table", { class: "heat", id: "heat",
      "aria-labelledby": "heat-title" },
      el("thead", {}, el("tr", {}, el("td"), across.map((n) => el("th", { scope: "col" }, n)))),
      el("tbody", {}, down.map((row) => el("tr", {}, el("th", { scope: "row" }, row),
        across.map((column) => this.cell(`${row}-${column}`, cells, hands)))))));
  }

  cell(key, cells, hands) {
    const names = cells.get(key);
    if (!names) return el("td", { class: "none" });
    const found = names.map((name) => this.counted.get(name)).filter(Boolean);
    const name = hands ? `${key} in hand` : names[0];
    if (!found.length) {
      return el("td", { class: "missing", "data-cell": key,
        title: `${name}: no table. Make it with: merels generate ${this.info.variant} ${names[0]}` },
      "no table");
    }
    const { text, share, title } = this.measure(found);
    const part = found.length < names.length ? ` (${found.length} of ${names.length} tables)` : "";
    return el("td", { class: `shade${Math.min(SHADES - 1, Math.floor(share * SHADES))}`,
      "data-cell": key, title: `${name}: ${title}${part}` }, text, part ? "*" : "");
  }

  measure(found) {
    const add = (key) => found.reduce((total, one) => total + one[key], 0);
    const positions = add("positions");
    if (this.plane === "deepest") {
      const depth = Math.max(-1, ...found.map(deepest));
      return { text: depth < 0 ? "-" : String(depth), share: depth < 0 ? 0 : depth / this.most(),
        title: depth < 0 ? "no end in sight" : `${plies(depth)} at most` };
    }
    const n = add(this.plane);
    const share = positions ? n / positions : 0;
    return { text: percent(share, n), share, title: `${n.toLocaleString("en")} of ` +
      `${positions.toLocaleString("en")} positions are ${this.plane}` };
  }

  most() { return Math.max(1, ...[...this.counted.values()].map(deepest)); }

  listing() {
    const keys = ["positions", "wins", "draws", "losses", "deepest_win", "deepest_loss"];
    const number = (n) => (n === null || n === undefined ? "-" : n.toLocaleString("en"));
    return el("table", { class: "listing" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "subspace"),
        keys.map((key) => el("th", { scope: "col" }, key.replace("_", " "))))),
      el("tbody", {}, [...this.counted.values()].map((one) => el("tr", {},
        el("th", { scope: "row" }, one.subspace),
        keys.map((key) => el("td", {}, number(one[key])))))));
  }
}

const sum = (pair) => pair.split("-").reduce((a, b) => a + Number(b), 0);
const deepest = (one) => Math.max(one.deepest_win ?? -1, one.deepest_loss ?? -1);

function axis(cells, at) {
  return [...new Set([...cells.keys()].map((key) => Number(key.split("-")[at])))]
    .sort((a, b) => a - b);
}

// Whole percents, but nothing that is there is rounded away, nor is what is not there made up.
function percent(share, n) {
  const whole = Math.round(share * 100);
  if (n > 0 && whole === 0) return "<1%";
  if (share < 1 && whole === 100) return ">99%";
  return `${whole}%`;
}
