"use strict";
// Swaps the fragments a page was sent into it, without losing what somebody is at just now.

const shown = new Map();
const swapping = []; // each is told what is about to be swapped, and returns what it does once it is
const waiting = new Map(); // what is shown as soon as that is let go
const TAP_MS = 300;
let write = (element, html) => { element.innerHTML = html; }; // a page may know a way that leaves more as it was
let touched = null; // what the pointer or the space bar is held on

/** Return a selector for the focused element that finds its successor after a swap. */
function focusIn(element) {
  const active = document.activeElement;
  if (!active || active === element || !element.contains(active)) return null;
  for (const name of ["data-square", "data-cell", "data-pick", "data-fill", "data-die", "data-take", "data-post", "data-button", "name"]) {
    if (active.hasAttribute(name)) return `[${name}="${CSS.escape(active.getAttribute(name))}"]`;
  }
  return active.id ? `#${CSS.escape(active.id)}` : null;
}

/** Return what was typed and not sent yet, by the field's name and what it answers: a bid of others must not wipe it out. */
function typedIn(element) {
  const inputs = [...element.querySelectorAll('input:not([type="hidden"])')].filter((input) => input.value !== input.defaultValue);
  return [...inputs, ...element.querySelectorAll("select")].map((input) => [input.name, input.value, askedIn(input)]);
}

/** What is typed or chosen belongs to its question: to one auction, not to the next. */
function askedIn(input) {
  const { asked, auction } = input.closest("[data-asked]")?.dataset ?? {};
  return `${asked} ${auction}`;
}

/** Put back what still answers the question; where a choice is no option any more, nothing is chosen. */
function typeAgain(element, [name, value, asked]) {
  const input = element.querySelector(`[name="${CSS.escape(name)}"]`);
  if (!input || askedIn(input) !== asked) return;
  const isOffered = !input.options || [...input.options].some((option) => option.value === value);
  input.value = isOffered ? value : "";
}

/** A picture that is only replaced by another keeps its element, so that it does not flicker. */
function swapPicture(element, html) {
  const old = element.querySelector(":scope > img:only-child");
  if (!old) return false;
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  if (!fresh || fresh.tagName !== "IMG") return false;
  old.src = fresh.getAttribute("src");
  old.alt = fresh.alt;
  return true;
}

function swap(id, html) {
  const element = document.getElementById(id);
  waiting.delete(id);
  if (!element || shown.get(id) === html) return;
  // A click is lost if what it began on is gone when it ends.
  if (element.contains(touched)) return void waiting.set(id, html);
  shown.set(id, html);
  if (swapPicture(element, html)) return;
  const focus = focusIn(element);
  const typed = typedIn(element);
  const open = [...element.querySelectorAll("details[open][id]")].map((details) => details.id);
  const after = swapping.map((look) => look(id, element));
  write(element, html);
  for (const details of open) document.getElementById(details)?.setAttribute("open", "");
  for (const answer of typed) typeAgain(element, answer);
  const successor = focus && element.querySelector(focus);
  if (successor) {
    if (successor.dataset.square) makeTabStop(successor);
    successor.focus({ preventScroll: true });
  }
  for (const act of after) act?.();
}

/** Show a fragment as the table sent it last: what was shown before its answer came was refused. */
function restore(id) {
  const html = shown.get(id);
  if (html === undefined) return;
  shown.delete(id);
  swap(id, html);
}

function swapAll(fragments) {
  for (const [id, html] of Object.entries(fragments)) swap(id, html);
}

function letGo() {
  touched = null;
  for (const [id, html] of [...waiting]) swap(id, html);
}

let lettingGo = 0;

/** The click comes first: after a mouse's release at once, after a finger's once the browser knows that it was a tap. */
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

/** Only one square can be reached by Tab; the arrows go on from there. */
function makeTabStop(square) {
  for (const other of document.querySelectorAll('[data-square][tabindex="0"]')) other.setAttribute("tabindex", "-1");
  square.setAttribute("tabindex", "0");
}
