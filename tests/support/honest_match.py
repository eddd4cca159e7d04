"""Whole matches under honest dice, played at random by the very session a table has; what they export is to verify."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Decide, Over, Pick, PickAsk, Roll
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Entry, MatchStarted, SeatKind
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.support.played_table import SimulatedTable
from tests.support.random_play import random_action

SEED = bytes(range(32))
BEGAN = "2026-01-31T20:15:00+01:00"


class HonestTable(SimulatedTable):
    """A table with one match of honest dice; wall time goes with the table's, from `BEGAN` on.

    Attributes:
        away_s: seconds for which the table has been off so far.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, str],
        kinds: Sequence[SeatKind] = ("human", "human"),
        names: Sequence[str] = ("Anne", "Bart"),
        *,
        master: bool = False,
    ) -> None:
        self._has_master = master
        started = MatchStarted(game, tuple(names), options, commitment(SEED), tuple(kinds), 0, master)
        self.journal = MemoryJournal(started)
        self.away_s = 0
        self._power_up(resumed=False)

    def _power_up(self, *, resumed: bool) -> None:
        session = Session(Settings(computers_think=False), now=self._wall_time)
        session.has_master = self._has_master
        self.start(session, HonestDice.resumed(SEED, self.entries()), resumed=resumed)

    def _wall_time(self) -> str:
        seconds = self.now_ms // 1000 + self.away_s
        return f"2026-01-31T{20 + (900 + seconds) // 3600:02}:{(900 + seconds) // 60 % 60:02}:{seconds % 60:02}+01:00"

    def cut(self, away_s: int) -> None:
        """Cut the power for a while."""
        self.away_s += away_s
        self._power_up(resumed=True)

    def leave(self, away_s: int) -> None:
        """Stop the table in good order and start it again after a while."""
        self.session.suspend(self.now_ms)
        self.cut(away_s)

    def pick(self, *ids: str) -> None:
        """Answer, a second each."""
        for id_ in ids:
            self.wait(1000)
            self.session.handle(Answered(Pick(id_)), self.now_ms)

    def roll(self, held_ms: int = 700) -> None:
        """Hold the roll button and let it go."""
        self.session.handle(ButtonPressed(Button.ROLL), self.now_ms)
        self.now_ms += held_ms
        self.session.handle(ButtonReleased(Button.ROLL), self.now_ms)

    def play_on(self, luck: int, most: int = 100_000) -> None:
        """Play at random until the match is over, or so many actions are done."""
        rng = random.Random(luck)
        for _ in range(most):
            match = self.match
            if isinstance(match.turn, Over):
                break
            self.wait(1000 * rng.randint(1, 5))
            if self.session.view().phase is Phase.SETUP:  # a round is over, and the next one begins
                self.table.set_up(self.now_ms)
            if isinstance(match.turn, Roll):
                self.roll(rng.randint(40, 3000))
            elif isinstance(match.turn, Decide):
                self.session.handle(Answered(random_action(match.turn, rng)), self.now_ms)
        self.wait(10_000)

    def takes_back_a_move(self) -> bool:
        """Return whether the last move of the board is taken back by putting the pieces where they stood."""
        last = self.match.provisional
        if last is None or not isinstance(self.match.turn, Decide) or not isinstance(self.match.turn.ask, PickAsk):
            return False
        before = self.match.game.pieces(last.before)
        now = self.match.game.pieces(last.after)
        left = [square for square in before if square not in now]
        filled = [square for square in now if square not in before]
        if len(left) != 1 or len(filled) != 1 or now[filled[0]] != before[left[0]]:
            return False
        self.table.lift(filled[0], self.now_ms)
        self.wait(500)
        self.table.place(left[0], self.now_ms)
        self.wait(5000)
        return True

    def export(self) -> dict[str, Any]:
        return exported(self.entries())


def exported(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return a journal as it is exported and read again."""
    value: dict[str, Any] = json.loads(json.dumps(export_json(entries, SEED, BEGAN)))
    return value
