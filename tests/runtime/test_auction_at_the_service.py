"""An auction at the service: forms of the page, answers, deadline, a stop, and computer players."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games import registry
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from captains_table.runtime.table import Table
from captains_table.table.history.verify import verify_export
from captains_table.table.model.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
)
from captains_table.table.model.view import Phase
from tests.support.harbour_auction import PURSE, HarbourAuction
from tests.support.service_at_work import at_a_table
from tests.support.visiting import visit_there

NAMES = ["Anne", "Bart", "Cora"]
GAME = HarbourAuction()
PATIENCE_S = 100


@pytest.fixture(autouse=True)
def _harbour() -> Iterator[None]:
    catalog.add_game(GameEntry(game=GAME, bidders={"miser": lambda _below: lambda _state, _bidder: None}))
    yield
    registry.GAMES.pop(GAME.key)
    catalog._entries.pop(GAME.key)


def begin(table: Table, **options: str) -> None:
    """Begin a match and throw for the first chest."""
    table.matches.new_match(GAME.key, NAMES, options)
    throw(table)


def throw(table: Table) -> None:
    """Throw for a chest."""
    table.handle(ButtonPressed(Button.ROLL))
    table.handle(ButtonReleased(Button.ROLL))


async def answer(table: Table, action: dict[str, Any], revision: int | None = None) -> httpx.Response:
    """Answer as the page does, to what is shown now where no revision is named."""
    body = {"revision": table.view().revision if revision is None else revision, "action": action}
    return await visit_there(table, lambda client: client.post("/answer?page=table", json=body))


def bid(seat: int, value: int) -> dict[str, Any]:
    """Return a bid as the page sends it."""
    return {"type": "bid", "seat": seat, "value": value}


def bids(table: Table) -> list[int]:
    """Return what everybody bids now."""
    return [seat.tallies["bid"] for seat in table.view().seats]


def test_the_page_lets_one_bid_for_whoever_may_and_has_a_bell_that_asks_twice(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        begin(table)
        assert (await answer(table, bid(0, 3))).status_code == 204
        assert (await answer(table, bid(1, PURSE))).status_code == 204
        page = (await visit_there(table, lambda client: client.get("/table"))).text
        assert '<option value="0" data-least="4" data-most="9">' in page
        assert '<option value="1"' not in page
        assert '<option value="2" data-least="1" data-most="9">' in page
        assert 'data-bell data-confirm="' in page
        assert "The bell rings in" not in page

    at_a_table(tmp_path, do)


def test_a_spectator_sees_who_may_bid_and_how_long(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        begin(table, seconds="300")
        page = (await visit_there(table, lambda client: client.get("/"))).text
        assert '<span>The bell rings in</span> <span class="clock" role="timer">5:00</span>' in page
        assert page.count(", on turn") == len(NAMES)
        assert "data-bid" not in page

    at_a_table(tmp_path, do)


def test_all_seats_bid_at_the_page_and_the_bell_ends_it(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        begin(table)
        for action in (bid(2, 1), bid(0, 2), bid(2, 3), {"type": "bell"}):
            assert (await answer(table, action)).status_code == 204
        assert table.view().log[-1].words == "Cora gets the chest for 3"

    at_a_table(tmp_path, do)


@pytest.mark.parametrize("action", [bid(0, 3), bid(0, 10), bid(7, 4), bid(-1, 4), {"type": "pick", "id": "done"}])
def test_a_bid_that_may_not_be_is_refused_and_changes_nothing(tmp_path: Path, action: dict[str, Any]) -> None:
    async def do(table: Table) -> None:
        begin(table)
        await answer(table, bid(0, 3))
        before, exported = table.view(), table.archive.export(1, "json")
        refused = await answer(table, action)
        assert refused.status_code == 400
        assert "expected a bid of Anne from 4 to 9" in refused.json()["error"]
        assert (table.view(), table.archive.export(1, "json")) == (before, exported)

    at_a_table(tmp_path, do)


@pytest.mark.parametrize(
    "action", [{"type": "bid", "value": 3}, bid(0, 3) | {"seat": None}, {"type": "bid", "seat": 0}]
)
def test_a_bid_without_its_seat_cannot_be_read(tmp_path: Path, action: dict[str, Any]) -> None:
    async def do(table: Table) -> None:
        begin(table)
        refused = await answer(table, action)
        assert refused.status_code == 400
        assert '{"type": "bid", "seat": number, "value": number} or {"type": "bell"}' in refused.json()["error"]

    at_a_table(tmp_path, do)


@pytest.mark.parametrize("action", [bid(1, 5), {"type": "bell"}])
def test_bids_and_the_bell_are_for_the_auction_they_were_shown_in_whoever_bids_meanwhile(
    tmp_path: Path, action: dict[str, Any]
) -> None:
    async def do(table: Table) -> None:
        begin(table)
        shown = table.view().revision
        await answer(table, bid(0, 3))
        assert (await answer(table, action, shown)).status_code == 204

    at_a_table(tmp_path, do)


@pytest.mark.parametrize("action", [bid(1, 5), {"type": "bell"}])
def test_what_is_for_an_auction_that_is_over_never_lands_in_the_next_one(
    tmp_path: Path, action: dict[str, Any]
) -> None:
    """Neither where the bell has rung, nor where the next auction is already held; nor one made up for the future."""

    async def do(table: Table) -> None:
        begin(table)
        shown = table.view().revision
        await answer(table, bid(0, 3))
        await answer(table, {"type": "bell"})
        for _ in range(2):
            exported, before = table.archive.export(1, "json"), table.view()
            for revision in (shown, shown + 1, before.revision + 1):
                late = await answer(table, action, revision)
                assert late.status_code == 409
                assert action["type"] == "bell" or late.json()["error"].startswith("Too late: the bell has rung")
                assert "ask" in late.json()["fragments"]
            assert (table.archive.export(1, "json"), table.view()) == (exported, before)
            throw(table)

    at_a_table(tmp_path, do)


def test_a_bid_that_comes_with_the_bell_is_too_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is over, though nobody has looked at the clock yet: the bell rings first."""

    async def do(table: Table) -> None:
        begin(table, seconds="60")
        await answer(table, bid(0, 3))
        due_ms = table.loop.now_ms() + 60_000
        monkeypatch.setattr(table.loop, "now_ms", lambda: due_ms)
        late = await answer(table, bid(1, 5))
        assert (late.status_code, late.json()["error"][:8]) == (409, "Too late")
        assert [line.words for line in table.view().log][-2:] == ["The bell rings", "Anne gets the chest for 3"]

    at_a_table(tmp_path, do)


def test_the_deadline_rings_the_bell_though_nobody_does_anything(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        begin(table, seconds="1", rounds="1")
        async with asyncio.timeout(PATIENCE_S):
            async for _ in table.subscribers.changes():
                if table.view().phase is Phase.OVER:
                    break
        assert table.view().log[-3].words == "The bell rings"

    at_a_table(tmp_path, do)


def test_a_table_that_is_stopped_in_the_middle_of_an_auction_goes_on_with_it(tmp_path: Path) -> None:
    async def first(table: Table) -> None:
        begin(table, seconds="600")
        await answer(table, bid(0, 3))
        await answer(table, bid(1, 4))

    async def then(table: Table) -> None:
        table.matches.resume(1)
        assert bids(table) == [3, 4, 0]
        assert table.view().bell_seconds in range(1, 601)
        await answer(table, bid(0, 5))
        await answer(table, {"type": "bell"})
        throw(table)
        await answer(table, {"type": "bell"})
        exported = json.loads(table.archive.export(1, "json"))
        assert exported["result"] is not None
        verdict = verify_export(exported)
        assert verdict.proven, verdict.words

    at_a_table(tmp_path, first)
    at_a_table(tmp_path, then)


# --- computer players -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(10))
def test_computer_players_play_whole_matches_with_auctions(number: int) -> None:
    scores = play_match(SimulationPlan(GAME.key, ("greedy", "random", "random"), {"rounds": "5"}, matches=1), number)
    assert sum(score.won for score in scores) == pytest.approx(1)


def test_a_game_may_say_how_its_own_players_bid() -> None:
    for number in range(10):
        miser, _ = play_match(SimulationPlan(GAME.key, ("miser", "greedy"), {"rounds": "3"}, matches=1), number)
        assert miser.tallies["gold"] == PURSE
