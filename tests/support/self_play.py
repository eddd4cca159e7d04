"""A match that plays itself at a simulated table: what is done next depends on the state alone, so it can be repeated.

Board moves are made by lifting and placing, dice are thrown by holding the button, the rest is answered.
"""

import random
from typing import TextIO

from captains_table.devices.ports import Dice, Journal
from captains_table.games.contract import Action, Auction, Decide, Over, Pick, Roll, Square
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.table.model.events import Answered, BoardRead, Button, ButtonPressed, ButtonReleased, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from captains_table.table.recognition.candidates import Candidate
from tests.support.played_table import PlayedTable
from tests.support.random_play import random_action

PAUSE_MS = 1000
HAND_MS = 50


class SelfPlay(PlayedTable):
    """A match, new or as its journal has it, that goes on by itself."""

    def __init__(self, journal: Journal, dice: Dice, seed: int = 0, tape: TextIO | None = None) -> None:
        self.journal = journal
        self.session = Session(Settings())
        self.table = SimulatedSource(self.session, SimulatedBoard())
        recorder = Recorder(self.session, tape) if tape is not None else None
        self._seed = seed
        entries = journal.entries()
        self.table.board.arrange(Match.resumed(entries).pieces())
        self.session.handle(BoardRead(self.table.board.occupied), 0)
        self.session.load(journal, dice, 0, resumed=len(entries) > 1)
        if recorder is not None:
            recorder.start_tape(0)

    @property
    def over(self) -> bool:
        return isinstance(self.match.turn, Over)

    def step(self) -> None:
        """Do whatever is due."""
        if self.view.phase is Phase.SETUP:
            self.table.set_up(self.later())
        turn = self.match.turn
        if isinstance(turn, Roll):
            self._hold_roll()
            return
        assert isinstance(turn, Decide | Auction)
        action = self.choose(turn)
        option = self._on_board(action)
        if option is not None:
            self.move(option)
        elif action == Pick("roll"):
            self._hold_roll()
        else:
            self.session.handle(Answered(action), self.later())

    def choose(self, turn: Decide | Auction) -> Action:
        """Return what is answered: by chance, the same way for the same seed."""
        return random_action(turn, random.Random(f"{self._seed} {self.match.revision}"))

    def _on_board(self, action: Action) -> Candidate | None:
        options = self.session.referee.board_snapshot().options
        return next((option for option in options if not option.takes_back and action == Pick(option.id)), None)

    def hand(self, option: Candidate) -> list[tuple[Square, bool]]:
        """Return the lifts (False) and places (True) that make a move."""
        lifts = [(square, False) for square in sorted(option.footprint.changed & self.table.board.occupied)]
        return lifts + [(square, True) for square in sorted(option.footprint.filled)]

    def move(self, option: Candidate) -> None:
        """Make a move by hand and wait until it is understood."""
        revision = self.match.revision
        for square, closed in self.hand(option):
            self.switch(square, closed=closed)
        self.session.handle(TimePassed(), self.later())
        if self.match.revision == revision:  # a promotion: the board cannot tell which piece
            self.session.handle(Answered(Pick(option.id)), self.later())

    def switch(self, square: Square, *, closed: bool) -> None:
        """Lift or place one piece."""
        (self.table.place if closed else self.table.lift)(square, self.later(HAND_MS))

    def _hold_roll(self) -> None:
        self.session.handle(ButtonPressed(Button.ROLL), self.later())
        self.session.handle(ButtonReleased(Button.ROLL), self.later(100 + (self.match.seat or 0)))

    def later(self, ms: int = PAUSE_MS) -> int:
        """Let time pass and return it."""
        self.wait(ms)
        return self.now_ms
