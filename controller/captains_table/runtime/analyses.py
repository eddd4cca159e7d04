"""Matches analysed for the page: in a process of their own, one after the other, the last few kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import msgspec

from captains_table.runtime.line_process import LineProcess, ProcessEnded
from captains_table.runtime.match_archive import reading_journal
from captains_table.runtime.thinking.analyst import ANALYSED, COMMAND, ToAnalyse
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.review import Decision
from captains_table.table.model.entries import MatchEnded
from captains_table.web.port import CannotAnalyse

KEPT: Final = 8
LONGEST_S: Final = 3600.0
"""How long an analysis may take: that of the longest match on the slowest of machines takes less."""


class AnalysisDesk:
    """Analyses finished matches; the process ends with each.

    Args:
        file: the file all matches are kept in.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._process = LineProcess(COMMAND)
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
            await self._process.start()
            line = await self._process.ask(msgspec.json.encode(ToAnalyse(tuple(entries))) + b"\n", LONGEST_S)
            found = ANALYSED.decode(line)
        except (ProcessEnded, OSError, msgspec.DecodeError) as error:
            raise CannotAnalyse(f"Match {number} could not be analysed: {error}.") from error
        finally:
            self._process.kill()
        if found.error:
            raise CannotAnalyse(f"Match {number} could not be analysed: {found.error}.")
        return found.decisions

    def close(self) -> None:
        """Analyse no more."""
        self._process.close()
