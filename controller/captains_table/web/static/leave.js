// The button that leaves the match: held like *back* at the table, its progress shown. Whoever cannot hold, with a switch
// or a screen reader, presses it twice, and it is held for him; a third press lets it go.

const TAP_MS = 350; // shorter is a tap: *back* goes down only after that, because a tap on *back* means something else
const GRACE_MS = 400; // the table counts from when the press reaches it
const SURE_MS = 8000;

let hold = null; // { button, pressed, timer, shown, byItself }
let sure = null; // { button, until }: the button that counts a second tap, and how long
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

/** Let go; a tap asks for a second one, which has the button held. */
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
document.addEventListener("click", (event) => { // one that nobody pressed: a screen reader's
  const button = knob(event);
  if (!button || event.detail !== 0) return;
  if (hold) end();
  else tap(button);
});
addEventListener("blur", end);
addEventListener("pagehide", () => { if (hold?.pressed) navigator.sendBeacon("/button/back/release?page=table"); });
