"""The overlay of a table: who sees it, what is on it, and that a stream's picture lies behind it."""

import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.club.event_club import opened as opened_club
from tests.club.served_club import PAGE, Caller, hall, played, served
from tests.support.browser import Visitor
from tests.support.fake_club import FakeClub

TOKEN = "the-arbiters-token"  # noqa: S105 - a test's
AS_ARBITER = {**PAGE, "x-table-token": TOKEN}


def address_of(caller: Caller, user: str = "table-2") -> str:
    """Return the overlay's address that the arbiter finds on a table's page, without the server's part."""
    found = re.search(r'value="http://localhost/(tables/[^"]*)"', caller.get(f"/tables/{user}", AS_ARBITER).text)
    return f"/{found[1]}" if found else ""


def renewed(caller: Caller, headers: Mapping[str, str] = AS_ARBITER) -> httpx.Response:
    return caller.post("/tables/table-2/overlay/renew", {}, headers)


def test_the_arbiter_makes_and_renews_the_address_and_nobody_else_sees_it() -> None:
    caller = Caller(hall(2), token=TOKEN)
    assert address_of(caller) == ""
    assert caller.get("/tables/table-2/overlay?secret=").status_code == 403
    assert renewed(caller, PAGE).status_code == 403
    assert renewed(caller).status_code == 303
    first = address_of(caller)
    assert caller.get(first).status_code == 200, "no log-in is asked for"
    assert "secret=" not in caller.get("/tables/table-2").text
    assert caller.get(first.replace("table-2", "table-1")).status_code == 403
    assert renewed(caller).status_code == 303
    assert caller.get(first).status_code == 403
    assert caller.ask("HEAD", f"/events?overlay=table-2&{first.partition('?')[2]}").status_code == 403
    second = address_of(caller)
    assert caller.ask("HEAD", f"/events?overlay=table-2&{second.partition('?')[2]}").status_code == 200


def test_the_address_outlives_the_server(tmp_path: Path) -> None:
    with opened_club(tmp_path, 2) as club:
        caller = Caller(club, token=TOKEN)
        renewed(caller)
        address = address_of(caller)
    with opened_club(tmp_path, 0) as club:
        assert Caller(club, token=TOKEN).get(address).status_code == 200, "though the table is not heard of yet"


def opened(club: FakeClub) -> tuple[Caller, str]:
    caller = Caller(club, token=TOKEN)
    renewed(caller)
    return caller, address_of(caller)


def test_it_comes_whole_with_the_pieces_asked_for() -> None:
    caller, address = opened(hall(2))
    caller.reads(address, "<svg", "Anne", "Bart", 'class="clock')
    caller.reads(f"{address}&show=names,clocks&theme=light", 'class="light with-names with-clocks"', lacks=["<svg"])
    for wrong in ("show=engine", "theme=pink", "show="):
        caller.reads(f"{address}&{wrong}", "some of board, clocks, names", status=400)


def test_a_table_that_has_not_reported_since_the_server_s_start_has_an_empty_overlay_and_not_an_error() -> None:
    club = hall(1)
    club.overlay_secrets["table-9"] = "a-secret"
    Caller(club, token=TOKEN).reads("/tables/table-9/overlay?secret=a-secret", 'id="board"', lacks=["<svg"])


@pytest.mark.browser
def test_the_stream_s_picture_lies_behind_it_and_moves_come_by_themselves(visitor: Visitor) -> None:
    club = hall(2)
    club.overlay_secrets["table-2"] = "a-secret"
    with served(club, token=TOKEN) as place:
        page = visitor.open(
            f"{place.address}tables/table-2/overlay?secret=a-secret", viewport={"width": 1920, "height": 1080}
        )
        for part in ("html", "body"):
            ground = page.evaluate(f"getComputedStyle(document.querySelector('{part}')).backgroundColor")
            assert ground == "rgba(0, 0, 0, 0)"
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        squares = page.locator("#board [data-square]")
        expect(squares).to_have_count(72)
        place.do(lambda club: club.report("table-2", played("whole-round")[30]))
        expect(squares).to_have_count(64)
