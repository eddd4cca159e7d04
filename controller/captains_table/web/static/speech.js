// Speaks the announcement of each event with the browser's voice, if the user wants it; the latest sentence wins.

import { remembered } from "./remembered.js";

const LATEST_MS = 2000; // older sentences are not spoken
const PATIENCE_MS = 1500; // a new sentence waits at most this long for the current one to end
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
    if (detail.value === "on") say(document.getElementById("told")?.textContent || inWords("Speech is on."));
  });
}
