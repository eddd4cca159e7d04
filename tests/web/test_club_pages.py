"""What the page has of the club: its pairings on the form for a new match, and the arbiter."""

from captains_table.table.lobby.match_setup import ClubPairing, Start
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post, send

TOKEN = "of the table"  # noqa: S105 - nobody's
PAIRED = ClubPairing("Round <2>", Start("legend", ("Anne", "Bart & Co"), {"rounds": "1"}, "7"))


def table_with(*paired: ClubPairing) -> FakeTable:
    table = FakeTable()
    table.wanted = paired
    return table


def test_a_pairing_is_begun_by_its_one_button_and_one_that_the_club_withdrew_is_refused_in_words() -> None:
    table = table_with(PAIRED)
    answer = send(table, "/new", {"pairing": "7"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert ("begin_paired", "7") in table.calls
    answer = send(table_with(), "/new", {"pairing": "7"})
    assert (answer.status_code, "no such match" in answer.text) == (409, True)


def test_the_arbiter_is_called_by_a_button_that_a_table_without_a_club_has_not() -> None:
    table = FakeTable()
    assert "arbiter" not in get(table, "/table").text
    assert post(table, "/arbiter/call").status_code == 409
    table.calls_arbiter = False
    assert 'data-post="/arbiter/call"' in get(table, "/table").text
    assert post(table, "/arbiter/call").status_code == 204
    assert table.calls_arbiter
    assert 'data-post="/arbiter/release"' in get(table, "/table").text
    assert post(table, "/arbiter/release").status_code == 204
    assert not table.calls_arbiter
    assert post(table, "/arbiter/shout").status_code == 404


def test_a_spectator_cannot_call_the_arbiter() -> None:
    table = FakeTable()
    table.calls_arbiter = False
    assert "/arbiter/" not in get(table, "/", token=TOKEN).text
    assert "/arbiter/" in get(table, "/table", token=TOKEN).text, "the owner's page, whose buttons ask for the token"
    assert post(table, "/arbiter/call", token=TOKEN).status_code == 403
