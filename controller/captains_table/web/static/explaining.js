"use strict";
// What does this do? The pointer rests on a thing, a finger holds it, or F1 is pressed: a box next to it explains it.

const REST_MS = 1100; // so long the pointer rests
const TOUCH_MS = 600;
const LEAVE_MS = 350; // in which the pointer may reach the box from the thing
const STRAY_PX = 10;
const PLACES = { // which thing an element is, for the table; other elements say it by `data-what`
  "[data-what]": (each) => each.dataset.what,
  "[data-pick], [data-fill]": (each) => `pick ${each.dataset.pick || each.dataset.fill}`,
  "[data-die], [data-shown]": (each) => `die ${each.dataset.die || each.dataset.shown}`,
  "[data-square]": (each) => `square ${each.dataset.square}`,
  "[data-button=roll], [data-cast]": () => "roll",
  "[data-throw]": () => "keep",
  "[data-undo]": () => "pick take-back",
  "[data-back]": () => "pick back",
  "[data-bell]": () => "bell",
  "[data-act], [data-bid]": () => "bid",
  "[data-amount]": () => "amount",
};
const explanation = document.createElement("div");
explanation.className = "explanation";
explanation.setAttribute("role", "status");
explanation.hidden = true;
document.body.append(explanation);
let explained = null; // the element that is explained, or will be
let resting = 0;
let fading = 0;

/** Return the innermost element that can be explained around an element, and which thing it is; `null` without one. */
function thingAt(element) {
  const found = Object.keys(PLACES).map((selector) => [element?.closest?.(selector), PLACES[selector]]).filter(([each]) => each);
  const inner = found.find(([each]) => found.every(([other]) => other.contains(each)));
  return inner ? { element: inner[0], of: inner[1](inner[0]) } : null;
}

/** Return the move grids under the pointer, which lets the answers below them be pressed; `null` without. */
function gridsAt({ clientX, clientY }) {
  const isOver = ({ left, right, top, bottom }) => left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  const grid = [...document.querySelectorAll(".movements figure")].find((each) => isOver(each.getBoundingClientRect()));
  return grid ? { element: grid, of: "grid" } : null;
}

/** Show what a thing means; where nothing is known of it, what its title says. */
async function explain({ element, of }) {
  closeExplanation();
  explained = element;
  const answer = await fetch(`/meaning?${new URLSearchParams({ of })}`).catch(() => null);
  const { sentences, rules } = answer?.ok ? await answer.json() : { sentences: [], rules: "" };
  if (explained !== element || !element.isConnected) return;
  const title = element.title || element.dataset.title;
  const isRefused = element.getAttribute("aria-disabled") === "true"; // then only the reason is of interest
  const sentence = title && `${title[0].toUpperCase()}${title.slice(1)}${title.endsWith(".") ? "" : "."}`;
  const own = title && !sentences.some(({ words }) => words === sentence) ? [{ words: sentence, rule: "" }] : [];
  const shown = [...own, ...(isRefused && title ? [] : sentences)];
  if (!shown.length) return;
  explanation.replaceChildren(...shown.map((each) => paragraph(each, rules)));
  explanation.hidden = false;
  placeNextTo(explanation, element, true); // below are the answers
}

function paragraph({ words, rule }, rules) {
  const line = document.createElement("p");
  line.append(words);
  if (!rule) return line;
  const link = document.createElement(rules ? "a" : "span");
  link.textContent = rules ? inWords("Rule {rule}", { rule }) : rule;
  if (rules) link.href = `${rules}#${rule}`;
  line.append(" ", link);
  return line;
}

function hideExplanation() {
  fading = 0;
  explanation.hidden = true;
  explanation.replaceChildren();
  explained = null;
}

/** Close the box, and let none open; return whether it was open. */
function closeExplanation() {
  clearTimeout(resting);
  clearTimeout(fading);
  const wasOpen = !explanation.hidden;
  if (explanation.contains(document.activeElement)) explained?.focus?.();
  hideExplanation();
  return wasOpen;
}

function wants(setting) {
  try { return localStorage.getItem(`captains-table.${setting}`) !== "off"; } catch { return true; }
}

const explains = () => wants("explain");

// The browser's own hint would cover the box: while the pointer is over a thing, the title is kept elsewhere.
let untitled = null;
function hideTitle(element) {
  if (untitled === element) return;
  if (untitled?.dataset.title) untitled.title = untitled.dataset.title;
  delete untitled?.dataset.title;
  untitled = element;
  if (!element?.title) return;
  element.dataset.title = element.title;
  element.removeAttribute("title");
}

document.addEventListener("pointermove", (event) => {
  if (event.pointerType === "touch") return;
  clearTimeout(resting);
  const thing = explains() ? thingAt(event.target) ?? gridsAt(event) : null;
  if (explanation.contains(event.target) || (thing?.element === explained && !explanation.hidden)) {
    clearTimeout(fading);
    fading = 0;
    return;
  }
  hideTitle(thing?.element ?? null);
  if (!explanation.hidden && !fading) fading = setTimeout(hideExplanation, LEAVE_MS);
  if (thing && !event.buttons) resting = setTimeout(explain, REST_MS, thing);
});
document.addEventListener("pointerdown", (event) => {
  if (!explanation.contains(event.target)) closeExplanation();
});

// A finger that holds a thing asks too, but not on the button that one holds to throw; the click that follows is none.
let touch = null;
document.addEventListener("pointerdown", (event) => {
  touch = null;
  const thing = event.pointerType === "touch" && event.isPrimary && thingAt(event.target);
  if (!thing || !explains() || thing.of === "roll" || explanation.contains(event.target)) return;
  touch = { x: event.clientX, y: event.clientY, isOver: false };
  resting = setTimeout(() => {
    touch.isOver = true;
    abandonDrag();
    showPut();
    explain(thing);
  }, TOUCH_MS);
});
document.addEventListener("pointermove", (event) => {
  if (touch && !touch.isOver && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > STRAY_PX) clearTimeout(resting);
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    if (touch && !touch.isOver) clearTimeout(resting);
    setTimeout((ended) => { if (touch === ended) touch = null; }, LEAVE_MS, touch); // the click of this touch has come
  });
}
document.addEventListener("click", (event) => {
  if (!touch?.isOver) return;
  touch = null;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
document.addEventListener("contextmenu", (event) => { if (touch?.isOver) event.preventDefault(); });

document.addEventListener("keydown", (event) => {
  if (event.key !== "F1") return;
  event.preventDefault();
  const thing = thingAt(document.activeElement) ?? thingAt(document.querySelector(".at-cursor")) ?? thingAt(untitled);
  if (thing) explain(thing).then(() => explanation.querySelector("a")?.focus());
  else say(inWords("Nothing is explained here: point at something in the match, or go to it by Tab, and press F1."));
});

// --- a card tells of what comes up rarely, when it is possible for the first time -----------------------------------

const TOLD = "captains-table.told";
const card = document.createElement("div");
card.className = "first-card paper";
card.setAttribute("role", "status");
card.hidden = true;
document.body.append(card);

function toldBefore() {
  try { return JSON.parse(localStorage.getItem(TOLD)) ?? []; } catch { return []; }
}

function tell({ game, card: title, says, rule, rules }) {
  card.dataset.title = title;
  try { localStorage.setItem(TOLD, JSON.stringify([...toldBefore(), `${game}/${title}`])); } catch { /* it is told again */ }
  const heading = document.createElement("h2");
  heading.textContent = title;
  const [understood, never] = [inWords("I see"), inWords("No more cards")].map((label) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = label;
    return button;
  });
  understood.classList.add("primary");
  understood.addEventListener("click", closeCard);
  never.addEventListener("click", () => {
    try { localStorage.setItem("captains-table.cards", "off"); } catch { /* then it counts for this card */ }
    closeCard();
    say(inWords("Settings has the cards, for when you want them again."));
  });
  const ways = document.createElement("p");
  ways.append(understood, " ", never);
  card.replaceChildren(heading, paragraph({ words: says, rule }, rules), ways);
  card.hidden = false;
}

/** Close the card; return whether it was open. */
function closeCard() {
  const wasOpen = !card.hidden;
  card.hidden = true;
  return wasOpen;
}

document.addEventListener("pointerdown", (event) => { if (!card.contains(event.target)) closeCard(); });
swapping.push((id, element) => {
  if (id !== "ask") return undefined;
  return () => {
    const possible = [...element.querySelectorAll("template[data-card]")];
    if (!possible.some((each) => each.dataset.card === card.dataset.title)) closeCard();
    if (!card.hidden || !wants("cards")) return;
    const before = toldBefore();
    const due = possible.find(({ dataset }) => !before.includes(`${dataset.game}/${dataset.card}`));
    if (due) tell(due.dataset);
  };
});
