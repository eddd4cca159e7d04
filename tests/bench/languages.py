"""Measures the cost of languages next to English in the same run: first page, memory, and a change shown in two."""

import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import httpx

from captains_table.catalog.languages import language_codes
from captains_table.phrases import ENGLISH
from tests.bench.daemon import resident_mb
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller, TableProcess

PAGES: Final = 9
ROUNDS: Final = 8
CHANGES: Final = 12
SQUARE: Final = "g1"
SETTLED_S: Final = 0.15


class LanguageCosts(NamedTuple):
    """Figures of one language.

    Attributes:
        first_page_s: seconds that its first page took longer than an English page.
        memory_mb: by how much the table's memory grew.
    """

    first_page_s: float
    memory_mb: float


def costs() -> tuple[Mapping[str, LanguageCosts], Sequence[float], Sequence[float]]:
    """Return the costs of each language, and the milliseconds until English shows a change: alone, beside another."""
    with tempfile.TemporaryDirectory() as folder:
        match = ("chess", "--players", "Anne", "Bart", "--state", f"{folder}/state", "--port", "0")
        table = TableProcess("play", *match, logs=Path(folder))
        try:
            with closing(Caller(table.origin, table.token)) as caller:
                usual = statistics.median(_page_s(table, ENGLISH.code) for _ in range(PAGES))
                others = [code for code in language_codes() if code != ENGLISH.code]
                found = {code: _costs(table, code, usual) for code in others}
                alone, beside = list[float](), list[float]()
                with _listening(table, ENGLISH.code) as english:
                    for _ in range(ROUNDS):  # in turn, since a machine is not as fast every minute
                        alone += _shown_ms(caller, english)
                        with _listening(table, others[0]):
                            beside += _shown_ms(caller, english)
            return found, alone, beside
        finally:
            table.kill()


def _costs(table: TableProcess, code: str, usual_s: float) -> LanguageCosts:
    before = resident_mb(table.process.pid)
    first_s = _page_s(table, code)
    for _ in range(PAGES):
        _page_s(table, code)
    return LanguageCosts(first_s - usual_s, resident_mb(table.process.pid) - before)


def _page_s(table: TableProcess, code: str) -> float:
    began = time.perf_counter()
    answer = httpx.get(
        f"{table.origin}/table?token={table.token}", headers={"Accept-Language": code}, timeout=PATIENCE_S
    )
    assert f'<html lang="{code}"' in answer.text
    return time.perf_counter() - began


@contextmanager
def _listening(table: TableProcess, code: str) -> Iterator[Sequence[float]]:
    """Yield when each event of the table's page came, in a language."""
    came: list[float] = []
    headers = {"Accept-Language": code, "X-Table-Token": table.token}
    address = f"{table.origin}/events?page=table"
    with httpx.stream("GET", address, headers=headers, timeout=None) as events:  # noqa: S113 - until it is closed

        def read() -> None:
            with suppress(httpx.HTTPError):
                came.extend(time.perf_counter() for line in events.iter_lines() if line.startswith("data:"))

        threading.Thread(target=read, daemon=True).start()
        time.sleep(SETTLED_S)
        yield came


def _shown_ms(caller: Caller, came: Sequence[float]) -> Iterator[float]:
    """Lift a piece and put it back, again and again; yield how long each took to be shown."""
    for _ in range(CHANGES):
        time.sleep(SETTLED_S)
        known, began = len(came), time.perf_counter()
        caller.post("/board/click", {"square": SQUARE})
        while len(came) == known and time.perf_counter() - began < PATIENCE_S:
            time.sleep(0.0002)
        yield 1000 * (came[known] - began)
