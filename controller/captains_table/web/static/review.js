"use strict";
// Steps through a match without reloading the page, shares the link to a moment, and accepts a dropped file. Everything
// also works by plain links and forms.

const stepping = document.getElementById("review");

if (stepping) {
  const moment = document.getElementById("moment");
  const slide = document.getElementById("slide");
  const link = document.getElementById("share");
  const told = document.getElementById("told");
  const last = Number(stepping.dataset.last);
  let at = Number(slide.value);
  let wanted = at;
  let fetching = false;

  const query = (number) => `at=${number}${stepping.dataset.side === "black" ? "&side=black" : ""}`;

  function markShown() {
    const before = stepping.querySelector(".moves-list [aria-current]");
    const now = stepping.querySelector(`.moves-list [data-at="${at}"]`);
    before?.removeAttribute("aria-current");
    now?.setAttribute("aria-current", "step");
    const list = stepping.querySelector(".moves-scroll");
    if (now && list.clientHeight) {  // scroll the list only, not the page
      const place = now.getBoundingClientRect(), frame = list.getBoundingClientRect();
      const heading = list.querySelector("h3")?.offsetHeight ?? 0; // it stays at the top
      if (place.top < frame.top + heading || place.bottom > frame.bottom) {
        list.scrollTop += place.top - frame.top - Math.max(heading, (frame.height - place.height) / 2);
      }
    }
    slide.value = String(at);
    slide.setAttribute("aria-valuetext", `${at} of ${last}`);
    link.value = `${link.dataset.link}?${query(at)}#review`;
  }

  // Only one moment is loaded at a time; of the requests meanwhile only the latest counts.
  async function show() {
    if (fetching) return;
    fetching = true;
    try {
      while (wanted !== at) {
        const number = wanted;
        const answer = await fetch(`/matches/${stepping.dataset.number}/moment?${query(number)}`);
        if (!answer.ok) throw new Error(await answer.text());
        const html = await answer.text();
        const focused = moment.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
        moment.innerHTML = html;
        if (focused) [...moment.querySelectorAll("a[aria-label]")].find((a) => a.getAttribute("aria-label") === focused)?.focus({ preventScroll: true });
        at = number;
        markShown();
        told.textContent = moment.querySelector(".moment-words").innerText;  // for screen readers
        history.replaceState(null, "", `?${query(at)}`);
      }
    } catch {
      location.search = query(wanted);  // the full page shows the error
    } finally {
      fetching = false;
    }
  }

  function go(number) {
    wanted = Math.max(0, Math.min(last, number));
    show();
  }

  // A line that was not played is shown in place of the moment; any step leads back to the match.
  async function showLine(href) {
    const asked = new URL(href, location.href).searchParams;
    asked.delete("judged");
    const answer = await fetch(`/matches/${stepping.dataset.number}/moment?${asked}`);
    if (!answer.ok) return location.assign(href);
    moment.innerHTML = await answer.text();
    at = wanted = Number(asked.get("at"));
    markShown();
    at = -1;  // so that a step to this very moment loads it
    told.textContent = moment.querySelector("[data-line][aria-current]").innerText;
    moment.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const line = event.target.closest("a[data-line]");
    if (line && !(event.ctrlKey || event.metaKey || event.shiftKey || event.button)) {
      event.preventDefault();
      showLine(line.href);
      return;
    }
    const to = event.target.closest("a[data-at]");
    if (!to || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(Number(to.dataset.at));
    if (!stepping.contains(to)) stepping.scrollIntoView();  // if it is out of sight
  });
  slide.addEventListener("input", () => go(Number(slide.value)));
  slide.form.addEventListener("submit", (event) => { event.preventDefault(); go(Number(slide.value)); });
  slide.form.querySelector("[data-go]").hidden = true;

  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select")) return;  // the slider uses these keys itself
    if (event.key.startsWith("Page") || event.key === "Home" || event.key === "End") {
      if (!stepping.contains(event.target) || event.target.closest(".moves-scroll")) return;  // they scroll the page
    }
    event.preventDefault();
    go(wanted + steps[event.key]);
  });

  const share = stepping.querySelector("[data-share]");
  share.hidden = false;
  share.textContent = inWords(navigator.share ? "Share" : "Copy");
  share.addEventListener("click", async () => {
    if (navigator.share) {
      try {
        await navigator.share({ title: share.dataset.title, url: link.value });
      } catch { /* the user may cancel sharing */ }
      return;
    }
    link.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(link.value);
    else document.execCommand("copy");  // plain HTTP has no clipboard API
    share.textContent = inWords("Copied");
    setTimeout(() => { share.textContent = inWords("Copy"); }, 2000);
  });

  markShown();
  window.addEventListener("load", markShown); // its letters may have become taller

  // What each decision cost is found in place, so that the page stays where it is.
  document.querySelector("[data-judge]")?.addEventListener("click", async (event) => {
    event.preventDefault();
    const judge = event.currentTarget;
    if (judge.ariaBusy) return;
    judge.textContent = inWords("Thinking about each decision…");
    judge.ariaBusy = "true";
    const looking = setInterval(async () => {
      const answer = await fetch(`/matches/${stepping.dataset.number}/progress`);
      if (answer.status !== 200) return;
      const { done, of } = await answer.json();
      if (judge.ariaBusy) judge.textContent = inWords("Thinking about each decision: {done} of {all}…", { done, all: of });
    }, 1000);
    try {
      const answer = await fetch(judge.href);
      if (!answer.ok) throw new Error(await answer.text());
      const judged = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of ["#decisions", ".moves-scroll"]) {
        document.querySelector(part).replaceChildren(...judged.querySelector(part).childNodes);
      }
      markShown();
      document.getElementById("decisions-title").focus({ preventScroll: true });
    } catch {
      location.assign(judge.href);
    } finally {
      clearInterval(looking);
    }
  });
}

const drop = document.querySelector("[data-drop]");

if (drop) {
  const file = drop.querySelector("input[type=file]");
  drop.querySelector(".drop-hint").hidden = false;
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    file.files = event.dataTransfer.files;
    drop.requestSubmit();
  });
}
