"""Which table is shown large."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from captains_table.club.intake.table_state import Glance, SeatGlance
from captains_table.club.pages.wall_layout import LEAVES_S, STAYS_S, Featured, excitement, featured
from captains_table.games.contract import EventKind, GameEvent
from captains_table.table.model.view import Phase

LEVEL = (SeatGlance({"total": 20}, on_turn=True), SeatGlance({"total": 20}))
FAR = (SeatGlance({"total": 20}, on_turn=True), SeatGlance({"total": 2}))
CALM = Glance(Phase.PLAYING, "Round 1 of 9", FAR, ())
KING = GameEvent(EventKind.KING, 0, 6, "Anne captures the king")


@pytest.mark.parametrize(
    "glance",
    [
        replace(CALM, seats=LEVEL),
        replace(CALM, heading="Round 9 of 9"),
        replace(CALM, latest_events=(KING,)),
        replace(CALM, latest_events=(GameEvent(EventKind.CROWN, 0, 0, "Anne puts on White's crown"),)),
        replace(CALM, is_throwing=True),
        replace(CALM, seats=(replace(FAR[0], seconds_left=12), FAR[1])),
        replace(CALM, seats=(replace(FAR[0], bid=1), FAR[1])),
    ],
    ids=["close", "late", "king", "crown", "dice", "clock", "auction"],
)
def test_whatever_is_at_stake_counts(glance: Glance) -> None:
    assert excitement(glance) > excitement(CALM)


def test_nothing_is_at_stake_where_nobody_plays() -> None:
    assert excitement(replace(CALM, phase=Phase.IDLE)) == 0


@given(st.text(), st.lists(st.dictionaries(st.text(), st.integers(-(10**9), 10**9)), max_size=9))
def test_whatever_a_table_says_the_measure_has_bounds(heading: str, tallies: list[dict[str, int]]) -> None:
    seats = tuple(map(SeatGlance, tallies))
    assert 0 <= excitement(replace(CALM, heading=heading, seats=seats)) <= 200


def test_the_arbiters_choice_is_shown_as_long_as_it_is_there() -> None:
    assert featured(None, {"a": 90, "b": 1}, 0, "b") == Featured("b", 0)
    assert featured(Featured("b", 0), {"a": 90, "b": 1}, 500, "b") == Featured("b", 0)
    assert featured(Featured("b", 0), {"a": 90}, 500, "b") == Featured("a", 500)


def test_a_table_stays_a_while_unless_a_king_is_taken_elsewhere() -> None:
    shown = Featured("a", 0)
    assert featured(shown, {"a": 30, "b": 45}, STAYS_S / 2) == shown
    assert featured(shown, {"a": 30, "b": 45}, STAYS_S) == Featured("b", STAYS_S)
    assert featured(shown, {"a": 30, "b": 70}, 1) == Featured("b", 1)


def test_a_table_is_not_left_for_one_that_is_hardly_more_exciting() -> None:
    shown = Featured("a", 0)
    assert featured(shown, {"a": 30, "b": 34}, STAYS_S + 1) == shown


def test_after_a_time_others_have_their_turn() -> None:
    assert featured(Featured("a", 0), {"a": 90, "b": 5, "c": 6}, LEAVES_S) == Featured("c", LEAVES_S)
    assert featured(Featured("a", 0), {"a": 90, "b": 0}, LEAVES_S) == Featured("a", 0)


def test_where_nobody_is_there_none_is_shown() -> None:
    assert featured(Featured("a", 0), {}, 3) is None
