"use strict";
// Drawers next to the game: the log, tools for builders, and the side from which the board is seen.

function openDrawer(id) {
  for (const drawer of document.querySelectorAll(".drawer")) drawer.classList.toggle("open", drawer.id === id);
  for (const button of document.querySelectorAll("[data-drawer]")) {
    button.setAttribute("aria-expanded", String(button.dataset.drawer === id));
  }
}

clicks["[data-drawer]"] = (button) => {
  openDrawer(button.getAttribute("aria-expanded") === "true" ? null : button.dataset.drawer);
};
clicks["[data-close]"] = (button) => {
  const drawer = button.closest(".drawer").id;
  openDrawer(null);
  document.querySelector(`[data-drawer="${drawer}"]`)?.focus();
};

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
  const side = query.get("side") === "black" ? "white" : "black";
  lookFrom(side);
  try { localStorage.setItem(SIDE, side); } catch { /* it works for this page without being stored */ }
  listen();
};

if (!here.has("side") && remembered() && remembered() !== query.get("side")) lookFrom(remembered());
