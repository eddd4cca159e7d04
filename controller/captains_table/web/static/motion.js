"use strict";
// Animations: dice tumble at once and settle one by one, pieces glide between squares, news disappears by itself. They
// shift no other element, and are off for users who prefer reduced motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";
const GLIDE_MS = 180; // for a piece moved by a player
const PLAYED_MS = 450; // for a piece moved by the table, as for a computer: slow enough to follow
const SETTLE_MS = 70; // between two dice
const LIES_MS = 320; // for one die to settle
const NEWS_MS = 6000;
const GUESS_MS = 1500; // after this time the table has answered, or never will
const MOST_GLIDING = 4; // more pieces mean a new position, not a move

// --- dice -----------------------------------------------------------------------------------------------------------

function dieNumbered(number) {
  return document.querySelector(`#dice [data-shown="${number}"] .die, #dice [data-die="${number}"] .die`);
}

/** Make a die tumble before the table answers. */
function tumble(die) {
  if (die.classList.contains("tumbling")) return;
  die.classList.remove("thrown", "unthrown");
  die.classList.add("tumbling", "guessed");
  for (const drawn of die.querySelectorAll(".pip, .numeral, .pin")) drawn.remove();
  const blank = document.createElementNS(SVG, "text");
  for (const [name, value] of [["class", "blank"], ["x", 32], ["y", 41], ["text-anchor", "middle"]]) blank.setAttribute(name, value);
  blank.textContent = "?";
  die.querySelector(".cube").append(blank);
}

/** Make the dice tumble that a roll button will throw; they are restored if the table throws none. */
function tumbleAtOnce(button) {
  for (const number of (button.dataset.falls || "").split(" ").filter(Boolean)) {
    const die = dieNumbered(number);
    if (die) tumble(die);
  }
}

function settleGuess() {
  setTimeout(() => { if (document.querySelector("#dice .guessed")) restore("dice"); }, GUESS_MS);
}

function shownNumber(die) {
  const place = die.closest("[data-shown], [data-die]");
  return place && (place.dataset.shown || place.dataset.die);
}

swapping.push((id, element) => {
  if (id !== "dice") return null;
  const tumbled = new Set([...element.querySelectorAll(".die.tumbling")].map(shownNumber));
  const filled = element.querySelectorAll(".berths .filled").length;
  return () => {
    const fallen = [...element.querySelectorAll(".die.thrown")].filter((die) => tumbled.has(shownNumber(die)));
    fallen.forEach((die, index) => {
      die.classList.add("settling");
      die.style.animationDelay = `calc(${index * SETTLE_MS}ms * var(--pace, 1))`;
    });
    if (!fallen.length || still.matches) return;
    for (const berth of [...element.querySelectorAll(".berths .filled")].slice(filled)) berth.classList.add("fresh");
    lieAt = performance.now() + (LIES_MS + (fallen.length - 1) * SETTLE_MS) * pace();
  };
});

// --- pieces ---------------------------------------------------------------------------------------------------------

let lifted = null; // the last piece that left the board, and is not back on it: its drawing and its square
let carried = null; // the square that a piece was dragged to, where it needs no animation

function standing(element) {
  const pieces = [...element.querySelectorAll("[data-square] > .piece:not(.ghost):not(.away)")];
  return new Map(pieces.map((piece) => [piece.parentElement.dataset.square, piece.getAttribute("href")]));
}

function corner(square) {
  return square.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
}

function squareNamed(name) {
  return document.querySelector(`#board [data-square="${name}"]`);
}

function glide(from, to, duration) {
  const piece = squareNamed(to)?.querySelector(".piece");
  if (!piece || !squareNamed(from) || still.matches || to === carried) return;
  const flying = piece.cloneNode(true); // drawn last, above all other pieces
  piece.closest("svg").append(flying);
  piece.classList.add("arriving");
  const way = [from, to].map((name) => ({ transform: `translate(${corner(squareNamed(name)).map((place) => `${place}px`).join()})` }));
  flying.animate(way, { duration, easing: duration > GLIDE_MS ? "ease-in-out" : "ease-out" }).finished.finally(() => {
    flying.remove();
    piece.classList.remove("arriving");
  });
}

/** Return the factor by which the table's pace multiplies times (drawings.css). */
function pace() {
  return Number(getComputedStyle(document.documentElement).getPropertyValue("--pace")) || 1;
}

/** Show faintly the square that the piece in the hand came from. */
function showAway() {
  const square = lifted && document.querySelector(".tray.hand") && squareNamed(lifted.from);
  if (!square || square.querySelector(".piece") || !lifted.art) return;
  const away = document.createElementNS(SVG, "use");
  for (const [name, value] of [["class", "piece away"], ["href", lifted.art], ["width", 45], ["height", 45]]) away.setAttribute(name, value);
  square.append(away);
}

swapping.push((id, element) => {
  if (id === "hand") return showAway;
  if (id !== "board") return null;
  const before = standing(element);
  const side = query.get("side");
  const files = element.querySelector(".board")?.dataset.files;
  return () => {
    const now = standing(element);
    const came = [...now].filter(([square, art]) => before.get(square) !== art);
    const left = [...before].filter(([square, art]) => now.get(square) !== art);
    const isAnother = came.length > MOST_GLIDING || element.querySelector(".board")?.dataset.files !== files;
    if (!isAnother && side === shownSide) came.forEach(([square, art]) => arrive(square, art, left));
    shownSide = side;
    if (left.length === 1 && came.length === 0) lifted = { from: left[0][0], art: left[0][1] };
    carried = null;
    showAway();
  };
});
let shownSide = query.get("side");

/** Make a piece glide from its last square, or from where it was lifted. */
function arrive(square, art, left) {
  const index = left.findIndex(([, gone]) => gone === art);
  const from = index >= 0 ? left.splice(index, 1)[0][0] : lifted?.art === art ? lifted.from : null;
  if (lifted?.art === art) lifted = null;
  if (from && from !== square) glide(from, square, index >= 0 ? PLAYED_MS * pace() : GLIDE_MS);
}

// --- news -----------------------------------------------------------------------------------------------------------

let newsTimer = 0;
swapping.push((id, element) => {
  if (id !== "news") return null;
  return () => {
    element.classList.remove("stale");
    clearTimeout(newsTimer);
    newsTimer = setTimeout(() => element.classList.add("stale"), NEWS_MS);
  };
});

// --- scrolling ------------------------------------------------------------------------------------------------------

swapping.push((id, element) => {
  if (id === "ask") {
    const before = element.querySelector("[data-revision]")?.dataset.revision;
    return () => {
      if (element.querySelector("[data-revision]")?.dataset.revision !== before) element.scrollTop = 0;
      showBox();
    };
  }
  if (id === "sheet") return () => { showColumn(element); showBox(); };
  return id === "tallies" ? () => showTurn(element) : null;
});

/** In a lesson, scroll the score sheet to the box of which the coach speaks. */
function showBox() {
  requestAnimationFrame(() => { // other fragments may still come
    const wanted = document.querySelector(".deck-table:has(.coach) #ask .primary[data-pick]")?.dataset.pick;
    document.querySelector(`#sheet [data-fill="${wanted}"]`)?.scrollIntoView({ block: "nearest" });
  });
}

/** Scroll the score sheet to the column of the player who must act. */
function showColumn(sheet) {
  const head = sheet.querySelector("thead .on-turn");
  if (!head || sheet.scrollWidth <= sheet.clientWidth) return;
  const names = sheet.querySelector("tbody th").offsetWidth;
  if (head.offsetLeft - names < sheet.scrollLeft || head.offsetLeft + head.offsetWidth > sheet.scrollLeft + sheet.clientWidth) {
    sheet.scrollLeft = head.offsetLeft + head.offsetWidth / 2 - (names + sheet.clientWidth) / 2; // centred
  }
}

/** Scroll the list of players to the one who must act, if not all fit. */
function showTurn(tallies) {
  const row = tallies.querySelector("tbody .on-turn");
  const stays = [...tallies.querySelectorAll("thead, .bell")]; // these stay above the scrolled rows
  const head = stays.reduce((height, each) => height + each.offsetHeight, 0);
  if (!row) return;
  const isAbove = row.offsetTop - head < tallies.scrollTop;
  const shadow = parseFloat(getComputedStyle(tallies, "::after").height) || 0; // it says that there are more rows
  if (isAbove || row.offsetTop + row.offsetHeight > tallies.scrollTop + tallies.clientHeight - shadow) {
    tallies.scrollTop = row.offsetTop - head;
  }
}
