"use strict";
// Moves picked on a board that nobody reads: the square a piece leaves, then the one it goes to. Where two moves look
// alike, as with and without levelling up, the list below the question says which.

let leaving = ""; // the square whose piece was chosen

/** Return the moves on offer that begin so, as they are listed. */
function movesFrom(start) {
  return [...document.querySelectorAll("#moves [data-pick]")].filter((button) => button.dataset.pick.startsWith(start));
}

function chooseSquare(name) {
  for (const square of document.querySelectorAll("#board .lifted, #board .may-go")) square.classList.remove("lifted", "may-go");
  leaving = name;
  const square = name && document.querySelector(`#board [data-square="${name}"]`);
  if (!square) return;
  square.classList.add("lifted");
  for (const end of (square.dataset.to || "").split(" ").filter(Boolean)) {
    document.querySelector(`#board [data-square="${end}"]`)?.classList.add("may-go");
  }
  if (movesFrom(`${name}-off`).length) say(`Choose ${name} again to leave the board.`);
}

function pickOf(found) {
  chooseSquare("");
  if (found.length === 1) return answer(found[0], { type: "pick", id: found[0].dataset.pick });
  for (const button of document.querySelectorAll("#moves .at-cursor")) button.classList.remove("at-cursor");
  for (const button of found) button.classList.add("at-cursor");
  say("More than one move goes there: choose in the list.");
  found[0].closest("details").open = true;
  found[0].focus();
}

clicks["[data-picks] [data-square]"] = (square) => {
  const name = square.dataset.square;
  makeTabStop(square);
  const found = leaving ? movesFrom(leaving === name ? `${name}-off` : leaving + name) : movesFrom(`summon-${name}`);
  if (found.length) return pickOf(found);
  chooseSquare(leaving === name || !movesFrom(name).length ? "" : name);
};

// Arrows walk on the board, Enter chooses: also on the game master's page.
document.addEventListener("keydown", (event) => {
  const square = event.target.closest("[data-picks] [data-square]");
  if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
  const squares = [...square.closest("[data-picks]").querySelectorAll("[data-square]")];
  const files = Number(square.closest("[data-picks]").dataset.files);
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -files, ArrowDown: files }[event.key];
  if (event.key === "Enter") square.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (step) walkTo(squares, squares.indexOf(square), step, files);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation(); // the arrows are no knobs here
});

function walkTo(squares, from, step, files) {
  const to = from + step;
  const staysInRow = Math.abs(step) !== 1 || Math.floor(from / files) === Math.floor(to / files);
  if (!squares[to] || !staysInRow) return;
  makeTabStop(squares[to]);
  squares[to].focus();
}
