// Positions and turns as texts, read for drawing. The server is the judge of what is legal; here
// only what it prints is taken apart: the short form, with a half turn after it where a removal is
// owed, and mill FEN.

export const WHITE = "O";
export const BLACK = "@";
export const EMPTY = "*";

export const other = (side) => (side === "w" ? "b" : "w");
export const stoneOf = (side) => (side === "w" ? WHITE : BLACK);
export const named = (side) => (side === "w" ? "white" : "black");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// A turn as the points to touch, one after the other: `a1-a2xb4` is a1, a2, then b4.
export function parts(turn) {
  const [quiet, take] = turn.split("x");
  const touched = quiet ? quiet.split("-") : [];
  return { from: touched.length > 1 ? touched[0] : null, to: touched.at(-1) ?? null,
    take: take ?? null, touched: take ? [...touched, take] : touched };
}

// What a turn makes of a position. Works for half turns too, and leaves the removal out then.
export function after(position, turn) {
  const { from, to, take } = parts(turn);
  const stones = { ...position.stones };
  const hands = { ...position.hands };
  if (to) stones[to] = stoneOf(position.side);
  if (from) stones[from] = EMPTY;
  else if (to) hands[position.side] -= 1;
  if (take) stones[take] = EMPTY;
  return { stones, hands, side: other(position.side), owed: false };
}

// Reads what the server prints. `info` is the answer about the variant.
export function read(text, info) {
  const [still, half] = text.split(/ moves /);
  const fields = still.trim().split(/\s+/);
  const letters = [...fields[0].replaceAll("/", "")];
  const stones = {};
  info.board.points.forEach((point, i) => { stones[point.name] = letters[i] ?? EMPTY; });
  const side = fields[1] === "b" ? "b" : "w";
  if (fields.length > 4) {
    const hands = { w: Number(fields[5]), b: Number(fields[7]) };
    return { stones, side, hands, owed: fields[3] === "r" };
  }
  const [white, black] = (fields[2] ?? "0,0").split(",").map(Number);
  const position = { stones, side, hands: { w: white, b: black ?? white }, owed: false };
  if (!half) return position;
  const moved = after(position, half.trim().split(/\s+/).at(-1));
  return { ...moved, side, owed: true };
}

// The short form of a position, its slashes where the variant has them.
export function write(position, info) {
  const names = info.board.points.map((point) => point.name);
  let at = 0;
  const board = info.start.split(" ")[0].replace(/[O@*]/g, () => position.stones[names[at++]]);
  return `${board} ${position.side} ${position.hands.w},${position.hands.b}`;
}

// A pasted text, made one that the server reads: bare moves begin at the empty board, numbers of
// moves are dropped.
export function tidy(text) {
  const line = text.trim().replace(/\s+/g, " ").replace(/(^| )\d+\.+ ?/g, "$1").trim();
  if (line === "") return "startpos";
  if (/^moves /.test(line)) return `startpos ${line}`;
  return /startpos|[/*@]/.test(line) ? line : `startpos moves ${line}`;
}

// Turns of the winner until the end, from plies.
export const winIn = (plies) => Math.ceil(plies / 2);

export const plies = (n) => (n === 1 ? "1 ply" : `${n} plies`);

// "win in 5", "draw", "loss in 4"; without a number where the depth is not known.
export function short(value, depth) {
  if (value === null || value === undefined) return "value unknown";
  if (value === "draw") return "draw";
  return depth === null || depth === undefined ? value : `${value} in ${winIn(depth)}`;
}

// The value of a position in a sentence, from the mover's side.
export function sentence(answer, side) {
  const who = capital(named(side));
  if (answer.over) {
    const end = answer.value === "draw" ? "a draw" : `${named(other(side))} has won`;
    return `The game is over: ${answer.ending ? `${answer.ending}, ` : ""}${end}.`;
  }
  const does = answer.removal_owed ? `${who} to take a stone` : `${who} to move`;
  if (answer.value === "draw") return `${does}: draw`;
  const verb = answer.value === "win" ? "wins" : "loses";
  if (answer.depth === null) return `${does} ${verb} (no table of depths)`;
  return `${does} ${verb} in ${winIn(answer.depth)} (${plies(answer.depth)})`;
}
