// What a browser remembers about how its owner likes the page, and the switches that say so (data-remember="name").

const DEFAULTS = { sound: "on", speech: "off" };
const KEY = "captains-table.";

/** Return what a browser remembers; where it may remember nothing, what holds for everybody. */
export function remembered(name) {
  try {
    return localStorage.getItem(KEY + name) ?? DEFAULTS[name];
  } catch {
    return DEFAULTS[name];
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(KEY + name, value);
  } catch { /* this page only, then */ }
  document.dispatchEvent(new CustomEvent("remembered", { detail: { name, value } }));
}

function show() {
  for (const toggle of document.querySelectorAll("[data-remember]")) {
    toggle.setAttribute("aria-checked", String(remembered(toggle.dataset.remember) === "on"));
  }
}

document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-remember]");
  if (toggle) remember(toggle.dataset.remember, remembered(toggle.dataset.remember) === "on" ? "off" : "on");
});
document.addEventListener("remembered", ({ detail }) => { // whoever set it
  DEFAULTS[detail.name] = detail.value;
  show();
});
window.addEventListener("storage", show); // another page of the same browser
show();
