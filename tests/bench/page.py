"""How soon the page answers a hand: measured in a real browser, from the event to the next frame that shows it."""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.browser import Visitor, chromium
from tests.support.looking import LAPTOP
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

FACES = "654363"
TUMBLING_MS = 150
MOVES = [move for file in "abgh" for move in ((f"{file}2", f"{file}3"), (f"{file}7", f"{file}6"))]
WATCH = """() => {
  window.marks = [];
  let down = 0, up = 0, seen = {};
  document.addEventListener("pointerdown", () => { down = performance.now(); seen = {}; }, true);
  document.addEventListener("pointerup", () => { up = performance.now(); }, true);
  const note = (what, since) => {
    if (what in seen) return;
    seen[what] = true;
    requestAnimationFrame(() => marks.push([what, performance.now() - since]));
  };
  new MutationObserver(() => {
    const tumbling = document.querySelector("#dice .tumbling");
    if (!down) return;
    if (tumbling) note("tumbling", down);
    else if (up > down && "tumbling" in seen && document.querySelector("#dice .thrown")) note("fallen", up);
    if (document.querySelector("#board .lifted, .tray.hand")) note("lifted", down);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def answers_ms() -> Mapping[str, Sequence[float]]:
    """Return how long it took: dice tumble after a press, have fallen after the release, a piece is lifted."""
    with tempfile.TemporaryDirectory() as directory, chromium() as browser:
        program = (sys.executable, "-m", "tests.support.told_dice", FACES)
        match = ("legend", "rounds=1", "--players", "Anne", "Bart", "--state", f"{directory}/state", "--port", "0")
        table = TableProcess("play", *match, logs=Path(directory), program=program)
        visitor = Visitor(browser)
        try:
            return _play(Person(visitor.open(table.printed, **LAPTOP), table))
        finally:
            visitor.leave()
            table.kill()


def _play(anne: Person) -> Mapping[str, Sequence[float]]:
    anne.page.evaluate(WATCH)
    for start, end in MOVES:
        anne.hold_roll(lambda: anne.page.wait_for_timeout(TUMBLING_MS))
        anne.move(start, end)
        anne.end_turn()
    found = defaultdict(list)
    for what, ms in anne.page.evaluate("marks"):
        found[what].append(ms)
    return found
