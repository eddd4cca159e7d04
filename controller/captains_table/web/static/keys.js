"use strict";
// Keyboard control: the table's buttons, and moving the focus on the board.

const keys = {
  " ": "roll", Enter: "roll", ArrowDown: "next", n: "next", c: "choose", b: "back", Escape: "back",
};
const walks = { ArrowLeft: -1, ArrowRight: 1 };

function walk(square, key) {
  const board = square.closest("[data-board]");
  const squares = [...board.querySelectorAll("[data-square]")];
  const files = Number(board.dataset.files);
  const from = squares.indexOf(square);
  const to = key in walks ? from + walks[key] : from + (key === "ArrowUp" ? -files : files);
  const sameRow = Math.floor(from / files) === Math.floor(to / files);
  if (!squares[to] || (key in walks && !sameRow)) return;
  makeTabStop(squares[to]);
  squares[to].focus();
}

/** Return whether the focused element needs a key itself. */
function keepsKey(target, key) {
  if (target.closest("input, select, textarea")) return true;
  return (key === " " || key === "Enter") && target.closest("button, a, summary") !== null;
}

function boardKey(square, key) {
  if (key === "Enter") square.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (key.startsWith("Arrow")) walk(square, key);
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (page !== "table" || event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const square = event.target.closest("[data-board] [data-square]");
  const knob = event.target.closest("[data-button]");
  isDragged = false;
  if (square && boardKey(square, key)) return event.preventDefault();
  if (key === "?" && !keepsKey(event.target, key)) {
    event.preventDefault();
    return event.repeat ? undefined : post("/advice");
  }
  const button = knob && (key === " " || key === "Enter") ? knob.dataset.button : keys[key];
  if (!button || (!knob && keepsKey(event.target, key))) return;
  event.preventDefault();
  if (!event.repeat) press(`key ${event.code}`, button);
});
document.addEventListener("keyup", (event) => release(`key ${event.code}`));
