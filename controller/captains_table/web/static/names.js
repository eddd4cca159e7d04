"use strict";
// Shortens players' names where they would be cut off: all names of a list alike, in forms that the server computed so
// that different names stay different. Screen readers keep the whole names.

/** Return whether a name, with all that stands next to it, is wider than its place. */
function isCut(name) {
  const place = name.closest(".bidder, .name, .fits, b, th, td, li");
  return place.scrollWidth > place.clientWidth + 1;
}

function writeName(name, whole, form) {
  if (name.lastChild?.textContent === form) return; // to write it again would lay the page out again
  if (form === whole) return void name.replaceChildren(whole);
  const [read, seen] = [document.createElement("span"), document.createElement("span")];
  read.className = "unseen";
  seen.setAttribute("aria-hidden", "true");
  read.append(whole);
  seen.append(form);
  name.title = whole;
  name.replaceChildren(read, seen);
}

/** Show the names of each list in the longest forms of which none is cut off. */
function fitNames(within) {
  const every = [...within.querySelectorAll("[data-forms]")];
  const listOf = (name) => name.closest("table, ul, ol, .fits"); // what is no name of a list has its own length
  for (const list of new Set(every.map(listOf))) {
    const names = every.filter((name) => listOf(name) === list);
    const forms = names.map((name) => JSON.parse(name.dataset.forms));
    for (let level = 0; level < forms[0].length; level += 1) {
      names.forEach((name, place) => writeName(name, forms[place][0], forms[place][level]));
      if (!names.some(isCut)) break;
    }
  }
}

swapping.push((id, element) => () => {
  fitNames(element);
  requestAnimationFrame(() => fitNames(element)); // other fragments may have made its place narrower
});
window.addEventListener("resize", () => fitNames(document));
document.fonts.addEventListener("loadingdone", () => fitNames(document));
