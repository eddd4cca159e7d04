"""A table at which chests are auctioned: honest dice, every way to answer, and a journal to resume from."""

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Bell, Bid, Pick
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    TimePassed,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings

SEED = bytes(range(32))
NAMES = ("Anne", "Bart", "Cora")


class AuctionTable:
    """A table with honest dice whose first chest is on offer, or that is resumed from a journal."""

    def __init__(self, journal: MemoryJournal | None = None, buttons: str = "encoder", **options: str) -> None:
        resumed = journal is not None
        self.journal = journal or MemoryJournal(MatchStarted("harbour-auction", NAMES, options, commitment(SEED)))
        self.now_ms = 0
        self.driver = SimulatedSource(Session(Settings(buttons=buttons)), SimulatedBoard())
        dice = HonestDice.resumed(SEED, self.journal.entries())
        self.driver.session.load(self.journal, dice, 0, resumed=resumed)
        if not resumed:
            self.throw()

    @property
    def match(self) -> Match:
        """The match in hand."""
        match = self.driver.session.match
        assert match is not None
        return match

    def entries(self) -> list[Entry]:
        """Return what is journalled."""
        return list(self.journal.entries())

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_ms += ms
        self.driver.session.handle(TimePassed(), self.now_ms)

    def answer(self, *actions: Bid | Bell | Pick, after_ms: int = 1000) -> None:
        """Answer as the page does."""
        for action in actions:
            self.now_ms += after_ms
            self.driver.session.handle(Answered(action), self.now_ms)

    def press(self, *buttons: Button, held_ms: int = 50) -> None:
        """Press buttons one after the other."""
        for button in buttons:
            self.wait(100)
            self.driver.session.handle(ButtonPressed(button), self.now_ms)
            self.wait(held_ms)
            self.driver.session.handle(ButtonReleased(button), self.now_ms)

    def throw(self) -> None:
        """Throw for the chest."""
        self.press(Button.ROLL)

    def bids(self) -> list[int]:
        """Return what everybody bids now."""
        return [tally["bid"] for tally in self.match.game.tallies(self.match.state)]

    def labels(self) -> list[str]:
        """Return the lines of the menu."""
        return [entry.label for entry in self.driver.session.view().menu.entries]

    def under_cursor(self) -> str:
        """Return the line of the menu that would be chosen."""
        menu = self.driver.session.view().menu
        assert menu.cursor is not None
        return menu.entries[menu.cursor].label
