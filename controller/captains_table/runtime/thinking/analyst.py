"""The process that analyses a match: reads its journal as one line from standard input, and writes what it found."""

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from captains_table import catalog
from captains_table.games.registry import UnknownGame
from captains_table.process.plugins import install_plugins
from captains_table.runtime.analysis import analysed
from captains_table.runtime.thinking.worker import NICENESS, answering
from captains_table.table.history.review import Decision, Story
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import BadHistory, Match

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.thinking.analyst")


class ToAnalyse(Struct, frozen=True):
    """A match's journal."""

    entries: tuple[Entry, ...]


class Analysed(Struct, frozen=True):
    """What was found: the decisions that were judged, or why none were."""

    decisions: tuple[Decision, ...] = ()
    error: str = ""


TO_ANALYSE: Final = msgspec.json.Decoder(ToAnalyse)
ANALYSED: Final = msgspec.json.Decoder(Analysed)


def analyse(lines: Iterable[bytes], out: BinaryIO) -> None:
    """Answer every line until there are no more."""
    for line in lines:
        out.write(msgspec.json.encode(_found(line)) + b"\n")
        out.flush()


def _found(line: bytes) -> Analysed:
    try:
        match = Match.resumed(TO_ANALYSE.decode(line).entries)
        entry = catalog.entry_of(match.game.key)
    except (msgspec.DecodeError, BadHistory, UnknownGame) as error:
        return Analysed(error=str(error))
    return Analysed(tuple(analysed(entry, Story(match))))


def main() -> int:
    """Analyse until standard input ends."""
    os.nice(NICENESS)
    install_plugins()
    return answering(analyse)


if __name__ == "__main__":
    sys.exit(main())
