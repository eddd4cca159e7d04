import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Call, OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person


def test_a_request_from_another_page_or_by_another_name_is_refused(open_table: OpenTable, call: Call) -> None:
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
    table = open_table("play", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104 - what is tested
    query = table.printed.partition("?")[2]
    page = visitor.open(f"{table.origin}/table?{query}")
    anne = Person(page, table)
    assert page.url == f"{table.origin}/table"
    anne.hold_roll()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    watching = visitor.open(f"{table.origin}/table")
    expect(watching.locator(".notice")).to_contain_text("You are watching")
