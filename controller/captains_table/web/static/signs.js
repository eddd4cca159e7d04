"use strict";
// The button that prints is there where there is somebody who can.

{
  const button = document.querySelector("[data-print]");
  if (button) button.hidden = false;
  button?.addEventListener("click", () => print());
}
