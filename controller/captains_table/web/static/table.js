// Shows what the table sends, and sends back what is clicked, held and typed. Nothing is decided here.

import { follow } from "./stream.js";
import { makeTabStop, shown, swapAll } from "./swap.js";

const page = document.body.dataset.page;
const here = new URLSearchParams(location.search);
const query = new URLSearchParams({ page: page || "display", side: here.get("side") || document.body.dataset.side || "white" });

// The token, or a seat's key, has become a cookie by now; it need not stay where others can read it over one's shoulder.
if (here.has("token") || here.has("key")) {
  here.delete("token");
  here.delete("key");
  history.replaceState(null, "", location.pathname + (here.size ? `?${here}` : ""));
}

// --- words for the player -------------------------------------------------------------------------------------------

const toast = document.getElementById("toast");
let toastTimer = 0;

function say(sentence) {
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

function showConnected(connected) {
  document.getElementById("connection").hidden = connected;
  document.body.classList.toggle("adrift", !connected);
}

// --- posting --------------------------------------------------------------------------------------------------------

let queue = Promise.resolve();

/** Post in the order things were done, so that a release never overtakes its press. */
function post(path, body = {}) {
  queue = queue.then(() => send(path, body));
}

async function send(path, body) {
  try {
    const answer = await fetch(`${path}?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return;
    const problem = await answer.json();
    say(problem.error);
    if (problem.fragments) swapAll(problem.fragments);
  } catch {
    say("The table cannot be reached. Nothing was sent.");
  }
}

function answer(element, action) {
  const revision = Number(element.closest("[data-revision]").dataset.revision);
  post("/answer", { revision, action });
}

// --- clicks ---------------------------------------------------------------------------------------------------------

/** Ask twice before something that cannot be undone; return whether it was confirmed. */
function confirmed(button) {
  if (!button.dataset.confirm || button.classList.contains("sure")) return true;
  const words = button.textContent;
  button.textContent = button.dataset.confirm;
  button.classList.add("sure");
  setTimeout(() => { button.textContent = words; button.classList.remove("sure"); }, 4000);
  return false;
}

function keptDice(ask) {
  return [...ask.querySelectorAll('[data-die][aria-pressed="true"]')].map((die) => Number(die.dataset.die));
}

let heldSince = 0; // when the button was pressed that throws a seat's dice
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest("[data-cast]")) heldSince = performance.now();
});

const clicks = {
  "[data-board] [data-square]": (square) => {
    makeTabStop(square);
    post("/board/click", { square: square.dataset.square });
  },
  "[data-pick]": (button) => {
    if (confirmed(button)) answer(button, { type: "pick", id: button.dataset.pick });
  },
  "[data-die]": (die) => {
    die.setAttribute("aria-pressed", String(die.getAttribute("aria-pressed") !== "true")); // the table will confirm it
    post(`/die/${die.dataset.die}`);
  },
  "[data-throw]": (button) => answer(button, { type: "keep", dice: keptDice(button.closest(".ask")) }),
  "[data-cast]": () => {
    const heldMs = heldSince ? Math.round(performance.now() - heldSince) : 0;
    heldSince = 0;
    post("/seat/throw", { held_ms: heldMs });
  },
  "[data-bell]": (button) => {
    if (confirmed(button)) answer(button, { type: "bell" });
  },
  "[data-take]": (button) => post("/board/take", { piece: button.dataset.take }),
  "[data-mask]": (button) => {
    if (!confirmed(button)) return;
    post("/board/mask", { square: button.dataset.mask });
    queue.then(() => location.reload());
  },
  "[data-post]": (button) => post(button.dataset.post),
};

document.addEventListener("click", (event) => {
  for (const [selector, act] of Object.entries(clicks)) {
    const element = event.target.closest(selector);
    if (element) return act(element);
  }
});

function giveWords(form) {
  const seat = Number(form.elements["words-seat"].value);
  const text = form.elements["words-text"];
  post("/words", { seat, text: text.value });
  text.value = "";
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-amount], [data-bid], [data-words]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.words !== undefined) return giveWords(form);
  const input = form.querySelector("input");
  const value = Number(input.value);
  input.defaultValue = input.value; // sent: what comes next may take its place
  if (form.dataset.bid === undefined) answer(form, { type: "amount", value });
  else answer(form, { type: "bid", seat: Number(form.dataset.bid), value });
});

// --- the table's buttons: what is held stays held -------------------------------------------------------------------

const held = new Map(); // what holds it (a pointer or a key) -> button

function press(holder, button) {
  if (held.has(holder)) return;
  held.set(holder, button);
  show(button, true);
  post(`/button/${button}/press`);
}

function release(holder) {
  const button = held.get(holder);
  if (!button) return;
  held.delete(holder);
  show(button, false);
  post(`/button/${button}/release`);
}

function show(button, down) {
  document.querySelector(`[data-button="${button}"]`)?.classList.toggle("down", down);
}

document.addEventListener("pointerdown", (event) => {
  const knob = event.target.closest("[data-button]");
  if (!knob || event.button !== 0) return;
  knob.setPointerCapture(event.pointerId);
  press(`pointer ${event.pointerId}`, knob.dataset.button);
});
for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
  document.addEventListener(end, (event) => release(`pointer ${event.pointerId}`));
}
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-button]")) event.preventDefault(); // a long press on a phone is a hold here
});
window.addEventListener("blur", () => { for (const holder of [...held.keys()]) release(holder); });
window.addEventListener("pagehide", () => {
  for (const button of held.values()) fetch(`/button/${button}/release?${query}`, { method: "POST", keepalive: true });
  held.clear();
});

// --- dragging a piece with the mouse is lifting it and putting it down; a finger's drag scrolls ---------------------

let dragged = null;

function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-board] [data-square]") || null;
}

document.addEventListener("pointerdown", (event) => {
  const handIsEmpty = !document.querySelector(".tray.hand");
  dragged = event.pointerType === "mouse" && event.button === 0 && handIsEmpty ? squareAt(event)?.dataset.square : null;
});
document.addEventListener("pointerup", (event) => {
  const target = dragged && squareAt(event)?.dataset.square;
  if (target && target !== dragged) {
    post("/board/click", { square: dragged });
    post("/board/click", { square: target });
  }
  dragged = null;
});

// --- the keyboard ---------------------------------------------------------------------------------------------------

const keys = {
  " ": "roll", Enter: "roll", ArrowDown: "next", n: "next", c: "choose", b: "back", Escape: "back",
};
const walks = { ArrowLeft: -1, ArrowRight: 1 };

function walk(square, key) {
  const squares = [...document.querySelectorAll("[data-board] [data-square]")];
  const files = Number(square.closest("[data-board]").dataset.files);
  const from = squares.indexOf(square);
  const to = key in walks ? from + walks[key] : from + (key === "ArrowUp" ? -files : files);
  const sameRow = Math.floor(from / files) === Math.floor(to / files);
  if (!squares[to] || (key in walks && !sameRow)) return;
  makeTabStop(squares[to]);
  squares[to].focus();
}

/** Return whether the focused element wants a key for itself. */
function keepsKey(target, key) {
  if (target.closest("input, select, textarea")) return true;
  return (key === " " || key === "Enter") && target.closest("button, a, summary") !== null;
}

function boardKey(square, key) {
  if (key === "Enter") square.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (key.startsWith("Arrow")) walk(square, key);
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (page !== "table" || event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const square = event.target.closest("[data-board] [data-square]");
  const knob = event.target.closest("[data-button]");
  if (square && boardKey(square, key)) return event.preventDefault();
  if (key === "?" && !keepsKey(event.target, key)) {
    event.preventDefault();
    return event.repeat ? undefined : post("/advice");
  }
  const button = knob && (key === " " || key === "Enter") ? knob.dataset.button : keys[key];
  if (!button || (!knob && keepsKey(event.target, key))) return;
  event.preventDefault();
  if (!event.repeat) press(`key ${event.code}`, button);
});
document.addEventListener("keyup", (event) => release(`key ${event.code}`));

function showEnded() {
  document.getElementById("ended")?.removeAttribute("hidden");
}

if (page) follow(query, { onFragments: swapAll, onConnected: showConnected, onGone: showEnded });

// What was shown and what is still on its way, for whoever looks at the page from its console.
Object.defineProperties(globalThis, { shown: { value: shown }, queue: { get: () => queue } });
