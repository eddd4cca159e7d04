"""An auction at the service: forms of the page, answers, deadline, a stop, and computer players."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games import registry
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from captains_table.runtime.table import Table
from captains_table.table.history.verify import verify_export
from captains_table.table.model.events import Button
from captains_table.table.model.view import Phase
from tests.runtime.leaping_loop import leap
from tests.support.harbour_auction import PURSE, HarbourAuction
from tests.support.service_at_work import OpenTable, press
from tests.support.visiting import visit_there

NAMES = ["Anne", "Bart", "Cora"]
GAME = HarbourAuction()


@pytest.fixture(autouse=True)
def _harbour() -> Iterator[None]:
    catalog.add_game(GameEntry(game=GAME, bidders={"miser": lambda _below: lambda _state, _bidder: None}))
    yield
    registry.GAMES.pop(GAME.key)
    catalog._entries.pop(GAME.key)


def begin(table: Table, **options: str) -> None:
    table.matches.new_match(GAME.key, NAMES, options)
    press(table, Button.ROLL)


async def answer(table: Table, action: dict[str, Any], revision: int | None = None) -> httpx.Response:
    """Answer as the page does, to what is shown now where no revision is named."""
    body = {"revision": table.view().revision if revision is None else revision, "action": action}
    return await visit_there(table, lambda client: client.post("/answer?page=table", json=body))


def bid(seat: int, value: int) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "value": value}


def bids(table: Table) -> list[int]:
    return [seat.tallies["bid"] for seat in table.view().seats]


async def test_the_page_lets_one_bid_for_all_who_may_and_has_a_bell_that_asks_twice(table: Table) -> None:
    begin(table)
    assert (await answer(table, bid(0, 3))).status_code == 204
    assert (await answer(table, bid(1, PURSE))).status_code == 204
    page = (await visit_there(table, lambda client: client.get("/table"))).text
    assert '<option value="0" data-least="4" data-most="9">' in page
    assert '<option value="1"' not in page
    assert '<option value="2" data-least="1" data-most="9">' in page
    assert 'data-bell data-confirm="' in page
    assert "The bell rings in" not in page


async def test_a_spectator_sees_who_may_bid_and_how_long(table: Table) -> None:
    begin(table, seconds="300")
    page = (await visit_there(table, lambda client: client.get("/"))).text
    assert 'The bell rings in <span class="clock" role="timer">5:00</span>' in page
    assert page.count(", on turn") == len(NAMES)
    assert "data-bid" not in page


async def test_a_bid_that_may_not_be_or_cannot_be_read_is_refused_and_changes_nothing(table: Table) -> None:
    begin(table)
    await answer(table, bid(0, 3))
    before, exported = table.view(), table.archive.export(1, "json")
    may_not = (bid(0, 3), bid(0, 10), bid(7, 4), bid(-1, 4), {"type": "pick", "id": "done"})
    unread = ({"type": "bid", "value": 3}, bid(0, 3) | {"seat": None}, {"type": "bid", "seat": 0})
    form = '{"type": "bid", "seat": number, "value": number} or {"type": "bell"}'
    for actions, words in ((may_not, "expected a bid of Anne from 4 to 9"), (unread, form)):
        for action in actions:
            refused = await answer(table, action)
            assert (refused.status_code, words in refused.json()["error"]) == (400, True), action
    assert (table.view(), table.archive.export(1, "json")) == (before, exported)


async def test_what_is_for_an_auction_that_is_over_never_lands_in_the_next_one(table: Table) -> None:
    """Neither where the bell has rung, nor where the next auction is already held; nor one made up for the future."""
    begin(table)
    shown = table.view().revision
    assert (await answer(table, bid(0, 3))).status_code == 204
    assert (await answer(table, {"type": "bell"}, shown)).status_code == 204, "though somebody bid meanwhile"
    assert table.view().log[-1].words == "Anne gets the chest for 3"
    for _ in range(2):
        exported, before = table.archive.export(1, "json"), table.view()
        for action in (bid(1, 5), {"type": "bell"}):
            for revision in (shown, shown + 1, before.revision + 1):
                late = await answer(table, action, revision)
                assert late.status_code == 409
                assert action["type"] == "bell" or late.json()["error"].startswith("Too late: the bell has rung")
                assert "ask" in late.json()["fragments"]
        assert (table.archive.export(1, "json"), table.view()) == (exported, before)
        press(table, Button.ROLL)


async def test_a_bid_that_comes_with_the_bell_is_too_late(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is over, though nobody has looked at the clock yet: the bell rings first."""
    begin(table, seconds="60")
    await answer(table, bid(0, 3))
    due_ms = table.loop.now_ms() + 60_000
    monkeypatch.setattr(table.loop, "now_ms", lambda: due_ms)
    late = await answer(table, bid(1, 5))
    assert (late.status_code, late.json()["error"][:8]) == (409, "Too late")
    assert [line.words for line in table.view().log][-2:] == ["The bell rings", "Anne gets the chest for 3"]


async def test_the_deadline_rings_the_bell_though_nobody_does_anything(table: Table) -> None:
    begin(table, seconds="1", rounds="1")
    await leap(1.5)
    assert table.view().phase is Phase.OVER
    assert table.view().log[-3].words == "The bell rings"


async def test_a_table_that_is_stopped_in_the_middle_of_an_auction_goes_on_with_it(open_table: OpenTable) -> None:
    with open_table() as table:
        begin(table, seconds="600")
        await answer(table, bid(0, 3))
        await answer(table, bid(1, 4))
    with open_table() as table:
        table.matches.resume(1)
        assert bids(table) == [3, 4, 0]
        assert table.view().bell_seconds in range(1, 601)
        await answer(table, bid(0, 5))
        await answer(table, {"type": "bell"})
        press(table, Button.ROLL)
        await answer(table, {"type": "bell"})
        exported = json.loads(table.archive.export(1, "json"))
        assert exported["result"] is not None
        verdict = verify_export(exported)
        assert verdict.proven, verdict.words


@pytest.mark.parametrize("number", range(3))
def test_computer_players_play_whole_matches_with_auctions(number: int) -> None:
    scores = play_match(SimulationPlan(GAME.key, ("greedy", "random", "random"), {"rounds": "5"}, matches=1), number)
    assert sum(score.won for score in scores) == pytest.approx(1)


def test_a_game_may_say_how_its_own_players_bid() -> None:
    for number in range(3):
        miser, _ = play_match(SimulationPlan(GAME.key, ("miser", "greedy"), {"rounds": "3"}, matches=1), number)
        assert miser.tallies["gold"] == PURSE
