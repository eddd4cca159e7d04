// Updates the page of reed switches: shows their changes live, and the details of the clicked or focused one. Without
// this script every square is a link to its details.

const EVERY_MS = 1000;
const board = document.querySelector(".switch-board");
const details = document.getElementById("details");
const squares = board ? [...board.querySelectorAll("[data-switch]")] : [];
const words = new Map([...document.querySelectorAll("[data-condition]")].map((line) => [line.dataset.condition, line.querySelector("span").textContent]));
const known = new Map(); // square -> its last data from /switches.json
let chosen = new URLSearchParams(location.search).get("square");

function write(name, text) {
  const place = details.querySelector(`[data-of="${name}"]`);
  if (place.textContent !== text) place.textContent = text; // a live region would read repeated text again
}

function showDetails() {
  const report = known.get(chosen);
  if (!report) return;
  const condition = words.get(report.condition);
  write("square", report.square);
  write("words", condition[0].toUpperCase() + condition.slice(1));
  write("now", inWords(report.closed ? "closed" : "open"));
  write("changes", String(report.changes));
  write("flickers", String(report.flickers));
  const mask = details.querySelector("[data-mask]");
  if (mask) {
    mask.dataset.mask = report.square;
    mask.hidden = report.condition === "masked";
  }
  details.hidden = false;
}

function showUnwell() {
  const unwell = [...known.values()].filter((report) => report.condition !== "good");
  const line = document.querySelector(".all-well");
  const links = unwell.map((report) => {
    const link = document.createElement("a");
    link.href = `/switches?square=${report.square}#details`;
    link.dataset.look = report.square;
    link.textContent = report.square;
    return link;
  });
  const told = unwell.length ? inWords("Not well: {squares}.", { squares: unwell.map((report) => report.square).join(", ") }) : line.dataset.well;
  if (line.textContent.trim() === told) return;
  const [before, after] = inWords("Not well: {squares}.").split("{squares}");
  line.replaceChildren(...(links.length ? [before, ...links.flatMap((link, index) => (index ? [", ", link] : [link])), after] : [told]));
}

function show(report, label) {
  known.set(report.square, report);
  const square = squares.find((each) => each.dataset.switch === report.square);
  if (!square) return;
  square.setAttribute("class", `switch is-${report.condition}${report.closed ? " is-closed" : ""}`);
  square.setAttribute("aria-label", label);
}

function choose(name) {
  chosen = name;
  for (const square of squares) {
    square.toggleAttribute("aria-current", square.dataset.switch === name);
    if (square.dataset.switch === name) square.setAttribute("aria-current", "true");
    square.setAttribute("tabindex", square.dataset.switch === name ? "0" : "-1");
  }
  history.replaceState(null, "", `/switches?square=${name}`);
  showDetails();
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch("/switches.json").catch(() => null);
  if (!answer?.ok) return;
  const { switches, labels } = await answer.json();
  for (const report of switches) show(report, labels[report.square]);
  showUnwell();
  showDetails();
}

const steps = { ArrowLeft: -1, ArrowRight: 1 };

function neighbour(square, key) {
  const files = Number(board.dataset.files);
  const from = squares.indexOf(square);
  const to = key in steps ? from + steps[key] : from + (key === "ArrowUp" ? -files : files);
  return key in steps && Math.floor(from / files) !== Math.floor(to / files) ? undefined : squares[to];
}

if (board) {
  for (const [index, square] of squares.entries()) square.setAttribute("tabindex", (chosen ? square.dataset.switch === chosen : index === 0) ? "0" : "-1");
  board.addEventListener("focusin", (event) => choose(event.target.closest("[data-switch]").dataset.switch));
  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-switch]")?.dataset.switch || event.target.closest("[data-look]")?.dataset.look;
    if (!name) return;
    event.preventDefault();
    choose(name);
  });
  board.addEventListener("keydown", (event) => {
    const next = event.key.startsWith("Arrow") && neighbour(event.target.closest("[data-switch]"), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  look();
  setInterval(look, EVERY_MS);
}
