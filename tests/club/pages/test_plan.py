"""How a wall is laid out: every table has its place in any window, with any number of tables."""

import pytest
from hypothesis import given, strategies as st

from captains_table.club.pages.wall_layout import (
    ASIDE,
    DOWN,
    FOOT,
    GAP,
    HEAD,
    LEAST_HEIGHT,
    LEAST_WIDTH,
    LISTED,
    MOST_TILES,
    BrowserWindow,
    WallLayout,
    lay_out_wall,
)

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


def test_standings_get_a_place_next_to_few_tables() -> None:
    assert lay_out_wall(PROJECTOR, 2, wants_aside=True).aside
    assert not lay_out_wall(PROJECTOR, 0, wants_aside=True).aside


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
    width = window.width / window.unit - GAP - plan.aside * (ASIDE + GAP)
    height = window.height / window.unit - HEAD - FOOT - GAP
    assert plan.columns == 1 or width / plan.columns >= LEAST_WIDTH
    assert plan.rows == 1 or height / plan.rows >= LEAST_HEIGHT


@given(WINDOWS, TABLES, st.integers(0, 10_000))
def test_pages_go_round(window: BrowserWindow, tables: int, number: int) -> None:
    plan = lay_out_wall(window, tables)
    assert plan.page(number) == plan.page(number + plan.pages)


def test_any_screen_of_a_projectors_form_shows_the_same_picture() -> None:
    large = BrowserWindow(3840, 2160)
    assert large.height / large.unit == pytest.approx(DOWN)
    assert [lay_out_wall(large, tables) for tables in range(60)] == [
        lay_out_wall(PROJECTOR, tables) for tables in range(60)
    ]
