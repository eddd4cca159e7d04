"""Figures of the daemon: how long it takes to come up, and what memory it holds."""

import io
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

RUNS = 5
PATIENCE_S = 20.0
WARM_UP = 1


@dataclass(frozen=True, slots=True)
class DaemonFigures:
    """Medians: seconds from the start to the page and to the first frame on the glass, and resident memory."""

    page_s: float
    frame_s: float
    rss_mb: float


def nothing_there(_: Path) -> None:
    """Leave the state directory empty."""


def daemon_figures(lay_down: Callable[[Path], None] = nothing_there) -> DaemonFigures:
    """Return the medians over some starts; the first, which fills the disk cache, does not count.

    Args:
        lay_down: puts what the daemon is to find into its state directory.
    """
    with tempfile.TemporaryDirectory() as found:
        lay_down(Path(found))
        runs = [_one_start(Path(found)) for _ in range(RUNS + WARM_UP)][WARM_UP:]
    return DaemonFigures(
        statistics.median(run.page_s for run in runs),
        statistics.median(run.frame_s for run in runs),
        statistics.median(run.rss_mb for run in runs),
    )


def _one_start(found: Path) -> DaemonFigures:
    with tempfile.TemporaryDirectory() as state:
        shutil.copytree(found, state, dirs_exist_ok=True)
        command = [sys.executable, "-c", "from captains_table.cli.main import main; main()", "play", "--port", "0"]
        began = time.perf_counter()
        daemon = subprocess.Popen(
            [*command, "--state", state], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert daemon.stdout is not None
            address = re.sub(r".*(http\S+)table\n", r"\1", daemon.stdout.readline())
            urllib.request.urlopen(f"{address}table", timeout=PATIENCE_S).close()
            page_s = time.perf_counter() - began
            while not _has_picture(f"{address}glass.png"):
                time.sleep(0.005)
            return DaemonFigures(page_s, time.perf_counter() - began, _rss_mb(daemon.pid))
        finally:
            daemon.terminate()
            daemon.wait(PATIENCE_S)
            if daemon.stdout is not None:
                daemon.stdout.close()


def _has_picture(address: str) -> bool:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        return Image.open(io.BytesIO(answer.read())).convert("L").getextrema() != (0, 0)


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")
