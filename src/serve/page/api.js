// Asking the server. A failure is always a `Trouble` with a code, a message and what to do, so that
// the page can say all three; `unreachable` is the code of a server that does not answer. Answers
// about positions are kept, since undo and redo ask for the same again.

const KEPT = 400;
const answers = new Map();

export class Trouble extends Error {
  constructor({ code, message, remedy, subspace, file }) {
    super(message);
    Object.assign(this, { code, remedy, subspace, file });
  }
}

async function once(path) {
  let response;
  try {
    response = await fetch(path, { headers: { Accept: "application/json" } });
  } catch {
    throw new Trouble({ code: "unreachable", message: "The server does not answer." });
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    throw new Trouble({
      code: response.status >= 502 ? "unreachable" : "unreadable",
      message: `The server's answer (status ${response.status}) cannot be read.`,
    });
  }
  if (response.ok) return body;
  throw new Trouble(body.error ?? { code: "unreadable", message: `Status ${response.status}.` });
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A busy server is asked once more.
async function get(path) {
  try {
    return await once(path);
  } catch (trouble) {
    if (trouble.code !== "busy" && trouble.code !== "timeout") throw trouble;
    await pause(700);
    return once(path);
  }
}

const at = (variant) => `v1/variants/${encodeURIComponent(variant)}`;

export const health = () => once("v1/health");
export const variants = async () => (await get("v1/variants")).variants;
export const variant = (id) => get(at(id));
export const statistics = async (id) => (await get(`${at(id)}/statistics`)).subspaces;
export const line = (id, text) => get(`${at(id)}/game?position=${encodeURIComponent(text)}`);

// What is known already, without asking.
export const kept = (id, text) => answers.get(`${id} ${text}`);

export async function position(id, text) {
  const key = `${id} ${text}`;
  const known = answers.get(key);
  if (known) return known;
  const answer = await get(`${at(id)}/position?position=${encodeURIComponent(text)}`);
  if (answers.size >= KEPT) answers.delete(answers.keys().next().value);
  answers.set(key, answer);
  return answer;
}
