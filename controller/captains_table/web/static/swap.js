// Swaps the fragments a page was sent into it, without losing what somebody is at just now.

/** What is shown of each fragment, by its id. */
export const shown = new Map();
const waiting = new Map(); // what is shown as soon as the pointer is let go
let touched = null; // what the pointer is held on

/** Only one square can be reached by Tab; the arrows go on from there. */
export function makeTabStop(square) {
  for (const other of document.querySelectorAll('[data-square][tabindex="0"]')) other.setAttribute("tabindex", "-1");
  square.setAttribute("tabindex", "0");
}

/** Return a selector for the focused element that finds its successor after a swap. */
function focusIn(element) {
  const active = document.activeElement;
  if (!active || active === element || !element.contains(active)) return null;
  for (const name of ["data-square", "data-pick", "data-die", "data-take", "data-post", "name"]) {
    if (active.hasAttribute(name)) return `[${name}="${CSS.escape(active.getAttribute(name))}"]`;
  }
  return active.id ? `#${CSS.escape(active.id)}` : null;
}

/** Return what was typed and not sent yet, by the field's name: somebody else's bid must not wipe it out. */
function typedIn(element) {
  const inputs = [...element.querySelectorAll('input[name^="bid-"], input[name="words-text"]')].filter((input) => input.value !== input.defaultValue);
  return inputs.map((input) => [input.name, input.value]);
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
  element.innerHTML = html;
  for (const details of open) document.getElementById(details)?.setAttribute("open", "");
  for (const [name, value] of typed) {
    const input = element.querySelector(`input[name="${CSS.escape(name)}"]`);
    if (input) input.value = value;
  }
  const successor = focus && element.querySelector(focus);
  if (successor) {
    if (successor.dataset.square) makeTabStop(successor);
    successor.focus({ preventScroll: true });
  }
}

/** Show fragments, by the ids of the elements they fill. */
export function swapAll(fragments) {
  for (const [id, html] of Object.entries(fragments)) swap(id, html);
}

function letGo() {
  touched = null;
  for (const [id, html] of [...waiting]) swap(id, html);
}

document.addEventListener("pointerdown", (event) => { touched = event.target; });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => setTimeout(letGo)); // the click comes first
}
window.addEventListener("blur", letGo);
