"""A table looks back on the matches of its journal, those in hand and those that are damaged too."""

import asyncio
from pathlib import Path

import pytest

from captains_table.runtime.match_archive import CannotRead
from captains_table.runtime.reviews import Review
from captains_table.runtime.table import Table
from captains_table.table.model.entries import NoSuchMatch
from tests.support.patience import PATIENCE_S
from tests.support.rotten_journal import lay_down_three, tear_row
from tests.support.service_at_work import OpenTable, answer

NAMES = ["Anne", "Bart"]


def moves(review: Review) -> list[str]:
    assert review.story is not None
    return [moment.lines[0].words for moment in review.story.moments]


async def test_the_match_in_hand_is_seen_as_it_stands(table: Table) -> None:
    with pytest.raises(NoSuchMatch):
        await table.reviews.review(1)
    table.matches.new_match("captains-chess", NAMES, {})
    answer(table, "e2e4")
    assert moves(await table.reviews.review(1)) == ["Anne: e2-e4"]
    first = await table.reviews.review(1)
    assert (await table.reviews.review(1)).story is first.story  # ready for stepping through it
    answer(table, "e7e5")
    assert moves(await table.reviews.review(1)) == ["Anne: e2-e4", "Bart: e7-e5"]
    answer(table, "resign")
    assert moves(await table.reviews.review(1))[-1] == "Anne resigns, Bart wins"


async def test_many_may_look_at_once_and_the_table_goes_on(table: Table) -> None:
    for _ in range(5):
        table.matches.new_match("captains-chess", NAMES, {})
        answer(table, "e2e4", "resign")
    async with asyncio.timeout(PATIENCE_S):
        reviews = await asyncio.gather(*(table.reviews.review(1 + number % 5) for number in range(10)))
    assert [review.number for review in reviews] == [1 + number % 5 for number in range(10)]
    assert all(review.story is not None and review.story.result is not None for review in reviews)


async def test_a_damaged_match_is_seen_up_to_the_damage(open_table: OpenTable, tmp_path: Path) -> None:
    """One of a game that is not installed says so."""
    await asyncio.to_thread(lay_down_three, tmp_path)
    with open_table() as table:
        first = await table.reviews.review(1)
        assert moves(first) == ["Anne: e2-e4"]
        assert first.damage is not None
        assert "cannot be read" in first.damage
        foreign = await table.reviews.review(2)
        assert (foreign.game, foreign.story, foreign.forms) == ("mermaid-chess", None, ("json",))
        assert moves(await table.reviews.review(3)) == ["Anne: e2-e4"]


async def test_a_journal_that_cannot_be_read_any_more_says_so(table: Table, tmp_path: Path) -> None:
    table.matches.new_match("captains-chess", NAMES, {})
    tear_row(tmp_path / "journal.sqlite3", 1, "seed", "none")
    with pytest.raises(CannotRead, match="the row of match 1"):
        await table.reviews.review(1)
