"""A table at which a computer sits and answers as a test says, on the table's own time; the board is a real one."""

import io
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from captains_table.devices.dice_sources import DictatedDice, HonestDice, commitment
from captains_table.games.contract import Action, Keep, Pick, Square, parse_square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.events import BoardRead, ComputerAnswered, SwitchChanged, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.support.honest_match import BEGAN
from tests.support.played_table import PlayedTable

if TYPE_CHECKING:
    from captains_table.devices.ports import Dice

TOUCH_MS = 250


class ComputerTable(PlayedTable):
    """Anne at a table with Aether, or players by other names; what a computer thinks is told by `thinks`.

    Args:
        game: its key.
        names: who plays; those with a colon are computers.
        options: the game's.
        dice: what falls, in order.
        seed: of honest dice, which fall in place of those.
    """

    SOON_MS = 0

    def __init__(
        self,
        game: str = "legend",
        names: Sequence[str] = ("Anne", "aether:3"),
        options: Mapping[str, str] | None = None,
        dice: Sequence[int] = (),
        seed: bytes | None = None,
    ) -> None:
        kinds: tuple[SeatKind, ...] = tuple("computer" if ":" in name else "human" for name in names)
        sealed = "" if seed is None else commitment(seed)
        self.journal = MemoryJournal(MatchStarted(game, tuple(names), options or {}, sealed, kinds, 0, master=False))
        self.dice: Dice = DictatedDice(list(dice)) if seed is None else HonestDice(seed)
        self.tape = io.StringIO()
        self.now_ms = 1000
        self._power_up(frozenset(Match.resumed(self.entries()).pieces()), resumed=False)

    def _wall_time(self) -> str:
        return (datetime.fromisoformat(BEGAN) + timedelta(milliseconds=self.now_ms)).isoformat(timespec="seconds")

    def _power_up(self, occupied: frozenset[Square], *, resumed: bool) -> None:
        self.session = Session(Settings(), now=self._wall_time)
        self.driver = HardwareSource(self.session, "No board")
        self.session.load(self.journal, self.dice, self.now_ms, resumed=resumed)
        self.recorder = Recorder(self.session, self.tape)
        self.recorder.start_tape(self.now_ms)
        self.driver.report(BoardRead(occupied), self.now_ms)
        self.session.handle(TimePassed(), self.now_ms)
        self.driver.begun(self.now_ms)

    def cut_power(self, *set_down: str) -> None:
        """Lose everything but journal, dice and board; pieces may be set down meanwhile."""
        occupied = self.session.referee.board_snapshot().occupied | set(map(parse_square, set_down))
        self._power_up(occupied, resumed=True)

    def actions(self) -> list[Action]:
        return [step.acted.action for step in self.match.history]

    def wait(self, ms: int = 10_000) -> None:
        """Let time pass as the event loop does: from one due moment to the next."""
        until_ms = self.now_ms + ms
        while (due_ms := self.session.due_ms()) is not None and due_ms <= until_ms:
            self.now_ms = max(due_ms, self.now_ms)
            self.session.handle(TimePassed(), self.now_ms)
        self.now_ms = until_ms
        self.session.handle(TimePassed(), until_ms)

    def pick(self, id_: str) -> None:
        self.answer(Pick(id_), after_ms=0)

    def touch(self, words: str) -> None:
        """Open (`-e2`) and close (`+e4`) switches, a quarter of a second between them."""
        for word in words.split():
            self.wait(TOUCH_MS)
            self.driver.report(SwitchChanged(parse_square(word[1:]), closed=word[0] == "+"), self.now_ms)
            self.session.handle(TimePassed(), self.now_ms)

    def is_asked(self) -> bool:
        return self.session.referee.question() is not None

    def thinks(self, action: Action | str) -> None:
        """Let the computer answer what it is asked; a word is picked."""
        question = self.session.referee.question()
        assert question is not None, "no computer is asked anything"
        answer = Pick(action) if isinstance(action, str) else action
        self.session.handle(ComputerAnswered(question.revision, answer), self.now_ms)

    def computer_throws(self, *kept: int) -> None:
        """Let a computer throw again, some dice kept, and its dice come to rest."""
        self.thinks("throw-again")
        self.wait(2000)
        self.thinks(Keep(kept))
        self.wait(3000)
