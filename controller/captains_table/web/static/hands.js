"use strict";
// Moves pieces on the simulated board: a click lifts or drops a piece, a drag does both. A lifted piece and its
// possible targets are shown at once; the table's answer confirms or reverts it.

const DRAG_PX = 6;
let hold = null; // a press on a square: the pointer, its start, and once it moves, the piece that follows it
let isDragged = false; // the click at the end of a drag is ignored

function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-board] [data-square]") || null;
}

function handIsEmpty() {
  return !document.querySelector(".tray.hand");
}

/** Show a piece as lifted before the table answers; return whether there is one to lift. */
function showLifted(square) {
  if (!handIsEmpty() || !square.querySelector(".piece:not(.ghost)")) return false;
  square.classList.add("lifted");
  for (const name of (square.dataset.to || "").split(" ").filter(Boolean)) squareNamed(name)?.classList.add("may-go");
  return true;
}

function showPut() {
  for (const square of document.querySelectorAll("#board .lifted, #board .may-go")) square.classList.remove("lifted", "may-go");
}

function clickSquare(name) {
  post("/board/click", { square: name }, () => restore("board"));
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
  if (!square || !showLifted(square)) return;
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
  piece.remove();
  document.body.classList.remove("carrying");
  for (const square of document.querySelectorAll("#board .over")) square.classList.remove("over");
  const target = (isPut && squareAt(event)?.dataset.square) || from; // dropped outside the board it returns
  carried = target;
  clickSquare(target);
  showPut();
}

document.addEventListener("pointerup", (event) => endDrag(event, true));
document.addEventListener("pointercancel", (event) => endDrag(event, false));
