"""Matches analysed for the page: in a process of their own, one after the other, the last few kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from captains_table.process.answering import line_of
from captains_table.process.worker import Limits, Worker, WorkerFailed
from captains_table.runtime.analysis import ANALYSED, COMMAND, ToAnalyse
from captains_table.runtime.match_archive import reading_journal
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.review import Decision
from captains_table.table.model.entries import MatchEnded

KEPT: Final = 8
LIMITS: Final = Limits(answer_s=3600.0)
"""An analysis of the longest match takes less on the slowest of machines."""


class CannotAnalyse(RuntimeError):
    """The decisions of a match cannot be judged: why, in a sentence."""


class AnalysisDesk:
    """Analyses finished matches; the process ends with each.

    Args:
        file: the file all matches are kept in.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._worker = Worker(COMMAND, ANALYSED.decode, LIMITS)
        self._busy = asyncio.Lock()
        self._kept: OrderedDict[int, Sequence[Decision]] = OrderedDict()

    async def analyse(self, number: int) -> Sequence[Decision]:
        """Return what each decision of a finished match cost.

        Raises:
            NoSuchMatch, CannotRead: it cannot be read.
            CannotAnalyse: it is not over, or nothing came of it.
        """
        async with self._busy:
            if number not in self._kept:
                self._kept[number] = await self._found(number)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return self._kept[number]

    async def _found(self, number: int) -> Sequence[Decision]:
        with reading_journal():
            entries, _ = self._file.open(number).readable()
        if not any(isinstance(entry, MatchEnded) for entry in entries):
            raise CannotAnalyse(f"Match {number} is not over: decisions are judged when nobody can use that any more.")
        try:
            found = await self._worker.ask_once(line_of(ToAnalyse(tuple(entries))))
        except WorkerFailed as error:
            raise CannotAnalyse(f"Match {number} could not be analysed: its process {error}.") from error
        if found.error:
            raise CannotAnalyse(f"Match {number} could not be analysed: {found.error}.")
        return found.decisions

    def close(self) -> None:
        """Analyse no more."""
        self._worker.close()
