// The button that leaves the match: held like the table's *back* button, with its progress shown. Users of a switch or
// a screen reader, who cannot hold it, press it twice: then the script holds it; a third press cancels.

const TAP_MS = 350; // a shorter press is a tap, for which *back* is not pressed, because it would mean something else
const GRACE_MS = 400; // the table counts from the arrival of the press
const SURE_MS = 8000;

let hold = null; // { button, pressed, timer, shown, byItself }
let sure = null; // { button, until }: the button that waits for a second tap, and until when
let queue = Promise.resolve();

function back(way) {
  queue = queue.then(() => fetch(`/button/back/${way}?page=table`, { method: "POST" })).catch(() => {});
}

function say(words) {
  const place = document.getElementById("leave-words");
  if (place) place.textContent = words;
}

function begin(button, byItself) {
  const whole = TAP_MS + Number(button.dataset.leave);
  hold = { button, byItself, pressed: false };
  hold.shown = button.querySelector(".hold-done").animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: whole, fill: "forwards" });
  hold.timer = setTimeout(() => { hold.pressed = true; back("press"); }, TAP_MS);
  if (byItself) {
    say("Leaving the match. Press again to stay.");
    hold.end = setTimeout(end, whole + GRACE_MS);
  }
}

/** Release the button; after a tap, wait for a second one, which makes the script hold it. */
function end() {
  if (!hold) return;
  const { button, pressed, byItself, timer, shown } = hold;
  clearTimeout(timer);
  clearTimeout(hold.end);
  hold = null;
  shown.cancel();
  if (pressed) back("release");
  if (byItself || pressed) return say("The match goes on.");
  tap(button);
}

function tap(button) {
  const isSure = sure?.button === button && performance.now() < sure.until;
  sure = isSure ? null : { button, until: performance.now() + SURE_MS };
  if (isSure) return begin(button, true);
  say("Really leave? Press again, or hold it.");
}

function knob(event) {
  return event.target.closest?.("[data-leave]");
}

document.addEventListener("pointerdown", (event) => {
  const button = knob(event);
  if (!button || event.button !== 0) return;
  if (hold) return end();
  button.setPointerCapture(event.pointerId);
  begin(button, false);
});
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => { if (hold && !hold.byItself) end(); });
}
document.addEventListener("contextmenu", (event) => { if (knob(event)) event.preventDefault(); });

const isPress = (event) => knob(event) && (event.key === " " || event.key === "Enter");
document.addEventListener("keydown", (event) => {
  if (!isPress(event)) return;
  event.preventDefault();
  if (event.repeat) return;
  if (hold) end();
  else begin(knob(event), false);
});
document.addEventListener("keyup", (event) => {
  if (isPress(event)) event.preventDefault();
  if (hold && !hold.byItself) end();
});
document.addEventListener("click", (event) => { // a click without a pointer comes from a screen reader
  const button = knob(event);
  if (!button || event.detail !== 0) return;
  if (hold) end();
  else tap(button);
});
addEventListener("blur", end);
addEventListener("pagehide", () => { if (hold?.pressed) navigator.sendBeacon("/button/back/release?page=table"); });
