"""A table with dictated dice, for tests of what is seen of throws and what its roll button does."""

from collections.abc import Mapping, Sequence

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Keep, Pick, parse_square
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import DieToggled
from captains_table.table.model.settings import Settings
from tests.support.played_table import SimulatedTable


class DiceTable(SimulatedTable):
    """A match at a simulated table, on the simulated table's own time."""

    def __init__(
        self, game: str, *names: str, options: Mapping[str, str] | None = None, settings: Settings | None = None
    ) -> None:
        self.dice = DictatedDice()
        self._settings = settings or Settings()
        self.journal = MemoryJournal(MatchStarted(game, names or ("Anne", "Bart"), options or {}))
        self.start(Session(self._settings), self.dice)

    def cut_power(self) -> None:
        """Lose everything but the journal, the dice and what stands on the board."""
        self.start(Session(self._settings), self.dice, resumed=True)

    def faces(self) -> list[int | None]:
        return [die.face for die in self.view.dice]

    def throw(self, *faces: int) -> None:
        """Throw by the roll button."""
        self.dice.queue(faces)
        self.press()

    def pick(self, id_: str, dice: Sequence[int] = ()) -> None:
        self.dice.queue(dice)
        self.answer(Pick(id_), after_ms=self.SOON_MS)

    def keep(self, *kept: int, dice: Sequence[int] = ()) -> None:
        self.dice.queue(dice)
        self.answer(Keep(kept), after_ms=self.SOON_MS)

    def toggle(self, die: int) -> None:
        self.now_ms += self.SOON_MS
        self.session.handle(DieToggled(die), self.now_ms)

    def lift(self, square: str) -> None:
        self.now_ms += self.SOON_MS
        self.table.lift(parse_square(square), self.now_ms)
        self.wait(self.SOON_MS)

    def place(self, square: str) -> None:
        self.now_ms += self.SOON_MS
        self.table.place(parse_square(square), self.now_ms)
        self.wait(self.SOON_MS)
