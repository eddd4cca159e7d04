"use strict";
// The table's buttons: a button is held while its pointer or key is; and the roll button of a seat's page.

const held = new Map(); // the pointer or key that holds a button -> the button

function press(holder, button) {
  if (held.has(holder) || isCalm()) return;
  held.set(holder, button);
  if (button === "next") document.body.classList.add("by-knob");
  show(button, true);
  post(`/button/${button}/press`, {}, () => restore("dice"));
}

function release(holder) {
  const button = held.get(holder);
  if (!button) return;
  held.delete(holder);
  show(button, false);
  post(`/button/${button}/release`);
}

function show(button, down) {
  const knob = document.querySelector(`[data-button="${button}"]`);
  knob?.classList.toggle("down", down);
  if (button !== "roll" || !knob) return;
  if (down) tumbleAtOnce(knob);
  else settleGuess();
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
  if (event.target.closest("[data-button], [data-cast], [data-board]")) event.preventDefault(); // a long press on a phone is a hold
});
window.addEventListener("blur", () => { for (const holder of [...held.keys()]) release(holder); });
window.addEventListener("pagehide", () => {
  for (const button of held.values()) fetch(`/button/${button}/release?${query}`, { method: "POST", keepalive: true });
  held.clear();
});

// --- the knob's cursor is shown from the knob's first use until the page is touched ----------------------------------

/** Return the question with its answers, and the answer under the cursor. */
function cursorIn(ask) {
  const question = [ask.querySelector("[data-asked]")?.dataset.revision, ...[...ask.querySelectorAll("[data-pick]")].map((pick) => pick.dataset.pick)];
  return { question: question.join(" "), pick: ask.querySelector(".at-cursor")?.dataset.pick };
}

swapping.push((id, element) => {
  if (id !== "ask") return undefined;
  const before = cursorIn(element);
  return () => {
    const { question, pick } = cursorIn(element);
    if (question === before.question && pick !== before.pick) document.body.classList.add("by-knob");
  };
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("[data-button]")) document.body.classList.remove("by-knob");
});

// --- a seat throws its own dice: the table is sent how long the button was held ------------------------------------

let heldSince = 0;
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-cast]");
  if (!button) return;
  heldSince = performance.now();
  tumbleAtOnce(button);
});
document.addEventListener("pointerup", () => { if (heldSince) settleGuess(); });

clicks["[data-cast]"] = (button) => {
  const heldMs = heldSince ? Math.round(performance.now() - heldSince) : 0;
  heldSince = 0;
  if (button.getAttribute("aria-disabled") === "true") return;
  tumbleAtOnce(button);
  post("/seat/throw", { held_ms: heldMs, revision: Number(button.dataset.revision) }, () => restore("dice"));
};
