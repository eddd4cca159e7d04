"use strict";
// Replaces a page's fragments by the new ones, and keeps focus, typed text and pressed elements.

const shown = new Map();
const swapping = []; // hooks called with each fragment before its swap; each may return a function to call after it
const waiting = new Map(); // fragments to swap in once the pressed element is released
const TAP_MS = 300;
let write = (element, html) => { element.innerHTML = html; }; // a page may install one that changes less
let touched = null; // the element on which the pointer or the space bar is held

/** Return a selector that finds the successor of the focused element after a swap. */
function focusIn(element) {
  const active = document.activeElement;
  if (!active || active === element || !element.contains(active)) return null;
  if (active.id) return `#${CSS.escape(active.id)}`;
  for (const name of ["data-square", "data-cell", "data-pick", "data-fill", "data-die", "data-take", "data-post", "data-button", "name"]) {
    if (active.hasAttribute(name)) return `[${name}="${CSS.escape(active.getAttribute(name))}"]`;
  }
  return null;
}

/** Return typed but unsent values with their field's name and question, so that another player's bid does not erase them. */
function typedIn(element) {
  const inputs = [...element.querySelectorAll('input:not([type="hidden"], [type="radio"])')].filter((input) => input.value !== input.defaultValue);
  return [...inputs, ...element.querySelectorAll("select")].map((input) => [input.name, input.value, askedIn(input)]);
}

/** Return the question or auction that a field belongs to; its value does not apply to the next one. */
function askedIn(input) {
  const { asked, auction } = input.closest("[data-asked]")?.dataset ?? {};
  return `${asked} ${auction}`;
}

/** Restore a value if its question is the same; a choice that is no longer offered is cleared. */
function typeAgain(element, [name, value, asked]) {
  const input = element.querySelector(`[name="${CSS.escape(name)}"]`);
  if (!input || askedIn(input) !== asked) return;
  const isOffered = !input.options || [...input.options].some((option) => option.value === value);
  input.value = isOffered ? value : "";
}

/** Replace only the source of a picture and keep its element, so that it does not flicker. */
function swapPicture(element, html) {
  const old = element.querySelector(":scope > img:only-child");
  if (!old) return false;
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  if (!fresh || fresh.tagName !== "IMG") return false;
  old.src = fresh.getAttribute("src");
  old.alt = fresh.alt;
  return true;
}

/** Return whether an element is already as some HTML has it: what a table sends first is what its page came with. */
function isLike(element, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.innerHTML === element.innerHTML;
}

function swap(id, html) {
  const element = document.getElementById(id);
  waiting.delete(id);
  if (!element || shown.get(id) === html) return;
  // A click is lost if its target is removed while it is pressed.
  if (element.contains(touched)) return void waiting.set(id, html);
  const isFirst = !shown.has(id);
  shown.set(id, html);
  if (swapPicture(element, html)) return;
  const focus = focusIn(element);
  const typed = typedIn(element);
  const open = [...element.querySelectorAll("details[open][id]")].map((details) => details.id);
  const chosen = [...element.querySelectorAll("[type=radio][id]:checked")].map((disc) => disc.id);
  const after = swapping.map((look) => look(id, element));
  if (!isFirst || !isLike(element, html)) write(element, html);
  for (const disc of chosen) { const again = document.getElementById(disc); if (again) again.checked = true; }
  for (const details of open) document.getElementById(details)?.setAttribute("open", "");
  for (const answer of typed) typeAgain(element, answer);
  const successor = focus && element.querySelector(focus);
  if (successor) {
    if (successor.dataset.square) makeTabStop(successor);
    successor.focus({ preventScroll: true });
  }
  for (const act of after) act?.();
}

/** Show a fragment as the table sent it last, because a change shown in advance was refused. */
function restore(id) {
  const html = shown.get(id);
  if (html === undefined) return;
  shown.delete(id);
  swap(id, html);
}

const TELLING = ["log", "news", "tallies"]; // these tell what was thrown: they wait until the dice lie
let lieAt = 0; // when the dice that settle will lie still

function swapAll({ dice, ...others }) {
  if (dice !== undefined) swap("dice", dice);
  const ms = lieAt - performance.now();
  for (const [id, html] of Object.entries(others)) {
    if (ms <= 0 || !TELLING.includes(id)) { swap(id, html); continue; }
    waiting.set(id, html);
    setTimeout(() => { if (waiting.get(id) === html) swap(id, html); }, ms);
  }
}

function letGo() {
  touched = null;
  for (const [id, html] of [...waiting]) swap(id, html);
}

let lettingGo = 0;

/** Wait for the click: with a mouse it follows at once, with a finger after the browser has recognised a tap. */
function letGoSoon(ms) {
  clearTimeout(lettingGo);
  lettingGo = setTimeout(letGo, ms);
}

document.addEventListener("pointerdown", (event) => {
  clearTimeout(lettingGo);
  touched = event.target;
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => letGoSoon(event.pointerType === "touch" && end === "pointerup" ? TAP_MS : 0));
}
document.addEventListener("keydown", (event) => {
  if (event.key !== " ") return;
  clearTimeout(lettingGo);
  touched = event.target;
});
document.addEventListener("keyup", (event) => {
  if (event.key === " ") letGoSoon(0);
});
document.addEventListener("click", () => letGoSoon(0));
window.addEventListener("blur", letGo);

/** Make a square the only tab stop of the board; arrow keys move on from it. */
function makeTabStop(square) {
  for (const other of document.querySelectorAll('[data-square][tabindex="0"]')) other.setAttribute("tabindex", "-1");
  square.setAttribute("tabindex", "0");
}

// The pointer does not focus a square, or the next key would frame it.
document.addEventListener("mousedown", (event) => {
  if (!event.target.closest("[data-square]")) return;
  event.preventDefault();
  document.activeElement?.blur();
});
