"use strict";
// Adds and removes players' rows in the form for a new match, and hides the name field of a computer and options that
// have no effect. Without this script the server does it, and drops these options.

const form = document.getElementById("form");
const further = form.querySelector(".more-options");
const players = form.querySelector(".players");
const rows = [...players.querySelectorAll(":scope > .player")].map((row) => ({
  label: row.querySelector("label"),
  own: [...row.querySelectorAll(".of-seat")],
  name: row.querySelector("input"),
  who: row.querySelector(".who"),
}));
const least = Number(players.dataset.least);
const more = players.querySelector("[data-more]");
const fewer = players.querySelector("[data-fewer]");

function shown() {
  return rows.filter(({ label }) => !label.hidden).length;
}

function settle({ label, own, name, who }, index) {
  const isComputer = Boolean(who?.value);
  name.disabled = label.hidden || isComputer;
  name.required = index < least && !isComputer;
  if (who) who.disabled = label.hidden;
  for (const option of own) {
    option.hidden = label.hidden;
    option.querySelector("input, select").disabled = label.hidden || option.classList.contains("moot");
  }
}

function settleAll() {
  for (const option of form.querySelectorAll("[data-of]")) {
    const isMoot = form.elements[option.dataset.of].value === option.dataset.mootAt;
    option.classList.toggle("moot", isMoot);
    option.querySelector("input, select").disabled = isMoot;
  }
  rows.forEach(settle);
}

function show(count) {
  for (const [index, { label }] of rows.entries()) label.hidden = index >= count;
  rows.forEach(settle);
  if (more) more.disabled = count >= rows.length;
  if (fewer) fewer.disabled = count <= least;
}

function focusLast() {
  const { name, who } = rows[shown() - 1];
  (name.disabled ? who : name).focus();
}

form.addEventListener("input", settleAll);
form.addEventListener("invalid", () => { if (further) further.open = true; }, true); // what is refused can be seen
window.addEventListener("pageshow", settleAll); // a browser restores earlier choices on its own
settleAll();

more?.addEventListener("click", (event) => {
  event.preventDefault();
  show(shown() + 1);
  focusLast();
});
fewer?.addEventListener("click", (event) => {
  event.preventDefault();
  const { own, name, who } = rows[shown() - 1];
  name.value = "";
  for (const option of own) option.querySelector("input, select").value = "";
  if (who) who.value = "";
  show(shown() - 1);
  focusLast();
});
