"use strict";
// The coach, if the settings want one: after each turn against a computer a sentence on what it was worth, and the best
// move marked on the board until the next one.

const COACH_MS = 14000; // so long the sentence is shown
const READ_MS = 6000; // before the next sentence takes its place
const SETTLED_MS = 400; // after the last line of the log
let coached = ""; // the turn that was spoken of last
let better = null; // the squares of the best move
let asking = 0;
let readUntil = 0;

const wantsCoach = () => { try { return localStorage.getItem("captains-table.coach") === "on"; } catch { return false; } };

async function askCoach() {
  if (!wantsCoach() || (page !== "table" && page !== "seat")) return;
  const answer = await fetch(`/coach?${query}`).catch(() => null);
  const { turn, words, move } = answer?.status === 200 ? await answer.json() : { turn: "" };
  if (turn === coached) return;
  coached = turn;
  markBetter(null);
  if (!words) return;
  const early = Math.max(0, readUntil - performance.now());
  readUntil = performance.now() + early + READ_MS;
  setTimeout(() => {
    if (coached !== turn) return;
    say(words, COACH_MS);
    markBetter(/^([a-i]\d)([a-i]\d)/.exec(move)?.slice(1) ?? null);
  }, early);
}

/** Mark the squares of a move on the board; `null` for none. */
function markBetter(squares) {
  better = squares;
  for (const each of document.querySelectorAll("#board .better")) each.classList.remove("better");
  for (const name of better ?? []) squareNamed(name)?.classList.add("better");
}

swapping.push((id) => {
  if (id === "log") {
    clearTimeout(asking);
    asking = setTimeout(askCoach, SETTLED_MS);
  }
  return id === "board" && better ? () => markBetter(better) : undefined;
});
document.addEventListener("pointerdown", (event) => { if (better && event.target.closest("[data-board]")) markBetter(null); });
document.addEventListener("remembered", ({ detail }) => { if (detail.name === "coach") askCoach(); });
