"""A match that plays itself on the real journal file with honest dice: what is done next depends on the state alone.

So a match that was cut off anywhere and taken up again must come to the very same end.
"""

import random
from collections.abc import Callable
from pathlib import Path

from captains_table.devices.dice import HonestDice, commitment
from captains_table.devices.journal import JournalFile
from captains_table.devices.simulated import SimulatedBoard
from captains_table.games.contract import Decide, Over, Pick, Roll
from captains_table.session import Session
from captains_table.simulation import SimulatedTable
from captains_table.table.candidates import Candidate
from captains_table.table.events import BoardRead, Button
from captains_table.table.journal import Entry, MatchStarted
from captains_table.table.match import Match
from captains_table.table.settings import Settings
from captains_table.table.view import Phase
from tests.random_play import random_action

SEED = bytes(range(32))
STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "3"}, commitment(SEED))
PAUSE_MS = 1000


class ScriptedMatch:
    """The match in a directory, new or as it was left."""

    def __init__(self, directory: Path, shown: Callable[[int], None] = lambda _: None) -> None:
        self._file = JournalFile(directory / "journal.sqlite3")
        self.journal = self._file.open(1) if self._file.matches() else self._file.start(STARTED, SEED)
        entries = self.journal.entries()
        self._shown = shown
        self._now_ms = 0
        self.table = SimulatedTable(Session(Settings()), SimulatedBoard())
        match = Match.resumed(entries)
        self.table.board.arrange(match.pieces())
        self.table.session.handle(BoardRead(self.table.board.occupied), 0)
        self.table.session.take_up(self.journal, HonestDice.resumed(SEED, entries), 0, resumed=len(entries) > 1)

    @property
    def match(self) -> Match:
        """The match in hand."""
        match = self.table.session.referee.match
        assert match is not None
        return match

    def play(self) -> None:
        """Play to the end."""
        while not isinstance(self.match.turn, Over):
            self._step()
            self._shown(self.table.session.view().revision)

    def entries(self) -> list[Entry]:
        """Return the journal's entries."""
        return self.journal.entries()

    def _step(self) -> None:
        if self.table.session.view().phase is Phase.SETUP:
            self.table.set_up(self._later())
        turn = self.match.turn
        if isinstance(turn, Roll):
            self._hold_roll()
            return
        assert isinstance(turn, Decide)
        action = random_action(turn, random.Random(f"step {self.match.revision}"))
        option = self._on_board(action)
        if option is not None:
            self._move(option)
        elif action == Pick("roll"):
            self._hold_roll()
        else:
            self.table.answer(action, self._later())

    def _on_board(self, action: object) -> Candidate | None:
        options = self.table.session.referee.watch.options()
        return next((option for option in options if not option.takes_back and action == Pick(option.id)), None)

    def _move(self, option: Candidate) -> None:
        revision = self.match.revision
        for square in sorted(option.changed & self.table.board.occupied):
            self.table.lift(square, self._later(50))
        for square in sorted(option.filled):
            self.table.place(square, self._later(50))
        self.table.tick(self._later())
        if self.match.revision == revision:  # a promotion: the board cannot tell which piece
            self.table.answer(Pick(option.id), self._later())

    def _hold_roll(self) -> None:
        self.table.press(Button.ROLL, self._later())
        self.table.release(Button.ROLL, self._later(100 + (self.match.seat or 0)))

    def _later(self, ms: int = PAUSE_MS) -> int:
        self._now_ms += ms
        self.table.tick(self._now_ms)
        return self._now_ms
