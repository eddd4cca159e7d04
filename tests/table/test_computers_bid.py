"""Computers in an auction: they bid, leave people their time, and ring where nobody else may bid."""

from typing import Final

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import (
    Auction,
    Bell,
    Bid,
    Correct,
    Decide,
    EndMatch,
    IllegalAction,
    Over,
    Pick,
    parse_square,
)
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Answered, ComputerAnswered, Event, PiecesPlaced, SwitchChanged, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.playing.answers import BoardUnclear
from captains_table.table.playing.thinking import QUIET_MS, REST_MS, passing_bid
from captains_table.web.auction import auction_shown
from tests.support.computer_table import ComputerTable
from tests.support.played_table import PlayedTable

OPTIONS: Final = {"timer": "60", "turn_limit": "20"}


def table_of(*names: str) -> ComputerTable:
    return ComputerTable("crowns", names, OPTIONS)


def asked(table: ComputerTable) -> int | None:
    """Return whose computer has to think."""
    question = table.session.referee.question()
    return None if question is None else question.seat


def tell(table: ComputerTable, seat: int, value: int) -> None:
    """Let a seat's computer bid, or let go (0)."""
    question = table.session.referee.question()
    assert question is not None
    assert question.seat == seat
    table.session.handle(ComputerAnswered(question.revision, Bid(seat, value)), table.now_ms)


def test_a_computer_is_asked_and_bids_after_a_rest() -> None:
    table = table_of("Anne", "notus:2")
    assert asked(table) == 1
    tell(table, 1, 3)
    table.wait(2 * REST_MS - 1)
    assert table.actions() == []
    table.wait(1)
    assert table.actions() == [Bid(1, 3)]


def test_nobody_bids_in_a_computers_place() -> None:
    table = table_of("Anne", "notus:2")
    with pytest.raises(IllegalAction, match="is a computer and bids by itself: expected a bid of a person"):
        table.session.handle(Answered(Bid(1, 2)), table.now_ms)
    view = table.view
    assert isinstance(view.ask, Auction)
    assert [offer["seat"] for offer in auction_shown(view, view.ask, None)["bidders"]] == [0]
    assert table.actions() == []


def test_one_that_lets_go_is_asked_again_when_somebody_has_bid() -> None:
    table = table_of("Anne", "notus:2")
    tell(table, 1, 0)
    assert asked(table) is None
    table.session.handle(Answered(Bid(0, 2)), table.now_ms)
    assert asked(table) == 1


def test_all_computers_are_asked_in_turn() -> None:
    table = table_of("Anne", "notus:1", "notus:2")
    tell(table, 1, 0)
    tell(table, 2, 0)
    assert asked(table) is None
    table.wait(30_000)
    assert table.actions() == [], "Anne may still bid"


def test_where_only_computers_may_bid_the_bell_rings_once_all_let_go() -> None:
    table = table_of("Anne", "notus:2")
    table.session.handle(Answered(Bid(0, 2)), table.now_ms)
    tell(table, 1, 0)
    table.session.handle(Answered(Bell()), table.now_ms)
    table.session.handle(Answered(Pick("pass")), table.now_ms)
    tell(table, 1, 1)
    table.wait(2 * REST_MS)
    tell(table, 1, 0)
    table.wait(2 * REST_MS)
    assert table.actions()[-2:] == [Bid(1, 1), Bell()]
    assert isinstance(table.match.turn, Decide)
    assert asked(table) == 1


def test_a_bid_that_could_not_be_is_no_answer() -> None:
    table = table_of("Anne", "notus:2")
    assert isinstance(table.match.turn, Auction)
    tell(table, 1, 0)
    table.session.handle(ComputerAnswered(table.match.revision, passing_bid(1)), table.now_ms)
    assert table.actions() == []


def test_a_bid_waits_till_the_move_before_it_is_certain() -> None:
    table = table_of("Anne", "notus:2")
    table.session.handle(Answered(Bid(0, 2)), table.now_ms)
    tell(table, 1, 0)
    table.session.handle(Answered(Bell()), table.now_ms)
    table.touch("+c1")
    table.wait(400)
    assert table.actions()[-1] == Pick("summon-c1")
    assert asked(table) is None
    table.wait(QUIET_MS)
    assert asked(table) == 1


# --- bids and corrections made while it is asked what was done on the board -------------------------------------------

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
