"use strict";
// Drawers next to the game: the log, and tools for builders; what Escape closes; the side from which the board is seen.

const HIDDEN_PX = 4; // an answer of which no more is hidden counts as whole
let opener = null; // the button that opened the drawer

function openDrawer(id) {
  for (const drawer of document.querySelectorAll(".drawer")) drawer.classList.toggle("open", drawer.id === id);
  for (const button of document.querySelectorAll("[data-drawer]")) {
    button.setAttribute("aria-expanded", String(button.dataset.drawer === id));
  }
}

/** Close the open drawer and return the focus to the button that opened it; return whether a drawer was open. */
function closeDrawer() {
  const drawer = document.querySelector(".drawer.open");
  if (!drawer) return false;
  openDrawer(null);
  (opener?.isConnected ? opener : document.querySelector(`[data-drawer="${drawer.id}"]`))?.focus();
  return true;
}

clicks["[data-drawer]"] = (button) => {
  if (button.getAttribute("aria-expanded") === "true") return closeDrawer();
  opener = button;
  openDrawer(button.dataset.drawer);
  document.querySelector(".drawer.open [data-close]").focus();
};
clicks["[data-close]"] = closeDrawer;

const OPENED = "#ask .moves[open]:not(.given)"; // a list of answers that a person has opened

// An open drawer or list covers the page (play.css): a click next to it meets nothing but the body.
document.addEventListener("click", (event) => {
  if (event.target !== document.body || closeDrawer()) return;
  for (const list of document.querySelectorAll(OPENED)) list.open = false;
});

// A list that a person has opened is shown, and not left below the edge of its box.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches(OPENED) && target.matches(":focus-within")) target.scrollIntoView({ block: "nearest" });
}, { capture: true });

// An answer that is half hidden below the edge of its box is shown whole, and not given: the press may have been meant
// for what is outside. A key's press has no place, and the focus has shown the answer already.
document.addEventListener("click", (event) => {
  const button = event.detail ? event.target.closest("#ask button") : null;
  if (!button) return;
  const place = button.getBoundingClientRect();
  const box = (button.closest(`${OPENED} .answers`) ?? document.getElementById("ask")).getBoundingClientRect();
  if (place.height > box.height || (place.bottom <= box.bottom + HIDDEN_PX && place.top >= box.top - HIDDEN_PX)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  button.scrollIntoView({ block: "nearest" });
}, { capture: true });

/** Show or hide how the piece moves, where there is no room for it; return whether it was shown. */
function showMoves(isShown) {
  const wasShown = document.getElementById("movements")?.classList.contains("open") ?? false;
  document.getElementById("movements")?.classList.toggle("open", isShown);
  document.querySelector("[data-how]")?.setAttribute("aria-expanded", String(isShown));
  return wasShown;
}

document.addEventListener("click", ({ target }) => {
  showMoves(target.closest("[data-how]")?.getAttribute("aria-expanded") === "false");
});

// Once the match is left, the cards are what one looks for.
swapping.push((id, element) => {
  if (id === "first" && !element.firstElementChild) return () => { if (element.firstElementChild) closeDrawer(); };
});

/** Close the list in which the focus is, or show it closed again; return whether there was an open one. */
function closeDetails(target) {
  const details = target.closest("details[open]:not(.workshop)"); // whose buttons keep the focus
  if (!details) return false;
  details.open = false;
  details.querySelector("summary").focus();
  return true;
}

// Escape closes what is open, before it is the knob's Back.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return; // a dialog closes by itself
  if (!closeExplanation() && !closeCard() && !disarm() && !closeDetails(event.target) && !closeDrawer() && !showMoves(false) && !leaveSquare() && !putBack()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// --- the side from which the board is seen -------------------------------------------------------------------------

const SIDE = `captains-table-side-${page}`;

function remembered() {
  try { return localStorage.getItem(SIDE); } catch { return null; }
}

/** Show the board from a side, and store the side in the address. */
function lookFrom(side) {
  query.set("side", side);
  here.set("side", side);
  history.replaceState(null, "", `${location.pathname}?${here}`);
}

clicks["[data-flip]"] = () => {
  const isBlack = document.querySelector("#board [data-square]")?.dataset.square.startsWith("a") === false;
  const side = isBlack ? "white" : "black";
  lookFrom(side);
  try { localStorage.setItem(SIDE, side); } catch { /* it works for this page without being stored */ }
  listen();
};

if (!here.has("side") && remembered() && remembered() !== query.get("side")) lookFrom(remembered());
