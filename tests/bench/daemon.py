"""Figures of the daemon: how long it takes to come up, its memory, and how soon its page answers a hand.

The last is measured in a real browser, from the event to the next frame that shows it.
"""

import io
import re
import shutil
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tests.support.browser import Visitor, chromium
from tests.support.looking import LAPTOP
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

RUNS = 5
PATIENCE_S = 20.0
WARM_UP = 1
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


class DaemonFigures(NamedTuple):
    """Medians: seconds from the start to the page and to the first frame on the glass, and resident memory."""

    page_s: float
    frame_s: float
    rss_mb: float


def daemon_figures(lay_down: Callable[[Path], object] = lambda _: None) -> DaemonFigures:
    """Return the medians over some starts; the first, which fills the disk cache, does not count.

    Args:
        lay_down: puts what the daemon is to find into its state directory.
    """
    with tempfile.TemporaryDirectory() as found:
        lay_down(Path(found))
        runs = [_one_start(Path(found)) for _ in range(RUNS + WARM_UP)][WARM_UP:]
    return DaemonFigures(*map(statistics.median, zip(*runs, strict=True)))


def _one_start(found: Path) -> DaemonFigures:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(found, f"{folder}/state")
        began = time.perf_counter()
        daemon = TableProcess("play", "--port", "0", "--state", f"{folder}/state", logs=Path(folder))
        try:
            urllib.request.urlopen(f"{daemon.origin}/table", timeout=PATIENCE_S).close()
            page_s = time.perf_counter() - began
            while not _has_picture(f"{daemon.origin}/glass.png"):
                time.sleep(0.005)
            return DaemonFigures(page_s, time.perf_counter() - began, resident_mb(daemon.process.pid))
        finally:
            daemon.kill()


def _has_picture(address: str) -> bool:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        return Image.open(io.BytesIO(answer.read())).convert("L").getextrema() != (0, 0)


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


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
    marks = anne.page.evaluate("marks")
    return {what: [ms for each, ms in marks if each == what] for what in ("tumbling", "fallen", "lifted")}
