"""Bids and corrections made while it is asked what was done on the board: none is lost, and none comes too late."""

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Auction, Bell, Bid, Correct, EndMatch, Over, Pick, parse_square
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Event, PiecesPlaced, SwitchChanged, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.playing.answers import BoardUnclear
from tests.support.played_table import PlayedTable

LEAPS = "Two: c5 e3 / n e"  # from d3 to d5 and to f3
ANNE, BART, CORA, DIRK = range(4)
ALL = ("Anne", "Bart", "Cora", "Dirk")


class Floor(PlayedTable):
    """A match in which Anne has captured on d5 or on f3, whose tokens were both lifted."""

    def __init__(self, timer: int) -> None:
        self.session = Session(Settings())
        started = MatchStarted("crowns", ALL, {"timer": str(timer), "piece1": LEAPS})
        self.session.load(MemoryJournal(started), DictatedDice(), 0, resumed=False)
        self.place()
        for name, square in (("Anne", "d3"), ("Bart", "d5"), ("Dirk", "f3")):
            self.answer(Correct("place", name, square, ""), after_ms=1)
            self.place()
        self.answer(Bid(ANNE, 1), after_ms=1)
        self.answer(Bell(), after_ms=1)
        self.do(TimePassed(), 3000)
        for switch in ("-d3", "-d5", "+d5", "-f3", "+f3"):
            self.do(SwitchChanged(parse_square(switch[1:]), switch[0] == "+"), 400)
        self.do(TimePassed(), 1000)
        assert isinstance(self.match.turn, Auction)

    @property
    def bids(self) -> tuple[int, ...]:
        assert isinstance(self.match.turn, Auction)
        return self.match.turn.bids

    def place(self) -> None:
        """Set the board as the match has it."""
        self.do(PiecesPlaced(frozenset(self.match.game.pieces(self.match.state))))

    def do(self, event: Event, after_ms: int = 1) -> None:
        self.now_ms += after_ms
        self.session.handle(event, self.now_ms)


def test_a_bid_waits_until_it_is_said_what_was_done_and_no_other_displaces_it() -> None:
    floor = Floor(timer=0)
    floor.answer(Bid(BART, 2), after_ms=1)
    assert floor.bids == (0, 0, 0, 0)
    for another in (Bid(DIRK, 1), Bell(), EndMatch()):
        with pytest.raises(BoardUnclear, match="an answer waits"):
            floor.answer(another, after_ms=1)
    floor.answer(Pick("d3d5"), after_ms=1)
    assert floor.bids == (0, 2, 0, 0)
    floor.answer(Bid(DIRK, 1), after_ms=1)
    assert floor.bids == (0, 2, 0, 1)


def test_what_a_game_master_does_waits_too_and_no_answer_displaces_it() -> None:
    floor = Floor(timer=0)
    floor.answer(EndMatch(), after_ms=1)
    with pytest.raises(BoardUnclear, match="an answer waits"):
        floor.answer(Correct("gold", "Cora", "+3", ""), after_ms=1)
    floor.answer(Pick("d3f3"), after_ms=1)
    assert isinstance(floor.match.turn, Over)


def test_the_bell_does_not_ring_before_a_bid_that_was_made_in_time_is_done() -> None:
    floor = Floor(timer=60)
    floor.answer(Bid(BART, 2), after_ms=1)
    floor.do(TimePassed(), 70_000)
    turn = floor.match.game.details(floor.match.state)["turn"]
    floor.answer(Pick("d3d5"), after_ms=1)
    floor.do(TimePassed())
    assert floor.match.game.details(floor.match.state)["turn"] == turn
    assert floor.match.seat == BART
