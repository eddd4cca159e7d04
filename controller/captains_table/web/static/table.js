"use strict";
// Shows what the table sends, and sends requests; all decisions are made by the server. Other scripts: fragments
// (swap.js), event stream (stream.js), clicks (answers.js), held buttons (knobs.js), pieces (hands.js), keys (keys.js),
// drawers (drawers.js), animations (motion.js).

const page = document.body.dataset.page;
const here = new URLSearchParams(location.search);
const query = new URLSearchParams({ page: page || "display" });
if (here.has("side")) query.set("side", here.get("side")); // else each player sees the own pieces below

// The token or the seat's key is in a cookie now; remove it from the address, where others could read it.
if (here.has("token") || here.has("key")) {
  here.delete("token");
  here.delete("key");
  history.replaceState(null, "", location.pathname + (here.size ? `?${here}` : ""));
}

// --- messages to the player -----------------------------------------------------------------------------------------

const toast = document.getElementById("toast");
let toastTimer = 0;

function say(sentence, forMs = 6000) {
  toast.textContent = sentence;
  toast.hidden = false;
  layInBar();
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, forMs);
}

/** Lay the message between the title and the tools of the bar; on a narrow bar over the title, if it is long over more. */
function layInBar() {
  const title = document.querySelector(".bar .live-heading h1");
  if (!title) return;
  const after = title.getBoundingClientRect().right + 12;
  const end = document.querySelector(".bar .tools").getBoundingClientRect().left - 8;
  const over = title.parentElement.getBoundingClientRect().left;
  for (const [left, right] of [[end - after > 280 ? after : over, end], [over, end], [4, end], [4, innerWidth - 4]]) {
    toast.style.left = `${left}px`;
    toast.style.maxWidth = `${right - left}px`;
    if (toast.scrollHeight <= toast.clientHeight + 1) return;
  }
}

/** Clear an error or a message once the user has done something else. */
function sayNoMore() {
  clearTimeout(toastTimer);
  toast.hidden = true;
}

for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, sayNoMore, { capture: true });

function showConnected(connected) {
  document.getElementById("connection").hidden = connected;
  document.body.classList.toggle("adrift", !connected);
}

let endLine = () => {};

/** Follow the table, with the board seen from the page's current side. */
function listen() {
  endLine();
  endLine = followTable(query, { onFragments: swapAll, onConnected: showConnected, onGone: showEnded });
}

function showEnded() {
  document.getElementById("ended")?.removeAttribute("hidden");
}

// --- sending requests -----------------------------------------------------------------------------------------------

let queue = Promise.resolve();

/** Send requests in order, so that a release never overtakes its press. */
function post(path, body = {}, refused = () => {}) {
  queue = queue.then(() => send(path, body)).then((done) => { if (!done) refused(); });
}

/** Send a request; return whether the table accepted it. */
async function send(path, body) {
  try {
    const answer = await fetch(`${path}?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) {
      if (!path.endsWith("/release")) sayNoMore(); // a refused press still needs its release
      if (answer.status === 200 && path.startsWith("/board/")) tellHandled(await answer.json());
      return true;
    }
    const problem = await answer.json();
    say(problem.error);
    if (problem.fragments) swapAll(problem.fragments);
  } catch {
    say(inWords("The table cannot be reached. Nothing was sent."));
  }
  return false;
}

function answer(element, action) {
  const revision = Number(element.closest("[data-revision]").dataset.revision);
  if (element.closest("#moves")) noteMove(revision);
  post("/answer", { revision, action }, () => noteMove(null));
}

/** Tell other scripts at which revision this page made a move; `null`: the move was refused. */
function noteMove(revision) {
  document.dispatchEvent(new CustomEvent("moved", { detail: revision }));
}

if (page) document.addEventListener("DOMContentLoaded", listen); // all other scripts are loaded by then
