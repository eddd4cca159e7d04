"use strict";
// The page of one table of the club: keys that lead back to the wall, and to the previous and next table.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const ways = { Escape: "[data-back]", Backspace: "[data-back]", ArrowLeft: '[rel="prev"]', ArrowRight: '[rel="next"]' };
  const way = ways[event.key] && document.querySelector(ways[event.key]);
  if (way) location.assign(way.href);
});
