"use strict";
// What lies beside the game: drawers for the log and for those who build, and from which side the board is seen.

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

// --- the side one looks from ----------------------------------------------------------------------------------------

const SIDE = `captains-table-side-${page}`;

function remembered() {
  try { return localStorage.getItem(SIDE); } catch { return null; }
}

/** Look from a side: the address says so, for whoever comes back by it. */
function lookFrom(side) {
  query.set("side", side);
  here.set("side", side);
  history.replaceState(null, "", `${location.pathname}?${here}`);
}

clicks["[data-flip]"] = () => {
  const side = query.get("side") === "black" ? "white" : "black";
  lookFrom(side);
  try { localStorage.setItem(SIDE, side); } catch { /* it is seen so all the same */ }
  listen();
};

if (!here.has("side") && remembered() && remembered() !== query.get("side")) lookFrom(remembered());
