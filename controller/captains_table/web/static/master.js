"use strict";
// The game master's page: what he sets right, the time he stops, the end he makes. Answers and bids go as everywhere.

clicks["[data-master]"] = (button) => {
  if (confirmed(button)) post(`/master/${button.dataset.master}`);
};

/** Send a correction; what was asked for is cleared, so that a second press is no second correction. */
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-correct]");
  if (!form) return;
  event.preventDefault();
  const what = form.dataset.correct;
  const [of, to, why] = ["of", "to", "why"].map((name) => form.elements[`${what}-${name}`]);
  const [given, reason] = [to.value, why.value];
  to.value = "";
  why.value = "";
  post("/master/correct", { what, of: of.value, to: given, why: reason }, () => giveBack(to.name, given, why.name, reason));
});

/** What was refused is there again, to be mended; the form may have been drawn anew meanwhile. */
function giveBack(toName, given, whyName, reason) {
  document.querySelector(`[name="${toName}"]`).value = given;
  document.querySelector(`[name="${whyName}"]`).value = reason;
}
