// The tables as a player. Strength 1 takes one of the best turns, strength N one of the N best as
// the answers list them. It moves only after a turn of the other side, or when told to: going back
// in the history leaves it quiet.

export function choose(turns, strength, random = Math.random) {
  const best = turns[0];
  const equals = (one) => one.value === best.value && one.depth === best.depth;
  const pool = strength > 1 ? turns.slice(0, strength) : turns.filter(equals);
  return pool[Math.floor(random() * pool.length)].turn;
}

const PAUSE = 350;   // milliseconds, so that the eye can follow

export class Opponent {
  constructor(game, form) {
    this.game = game;
    this.form = form;
    this.timer = null;
    this.wanted = false;
    form.strength.addEventListener("input", () => this.say());
    form.side.addEventListener("change", () => this.go());
    form.on.addEventListener("click", () => this.go());
    this.say();
  }

  get side() { return this.form.side.value; }
  get strength() { return Number(this.form.strength.value); }
  get due() {
    return this.side !== "" && this.side === this.game.side && !this.game.answer?.over;
  }

  say() {
    const n = this.strength;
    this.form.output.value = n === 1 ? "1: perfect" : `${n}: any of the ${n} best`;
  }

  // From now on the tables move when it is their turn.
  go() {
    this.wanted = true;
    this.consider();
  }

  stop() {
    this.wanted = false;
    clearTimeout(this.timer);
    this.timer = null;
  }

  // Called whenever something has changed.
  consider() {
    clearTimeout(this.timer);
    this.form.on.hidden = !(this.due && !this.wanted && this.game.answer);
    if (!this.wanted || !this.due || !this.game.answer?.turns.length) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const node = this.game.node;
    this.timer = setTimeout(() => {
      if (this.due && this.game.node === node && this.game.answer) {
        this.game.play(choose(this.game.answer.turns, this.strength));
      }
    }, still ? 0 : PAUSE);
  }
}
