"use strict";
// Subscribes to the table's event stream, passes its events to the page, and reconnects after errors.

const SILENT_MS = 45000; // the table sends a heartbeat every 15 s; longer silence means a broken connection
const AGAIN_S = 5;

/**
 * Subscribe to a page's event stream for as long as the page is open.
 *
 * onFragments(fragments): changed fragments, HTML by id.
 * onConnected(connected): the connection was made or lost.
 * onGone(): the seat's link is invalid now; the subscription has ended.
 * onBoot(boot): an id of the table's current start, after each connection.
 * Returns a function that ends the subscription.
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
      // EventSource reconnects by itself, except after a response that is no event stream.
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

  /** Reconnect if nothing arrives for a while, because a lost network causes no error. */
  function stayAwake() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => { hangUp(); onConnected(false); listen(); }, SILENT_MS);
  }

  /** Reconnect after a while, at the time that the table asks for if it is full; end if the seat's link is invalid. */
  async function comeAgain() {
    clearTimeout(watchdog);
    const answer = await fetch(`/events?${query}`, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 403) { end(); onConnected(true); return onGone(); }
    setTimeout(listen, 1000 * (Number(answer?.headers.get("Retry-After")) || AGAIN_S));
  }

  listen();
  return end;
}

/** Show or hide the sentence that says that the connection is lost. */
function showLine(isConnected) {
  document.getElementById("connection").hidden = isConnected;
}

/** Reload the page after a restart of the program, which may have changed it, once it can be loaded. */
async function renewPage(boot) {
  if (boot === document.body.dataset.boot) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
