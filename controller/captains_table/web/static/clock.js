// Presses the clock after each move that this page made, once the table has accepted the move, if the user wants that.

import { remembered } from "./remembered.js";

let moved = null; // the table's revision before the move that this page made last, until the clock is pressed

function pressIfDue() {
  const ask = document.querySelector("#ask > .ask");
  const revision = Number(ask?.dataset.revision);
  if (moved === null || remembered("clock") !== "on" || !(revision > moved)) return;
  const isDue = ask.querySelector('[data-pick="press-clock"]') !== null;
  const isPossible = document.querySelector('#roll .knob-roll[aria-disabled="false"]') !== null;
  if (isDue && !isPossible) return; // the move is not finished
  moved = null;
  if (isDue) post("/answer", { revision, action: { type: "pick", id: "press-clock" } });
}

document.addEventListener("moved", ({ detail }) => {
  moved = detail;
  pressIfDue();
});
swapping.push((id) => (id === "ask" || id === "roll" ? pressIfDue : undefined));
