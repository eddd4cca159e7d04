"""A table with dictated dice, for tests of what is seen of throws and what its roll button does."""

from collections.abc import Mapping, Sequence

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Amount, Keep, Pick, parse_square
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    DieToggled,
    TimePassed,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View

SOON_MS = 100


class DiceTable:
    """A match at a simulated table, on the simulated table's own time."""

    def __init__(
        self, game: str, *names: str, options: Mapping[str, str] | None = None, settings: Settings | None = None
    ) -> None:
        self.now_ms = 0
        self.dice = DictatedDice()
        self._settings = settings or Settings()
        self.journal = MemoryJournal(MatchStarted(game, names or ("Anne", "Bart"), options or {}))
        self._switch_on(SimulatedBoard(), resumed=False)

    def _switch_on(self, board: SimulatedBoard, *, resumed: bool) -> None:
        self.table = SimulatedSource(Session(self._settings), board)
        self.table.session.load(self.journal, self.dice, self.now_ms, resumed=resumed)
        self.table.begun(self.now_ms)

    def cut_power(self) -> None:
        """Lose everything but the journal, the dice and what stands on the board."""
        self._switch_on(self.table.board, resumed=True)

    @property
    def view(self) -> View:
        return self.table.session.view()

    @property
    def match(self) -> Match:
        match = self.table.session.match
        assert match is not None
        return match

    def faces(self) -> list[int | None]:
        return [die.face for die in self.view.dice]

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self.table.session.handle(TimePassed(), self.now_ms)

    def press(self, button: Button = Button.ROLL, held_ms: int = 30) -> None:
        self.hold(button)
        self.now_ms += held_ms
        self.table.session.handle(ButtonReleased(button), self.now_ms)

    def hold(self, button: Button = Button.ROLL) -> None:
        self.now_ms += SOON_MS
        self.table.session.handle(ButtonPressed(button), self.now_ms)

    def throw(self, *faces: int) -> None:
        """Throw by the roll button."""
        self.dice.queue(faces)
        self.press()

    def pick(self, id_: str, dice: Sequence[int] = ()) -> None:
        self.dice.queue(dice)
        self.now_ms += SOON_MS
        self.table.session.handle(Answered(Pick(id_)), self.now_ms)

    def keep(self, *kept: int, dice: Sequence[int] = ()) -> None:
        self.dice.queue(dice)
        self.now_ms += SOON_MS
        self.table.session.handle(Answered(Keep(kept)), self.now_ms)

    def name_amount(self, value: int) -> None:
        self.now_ms += SOON_MS
        self.table.session.handle(Answered(Amount(value)), self.now_ms)

    def toggle(self, die: int) -> None:
        self.now_ms += SOON_MS
        self.table.session.handle(DieToggled(die), self.now_ms)

    def lift(self, square: str) -> None:
        self.now_ms += SOON_MS
        self.table.lift(parse_square(square), self.now_ms)
        self.wait(SOON_MS)

    def place(self, square: str) -> None:
        self.now_ms += SOON_MS
        self.table.place(parse_square(square), self.now_ms)
        self.wait(SOON_MS)
