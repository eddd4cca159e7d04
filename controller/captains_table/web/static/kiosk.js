"use strict";
// The room display: shows what the table sends (swap.js, stream.js), scales it to fit, and reconnects by itself. Dice
// and pieces move as on the page to play on (motion.js). It has no controls.

const room = document.querySelector(".room");
const side = document.querySelector(".side");
const phone = matchMedia("(max-width: 600px) and (max-aspect-ratio: 1/1)"); // it scrolls instead
const MOST_SQUEEZED = 4;
const SMALLEST = 0.4; // relative to the size where there is enough room
const STEP = 0.04;
const LEGIBLE = 0.8; // relative to a card's full size: smaller text cannot be read from a distance

// --- scaling to fit -------------------------------------------------------------------------------------------------

function overflows(element) {
  return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
}

/** Reduce the least important parts, step by step, until everything fits. */
function squeeze() {
  const tallies = document.getElementById("tallies");
  const final = document.querySelector("#card .card.final");
  const isTooWide = () => tallies.scrollWidth > tallies.clientWidth + 1;
  const isFull = () => isTooWide() || (!phone.matches && (overflows(room) || overflows(side) || overflows(tallies)));
  const isFinalFull = () => !phone.matches && final !== null && overflows(final);
  delete side.dataset.squeeze;
  delete room.dataset.crammed;
  tallies.classList.remove("breaks");
  shrink(tallies, isTooWide);
  if (tallies.classList.toggle("breaks", isTooWide())) tallies.style.removeProperty("--fit"); // too wide even when small
  for (let step = 1; step <= MOST_SQUEEZED && (isFull() || isFinalFull()); step += 1) side.dataset.squeeze = step;
  shrink(tallies, isFull);
  if (!isFull()) return;
  room.dataset.crammed = ""; // small is better than cut off
  shrink(tallies, isFull);
}

/** Reduce the font size of a block until it fits. */
function shrink(block, isFull, smallest = SMALLEST) {
  block.style.removeProperty("--fit");
  for (let fit = 1 - STEP; fit >= smallest && isFull(); fit -= STEP) block.style.setProperty("--fit", fit.toFixed(2));
}

function shrinkCard(smallest = SMALLEST) {
  const card = document.querySelector("#card .card");
  if (card && !phone.matches) shrink(card, () => overflows(card) || overflows(room), smallest);
}

/** Hide lines of the log that would be cut off. */
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
  shrinkCard(LEGIBLE); // the card shrinks before the list of players does
  if (isAnew) squeeze();
  shrinkCard();
}

/** Make everything fit. If only digits have changed, as when a clock ticks, sizes stay the same. */
function fit(isNewWindow = false) {
  const words = room.textContent.replace(/\d/g, "0");
  const isAnew = words !== fitted || isNewWindow;
  fitted = words;
  if (isAnew) delete room.dataset.boardless;
  shrinkAll(isAnew);
  if (isAnew && isFinalTooSmall()) {
    room.dataset.boardless = ""; // hide the board to make room
    shrinkAll(isAnew);
  }
  hideLinesBeyond();
}

// --- between matches: one game after the other ------------------------------------------------------------------------

const SLIDE_MS = 9000;
const stands = matchMedia("(prefers-reduced-motion: reduce)");
let slide = 0;

function showSlide() {
  for (const list of document.querySelectorAll(".slides, .strip")) {
    [...list.children].forEach((each, index, all) => each.classList.toggle("now", index === slide % all.length));
  }
}

setInterval(() => {
  if (stands.matches || !document.querySelector(".slides")) return;
  slide += 1;
  showSlide();
}, SLIDE_MS);

// A finished match gives way to the games after a while, until something is pressed.
const RESULT_MS = 60000;
let resting = 0;

function rest() {
  document.querySelector("#idle > .later")?.classList.remove("later");
  fit();
}

function restLater() {
  clearTimeout(resting);
  resting = setTimeout(rest, RESULT_MS);
}

// --- following the table --------------------------------------------------------------------------------------------

function showAll(fragments) {
  swapAll(fragments);
  showSlide();
  restLater();
  fit();
}

const here = new URLSearchParams(location.search);
const query = new URLSearchParams({ page: "display", side: here.get("side") || "white" });
if (document.body.dataset.table) query.set("table", document.body.dataset.table); // one of a club's tables

// The token is in a cookie now; remove it from the address, which everybody in the room could read.
if (here.has("token")) {
  here.delete("token");
  history.replaceState(null, "", location.pathname + (here.size ? `?${here}` : ""));
}

fit();
window.addEventListener("resize", () => fit(true));
document.fonts.ready.then(() => fit(true));
document.addEventListener("DOMContentLoaded", () => followTable(query, { onFragments: showAll, onConnected: showLine, onBoot: renewPage }));
