"use strict";
// Moves pieces on the simulated board: a click lifts or drops a piece, a drag does both. A lifted piece and its
// possible targets are shown at once; the table's answer confirms or reverts it. A piece that the table refuses to lift
// or to put there shakes.

const DRAG_PX = 6;
const REFUSED_MS = 1200;
let hold = null; // a press on a square: the pointer, its start, and once it moves, the piece that follows it
let isDragged = false; // the click at the end of a drag is ignored

function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-board] [data-square]") || null;
}

function handIsEmpty() {
  return !document.querySelector(".tray.hand");
}

/** Return whether a touch may lift the piece of a square: with one in the hand, only a piece that cannot be taken. */
function mayLift(square) {
  const isFree = handIsEmpty() || (square.dataset.to && !square.querySelector(".mark-target"));
  return Boolean(isFree && square.querySelector(".piece:not(.ghost)"));
}

/** Show a piece that may move as lifted before the table answers, in place of another; return whether it is shown. */
function showLifted(square) {
  if (!mayLift(square) || !square.dataset.to) return false;
  showPut();
  square.classList.add("lifted");
  for (const name of (square.dataset.to || "").split(" ").filter(Boolean)) squareNamed(name)?.classList.add("may-go");
  return true;
}

function showPut() {
  for (const square of document.querySelectorAll("#board .lifted, #board .may-go")) square.classList.remove("lifted", "may-go");
}

function clickSquare(name, dropped = false) {
  post("/board/click", { square: name, dropped }, () => restore("board"));
}

/** Say why nothing happened; it is spoken too. */
function sayAloud(why) {
  say(why);
  document.dispatchEvent(new CustomEvent("heard", { detail: { told: why, sounds: [] } }));
}

clicks["[data-why]"] = (die) => {
  sayAloud(die.dataset.why);
  die.classList.remove("refused");
  requestAnimationFrame(() => die.classList.add("refused")); // so that it shakes anew
};

let refused = ""; // the square whose piece shakes
let refusing = 0;

function showRefused(name) {
  for (const square of document.querySelectorAll("#board .refused")) square.classList.remove("refused");
  refused = name;
  squareNamed(name)?.classList.add("refused");
}

/** Show what the hand did: say why it did not do as told, and shake the piece. */
function tellHandled({ moved, refused: why, square }) {
  if (!why) return noteMove(moved);
  abandonDrag();
  restore("board");
  sayAloud(why);
  clearTimeout(refusing);
  showRefused(square);
  refusing = setTimeout(showRefused, REFUSED_MS, "");
}

swapping.push((id) => (id === "board" && refused ? () => showRefused(refused) : undefined));

/** Put the piece in the hand back, or what was moved while it is asked which move it is; return whether there is one. */
function putBack() {
  const moved = document.querySelector('#ask [data-post="/board/set-up"]');
  if (moved) { moved.click(); return true; }
  if (handIsEmpty() || !document.querySelector("[data-board]")) return false;
  post("/board/put-back", {}, () => restore("board"));
  return true;
}

clicks["[data-board] [data-square]"] = (square) => {
  if (isDragged) return;
  makeTabStop(square);
  if (!showLifted(square)) showPut();
  clickSquare(square.dataset.square);
};

document.addEventListener("pointerdown", (event) => {
  isDragged = false;
  if (hold || event.button !== 0 || !event.isPrimary) return;
  const square = squareAt(event);
  if (!square || !mayLift(square)) return;
  showLifted(square);
  hold = { pointer: event.pointerId, from: square.dataset.square, x: event.clientX, y: event.clientY, piece: null };
});

document.addEventListener("pointermove", (event) => {
  if (!hold || event.pointerId !== hold.pointer) return;
  if (!hold.piece && Math.hypot(event.clientX - hold.x, event.clientY - hold.y) > DRAG_PX) beginDrag();
  if (hold.piece) follow(event);
});

/** Lift the piece at the table too, so that the table marks its targets during the drag. */
function beginDrag() {
  const square = squareNamed(hold.from);
  const box = square.querySelector("rect").getBoundingClientRect();
  hold.piece = document.createElementNS(SVG, "svg");
  hold.piece.setAttribute("class", "carried");
  hold.piece.setAttribute("viewBox", "0 0 45 45");
  hold.piece.setAttribute("aria-hidden", "true");
  hold.piece.append(square.querySelector(".piece:not(.ghost)").cloneNode(true));
  hold.piece.style.width = hold.piece.style.height = `${box.width * 1.25}px`;
  document.body.append(hold.piece);
  document.getElementById("board").setPointerCapture(hold.pointer); // the square may be drawn again under the pointer
  document.body.classList.add("carrying");
  isDragged = true;
  clickSquare(hold.from);
  letGo();
}

function follow(event) {
  const size = parseFloat(hold.piece.style.width);
  const over = event.pointerType === "touch" ? 0.8 : 0.5; // above the finger, but under the mouse pointer
  hold.piece.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size * over}px)`;
  for (const square of document.querySelectorAll("#board .over")) square.classList.remove("over");
  squareAt(event)?.classList.add("over");
}

function endDrag(event, isPut) {
  if (!hold || event.pointerId !== hold.pointer) return;
  const { from, piece } = hold;
  hold = null;
  if (!piece) { // only a press: a click follows if it ends on the same square
    if (!isPut || squareAt(event)?.dataset.square !== from) showPut();
    return;
  }
  showDropped(piece);
  const target = (isPut && squareAt(event)?.dataset.square) || from; // dropped outside the board it returns
  carried = target;
  clickSquare(target, true);
  showPut();
}

function showDropped(piece) {
  piece.remove();
  document.body.classList.remove("carrying");
  for (const square of document.querySelectorAll("#board .over")) square.classList.remove("over");
}

/** End a drag of a piece that was not lifted. */
function abandonDrag() {
  if (hold?.piece) showDropped(hold.piece);
  hold = null;
}

document.addEventListener("pointerup", (event) => endDrag(event, true));
document.addEventListener("pointercancel", (event) => endDrag(event, false));
