// Says what just happened with the browser's own voice, where its owner wants that. The latest sentence wins.

import { remembered } from "./remembered.js";

const LATEST_MS = 2000; // nothing is said later than this
const PATIENCE_MS = 1500; // as long as this a new sentence waits until the one before is over
const voice = window.speechSynthesis;
let waiting = null;
let timer = 0;

function begin() {
  clearTimeout(timer);
  const next = waiting;
  waiting = null;
  if (!next || performance.now() - next.at > LATEST_MS) return;
  voice.cancel();
  const sentence = new SpeechSynthesisUtterance(next.words);
  sentence.lang = document.documentElement.lang;
  sentence.onend = begin;
  voice.speak(sentence);
}

function say(words) {
  waiting = { words, at: performance.now() };
  if (!voice.speaking) return begin();
  clearTimeout(timer);
  timer = setTimeout(begin, PATIENCE_MS);
}

if (!voice) {
  document.querySelector('#settings [name="speech"]')?.closest("label").remove();
} else {
  document.addEventListener("heard", ({ detail }) => {
    if (detail.told && remembered("speech") === "on") say(detail.told);
  });
  document.addEventListener("remembered", ({ detail }) => {
    if (detail.name !== "speech") return;
    waiting = null;
    voice.cancel();
    if (detail.value === "on") say(document.getElementById("told")?.textContent || "Speech is on.");
  });
}
