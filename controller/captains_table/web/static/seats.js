"use strict";
// Refreshes the seats' links while they are shown, because the network or the owner of a seat may change; and copies
// what is to be typed elsewhere.

const LOOK_MS = 5000;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  const old = document.querySelector("main");
  if (fresh && fresh.innerHTML !== old.innerHTML) old.replaceWith(document.adoptNode(fresh));
}

clicks["[data-copy]"] = async (button) => {
  const line = document.getElementById(button.dataset.copy);
  getSelection().selectAllChildren(line);
  try {
    await navigator.clipboard.writeText(line.textContent);
    say(inWords("Copied."));
  } catch { // plain HTTP has no clipboard API, and browsers may refuse it
    say(inWords("The line is marked: copy it from there."));
  }
};

setInterval(look, LOOK_MS);
