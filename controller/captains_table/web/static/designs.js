"use strict";
// Draws a piece: sends each tap to the table, shows the result, and moves between cells by the arrow keys. The server
// computes everything; without this script the page works by full page loads.

{
  const form = document.getElementById("draw");
  const stops = {}; // per group of cells: the cell that Tab reaches, which is the last focused one
  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const TYPING_MS = 250;
  let drawn = Promise.resolve();
  let latest = null; // the state after the last tap, possibly not shown while the next one is pressed
  let asked = 0; // the number of taps that are not shown yet
  let typing = 0;

  /** Send taps in order, each based on the result of the one before. */
  function draw(...touch) {
    asked += 1;
    drawn = drawn.then(() => redraw(touch)).finally(() => { asked -= 1; });
  }

  async function redraw(touch) {
    const fields = new URLSearchParams(latest ?? new FormData(form));
    fields.set("name", form.elements.name.value);
    if (touch.length) fields.append(...touch);
    try {
      const answer = await fetch(`${form.dataset.redraw}?${fields}`, { headers: { Accept: "application/json" } });
      const found = await answer.json();
      if (!answer.ok) return void say(found.error);
      latest = found.address.split("?")[1];
      swapAll(found.fragments);
      settle();
      history.replaceState(null, "", found.address);
    } catch {
      say(inWords("The table cannot be reached. Nothing was drawn."));
    }
  }

  // --- the keyboard: one tab stop per group, arrow keys within it ---------------------------------------------------

  function cellsOf(group) {
    return [...group.querySelectorAll("[data-at]")];
  }

  function settle() {
    for (const group of form.querySelectorAll("[data-cells]")) {
      const cells = cellsOf(group);
      const stop = cells.find((cell) => cell.dataset.cell === stops[group.dataset.cells]) || cells[0];
      for (const cell of cells) cell.tabIndex = cell === stop ? 0 : -1;
    }
  }

  function placeOf(cell) {
    return cell.dataset.at.split(" ").map(Number);
  }

  /** Return the next cell in a direction: in line if there is one, else the nearest to that line. */
  function beyond(cell, [down, right]) {
    const [row, column] = placeOf(cell);
    const far = (other) => {
      const [toRow, toColumn] = placeOf(other);
      const ahead = (toRow - row) * down + (toColumn - column) * right;
      const aside = Math.abs((toRow - row) * right) + Math.abs((toColumn - column) * down);
      return ahead > 0 ? ahead + 10 * aside : Infinity;
    };
    const others = cellsOf(cell.closest("[data-cells]")).sort((one, other) => far(one) - far(other));
    return far(others[0]) < Infinity ? others[0] : null;
  }

  form.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-at]");
    const step = STEPS[event.key];
    if (!cell || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    beyond(cell, step)?.focus();
  });
  form.addEventListener("focusin", (event) => {
    const group = event.target.closest("[data-cells]");
    if (!group) return;
    stops[group.dataset.cells] = event.target.dataset.cell;
    settle();
  });

  // --- tapping and typing -------------------------------------------------------------------------------------------

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    const saves = button?.hasAttribute("data-save");
    if (saves && !asked) return;
    event.preventDefault();
    if (saves) drawn.then(() => form.requestSubmit(form.querySelector("[data-save]"))); // with the last tap included
    else if (button?.name) draw(button.name, button.value);
    else draw();
  });
  form.elements.name.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => draw(), TYPING_MS);
  });
  settle();
}
