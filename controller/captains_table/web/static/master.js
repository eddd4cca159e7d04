"use strict";
// The game master's page: corrections, the timers, ending the match. Answers and bids work as on other pages.

clicks["[data-master]"] = (button) => {
  if (confirmed(button)) post(`/master/${button.dataset.master}`);
};

/** Send a correction and clear the form, so that a second press does not send it again. */
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

/** Restore a refused correction in the form, which may have been drawn again meanwhile. */
function giveBack(toName, given, whyName, reason) {
  document.querySelector(`[name="${toName}"]`).value = given;
  document.querySelector(`[name="${whyName}"]`).value = reason;
}
