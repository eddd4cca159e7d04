"use strict";
// What somebody sets for his own browser: kept there, and applied to <html> before anything is painted. Only what is not
// usual is written to <html>, as `data-theme="light"`; settings.css says what that means. Of sound and speech only the
// switches are here: whoever makes them asks `localStorage` for "captains-table.sound" and "captains-table.speech", and
// hears of a change by the event "remembered".
{
  const KEY = "captains-table.";
  const USUAL = { theme: "dark", pieces: "drawn", board: "wood", type: "usual", sound: "on", speech: "off" };
  const LOOKS = ["theme", "pieces", "board", "type"];
  const daylight = matchMedia("(prefers-color-scheme: light)");

  /** Return a setting; a browser that keeps nothing has the usual ones. */
  function kept(name) {
    try {
      return localStorage.getItem(KEY + name) || USUAL[name];
    } catch {
      return USUAL[name];
    }
  }

  function keep(name, value) {
    try {
      localStorage.setItem(KEY + name, value);
    } catch {
      // it holds for this page then
    }
  }

  function show(name, value) {
    const shown = name === "theme" && value === "device" ? (daylight.matches ? "light" : "dark") : value;
    if (shown === USUAL[name]) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = shown;
  }

  for (const name of LOOKS) show(name, kept(name));
  daylight.addEventListener("change", () => show("theme", kept("theme")));
  addEventListener("storage", (event) => { // set on another page of this table
    const name = event.key?.replace(KEY, "");
    if (LOOKS.includes(name)) show(name, kept(name));
  });

  /** Let the dialog's fields say what is set. */
  function fill(dialog) {
    for (const field of dialog.querySelectorAll("input")) {
      field.checked = kept(field.name) === (field.type === "radio" ? field.value : "on");
    }
  }

  function set(field) {
    const value = field.type === "radio" ? field.value : field.checked ? "on" : "off";
    keep(field.name, value);
    if (LOOKS.includes(field.name)) show(field.name, value);
    document.dispatchEvent(new CustomEvent("remembered", { detail: { name: field.name, value } }));
  }

  addEventListener("DOMContentLoaded", () => {
    const dialog = document.getElementById("settings");
    if (!dialog) return;
    document.querySelector("[data-settings]").addEventListener("click", () => { fill(dialog); dialog.showModal(); });
    dialog.addEventListener("change", (event) => set(event.target));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }); // beside it
    for (const kind of ["keydown", "keyup"]) dialog.addEventListener(kind, (event) => event.stopPropagation()); // no keys of the table
  });
}
