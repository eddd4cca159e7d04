"""A table at which chests are auctioned: honest dice, every way to answer, and a journal to resume from."""

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.devices.ports import Journal
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.settings import Settings
from tests.support.honest_match import SEED
from tests.support.played_table import SimulatedTable

NAMES = ("Anne", "Bart", "Cora")


class AuctionTable(SimulatedTable):
    """A table with honest dice whose first chest is on offer, or that is resumed from a journal."""

    def __init__(self, journal: Journal | None = None, buttons: str = "encoder", **options: str) -> None:
        resumed = journal is not None
        self.journal = journal or MemoryJournal(MatchStarted("harbour-auction", NAMES, options, commitment(SEED)))
        self.start(Session(Settings(buttons=buttons)), HonestDice.resumed(SEED, self.entries()), resumed=resumed)
        if not resumed:
            self.press()

    def bids(self) -> list[int]:
        return [tally["bid"] for tally in self.match.game.tallies(self.match.state)]
