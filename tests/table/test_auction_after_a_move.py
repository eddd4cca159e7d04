"""A move on the board that an auction follows may still be changed, until somebody bids or the bell rings."""

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Auction, Bell, Bid, Pick, parse_square
from captains_table.games.registry import GAMES
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Acted, MatchStarted, TakenBack
from captains_table.table.model.events import Answered, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.support.berth_auction import BerthAuction


class Quay:
    """A simulated table whose ship has just sailed to a2, so that both may bid."""

    def __init__(self) -> None:
        self.journal = MemoryJournal(MatchStarted(BerthAuction.key, ("Anne", "Bart"), {}))
        self.driver = SimulatedSource(Session(Settings()), SimulatedBoard())
        self.driver.session.load(self.journal, DictatedDice(), 0, resumed=False)
        self.driver.set_up(0)
        self.now_ms = 0
        self.sail("a1", "a2")

    @property
    def match(self) -> Match:
        """The match in hand."""
        match = self.driver.session.match
        assert match is not None
        return match

    def sail(self, start: str, end: str) -> None:
        """Move the ship by hand and let the table understand it."""
        for square, act in ((start, self.driver.lift), (end, self.driver.place)):
            self.now_ms += 200
            act(parse_square(square), self.now_ms)
        self.wait(1000)

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_ms += ms
        self.driver.session.handle(TimePassed(), self.now_ms)

    def bid(self, seat: int, value: int) -> None:
        """Bid at the page."""
        self.driver.session.handle(Answered(Bid(seat, value)), self.now_ms)

    def written(self) -> list[object]:
        """Return what was done, as it is journalled."""
        entries = self.journal.entries()
        return [
            entry.action if isinstance(entry, Acted) else entry
            for entry in entries
            if not isinstance(entry, MatchStarted)
        ]


@pytest.fixture
def quay(monkeypatch: pytest.MonkeyPatch) -> Quay:
    monkeypatch.setitem(GAMES, BerthAuction.key, BerthAuction())
    return Quay()


def test_before_anybody_bids_the_move_may_be_changed_for_another(quay: Quay) -> None:
    quay.sail("a2", "b2")
    done = quay.written()
    assert done[0] == Pick("a1a2")
    assert isinstance(done[1], TakenBack)
    assert done[2:] == [Pick("a1b2")]
    assert quay.driver.session.view().heading == "The ship lies on b2"


def test_before_anybody_bids_the_move_may_be_taken_back_and_with_it_the_auction(quay: Quay) -> None:
    quay.sail("a2", "a1")
    assert isinstance(quay.written()[-1], TakenBack)
    assert not isinstance(quay.match.turn, Auction)
    assert quay.driver.session.view().bell_seconds is None


def test_another_move_begins_the_time_of_its_auction_anew(quay: Quay) -> None:
    quay.wait(6000)
    quay.sail("a2", "b2")
    quay.wait(6000)
    assert isinstance(quay.match.turn, Auction)
    quay.wait(5000)
    assert quay.driver.session.view().phase is Phase.OVER


def test_a_bid_seals_the_move(quay: Quay) -> None:
    quay.bid(1, 2)
    assert quay.match.provisional is None
    quay.sail("a2", "a1")
    assert quay.written() == [Pick("a1a2"), Bid(1, 2)]
    assert quay.driver.session.view().wrong


def test_the_bell_rings_though_the_board_is_wrong(quay: Quay) -> None:
    quay.bid(1, 2)
    quay.driver.lift(parse_square("a2"), quay.now_ms)
    quay.wait(11_000)
    assert Bell() in quay.written()
    assert quay.driver.session.view().phase is Phase.OVER
