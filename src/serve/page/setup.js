// Setting a position up by hand: touching a point changes it from empty to white to black. The
// position is asked for as it is made, so that its value, or why it has none, is said at once.

import { el } from "./dom.js";
import { BLACK, EMPTY, WHITE, write } from "./position.js";

const NEXT = { [EMPTY]: WHITE, [WHITE]: BLACK, [BLACK]: EMPTY };

export class Setup {
  // `onchange` is called with the text of the position, `onclose` with whether it is to be kept.
  constructor(place, { onchange, onclose }) {
    Object.assign(this, { place, onchange, onclose, on: false });
  }

  open(game) {
    this.on = true;
    this.info = game.info;
    const { stones, hands, side } = game.position;
    this.position = { stones: { ...stones }, hands: { ...hands }, side, owed: false };
    this.place.hidden = false;
    this.place.replaceChildren(...this.form());
    this.changed();
  }

  close(keep) {
    if (!this.on) return;
    this.on = false;
    this.place.hidden = true;
    this.place.replaceChildren();
    this.onclose(keep, this.text);
  }

  get text() { return write(this.position, this.info); }

  touch(point) {
    this.position.stones[point] = NEXT[this.position.stones[point]];
    this.changed();
  }

  // Whether what stands there can be shown; a position that cannot be is not thrown away.
  usable(yes) {
    const use = this.place.querySelector("[data-act=use]");
    if (use) use.disabled = !yes;
  }

  clear() {
    for (const name of Object.keys(this.position.stones)) this.position.stones[name] = EMPTY;
    const men = this.men();
    Object.assign(this.position.hands, { w: men[0], b: men[1] });
    this.place.replaceChildren(...this.form());
    this.place.querySelector("[data-act=clear]").focus();
    this.changed();
  }

  changed() { this.onchange(this.text); }

  men() {
    const men = this.info.parameters?.men ?? this.info.men;
    const [white, black] = Array.isArray(men) ? men : String(men).split(",").map(Number);
    return [white, black ?? white];
  }

  form() {
    const side = (letter, name) => el("label", { class: "check" },
      el("input", { type: "radio", name: "setup-side", value: letter,
        checked: this.position.side === letter,
        onchange: () => { this.position.side = letter; this.changed(); } }), ` ${name}`);
    const hand = (letter, name, most) => el("label", {}, `${name} in hand `,
      el("input", { type: "number", min: 0, max: most, step: 1, id: `hand-${letter}`,
        value: this.position.hands[letter],
        oninput: (event) => {
          const n = Number(event.target.value);
          if (!Number.isInteger(n) || n < 0 || n > most) return;
          this.position.hands[letter] = n;
          this.changed();
        } }));
    const act = (name, word, does) =>
      el("button", { type: "button", "data-act": name, onclick: does }, word);
    const [white, black] = this.men();
    return [
      el("p", { class: "small" }, "Touch a point to change it: empty, white, black."),
      el("fieldset", { class: "row" }, el("legend", {}, "To move"), side("w", "white"),
        side("b", "black")),
      el("div", { class: "row" }, hand("w", "White", white), hand("b", "Black", black)),
      el("div", { class: "row" }, act("use", "Use this position", () => this.close(true)),
        act("clear", "Empty board", () => this.clear()),
        act("cancel", "Cancel", () => this.close(false))),
    ];
  }

  picture() {
    const labels = {};
    for (const [name, stone] of Object.entries(this.position.stones)) {
      const words = { [EMPTY]: "empty", [WHITE]: "white stone", [BLACK]: "black stone" };
      labels[name] = `${name}, ${words[stone]}; change to ${words[NEXT[stone]]}`;
    }
    return { stones: this.position.stones, labels };
  }
}
