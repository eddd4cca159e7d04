"use strict";
// Shows what the table sends, and posts. Nothing is decided here; the scripts beside this one say what is
// swapped (swap.js), followed (stream.js), clicked (answers.js), held (knobs.js), moved (hands.js), typed (keys.js), opened
// (drawers.js), and how it moves (motion.js).

const page = document.body.dataset.page;
const here = new URLSearchParams(location.search);
const query = new URLSearchParams({ page: page || "display", side: here.get("side") || document.body.dataset.side || "white" });

// The token, or a seat's key, has become a cookie by now; it need not stay where others can read it over one's shoulder.
if (here.has("token") || here.has("key")) {
  here.delete("token");
  here.delete("key");
  history.replaceState(null, "", location.pathname + (here.size ? `?${here}` : ""));
}

// --- words for the player -------------------------------------------------------------------------------------------

const toast = document.getElementById("toast");
let toastTimer = 0;

function say(sentence) {
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

/** What was refused, or told, is over once something else was done. */
function sayNoMore() {
  clearTimeout(toastTimer);
  toast.hidden = true;
}

function showConnected(connected) {
  document.getElementById("connection").hidden = connected;
  document.body.classList.toggle("adrift", !connected);
}

let endLine = () => {};

/** Follow the table, from the side that the page looks from now. */
function listen() {
  endLine();
  endLine = followTable(query, { onFragments: swapAll, onConnected: showConnected, onGone: showEnded });
}

function showEnded() {
  document.getElementById("ended")?.removeAttribute("hidden");
}

// --- posting --------------------------------------------------------------------------------------------------------

let queue = Promise.resolve();

/** Post in the order things were done, so that a release never overtakes its press. */
function post(path, body = {}, refused = () => {}) {
  queue = queue.then(() => send(path, body)).then((done) => { if (!done) refused(); });
}

/** Return whether the table took it. */
async function send(path, body) {
  try {
    const answer = await fetch(`${path}?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) {
      if (!path.endsWith("/release")) sayNoMore(); // a press that was refused is let go all the same
      return true;
    }
    const problem = await answer.json();
    say(problem.error);
    if (problem.fragments) swapAll(problem.fragments);
  } catch {
    say("The table cannot be reached. Nothing was sent.");
  }
  return false;
}

function answer(element, action) {
  const revision = Number(element.closest("[data-revision]").dataset.revision);
  post("/answer", { revision, action });
}

if (page) document.addEventListener("DOMContentLoaded", listen); // the other scripts are there by then
