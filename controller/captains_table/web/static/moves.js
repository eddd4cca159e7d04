"use strict";
// Picks moves by clicks at a table without a board: first the square that the piece leaves, then the target. Where two
// moves have the same squares, as with and without levelling up, the list below the question distinguishes them.

let leaving = ""; // the square of the chosen piece

/** Return the offered moves that begin on a square, in the order of the list. */
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
  if (movesFrom(`${name}-off`).length) say(inWords("Choose {square} again to leave the board.", { square: name }));
}

/** Forget the square that was chosen; return whether one was. */
function leaveSquare() {
  const wasChosen = leaving !== "";
  chooseSquare("");
  return wasChosen;
}

function pickOf(found) {
  chooseSquare("");
  if (found.length === 1) return answer(found[0], { type: "pick", id: found[0].dataset.pick });
  for (const button of document.querySelectorAll("#moves .meant")) button.classList.remove("meant");
  for (const button of found) button.classList.add("meant");
  say(inWords("More than one move goes there: choose in the list."));
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

// Arrow keys move the focus on the board, Enter chooses; on the game master's page too.
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
  event.stopImmediatePropagation(); // here arrow keys do not press the table's buttons
});

function walkTo(squares, from, step, files) {
  const to = from + step;
  const staysInRow = Math.abs(step) !== 1 || Math.floor(from / files) === Math.floor(to / files);
  if (!squares[to] || !staysInRow) return;
  makeTabStop(squares[to]);
  squares[to].focus();
}
