"use strict";
// Clicks and submits: answers, dice to keep, forms.

const BESIDE_PX = 8;
let armed = null; // the button that waits for a second press: { button, label }
const consequence = document.createElement("p"); // what the second press will do, next to the button
consequence.className = "consequence";
consequence.setAttribute("role", "status");
document.body.append(consequence);

/** Ask for a second press before an irreversible action; return whether it was confirmed. */
function confirmed(button) {
  if (!button.dataset.confirm) return true;
  const isSure = armed?.button === button;
  disarm();
  if (!isSure) arm(button);
  return isSure;
}

/** Make a button ask for a second press, until one presses elsewhere or Escape: there may be something to read. */
function arm(button) {
  armed = { button, label: [...button.childNodes] };
  button.textContent = button.dataset.confirm;
  button.classList.add("sure");
  const words = button.title || button.dataset.title;
  if (!words) return;
  consequence.textContent = `${words}.`;
  placeNextTo(consequence, button);
}

/** Show a box below an element, or above it where there is no room or where that is wanted. */
function placeNextTo(box, element, wantsAbove = false) {
  const place = element.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = place.bottom + BESIDE_PX / 2; // above are the dice and the button that throws
  box.style.left = `${Math.max(BESIDE_PX, Math.min(place.left, innerWidth - width - BESIDE_PX))}px`;
  const above = place.top - height - BESIDE_PX;
  box.style.top = `${(wantsAbove ? above >= 0 : below + height > innerHeight) ? Math.max(0, above) : below}px`;
}

/** Stop asking for a second press; return whether a button asked for one. */
function disarm() {
  if (!armed) return false;
  consequence.textContent = "";
  armed.button.replaceChildren(...armed.label);
  armed.button.classList.remove("sure");
  armed = null;
  return true;
}

// A second press confirms only its own button; any other action or display in between cancels.
for (const kind of ["pointerdown", "focusin", "change", "click"]) {
  document.addEventListener(kind, (event) => { if (!armed?.button.contains(event.target)) disarm(); });
}
swapping.push((id, element) => {
  if (armed && element.contains(armed.button)) disarm();
});

// The card of a finished match comes where one has just played: for a moment it takes no press that was meant for that.
let calmMs = 1000;
let calmUntil = 0;
const isCalm = () => performance.now() < calmUntil;

swapping.push((id, element) => {
  if (id !== "result") return undefined;
  const wasOver = element.querySelector(".result") !== null;
  return () => {
    const ways = element.querySelectorAll(".result-ways");
    if (ways.length && !wasOver) {
      calmUntil = performance.now() + calmMs;
      setTimeout(() => { for (const each of element.querySelectorAll("[inert]")) each.inert = false; }, calmMs);
    }
    for (const each of ways) each.inert = isCalm();
  };
});

function keptDice() {
  return [...document.querySelectorAll('#dice [data-die][aria-pressed="true"]')].map((die) => Number(die.dataset.die));
}

const clicks = {
  "[data-pick]": (button) => {
    if (confirmed(button)) answer(button, { type: "pick", id: button.dataset.pick });
  },
  "[data-fill]": (box) => {
    if (confirmed(box)) answer(box, { type: "pick", id: box.dataset.fill });
  },
  "[data-die]": (die) => {
    die.setAttribute("aria-pressed", String(die.getAttribute("aria-pressed") !== "true")); // the table will confirm it
    post(`/die/${die.dataset.die}`, {}, () => restore("dice"));
  },
  "[data-throw]": (button) => answer(button, { type: "keep", dice: keptDice() }),
  "[data-undo]": (button) => {
    if (button.getAttribute("aria-disabled") === "true") say(button.title || button.dataset.title);
    else answer(button, { type: "pick", id: "take-back" });
  },
  "[data-back]": (button) => answer(button, { type: "pick", id: "take-back" }),
  "[data-bell]": (button) => {
    if (confirmed(button)) answer(button, { type: "bell" });
  },
  "[data-take]": (button) => post("/board/take", { piece: button.dataset.take }),
  "[data-mask]": (button) => {
    if (!confirmed(button)) return;
    post("/board/mask", { square: button.dataset.mask });
    queue.then(() => location.reload());
  },
  "[data-seat-player]": (button) => {
    const seat = Number(button.dataset.seatPlayer);
    const select = button.parentElement.querySelector("select");
    if (select && !select.reportValidity()) return; // no player is chosen
    const player = button.dataset.player ?? select.value;
    button.disabled = true; // until it is drawn again, because a second press would be refused
    post("/player", { seat, player }, () => { button.disabled = false; });
  },
  "[data-post]": (button) => {
    if (confirmed(button)) post(button.dataset.post);
  },
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
  const input = form.querySelector('input[type="number"]');
  const value = Number(input.value);
  if (form.dataset.bid === undefined) answer(form, { type: "amount", value });
  else if (!sendBid(form, value)) return;
  input.defaultValue = input.value; // it was sent: the next value may replace it
});
