"""How a wall is laid out, in any window, with any number of tables; and which of them is shown large."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from captains_table.club.intake.table_state import Glance, SeatGlance
from captains_table.club.pages.wall_layout import (
    LEAST_HEIGHT,
    LEAST_WIDTH,
    LEAVES_S,
    LISTED,
    MOST_TILES,
    SHORT_SIDE,
    STAYS_S,
    BrowserWindow,
    Featured,
    WallLayout,
    excitement,
    featured,
    lay_out_wall,
)
from captains_table.games.contract import EventKind, GameEvent
from captains_table.table.model.view import Phase

PROJECTOR, LAPTOP, PHONE = BrowserWindow(1920, 1080), BrowserWindow(1280, 800), BrowserWindow(360, 740)
WINDOWS = st.builds(BrowserWindow, st.integers(0, 8000), st.integers(0, 8000))
TABLES = st.integers(0, 600)


@pytest.mark.parametrize(
    ("tables", "plan"),
    [
        (0, WallLayout(1, 1, 1)),
        (1, WallLayout(1, 1, 1)),
        (2, WallLayout(2, 1, 1)),
        (4, WallLayout(2, 2, 1)),
        (12, WallLayout(4, 3, 1, aside=True)),
        (40, WallLayout(5, 4, 2, aside=True)),
    ],
)
def test_tables_are_sized_by_their_number(tables: int, plan: WallLayout) -> None:
    assert lay_out_wall(PROJECTOR, tables) == plan


def test_few_tables_are_all_large_and_many_are_not() -> None:
    assert [lay_out_wall(PROJECTOR, tables).shows_large for tables in (1, 4, 5, 12)] == [True, True, False, False]


def test_a_phone_has_a_list() -> None:
    assert lay_out_wall(PHONE, 12) == WallLayout(1, LISTED, 1, is_list=True)
    assert lay_out_wall(PHONE, LISTED + 1).pages == 2


@given(WINDOWS, TABLES, st.booleans())
def test_every_table_is_on_exactly_one_page(window: BrowserWindow, tables: int, wants_aside: bool) -> None:  # noqa: FBT001 - drawn
    plan = lay_out_wall(window, tables, wants_aside=wants_aside)
    shown = [table for page in range(plan.pages) for table in range(tables)[plan.page(page)]]
    assert shown == list(range(tables))
    assert plan.room <= MOST_TILES


@given(st.builds(BrowserWindow, st.integers(700, 8000), st.integers(400, 8000)), TABLES)
def test_no_table_is_smaller_than_can_be_read(window: BrowserWindow, tables: int) -> None:
    """Unless not even one has room."""
    plan = lay_out_wall(window, tables)
    width, height = window.area(aside=plan.aside)
    assert plan.columns == 1 or width / plan.columns >= LEAST_WIDTH
    assert plan.rows == 1 or height / plan.rows >= LEAST_HEIGHT


@given(WINDOWS, TABLES, st.integers(0, 10_000))
def test_pages_go_round(window: BrowserWindow, tables: int, number: int) -> None:
    plan = lay_out_wall(window, tables)
    assert plan.page(number) == plan.page(number + plan.pages)


def test_any_screen_of_a_projectors_form_shows_the_same_picture() -> None:
    large = BrowserWindow(3840, 2160)
    assert large.height / large.unit == pytest.approx(SHORT_SIDE)
    assert [lay_out_wall(large, tables) for tables in range(60)] == [
        lay_out_wall(PROJECTOR, tables) for tables in range(60)
    ]


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
