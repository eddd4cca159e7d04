"use strict";
// The user's own display settings: stored in the browser, and applied to <html> before the first paint. Only values
// other than the default are written to <html>, as `data-theme="light"`; settings.css defines their effect. For sound,
// speech and the clock there are only the switches here: their scripts read "captains-table.sound" and so on from
// `localStorage`, and listen to the event "remembered". The pace is a setting of the table, which is told it.
{
  const KEY = "captains-table.";
  const LANGUAGE = "captains-table-language"; // a cookie, since the server must know it
  const USUAL = { theme: "dark", pieces: "drawn", board: "wood", type: "usual", sound: "on", speech: "off", clock: "off", explain: "on", cards: "on", coach: "off" };
  const BAR = { dark: "#1d120b", light: "#fdf7e8" }; // the colour of a window's frame
  const LOOKS = ["theme", "pieces", "board", "type"];
  const daylight = matchMedia("(prefers-color-scheme: light)");

  /** Return a setting; without storage, its default. */
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
      // then it applies to this page only
    }
  }

  function show(name, value) {
    const shown = name === "theme" && value === "device" ? (daylight.matches ? "light" : "dark") : value;
    if (shown === USUAL[name]) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = shown;
    if (name !== "theme") return;
    document.querySelector("meta[name=color-scheme]")?.setAttribute("content", shown);
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", BAR[shown]);
  }

  for (const name of LOOKS) show(name, kept(name));
  daylight.addEventListener("change", () => show("theme", kept("theme")));
  addEventListener("storage", (event) => { // changed on another page of this table
    const name = event.key?.replace(KEY, "");
    if (LOOKS.includes(name)) show(name, kept(name));
  });

  /** Make the dialog's fields show the current settings. */
  function fill(dialog) {
    const language = dialog.querySelector("[name=language]");
    if (language) language.value = new RegExp(`\\b${LANGUAGE}=(\\w+)`).exec(document.cookie)?.[1] || "browser";
    const pace = document.querySelector("[data-pace]")?.dataset.pace; // it may have been changed at the table
    for (const field of dialog.querySelectorAll("input")) {
      if (field.name === "pace") field.checked = pace ? field.value === pace : field.checked;
      else field.checked = kept(field.name) === (field.type === "radio" ? field.value : "on");
    }
  }

  /** Let all pages of the table be in a language from now on, or in that for which the browser asks. */
  function speak(language) {
    document.cookie = `${LANGUAGE}=${language}; path=/; max-age=${language === "browser" ? 0 : 31536000}; samesite=lax`;
    location.reload();
  }

  function set(field) {
    if (field.name === "language") {
      speak(field.value);
      return;
    }
    if (field.name === "pace") {
      post(`/pace/${field.value}`);
      return;
    }
    const value = field.type === "radio" ? field.value : field.checked ? "on" : "off";
    keep(field.name, value);
    if (LOOKS.includes(field.name)) show(field.name, value);
    document.dispatchEvent(new CustomEvent("remembered", { detail: { name: field.name, value } }));
  }

  // A page appears with its type, so that nothing jumps when that arrives; without it after a second.
  const FACES = ["400 1rem Alegreya", "400 1rem 'Alegreya Sans'", "700 1rem 'Alegreya Sans'"];
  const LATEST_MS = 1000;
  document.documentElement.classList.add("typeless");
  addEventListener("DOMContentLoaded", async () => {
    const latest = new Promise((done) => setTimeout(done, LATEST_MS));
    await Promise.race([Promise.allSettled(FACES.map((face) => document.fonts.load(face))), latest]);
    document.documentElement.classList.remove("typeless");
  });

  addEventListener("DOMContentLoaded", () => {
    const dialog = document.getElementById("settings");
    if (!dialog) return;
    document.querySelector("[data-settings]").addEventListener("click", () => { fill(dialog); dialog.showModal(); });
    dialog.addEventListener("change", (event) => set(event.target));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }); // clicked outside
    for (const kind of ["keydown", "keyup"]) dialog.addEventListener(kind, (event) => event.stopPropagation()); // keep keys from the table
  });
}
