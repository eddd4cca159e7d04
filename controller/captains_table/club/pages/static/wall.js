"use strict";
// The wall of a club: the club lays tables out for this window and sends what changes (swap.js, stream.js). Pages turn by
// themselves until a spectator turns one, or moves the keyboard's focus to a table; some time after that they go on.

const STEP_PX = 20; // window sizes are rounded to this, so that similar windows share one rendering
const RESTS_MS = 60000;
const RESIZED_MS = 250;
const wall = document.querySelector(".wall");
const tiles = document.querySelector(".tiles");
const slots = [...document.querySelectorAll(".tiles .slot")];

// --- the layout, as the club computed it ---------------------------------------------------------------------------------

let plan = { columns: 1, rows: 1, pages: 1, page: 0 };

function layOut() {
  const told = document.querySelector("#plan i")?.dataset;
  if (!told) return;
  plan = { columns: Number(told.columns), rows: Number(told.rows), pages: Number(told.pages), page: Number(told.page) };
  tiles.style.setProperty("--columns", plan.columns);
  tiles.style.setProperty("--rows", plan.rows);
  wall.dataset.aside = told.aside;
  const sheet = document.querySelector(".who-plays");
  for (const name of ["columns", "lines", "letter"]) sheet?.style.setProperty(`--${name}`, sheet.dataset[name]);
  slots.forEach((slot, place) => slot.classList.toggle("beyond", place >= plan.columns * plan.rows));
}

// --- updating only what changed of a table: a throw of the dice does not redraw its board ---------------------------------

write = (element, html) => {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  become(element, fresh.content);
  fitTile(element);
};

/** Replace a node's children by those of another, keeping equal ones. */
function become(node, other) {
  const [own, theirs] = [[...node.childNodes], [...other.childNodes]];
  const isAlike = own.length === theirs.length && own.every((child, place) => child.nodeName === theirs[place].nodeName);
  if (!isAlike) return void node.replaceChildren(...theirs);
  own.forEach((child, place) => replace(child, theirs[place]));
}

function replace(node, other) {
  if (node.isEqualNode(other)) return;
  if (node.nodeType !== Node.ELEMENT_NODE || node.nodeName === "svg") return void node.replaceWith(other);
  for (const name of node.getAttributeNames()) if (!other.hasAttribute(name)) node.removeAttribute(name);
  for (const name of other.getAttributeNames()) {
    if (node.getAttribute(name) !== other.getAttribute(name)) node.setAttribute(name, other.getAttribute(name));
  }
  become(node, other);
}

// --- live updates from the club ---------------------------------------------------------------------------------------------------

let hangUp = () => {};
let turned = null; // the page a spectator turned to; null: pages turn by themselves

function size() {
  const down = (length) => Math.floor(length / STEP_PX) * STEP_PX;
  return { w: String(down(innerWidth)), h: String(down(innerHeight)) };
}

let followed = "";

function follow() {
  const query = new URLSearchParams({ page: "wall", ...size() });
  if (turned !== null) query.set("at", String(turned));
  if (String(query) === followed) return;
  document.cookie = `captains-table-window=${query.get("w")}x${query.get("h")}; path=/; max-age=31536000; samesite=strict`;
  followed = String(query);
  hangUp();
  hangUp = followTable(query, { onFragments: showAll, onConnected: showLine, onBoot: renewPage });
}

function showAll(fragments) {
  swapAll(fragments);
  layOut();
}

// --- turning pages, and going from table to table -----------------------------------------------------------------------

let resting = 0;

function turnTo(page) {
  turned = (page + plan.pages) % plan.pages;
  clearTimeout(resting);
  resting = setTimeout(letTurn, RESTS_MS);
  follow();
}

/** Let pages turn by themselves again, unless a table still has the keyboard's focus. */
function letTurn() {
  if (tiles.contains(document.activeElement)) return void (resting = setTimeout(letTurn, RESTS_MS));
  turned = null;
  follow();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-turn]");
  if (button) turnTo(plan.page + Number(button.dataset.turn));
});

tiles.addEventListener("focusin", () => { if (turned === null && plan.pages > 1) turnTo(plan.page); });

const STEPS = { ArrowLeft: () => -1, ArrowRight: () => 1, ArrowUp: () => -plan.columns, ArrowDown: () => plan.columns };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    document.activeElement?.blur();
    turned = null;
    return void follow();
  }
  if (event.key === "PageDown" || event.key === "PageUp") return void (plan.pages > 1 && turnTo(plan.page + (event.key === "PageDown" ? 1 : -1)));
  const step = STEPS[event.key]?.();
  if (step === undefined) return;
  const links = slots.slice(0, plan.columns * plan.rows).map((slot) => slot.querySelector("a")).filter(Boolean);
  const at = links.indexOf(document.activeElement);
  const to = at < 0 ? links[0] : links[at + step];
  event.preventDefault();
  if (to) to.focus();
  else if (at >= 0 && plan.pages > 1) turnTo(plan.page + Math.sign(step));
});

let resized = 0;
window.addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(follow, RESIZED_MS);
});
document.addEventListener("DOMContentLoaded", () => {
  layOut();
  fitNames(document);
  follow();
});
