// The user's display settings as the browser stores them: settings.js writes them and announces changes.

const DEFAULTS = { sound: "on", speech: "off", clock: "off" };

/** Return a stored setting; without storage, the value set on this page, or the default. */
export function remembered(name) {
  try {
    return localStorage.getItem(`captains-table.${name}`) ?? DEFAULTS[name];
  } catch {
    return DEFAULTS[name];
  }
}

document.addEventListener("remembered", ({ detail }) => { DEFAULTS[detail.name] = detail.value; });
