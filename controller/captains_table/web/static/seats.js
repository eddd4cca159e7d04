"use strict";
// Keeps the links true while they are looked at: the network may come, go or change, and so may who holds a seat.

const LOOK_MS = 5000;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  const old = document.querySelector("main");
  if (fresh && fresh.innerHTML !== old.innerHTML) old.replaceWith(document.adoptNode(fresh));
}

setInterval(look, LOOK_MS);
