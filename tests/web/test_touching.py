"""What the page sends to the table: buttons, answers, hands on the board; and what is refused."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from captains_table.games.contract import Pick
from captains_table.table.model.events import Button
from captains_table.web.request_reader import MAX_BODY
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post

ROLL = {"type": "pick", "id": "roll"}


def test_holding_the_roll_button_tumbles_and_letting_go_throws() -> None:
    table = with_legend()
    assert post(table, "/button/roll/press").status_code == 204
    assert table.view().tumbling == (0, 1, 2, 3, 4, 5)
    assert "tumbling" in get(table, "/").text
    assert post(table, "/button/roll/release").status_code == 204
    assert all(die.face is not None for die in table.view().dice)
    assert table.calls == [("press", Button.ROLL), ("release", Button.ROLL)]


def test_advice_is_shown_only_when_asked_for() -> None:
    table = with_legend()
    assert "Keep 6 5 4" not in get(table, "/table").text
    assert 'data-post="/advice"' in get(table, "/table").text
    assert post(table, "/advice").status_code == 204
    page = get(table, "/table").text
    assert "Keep 6 5 4" in page
    assert "7.10 cargo expected" in page
    assert "advised" in page.split('data-pick="roll"')[0].rpartition("<button")[2]
    assert 'data-post="/advice" aria-disabled="true"' in page


def test_an_answer_is_taken_at_the_revision_it_was_shown_at_and_a_stale_one_brings_the_fresh_page() -> None:
    table = with_legend()
    assert post(table, "/answer", {"revision": 1, "action": ROLL}).status_code == 204
    assert table.view().revision == 2
    stale = post(table, "/answer?page=table", {"revision": 1, "action": ROLL})
    assert stale.status_code == 409
    assert "nothing was done" in stale.json()["error"]
    assert 'data-revision="2"' in stale.json()["fragments"]["ask"]
    assert table.view().revision == 2


def test_back_leaves_a_question_that_was_only_opened_as_the_tables_button_does() -> None:
    table = with_legend()
    assert "data-back" not in get(table, "/table").text
    back = {"revision": table.view().revision, "action": {"type": "pick", "id": "take-back"}}
    assert post(table, "/answer", back).status_code == 400
    table.show(replace(table.view(), goes_back=True))
    assert "data-back" in get(table, "/table").text
    assert post(table, "/answer", back).status_code == 204
    assert table.calls[-2:] == [("press", Button.BACK), ("release", Button.BACK)]


def test_the_owner_sets_the_pace_of_the_table_and_who_watches_neither_sees_nor_sets_it() -> None:
    table = with_legend()
    page = get(table, "/records").text
    assert re.search(r'name="pace" value="usual" checked', page)
    assert post(table, "/pace/unhurried").status_code == 204
    assert table.paces == ["unhurried"]
    assert post(table, "/pace/hasty").status_code == 404
    assert 'name="pace"' not in get(table, "/table", token="sea shanty").text  # noqa: S106 - of the tests
    assert post(table, "/pace/quick", token="sea shanty").status_code == 403  # noqa: S106 - of the tests
    assert table.paces == ["unhurried"]


def what_does_not_fit() -> Iterator[tuple[str, object, int, str]]:
    """Yield an address, what is sent there, and the status and words with which it is refused."""
    yield from ((f"/button/{path}", None, 404, "expected") for path in ("anchor/press", "roll/kick"))
    picks = [{"type": "pick"} | wrong for wrong in ({"id": "fly"}, {"id": "\ud800<b>"}, {}, {"id": 3})]
    keeps = [{"type": "keep", "dice": dice} for dice in ([1], "123", [1, True])]
    amounts = [{"type": "amount", "value": value} for value in (1, 1.5, True)]
    thrown = [{"type": "rolled", "faces": [6, 5, 4, 6, 6, 6]}, {"type": "time-up"}]  # the dice say how they fell
    actions: list[object] = [*picks, *keeps, *amounts, *thrown, {"type": "dance"}, "roll", None, []]
    yield from (("/answer", {"revision": 1, "action": action}, 400, ".") for action in actions)
    yield from (("/answer", {"revision": each, "action": ROLL}, 400, "revision") for each in (None, "1", 1.0, True))
    for bidder in ({}, {"seat": None}, {"seat": ""}):
        yield "/answer", {"revision": 1, "action": {"type": "bid", "value": 3} | bidder}, 400, "Who bids?"
    yield from (("/board/click", {"square": each}, 404, "from a1 to h8") for each in ("i9", "a9", "i1"))
    for square in ("e", "", None, 5, "a" + "9" * 5000):
        yield "/board/click", {"square": square}, 400, "from a1 to h8"
    yield from (("/board/take", {"piece": each}, 400, "") for each in ("", "+", "BB", "++B", "<", 7, "queen"))
    for player in (
        {},
        {"seat": 1},
        {"seat": True, "player": ""},
        {"seat": "1", "player": ""},
        {"seat": 1, "player": None},
    ):
        yield "/player", player, 400, 'expected {"seat": number, "player": "aether:3", or ""}'
    yield "/board/mask", {"square": "k9"}, 404, ""
    yield "/board/beside", None, 400, ""
    yield "/board/noise/loud", None, 404, "expected on or off"


def test_what_does_not_fit_is_refused_in_words_and_changes_nothing() -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    table.show(replace(table.view(), revision=1))
    before = table.view(), table.physical()
    for path, body, status, words in what_does_not_fit():
        answer = post(table, path, body)
        assert answer.status_code == status, (path, body)
        assert words in answer.json()["error"], (path, body)
        assert answer.json()["error"].endswith(".")
    assert (table.view(), table.physical(), table.calls) == (*before, [])


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 9000, b'{"revision": 1e999}', b'{"a":' + b"9" * 5000 + b"}"]
)
def test_a_body_that_cannot_be_read_is_a_bad_request(body: bytes) -> None:
    for path in ("/answer", "/board/click", "/board/take"):
        answer = post(with_legend(), path, body)
        assert answer.status_code == 400
        assert "expected" in answer.json()["error"]


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    for length, status in ((MAX_BODY, 400), (MAX_BODY + 1, 413)):
        assert post(with_legend(), "/answer", b" " * length).status_code == status


@pytest.mark.parametrize("kept", [[1], []])
def test_any_dice_are_kept_by_number(kept: list[int]) -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    table.answer(Pick("throw-again"), 2)
    before = [table.view().dice[number - 1].face for number in kept]
    assert post(table, "/answer", {"revision": 3, "action": {"type": "keep", "dice": kept}}).status_code == 204
    assert [table.view().dice[number - 1].face for number in kept] == before


def test_a_piece_is_lifted_and_put_down_by_two_clicks() -> None:
    table = with_legend()
    post(table, "/board/click", {"square": "b1"})
    assert table.hand == ["N"]
    post(table, "/board/click", {"square": "c3"})
    assert table.calls == [("click", "b1"), ("click", "c3")]
    assert table.hand == []


def test_the_hand_says_what_it_refuses_and_puts_a_piece_back() -> None:
    table = with_legend()
    table.refuses["d7"] = "That pawn is Bart's"
    refused = post(table, "/board/click", {"square": "d7", "dropped": True})
    assert (refused.status_code, table.was_dropped) == (200, True)
    assert refused.json() == {"refused": "That pawn is Bart's.", "square": "d7"}
    assert post(table, "/board/put-back").status_code == 400
    post(table, "/board/click", {"square": "b1"})
    assert "Put it back" not in get(table, "/table").text
    assert post(table, "/board/put-back").status_code == 204
    assert table.calls[-1] == ("put back", "N")


@pytest.mark.parametrize("piece", ["q", "+B", "c"])
def test_a_piece_next_to_the_board_can_be_taken_and_laid_back_crowned_or_not(piece: str) -> None:
    table = with_legend()
    table.beside.append(piece)
    assert post(table, "/board/take", {"piece": piece}).status_code == 204
    assert post(table, "/board/beside").status_code == 204
    assert table.beside == [piece]
    answer = post(table, "/board/take", {"piece": "R"})
    assert answer.status_code == 400
    assert f"there is {piece}" in answer.json()["error"]


def test_the_board_can_be_set_up_at_once() -> None:
    table = with_legend()
    table.pieces.clear()
    assert post(table, "/board/set-up").status_code == 204
    assert len(table.pieces) == 32


def test_a_real_board_is_not_touched_by_clicks_and_a_game_without_one_has_no_squares() -> None:
    for path in ("click", "take", "beside", "set-up"):
        answer = post(FakeTable(real_board=True), f"/board/{path}", {"square": "e2", "piece": "P"})
        assert answer.status_code == 404
        assert "real board" in answer.json()["error"]
    table = with_legend()
    table.show(replace(table.view(), shape=None))
    assert post(table, "/board/click", {"square": "e2"}).status_code == 404


def test_a_get_never_plays() -> None:
    for path in ("/answer", "/button/roll/press", "/board/click", "/matches/1/resume"):
        answer = get(with_legend(), path)
        assert answer.status_code == 405
        assert "not understood" in answer.json()["error"]


def test_the_board_is_made_noisy_and_quiet_again() -> None:
    table = with_legend()
    assert 'aria-checked="false"' in get(table, "/table").text
    assert post(table, "/board/noise/on").status_code == 204
    assert 'aria-checked="true"' in get(table, "/table").text
    assert post(table, "/board/noise/off").status_code == 204
    assert table.calls == [("noise", True), ("noise", False)]
