"""A match at a table on its own time: what all harnesses of a whole table do alike."""

from typing import ClassVar

from captains_table.devices.ports import Dice, Journal
from captains_table.games.contract import Action
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.table.model.entries import Entry
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.view import View


class PlayedTable:
    """A table with a match in hand, what is asked of it, and answers and presses.

    Attributes:
        session: the table at work; another one after each cut.
        journal: what it keeps.
        now_ms: its time.
    """

    SOON_MS: ClassVar = 100  # before somebody presses
    HELD_MS: ClassVar = 50

    session: Session
    journal: Journal
    now_ms: int = 0

    @property
    def match(self) -> Match:
        assert self.session.match is not None
        return self.session.match

    @property
    def view(self) -> View:
        return self.session.view()

    def entries(self) -> list[Entry]:
        return list(self.journal.entries())

    def wait(self, ms: int = 10_000) -> None:
        self.now_ms += ms
        self.session.handle(TimePassed(), self.now_ms)

    def answer(self, *actions: Action, after_ms: int = 1000) -> None:
        for action in actions:
            self.now_ms += after_ms
            self.session.handle(Answered(action), self.now_ms)

    def hold(self, button: Button = Button.ROLL) -> None:
        self.wait(self.SOON_MS)
        self.session.handle(ButtonPressed(button), self.now_ms)

    def press(self, *buttons: Button, held_ms: int | None = None) -> None:
        """Press buttons one after the other; without any the roll button."""
        for button in buttons or (Button.ROLL,):
            self.hold(button)
            self.wait(self.HELD_MS if held_ms is None else held_ms)
            self.session.handle(ButtonReleased(button), self.now_ms)

    def labels(self) -> list[str]:
        return [entry.label for entry in self.view.menu.entries]

    def under_cursor(self) -> str:
        menu = self.view.menu
        assert menu.cursor is not None
        return menu.entries[menu.cursor].label


class SimulatedTable(PlayedTable):
    """A played table with a simulated board, set up as the match has it whenever the table starts."""

    table: SimulatedSource

    def start(self, session: Session, dice: Dice, *, resumed: bool = False) -> None:
        """Begin the match of the journal, or take it up again."""
        self.table, self.session = SimulatedSource(session, SimulatedBoard()), session
        session.load(self.journal, dice, self.now_ms, resumed=resumed)
        self.table.begun(self.now_ms)
