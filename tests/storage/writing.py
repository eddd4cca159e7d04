"""A program that writes a journal all the time, and a disk that is full."""

from typing import NoReturn

APPEND_FOR_EVER = """
import sys
from itertools import count
from pathlib import Path
from captains_table.storage.journal_file import JournalFile
from captains_table.games.contract import Rolled
from captains_table.table.model.entries import Acted, MatchStarted

journal = JournalFile(Path(sys.argv[1])).start(MatchStarted("legend", ("Anne",), {}, ""), bytes(32))
for seq in count(1):
    journal.append(Acted(seq, 0, 0, Rolled((1, 2, 3, 4, 5, 6))))
    print(seq, flush=True)
"""
"""It prints the number of each entry as soon as that is acknowledged."""


def full(_descriptor: int) -> NoReturn:
    """Take the place of `os.fsync`."""
    raise OSError("No space left on device")
