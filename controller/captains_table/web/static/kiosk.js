"use strict";
// The display for a room: shows what the table sends (swap.js, stream.js), makes it fit, and comes back by itself. Dice settle
// and pieces glide as on the page to play at (motion.js). Nothing can be touched here.

const room = document.querySelector(".room");
const side = document.querySelector(".side");
const phone = matchMedia("(max-width: 600px) and (max-aspect-ratio: 1/1)"); // it scrolls
const MOST_SQUEEZED = 4;
const SMALLEST = 0.4; // of the size things have where there is room
const STEP = 0.04;
const LEGIBLE = 0.8; // of the size a card has where there is room: less is not read from afar

// --- making it fit --------------------------------------------------------------------------------------------------

function overflows(element) {
  return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
}

/** Let what does not matter most give way, step by step, until everything has room. */
function squeeze() {
  const tallies = document.getElementById("tallies");
  const final = document.querySelector("#card .card.final");
  const isFull = () => !phone.matches && (overflows(room) || overflows(side) || overflows(tallies));
  const isFinalFull = () => !phone.matches && final !== null && overflows(final);
  delete side.dataset.squeeze;
  delete room.dataset.crammed;
  tallies.style.removeProperty("--fit");
  for (let step = 1; step <= MOST_SQUEEZED && (isFull() || isFinalFull()); step += 1) side.dataset.squeeze = step;
  shrink(tallies, isFull);
  if (!isFull()) return;
  room.dataset.crammed = ""; // small is better than cut
  shrink(tallies, isFull);
}

/** Make the letters of a block smaller until it is no longer too full. */
function shrink(block, isFull, smallest = SMALLEST) {
  block.style.removeProperty("--fit");
  for (let fit = 1 - STEP; fit >= smallest && isFull(); fit -= STEP) block.style.setProperty("--fit", fit.toFixed(2));
}

function shrinkCard(smallest = SMALLEST) {
  const card = document.querySelector("#card .card");
  if (card && !phone.matches) shrink(card, () => overflows(card) || overflows(room), smallest);
}

/** Lines of the log that there is no room for are not shown by half. */
function hideLinesBeyond() {
  for (const line of document.querySelectorAll(".log li")) {
    const room = line.parentElement.getBoundingClientRect();
    const { left, bottom } = line.getBoundingClientRect();
    line.style.visibility = left >= room.right || bottom > room.bottom + 1 ? "hidden" : "";
  }
}

let fitted = "";

/** Return whether the card at the end of a match is too small to be read. */
function isFinalTooSmall() {
  const card = document.querySelector("#card .card.final");
  return card !== null && !phone.matches && (overflows(card) || Number(card.style.getPropertyValue("--fit") || 1) < LEGIBLE);
}

function shrinkAll(isAnew) {
  shrinkCard(LEGIBLE); // the card gives way before those who played do
  if (isAnew) squeeze();
  shrinkCard();
}

/** Make everything fit; where nothing but digits changed, as when a clock ticks, what has its size keeps it. */
function fit(isNewWindow = false) {
  const words = room.textContent.replace(/\d/g, "0");
  const isAnew = words !== fitted || isNewWindow;
  fitted = words;
  if (isAnew) delete room.dataset.boardless;
  shrinkAll(isAnew);
  if (isAnew && isFinalTooSmall()) {
    room.dataset.boardless = ""; // the board gives way
    shrinkAll(isAnew);
  }
  hideLinesBeyond();
}

// --- following the table --------------------------------------------------------------------------------------------

function showAll(fragments) {
  swapAll(fragments);
  fit();
}

const here = new URLSearchParams(location.search);
const query = new URLSearchParams({ page: "display", side: here.get("side") || "white" });
if (document.body.dataset.table) query.set("table", document.body.dataset.table); // one of a club's

// The token has become a cookie by now; it need not stay where everybody in the room can read it.
if (here.has("token")) {
  here.delete("token");
  history.replaceState(null, "", location.pathname + (here.size ? `?${here}` : ""));
}

fit();
window.addEventListener("resize", () => fit(true));
document.fonts.ready.then(() => fit(true));
document.addEventListener("DOMContentLoaded", () => followTable(query, { onFragments: showAll, onConnected: showLine, onBoot: renewPage }));
