"use strict";
// Says what scripts say in the page's language: the page brings a translation of each English text (render.py).

const TRANSLATIONS = JSON.parse(document.getElementById("texts")?.dataset.texts ?? "{}");

/** Return an English text in the page's language, with its parts filled in. */
function inWords(english, parts = {}) {
  return (TRANSLATIONS[english] ?? english).replace(/\{(\w+)\}/g, (field, name) => parts[name] ?? field);
}
