"use strict";
// Shows the print button only in browsers that can print.

{
  const button = document.querySelector("[data-print]");
  if (button) button.hidden = false;
  button?.addEventListener("click", () => print());
}
