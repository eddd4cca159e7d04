"""The page of an event that everybody may see: what is on it, that nothing is done there, how it looks."""

import io
import json
import zipfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import chess.pgn
import httpx
import pytest
from playwright.sync_api import Page, expect

from captains_table.club.events.entries import Made, System
from captains_table.club.pages.event_pages import MatchExport, tagged, zipped
from captains_table.games.contract import Pick
from captains_table.reporting.messages import FinalScore
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Acted, ClockWentOn, Entry, MatchEnded, MatchStarted
from tests.club.event_club import AS_ARBITER, SECOND_WINS, EventClub, pages_of_events
from tests.club.served_club import ServedClub, served
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import too_small

SWISS = Made(title="Autumn & Co", game="captains-chess", system=System.SWISS, rounds=5)
GROUPS = Made(title="Dice", game="swashbuckle", system=System.GROUPS, rounds=2, group_size=4)
ALL_MEET = Made(title="All meet", game="captains-chess", system=System.ROUND_ROBIN, rounds=1)
NAMES = ("Anne", "Bartholomew Roberts", "Cleo", "Dirk", "<b>Eve</b>", "Floor", "Guus")
SIZES: dict[str, dict[str, Any]] = {
    "projector": {"viewport": {"width": 1920, "height": 1080}},
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
EVENTS = (1, 2, 3)
SHOWN = list(product(SIZES, EVENTS) if LONG_RUN else zip(SIZES, EVENTS, strict=True))


async def text(guest: httpx.AsyncClient, address: str) -> str:
    answer = await guest.get(address)
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_a_guest_sees_boards_results_standings_crosstable_and_the_rounds_before(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(SWISS, *NAMES)
        assert "No round is paired yet" in await text(guest, f"/events/{number}")
        await club.pair(number)
        await club.play_all()
        await club.pair(number)
        await club.play("table-1", SECOND_WINS)
        page = await text(guest, f"/events/{number}")
        shown = ("Round 2 of 5", "Rounds before", "0 : 1", "Without an opponent", "Crosstable", "Buchholz")
        assert [words for words in (*shown, "&lt;b&gt;Eve&lt;/b&gt;") if words not in page] == []
        assert "<b>Eve</b>" not in page


async def test_what_the_arbiter_writes_and_does_is_not_on_a_guest_s_page(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(SWISS, *NAMES)
        await club.pair(number)
        pairing = club.published["table-1"][0]
        why = {"pairing": pairing.id, "count": "1-0", "why": "went home in anger"}
        ruled = await guest.post(f"/arbiter/events/{number}/rule", data=why, headers=AS_ARBITER)
        assert ruled.status_code == 303
        page = await text(guest, f"/events/{number}")
        assert "1 : 0" in page
        assert [words for words in ("anger", "<form", "/arbiter") if words in page] == []
        for path in (f"/arbiter/events/{number}", f"/arbiter/events/{number}/sheet", f"/events?event={number}"):
            assert (await guest.get(path)).status_code == 403
        assert (await guest.post(f"/events/{number}")).status_code == 403


async def test_an_event_that_is_not_there_has_no_page_and_no_stream_and_the_evening_leads_to_others(
    tmp_path: Path,
) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        for path in ("/events/9", "/events/x", f"/events/{10**30}", "/events?public=9", "/events?public=%3Cb%3E"):
            answer = await guest.get(path)
            assert answer.status_code in {400, 404}, path
            assert "<b>" not in answer.text
        number = club.begin(SWISS, *NAMES)
        assert f'href="/events/{number}"' in await text(guest, "/evenings/1")
        arbiter = await guest.get("/evenings/1", headers=AS_ARBITER)
        assert f'href="/arbiter/events/{number}"' in arbiter.text


# --- in a browser ---


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClub[EventClub]]:
    with served(EventClub(tmp_path_factory.mktemp("club"), 4), prepare=played) as place:
        yield place


def play_all(club: EventClub) -> None:
    """Let every table play all it is offered, won by the first seat."""
    for user, pairings in list(club.published.items()):
        for pairing in pairings:
            scores = tuple(1200 - 37 * place for place in range(len(pairing.seats)))
            club.tell(user, pairing, FinalScore(winner=0, scores=scores))


async def played(club: EventClub) -> None:
    """Let events of all systems be played: the third round of one of them goes on."""
    await club.settled()
    for made, rounds in ((GROUPS, 2), (ALL_MEET, 3), (SWISS, 2)):
        number = club.begin(made, *NAMES)
        for _ in range(rounds):
            await club.pair(number)
            play_all(club)
            await club.settled()
    await club.pair(number)


def unfold(page: Page) -> None:
    """Show all that is folded in."""
    for details in page.locator("details").all():
        details.locator("summary").click()


def words_over_others(page: Page) -> list[str]:
    """Return which cells of tables hold words that stick out of them."""
    found: list[str] = page.locator("td, th").evaluate_all(
        "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"
    )
    return found


@pytest.mark.browser
@pytest.mark.parametrize(("size", "event"), SHOWN)
def test_it_is_seen_whole_at_every_size_and_keeps_nobody_out(
    size: str, event: int, place: ServedClub[EventClub], visitor: Visitor
) -> None:
    page = visitor.open(f"{place.address}events/{event}", **SIZES[size])
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert words_over_others(page) == []
    if size == "phone":
        assert [small for small in too_small(page) if "<a " not in small] == []
        assert found_on(page) == {}


@pytest.mark.browser
def test_from_the_wall_s_standings_one_comes_to_the_page_and_results_come_by_themselves(
    place: ServedClub[EventClub], visitor: Visitor
) -> None:
    page = visitor.open(place.address, **SIZES["phone"])
    page.get_by_role("link", name="Autumn & Co").click()
    page.wait_for_url("**/events/3")
    row = page.locator("#round tbody tr").first
    expect(row).not_to_contain_text(":")
    page.locator("#round-1 summary").click()
    pairing = place.club.published["table-1"][0]
    place.do(lambda club: club.tell("table-1", pairing, FinalScore(winner=1, scores=(3, 7))))
    expect(row).to_contain_text("0 : 1")
    expect(page.locator("#round-1 table")).to_be_visible()


@pytest.mark.browser
def test_on_paper_stand_the_tables_alone(place: ServedClub[EventClub], visitor: Visitor) -> None:
    page = visitor.open(f"{place.address}events/3", viewport={"width": 794, "height": 1123})
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator("#round table")).to_be_visible()
    expect(page.get_by_text("Rounds before")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.querySelector('#round td')).color") == "rgb(0, 0, 0)"
    assert b"/MediaBox [0 0 594.95996 841.91998]" in page.pdf(prefer_css_page_size=True), "A4"


def export(entries: list[Entry]) -> bytes:
    return json.dumps(export_json(entries, None, "2026-01-31T20:15:00+01:00")).encode()


CHESS: list[Entry] = [
    MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "5+3"}),
    ClockWentOn(0),
    Acted(1, 0, 4_000, Pick("e2e4")),
    Acted(2, 0, 10_000, Pick("press-clock")),
    Acted(3, 1, 20_000, Pick("resign")),
    MatchEnded(0, (1, 0)),
]


def opened(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        return {name: folder.read(name).decode() for name in folder.namelist()}


def test_files_lie_by_round_and_board_with_clocks_and_the_event_s_own_tags() -> None:
    files = opened(zipped('The "Open"', [MatchExport(2, 5, export(CHESS))]))
    assert set(files) == {"round-2/game-5.json", "round-2/game-5.pgn"}
    text = files["round-2/game-5.pgn"]
    assert "[Event \"The 'Open'\"]" in text
    assert '[Round "2.5"]' in text
    assert "1. e4 {[%clk 0:04:53]} 1-0" in text
    assert files["round-2/game-5.json"].encode() == export(CHESS)


def test_of_a_dice_game_there_is_only_the_export() -> None:
    entries: list[Entry] = [MatchStarted("swashbuckle", ("Anne", "Bart"), {})]
    assert set(opened(zipped("x", [MatchExport(1, 1, export(entries))]))) == {"round-1/game-1.json"}


def test_a_match_of_several_rounds_says_which_of_them_each_game_is() -> None:
    text = '[Event "Legend"]\n[Round "1"]\n\n*\n\n[Event "Legend"]\n[Round "2"]\n\n*\n'
    games = io.StringIO(tagged(text, "Open", "3.1"))
    rounds = []
    while (game := chess.pgn.read_game(games)) is not None:
        rounds.append((game.headers["Event"], game.headers["Round"]))
    assert rounds == [("Open", "3.1.1"), ("Open", "3.1.2")]
