// What a browser remembers about how its owner likes the page: settings.js sets it and says when it changes.

const DEFAULTS = { sound: "on", speech: "off" };

/** Return what a browser remembers; where it may remember nothing, what was set on this page, or holds for everybody. */
export function remembered(name) {
  try {
    return localStorage.getItem(`captains-table.${name}`) ?? DEFAULTS[name];
  } catch {
    return DEFAULTS[name];
  }
}

document.addEventListener("remembered", ({ detail }) => { DEFAULTS[detail.name] = detail.value; });
