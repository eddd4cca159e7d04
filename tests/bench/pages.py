"""Figures of first loads: what each page takes over the wire, and when it paints, next to a plain page of its size.

The reference is one file of the same bytes with words that fill a window and no style sheet, script, font or picture.
It is served by Python's own server on the same machine and read by the same browser, in turn with the pages.
"""

import functools
import http.server
import random
import statistics
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from tests.support.browser import Visitor, chromium
from tests.support.first_load import FirstLoads
from tests.support.looking import LAPTOP
from tests.support.table_process import TableProcess

PATHS = ("/", "/table", "/new", "/rules/legend", "/records", "/matches")
RUNS = 7
WARM_UP = 1
LINES = 30


class Load(NamedTuple):
    """Medians of a page's first loads: bytes over the wire, and milliseconds to the first and the largest paint."""

    taken: float
    first_ms: float
    largest_ms: float


def first_loads() -> Mapping[str, tuple[Load, Load]]:
    """Return the first loads of each page with a match of Legend on the table, and of the reference of its size."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        match = ("legend", "--players", "Anne", "Bart", "--state", f"{folder}/state", "--port", "0")
        table = TableProcess("play", *match, logs=Path(folder))
        try:
            return {path: _beside_reference(browser, f"{table.origin}{path}", Path(folder)) for path in PATHS}
        finally:
            table.kill()


def _beside_reference(browser: Browser, address: str, folder: Path) -> tuple[Load, Load]:
    size = int(_loads(browser, address).taken)
    with _served(folder, size) as reference:
        runs = [(_loads(browser, address), _loads(browser, reference)) for _ in range(RUNS + WARM_UP)][WARM_UP:]
    ours, theirs = zip(*runs, strict=True)
    return _medians(ours), _medians(theirs)


def _medians(loads: tuple[Load, ...]) -> Load:
    return Load(*map(statistics.median, zip(*loads, strict=True)))


def _loads(browser: Browser, address: str) -> Load:
    visitor = Visitor(browser)
    page = visitor.open("about:blank", **LAPTOP)
    loads = FirstLoads(page)
    loads.open(address)
    paints = loads.paints_ms()
    page.context.close()
    return Load(loads.taken, *paints)


@contextmanager
def _served(folder: Path, size: int) -> Iterator[str]:
    """Serve a page of so many bytes, most of them in a comment that no compression could make smaller."""
    words = "".join(f"<p>{'The quick brown fox jumps over the lazy dog. ' * 3}</p>" for _ in range(LINES))
    page = f"<!doctype html><title>Reference</title><link rel=icon href=data:,>{words}"
    filling = random.Random(1).randbytes(max(0, size - len(page)) // 2).hex()
    (folder / "reference.html").write_text(f"{page}<!--{filling}-->")
    handler = functools.partial(_Silent, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/reference.html"
        finally:
            server.shutdown()
            thread.join()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""
