"use strict";
// Draws a piece: asks the table what each tap comes to and shows it, and leads through the cells by the arrow keys.
// Nothing is reckoned here; without this the page does the same by itself, a page a tap.

{
  const form = document.getElementById("draw");
  const stops = {}; // the cell of each group that Tab leads to, by what was on it last
  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const TYPING_MS = 250;
  let drawn = Promise.resolve();
  let latest = null; // what the last touch came to, though it may not be shown while the next one is held
  let asked = 0; // touches that are not shown yet
  let typing = 0;

  /** Ask in the order things were done, each for what the one before came to. */
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
      say("The table cannot be reached. Nothing was drawn.");
    }
  }

  // --- the keyboard: one stop a group, arrows within it -------------------------------------------------------------

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

  /** Return the next cell that way: straight on if there is one, else the one nearest to that line. */
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

  // --- touching and typing ------------------------------------------------------------------------------------------

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    const saves = button?.hasAttribute("data-save");
    if (saves && !asked) return;
    event.preventDefault();
    if (saves) drawn.then(() => form.requestSubmit(form.querySelector("[data-save]"))); // with the last tap in it
    else if (button?.name) draw(button.name, button.value);
    else draw();
  });
  form.elements.name.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => draw(), TYPING_MS);
  });
  settle();
}
