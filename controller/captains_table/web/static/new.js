"use strict";
// Adds a player's field to the form for a new match, or takes the last one away. Without this the table does it.

const players = document.querySelector(".players");
const labels = [...players.querySelectorAll(":scope > label")];
const more = players.querySelector("[data-more]");
const fewer = players.querySelector("[data-fewer]");

function shown() {
  return labels.filter((label) => !label.hidden).length;
}

function show(count) {
  for (const [index, label] of labels.entries()) {
    label.hidden = index >= count;
    label.querySelector("input").disabled = label.hidden;
  }
  more.disabled = count >= labels.length;
  fewer.disabled = count <= Number(players.dataset.least);
}

more?.addEventListener("click", (event) => {
  event.preventDefault();
  show(shown() + 1);
  labels[shown() - 1].querySelector("input").focus();
});
fewer?.addEventListener("click", (event) => {
  event.preventDefault();
  labels[shown() - 1].querySelector("input").value = "";
  show(shown() - 1);
  labels[shown() - 1].querySelector("input").focus();
});
