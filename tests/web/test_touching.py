from dataclasses import replace

import pytest

from captains_table.games.contract import Pick
from captains_table.table.model.events import Button
from captains_table.web.request_reader import MAX_BODY
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post, visit


def test_holding_the_roll_button_tumbles_and_letting_go_throws() -> None:
    table = with_legend()
    assert post(table, "/button/roll/press").status_code == 204
    assert table.view().tumbling == (0, 1, 2, 3, 4, 5)
    assert "tumbling" in get(table, "/").text
    assert post(table, "/button/roll/release").status_code == 204
    assert all(die.face is not None for die in table.view().dice)
    assert table.calls == [("press", Button.ROLL), ("release", Button.ROLL)]


@pytest.mark.parametrize("path", ["/button/anchor/press", "/button/roll/kick"])
def test_a_button_that_does_not_exist_is_not_found(path: str) -> None:
    answer = post(with_legend(), path)
    assert answer.status_code == 404
    assert "expected" in answer.json()["error"]


def test_advice_is_shown_only_when_asked_for() -> None:
    table = with_legend()
    assert "Keep 6 5 4" not in get(table, "/table").text
    assert 'data-post="/advice"' in get(table, "/table").text
    assert post(table, "/advice").status_code == 204
    page = get(table, "/table").text
    assert "Keep 6 5 4" in page
    assert "7.10 cargo expected" in page
    assert "advised" in page.split('data-pick="roll"')[0].rpartition("<button")[2]
    assert 'data-post="/advice"' not in page


def test_an_answer_is_taken_at_the_revision_it_was_shown_at() -> None:
    table = with_legend()
    answer = post(table, "/answer", {"revision": 1, "action": {"type": "pick", "id": "roll"}})
    assert answer.status_code == 204
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


def test_a_stale_answer_changes_nothing_and_brings_the_fresh_page() -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    answer = post(table, "/answer?page=table", {"revision": 1, "action": {"type": "pick", "id": "roll"}})
    assert answer.status_code == 409
    assert "nothing was done" in answer.json()["error"]
    assert 'data-revision="2"' in answer.json()["fragments"]["ask"]
    assert table.view().revision == 2


@pytest.mark.parametrize(
    "action",
    [
        {"type": "pick", "id": "fly"},
        {"type": "pick", "id": "\ud800<b>"},
        {"type": "pick"},
        {"type": "pick", "id": 3},
        {"type": "keep", "dice": [1]},
        {"type": "keep", "dice": "123"},
        {"type": "keep", "dice": [1, True]},
        {"type": "amount", "value": 1},
        {"type": "amount", "value": 1.5},
        {"type": "amount", "value": True},
        {"type": "dance"},
        "roll",
        None,
        [],
    ],
)
def test_an_answer_that_does_not_fit_is_a_bad_request(action: object) -> None:
    table = with_legend()
    answer = post(table, "/answer", {"revision": 1, "action": action})
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")
    assert table.view().revision == 1


@pytest.mark.parametrize("action", [{"type": "rolled", "faces": [6, 5, 4, 6, 6, 6]}, {"type": "time-up"}])
def test_the_page_cannot_say_how_the_dice_fell(action: object) -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    assert post(table, "/answer", {"revision": 2, "action": action}).status_code == 400


@pytest.mark.parametrize("revision", [None, "1", 1.0, True])
def test_an_answer_without_a_revision_is_a_bad_request(revision: object) -> None:
    answer = post(with_legend(), "/answer", {"revision": revision, "action": {"type": "pick", "id": "roll"}})
    assert answer.status_code == 400
    assert "revision" in answer.json()["error"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 9000, b'{"revision": 1e999}', b'{"a":' + b"9" * 5000 + b"}"]
)
def test_a_body_that_cannot_be_read_is_a_bad_request(body: bytes) -> None:
    for path in ("/answer", "/board/click", "/board/take"):
        answer = visit(with_legend(), lambda client, path=path: client.post(path, content=body))  # type: ignore[misc]
        assert answer.status_code == 400
        assert "expected" in answer.json()["error"]


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    for length, status in ((MAX_BODY, 400), (MAX_BODY + 1, 413)):
        body = b" " * length
        answer = visit(with_legend(), lambda client, body=body: client.post("/answer", content=body))  # type: ignore[misc]
        assert answer.status_code == status


def test_dice_are_kept_by_number() -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    table.answer(Pick("throw-again"), 2)
    kept = table.view().dice[0].face
    answer = post(table, "/answer", {"revision": 3, "action": {"type": "keep", "dice": [1]}})
    assert answer.status_code == 204
    assert table.view().dice[0].face == kept


def test_a_piece_is_lifted_and_put_down_by_two_clicks() -> None:
    table = with_legend()
    post(table, "/board/click", {"square": "b1"})
    assert table.hand == ["N"]
    post(table, "/board/click", {"square": "c3"})
    assert table.calls == [("click", "b1"), ("click", "c3")]
    assert table.hand == []


@pytest.mark.parametrize(
    ("square", "status"),
    [("i9", 404), ("a9", 404), ("i1", 404), ("e", 400), ("", 400), (None, 400), (5, 400), ("a" + "9" * 5000, 400)],
)
def test_a_square_that_is_not_on_the_board_is_refused(square: object, status: int) -> None:
    answer = post(with_legend(), "/board/click", {"square": square})
    assert answer.status_code == status
    assert "from a1 to h8" in answer.json()["error"]


def test_a_piece_beside_the_board_can_be_taken_and_laid_back() -> None:
    table = with_legend()
    table.beside.append("q")
    assert post(table, "/board/take", {"piece": "q"}).status_code == 204
    assert post(table, "/board/beside").status_code == 204
    assert table.beside == ["q"]
    answer = post(table, "/board/take", {"piece": "R"})
    assert answer.status_code == 400
    assert "there is q" in answer.json()["error"]
    assert post(table, "/board/take", {"piece": "queen"}).status_code == 400


def test_an_empty_hand_lays_nothing_down() -> None:
    assert post(with_legend(), "/board/beside").status_code == 400


def test_the_board_can_be_set_up_at_once() -> None:
    table = with_legend()
    table.pieces.clear()
    assert post(table, "/board/set-up").status_code == 204
    assert len(table.pieces) == 32


@pytest.mark.parametrize("path", ["click", "take", "beside", "set-up"])
def test_a_real_board_is_not_touched_by_clicks(path: str) -> None:
    answer = post(FakeTable(real_board=True), f"/board/{path}", {"square": "e2", "piece": "P"})
    assert answer.status_code == 404
    assert "real board" in answer.json()["error"]


def test_a_game_without_a_board_has_no_squares() -> None:
    table = with_legend()
    table.show(replace(table.view(), shape=None))
    assert post(table, "/board/click", {"square": "e2"}).status_code == 404


def test_a_get_never_plays() -> None:
    for path in ("/answer", "/button/roll/press", "/board/click", "/matches/1/resume"):
        answer = get(with_legend(), path)
        assert answer.status_code == 405
        assert "not understood" in answer.json()["error"]


def test_no_die_need_be_kept() -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    table.answer(Pick("throw-again"), 2)
    assert post(table, "/answer", {"revision": 3, "action": {"type": "keep", "dice": []}}).status_code == 204


def test_the_board_is_made_noisy_and_quiet_again() -> None:
    table = with_legend()
    assert 'aria-checked="false"' in get(table, "/table").text
    assert post(table, "/board/noise/on").status_code == 204
    assert 'aria-checked="true"' in get(table, "/table").text
    assert post(table, "/board/noise/off").status_code == 204
    assert table.calls == [("noise", True), ("noise", False)]


def test_noise_is_on_or_off() -> None:
    answer = post(with_legend(), "/board/noise/loud")
    assert answer.status_code == 404
    assert "expected on or off" in answer.json()["error"]


@pytest.mark.parametrize("bid", [{}, {"seat": None}, {"seat": ""}])
def test_a_bid_without_a_bidder_is_refused_in_plain_words(bid: dict[str, object]) -> None:
    answer = post(with_legend(), "/answer", {"revision": 1, "action": {"type": "bid", "value": 3} | bid})
    assert answer.status_code == 400
    assert "Who bids?" in answer.json()["error"]
