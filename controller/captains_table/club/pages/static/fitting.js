"use strict";
// Shows as many players on each tile as have room, in whole lines, and the number of the others; news and log in whole
// lines too. Only the browser knows the sizes of tiles and lines.

/** Show as many lines of a list as have room: the group that contains the player on turn. */
function fitLines(list) {
  const more = list.querySelector(".more");
  const lines = [...list.children].filter((line) => line !== more);
  if (!more) return;
  const beyond = Number(list.dataset.beyond);
  for (const line of lines) line.hidden = false;
  more.hidden = beyond === 0;
  const room = cellsOf(list, lines) - 1; // the last place shows the number of further players
  const isAll = list.scrollHeight <= list.clientHeight + 1;
  const shown = isAll ? lines.length : Math.max(1, room);
  const acting = Math.max(0, lines.findIndex((line) => line.classList.contains("on-turn")));
  const first = Math.min(acting - (acting % shown), lines.length - shown);
  lines.forEach((line, place) => { line.hidden = place < first || place >= first + shown; });
  more.hidden = isAll && beyond === 0;
  more.textContent = document.querySelector(".wall").dataset.more.replace("{count}", beyond + lines.length - shown);
}

/** Return how many lines have room next to and below each other. */
function cellsOf(list, [line, ...others]) {
  const { top, height } = line.getBoundingClientRect();
  if (!height) return 0; // it is not displayed
  const across = 1 + others.filter((other) => other.getBoundingClientRect().top < top + height / 2).length;
  const gap = parseFloat(getComputedStyle(list).rowGap) || 0;
  return across * Math.floor((list.getBoundingClientRect().height + gap + 0.5) / (height + gap));
}

/** Hide the lines of a list that have no room. */
function leaveOut(list) {
  const lines = [...list.children];
  for (const line of lines) line.hidden = false;
  const end = list.getBoundingClientRect().bottom + 0.5;
  const beyond = lines.filter((line) => line.getBoundingClientRect().bottom > end);
  for (const line of beyond) line.hidden = true;
}

function fitTile(slot) {
  for (const list of slot.querySelectorAll(".tile-seats")) fitLines(list);
  for (const list of slot.querySelectorAll(".tile-news, .tile-log")) leaveOut(list);
}

const measured = new ResizeObserver((slots) => {
  for (const { target } of slots) {
    fitNames(target);
    fitTile(target);
  }
});
document.addEventListener("DOMContentLoaded", () => { for (const slot of document.querySelectorAll(".slot")) measured.observe(slot); });
