"""Log lines that strangers can cause: a few of a kind are written, the others are counted."""

import logging
from collections.abc import Callable
from typing import Final

LINES: Final = 5
WITHIN_S: Final = 60.0
SUMMARY: Final = "%d more such lines within %d s were left out; the last: %s"


class QuietLog(logging.Filter):
    """Lets through the first lines of a kind (one wording, whatever is filled in) and then says how many followed.

    Args:
        logger: whose lines are filtered from now on, until `close`.
        call_later: calls a function after so many seconds, as an event loop does.
    """

    def __init__(self, logger: logging.Logger, call_later: Callable[[float, Callable[[], None]], object]) -> None:
        super().__init__()
        self._logger = logger
        self._call_later = call_later
        self._counts: dict[str, int] = {}
        self._last: dict[str, logging.LogRecord] = {}
        logger.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        kind = str(record.msg)
        if kind == SUMMARY:
            return True
        if kind not in self._counts:
            self._counts[kind] = 0
            self._call_later(WITHIN_S, lambda: self._sum_up(kind))
        self._counts[kind] += 1
        self._last[kind] = record
        return self._counts[kind] <= LINES

    def close(self) -> None:
        """Say what was left out so far and filter no more."""
        for kind in list(self._counts):
            self._sum_up(kind)
        self._logger.removeFilter(self)

    def _sum_up(self, kind: str) -> None:
        left_out, last = self._counts.pop(kind, 0) - LINES, self._last.pop(kind, None)
        if last is not None and left_out > 0:
            self._logger.log(last.levelno, SUMMARY, left_out, WITHIN_S, last.getMessage())
