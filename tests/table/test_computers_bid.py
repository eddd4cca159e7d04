"""Computers in an auction: they bid, leave people their time, and ring where nobody else may bid."""

from typing import Final

import pytest

from captains_table.games.contract import Auction, Bell, Bid, Decide, IllegalAction, Pick
from captains_table.table.model.events import Answered, ComputerAnswered
from captains_table.table.playing.computer_turn import QUIET_MS, REST_MS, passing_bid
from captains_table.web.auction import auction_shown
from tests.support.computer_table import ComputerTable

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
    assert table.actions() == []
    table.wait(REST_MS)
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
    table.wait(REST_MS)
    tell(table, 1, 0)
    table.wait(REST_MS)
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
