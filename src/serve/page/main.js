// The page: joins the game to the board, the lists and the forms. All that is shown follows from the
// game, the touched points and the position being set up; `render` draws it anew after each change.

import * as api from "./api.js";
import { Board, hands } from "./board.js";
import { byId, el } from "./dom.js";
import { Game, addressed } from "./game.js";
import { graph, history } from "./history.js";
import { Opponent } from "./opponent.js";
import { capital, named, read, sentence, short, tidy } from "./position.js";
import { Setup } from "./setup.js";
import { Statistics } from "./statistics.js";
import { Touch } from "./touch.js";
import { turns } from "./turns.js";

const RETRY = 3000;   // milliseconds between questions to a server that does not answer

const game = new Game(changed);
const touch = new Touch();
const board = new Board(byId("board"), { onpoint, onescape });
const statistics = new Statistics(byId("counts"));
const setup = new Setup(byId("setup-panel"), { onchange: draft, onclose: settled });
const opponent = new Opponent(game, { side: byId("opponent"), strength: byId("strength"),
  output: byId("strength-is"), on: byId("go-on") });
let bright = null;
let drafts = 0;
let retry = null;

const full = (text) => `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;
const say = (text) => { byId("status").textContent = text; };

// What the game has to tell: a word for what happened, and sometimes a sentence.
function changed(what, words) {
  if (what === "variant") {
    board.build(game.info);
    setup.close(false);
    byId("variant").value = game.info.variant;
    statistics.open(game.info);
    return;
  }
  if (what === "refused") {
    touch.clear();
    say(full(words));
    render();
    return;
  }
  if (what !== "trouble") alarm(null);
  touch.clear();
  bright = null;
  const listed = byId("turns").contains(document.activeElement);
  const stepped = document.activeElement?.dataset?.ply;
  render();
  if (listed) byId("verdict").focus();
  if (stepped !== undefined) byId("history").querySelector(`[aria-current]`)?.focus();
  if (what === "trouble") {
    if (game.info) byId("variant").value = game.info.variant;
    alarm(game.trouble, game.again);
  }
  if (what !== "asking" && what !== "trouble") announce();
  opponent.consider();
}

function announce() {
  const { node, cursor, answer, side } = game;
  const value = sentence(answer, side);
  if (cursor === 0) return say(`${value}.`.replace("..", "."));
  const made = node.removal_owed ? side : side === "w" ? "b" : "w";
  return say(`${capital(named(made))} played ${node.turn}. ${value}.`.replace("..", "."));
}

function render() {
  if (!game.info || !game.nodes.length) return;
  const { answer, trouble, side } = game;
  if (setup.on) {
    board.show(setup.picture());
    hands(byId("hands"), setup.position);
    turns(byId("turns"), { answer: null, trouble: true }, {});
  } else {
    const half = touch.half(answer?.turns ?? []);
    const best = half ? touch.fitting(answer.turns)[0] : null;
    const owed = best && { ...best, removal_owed: true };
    verdict(answer ? sentence(owed ?? answer, side)
      : trouble ? `${capital(named(side))} to move: value not known` : "Asking.", answer?.value);
    board.show(touch.picture(game, { hints: byId("hints").checked, bright }));
    hands(byId("hands"), game.position);
    turns(byId("turns"), game, { onplay: play, onbright: (one) => { bright = one; paint(); } });
  }
  history(byId("history"), game, goTo);
  graph(byId("graph"), game, goTo);
  byId("undo").disabled = setup.on || (game.cursor === 0 && !touch.picked.length);
  byId("redo").disabled = setup.on || game.cursor >= game.nodes.length - 1;
  byId("here").textContent = game.node.position;
  if (!performance.getEntriesByName("drawn").length) performance.mark("drawn");
}

// Only the board, for what is pointed at.
function paint() {
  if (!setup.on) board.show(touch.picture(game, { hints: byId("hints").checked, bright }));
}

function verdict(text, value) {
  byId("verdict").textContent = text;
  byId("verdict").className = value ?? "unknown";
}

function play(turn) {
  opponent.wanted = opponent.side !== "";
  return game.play(turn);
}

function goTo(at) {
  setup.close(false);
  opponent.stop();
  return game.goTo(at);
}

function onpoint(point) {
  if (!game.info) return;
  if (setup.on) {
    setup.touch(point);
    say(board.points.get(point).node.getAttribute("aria-label"));
    return;
  }
  if (!game.answer && !game.trouble) return;   // still asking: a quick second click is nothing
  if (opponent.wanted && opponent.due && game.answer) return;
  bright = null;
  const done = touch.touch(point, game);
  if (done.turn) {
    play(done.turn);
    return;
  }
  if (done.refused) say(done.refused);
  else picked();
  render();
}

// A stone picked up, or a mill closed and the stone to take not yet chosen.
function picked() {
  const list = game.answer?.turns ?? [];
  const half = touch.half(list);
  if (half) game.remember("replace", half);
  if (!touch.picked.length) say("Nothing picked.");
  else if (half) say(`${half} closes a mill. Choose the stone to take.`);
  else say(`${touch.picked[0]} picked. Choose where it goes.`);
}

function onescape() {
  if (setup.on) return setup.close(false);
  if (!touch.picked.length) return undefined;
  const half = touch.half(game.answer?.turns ?? []);
  touch.clear();
  if (half) game.remember("replace");
  say("Nothing picked.");
  return render();
}

function undo() {
  if (touch.picked.length) return onescape();
  opponent.stop();
  let at = game.cursor - 1;
  if (opponent.side && at > 0 && read(game.nodes[at].position, game.info).side === opponent.side) {
    at -= 1;
  }
  return game.goTo(at);
}

// The position being set up, asked for as it stands.
async function draft(text) {
  const mine = ++drafts;
  render();
  verdict("Asking.");
  try {
    const answer = await api.position(game.info.variant, text);
    if (mine !== drafts || !setup.on) return;
    alarm(null);
    setup.usable(true);
    verdict(sentence(answer, setup.position.side), answer.value);
  } catch (trouble) {
    if (mine !== drafts || !setup.on) return;
    setup.usable(trouble.code !== "bad-position");
    const todo = trouble.code === "bad-position" ? "" : ` Make it with: ${trouble.remedy}`;
    verdict(full(trouble.message) + (trouble.remedy ? todo : ""), "unknown");
  }
}

function settled(keep, text) {
  drafts += 1;
  const button = byId("setup");
  button.setAttribute("aria-pressed", "false");
  button.focus();
  opponent.stop();
  if (keep) {
    show(game.info.variant, text);
    return;
  }
  render();
  if (game.answer) announce();
  else say("");
}

function show(id, text, at = null, how = "push") {
  setup.close(false);
  opponent.stop();
  return game.open(id, text, { at, history: how });
}

// What is wrong, what to do, and a way to try again. Null takes the notice away.
function alarm(trouble, again) {
  clearTimeout(retry);
  const place = byId("alarm");
  place.hidden = trouble === null;
  if (trouble === null) {
    place.replaceChildren();
    return;
  }
  const titles = { "missing-table": "No table for this position", "unreachable": "Server gone",
    "damaged-table": "A table is damaged", "bad-position": "Not a position of this variant",
    "no-such-variant": "No such variant", "busy": "The server is busy" };
  const more = [];
  if (trouble.code === "missing-table") more.push(" The value is unknown, not a draw.");
  if (trouble.file) more.push(` The file is ${trouble.file}.`);
  place.className = trouble.code;
  place.replaceChildren(el("strong", {}, titles[trouble.code] ?? "That did not work"),
    el("p", {}, full(trouble.message), ...more), trouble.remedy ? remedy(trouble.remedy) : "",
    el("button", { type: "button", id: "again", onclick: again }, "Try again"));
  if (trouble.code === "unreachable") retry = setTimeout(() => waken(again), RETRY);
}

// A remedy; the command in it can be copied whole.
function remedy(text) {
  const found = /^(.*?)(merels [^\n]*)$/.exec(text);
  if (!found) return el("p", {}, text);
  return el("p", {}, found[1] || "Make it with: ", el("code", {}, found[2]));
}

async function waken(again) {
  try {
    await api.health();
    again();
  } catch {
    retry = setTimeout(() => waken(again), RETRY);
  }
}

function follow(how) {
  const { variant, text, at } = addressed();
  return show(variant ?? byId("variant").value, text, at, how);
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    byId("text").value = location.href;
    byId("text").select();
    say("The link is in the text field.");
  }
}

function wire() {
  byId("variant").addEventListener("change", (event) => show(event.target.value, "startpos"));
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", () => goTo(game.cursor + 1));
  byId("new").addEventListener("click", () => {
    show(game.info?.variant ?? byId("variant").value, "startpos").then(() => {
      if (opponent.side) opponent.go();
    });
  });
  byId("setup").addEventListener("click", (event) => {
    if (setup.on) return setup.close(false);
    if (!game.info || !game.nodes.length) return undefined;
    touch.clear();
    event.currentTarget.setAttribute("aria-pressed", "true");
    say("Setting a position up.");
    return setup.open(game);
  });
  byId("hints").addEventListener("change", render);
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    show(game.info?.variant ?? byId("variant").value, tidy(byId("text").value));
  });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      byId("paste").requestSubmit();
    }
  });
  byId("copy").addEventListener("click", copyLink);
  window.addEventListener("popstate", () => follow("none"));
}

function solvedness(one) {
  if (one.solved) return "solved";
  return one.tables ? `${one.tables} of ${one.subspaces} tables` : "no tables";
}

async function begin() {
  try {
    const list = await api.variants();
    const wanted = addressed().variant;
    const chosen = list.some((one) => one.variant === wanted) ? wanted
      : (list.find((one) => one.solved) ?? list[0]).variant;
    byId("variant").replaceChildren(...list.map((one) => el("option", { value: one.variant,
      selected: one.variant === chosen }, `${one.variant} (${solvedness(one)})`)));
    await follow("replace");
  } catch (trouble) {
    if (!(trouble instanceof api.Trouble)) throw trouble;
    alarm(trouble, begin);
  }
}

wire();
begin();
