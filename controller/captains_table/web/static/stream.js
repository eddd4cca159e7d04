"use strict";
// Follows the table: what it sends is handed on, and a line that is lost is looked for until it is found again.

const SILENT_MS = 45000; // the table says every 15 s that all is well; what is silent for longer is gone without a word
const AGAIN_S = 5;

/**
 * Follow a page's events for as long as the page is open.
 *
 * onFragments(fragments): what changed, HTML by id.
 * onConnected(connected): the line was found or lost.
 * onGone(): a seat's link opens it no more; nothing is followed any longer.
 * onBoot(boot): which start of the table this is, told whenever the line is found.
 * Returns what ends it.
 */
function followTable(query, { onFragments, onConnected, onGone = () => {}, onBoot = () => {} }) {
  let source = null;
  let watchdog = 0;
  let isOver = false;

  function listen() {
    if (isOver) return;
    source = new EventSource(`/events?${query}`);
    source.onopen = () => { stayAwake(); onConnected(true); };
    source.onmessage = (event) => { stayAwake(); onFragments(JSON.parse(event.data)); };
    source.addEventListener("well", stayAwake);
    source.addEventListener("heard", (event) => document.dispatchEvent(new CustomEvent("heard", { detail: JSON.parse(event.data) })));
    source.addEventListener("boot", (event) => onBoot(event.data));
    source.addEventListener("gone", () => { end(); onConnected(true); onGone(); });
    source.onerror = () => {
      onConnected(false);
      // EventSource tries again by itself unless it was answered with something that is no event stream.
      if (source.readyState === EventSource.CLOSED) comeAgain();
    };
    stayAwake();
  }

  function hangUp() {
    clearTimeout(watchdog);
    source.close();
  }

  function end() {
    isOver = true;
    hangUp();
  }

  /** A line that broke without a word, as a net that went away leaves it, is given up and looked for anew. */
  function stayAwake() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => { hangUp(); onConnected(false); listen(); }, SILENT_MS);
  }

  /** A seat's link that was taken back stays so; a table that has no room says when to ask again. */
  async function comeAgain() {
    clearTimeout(watchdog);
    const answer = await fetch(`/events?${query}`, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 403) { end(); onConnected(true); return onGone(); }
    setTimeout(listen, 1000 * (Number(answer?.headers.get("Retry-After")) || AGAIN_S));
  }

  listen();
  return end;
}

/** Show whether the line is lost, on a page that says so by one sentence. */
function showLine(isConnected) {
  document.getElementById("connection").hidden = isConnected;
}

/** A program that started anew may draw otherwise: take its page, once it is there to be taken. */
async function renewPage(boot) {
  if (boot === document.body.dataset.boot) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
