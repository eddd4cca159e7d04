from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person
from tests.support.table_process import Caller, TableProcess

Call = Callable[[TableProcess], Caller]


def test_an_answer_to_what_is_no_longer_asked_is_refused(open_table: OpenTable, call: Call) -> None:
    """The dice stay as they fell, and the answer says what is asked now."""
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    stale = {"revision": anne.revision(), "action": {"type": "pick", "id": "roll"}}
    assert anne.post("/answer", stale).status_code == 204
    before = anne.revision()
    answer = anne.post("/answer", stale)
    assert answer.status_code == 409
    assert "nothing was done" in answer.json()["error"]
    assert anne.revision() == before


def test_an_answer_meant_for_another_match_is_refused(open_table: OpenTable, call: Call) -> None:
    """A phone that slept through a new match does no harm in it."""
    table = open_table("play", "--players", "Anne", "Bart")
    anne = call(table)
    asleep = {"revision": anne.revision(), "action": {"type": "pick", "id": "abandon"}}
    assert anne.post("/new", {"game": "legend", "name1": "Cleo", "name2": "Dan"}).status_code == 204
    assert anne.post("/answer", asleep).status_code == 409


@pytest.mark.browser
def test_a_page_that_is_behind_is_told_and_brought_up_to_date(
    open_table: OpenTable, visitor: Visitor, call: Call
) -> None:
    """Somebody else answered first: the page says so and shows what is asked now."""
    table = open_table("play", "--players", "Anne", "Bart")
    page = visitor.open(table.printed)
    Person(page, table)
    before = call(table).revision()
    page.evaluate("document.querySelector('#ask [data-revision]').dataset.revision = '-1'")
    visitor.accept("409 (Conflict)")
    page.locator('[data-pick="roll"]').click()
    expect(page.locator("#toast")).to_contain_text("The table has moved on")
    assert call(table).revision() == before


def test_a_request_from_another_page_or_by_another_name_is_refused(open_table: OpenTable, call: Call) -> None:
    """The sentence names the stranger, and nothing is played."""
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    body = {"revision": anne.revision(), "action": {"type": "pick", "id": "roll"}}
    for header, value, status in (
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Host", "evil.example", 400),
    ):
        answer = anne.post("/answer", body, **{header: value})
        assert answer.status_code == status
        assert value in answer.json()["error"]
        assert anne.revision() == body["revision"]


def test_beyond_this_machine_a_request_without_the_token_is_refused(open_table: OpenTable, call: Call) -> None:
    """Looking is free; playing takes the printed address, or its token as a header."""
    table = open_table("play", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104 - what is tested
    token = table.printed.partition("?token=")[2]
    assert len(token) >= 20
    stranger = call(table)
    assert stranger.get("/table").status_code == 200
    refused = stranger.post("/button/roll/press")
    assert refused.status_code == 403
    assert "token" in refused.json()["error"]
    assert stranger.post("/button/roll/press", **{"X-Table-Token": "wrong"}).status_code == 403
    table.expected_complaints = "127.0.0.1 came with a wrong token.\n"
    assert stranger.post("/button/roll/press", **{"X-Table-Token": token}).status_code == 204
    friend = call(table)
    assert friend.get(f"/table?token={token}").status_code == 200
    assert friend.post("/button/roll/release").status_code == 204


@pytest.mark.browser
def test_the_printed_address_plays_and_hides_its_token(open_table: OpenTable, visitor: Visitor) -> None:
    """It becomes a cookie; what stands in the address bar gives nothing away."""
    table = open_table("play", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104 - what is tested
    query = table.printed.partition("?")[2]
    page = visitor.open(f"{table.origin}/table?{query}")
    anne = Person(page, table)
    assert page.url == f"{table.origin}/table"
    anne.hold_roll()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    watching = visitor.open(f"{table.origin}/table")
    expect(watching.locator(".notice")).to_contain_text("You are watching")


@pytest.mark.browser
def test_no_request_leaves_the_machine(open_table: OpenTable, visitor: Visitor) -> None:
    """Every page, picture, script and stream comes from the table itself."""
    table = open_table("play", "--players", "Anne", "Bart")
    page = visitor.open(table.printed)
    Person(page, table).hold_roll()
    for path in ("/", "/new", "/matches", "/rules/legend"):
        page.goto(table.origin + path)
        page.wait_for_load_state("load")
    assert visitor.places() == {f"127.0.0.1:{table.port}"}
