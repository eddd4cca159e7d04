"""A match that plays itself on the real journal file with honest dice.

What is done next depends on the state alone, so a match that was cut off anywhere and taken up again must come to the
very same end.
"""

from collections.abc import Callable
from pathlib import Path

import captains_table.catalog  # noqa: F401 - it registers the games
from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Entry, MatchStarted
from tests.support.self_play import SelfPlay

SEED = bytes(range(32))
MOST_ACTIONS = 1 << 20
STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "3"}, commitment(SEED))


class ScriptedMatch:
    """The match in a directory, new or as it was left; each script plays another one."""

    def __init__(self, directory: Path, shown: Callable[[int], None] = lambda _: None, script: int = 0) -> None:
        file = JournalFile(directory / "journal.sqlite3")
        self._journal = file.open(1) if file.matches() else file.start(STARTED, SEED)
        self._shown = shown
        self._table = SelfPlay(self._journal, HonestDice.resumed(SEED, self._journal.entries()), script)

    def play(self, most: int = MOST_ACTIONS) -> None:
        """Play to the end, or so far, and say which action has been shown."""
        while not self._table.over and self._table.match.revision < most:
            self._table.step()
            self._shown(self._table.match.revision)

    def entries(self) -> list[Entry]:
        """Return the journal's entries."""
        return self._journal.entries()
