"""Lines of JSON that ask Aether, and what is said of those that cannot be read."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from captains_table.players.legend.aether.engine_lines import BadRequest, answer_line, error_line, read_request
from captains_table.players.legend.aether.situation import FoundAction

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ASKED: dict[str, Any] = {
    "fen": START,
    "die": 4,
    "throws": 1,
    "cargo": [10, 20],
    "legend": [3, 4],
    "captures": {"white": "pnq", "black": ""},
    "genie_spent": [False, True],
    "rounds_left": 2,
}


def line(**changed: object) -> bytes:
    return json.dumps(ASKED | changed).encode()


def wrong(asked: bytes) -> str:
    with pytest.raises(BadRequest) as found:
        read_request(asked)
    return str(found.value)


def test_a_line_is_read_as_a_situation_with_white_first() -> None:
    found = read_request(line())
    assert (found.fen, found.die, found.throws, found.rounds_left) == (START, 4, 1, 2)
    assert (found.cargo, found.legend) == ((10, 20), (3, 4))
    assert (found.captures, found.genie_spent) == (("pnq", ""), (False, True))
    assert (found.turns_left, found.scores_piece, found.is_final) == (None, False, False)


def test_a_king_may_stand_attacked_and_rights_without_a_rook_count_for_nothing() -> None:
    assert read_request(line(fen="4k3/4Q3/8/8/8/8/8/4K3 w KQkq - 0 1")).fen == "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"


WRONG: dict[str, list[tuple[object, str]]] = {
    "die": [
        (7, "from 1 to 6, got 7"),
        (0, "from 1 to 6"),
        *((die, "a whole number") for die in (True, 3.0, "3", None)),
    ],
    "throws": [(0, "from 1 to 3, got 0"), (4, "from 1 to 3")],
    "cargo": [([1], "[white, black]"), ([1, -1], "from 0")],
    "legend": [({"white": 1, "black": 2}, "[white, black]"), ([1, 2.5], "whole numbers")],
    "captures": [
        *((["p", ""], '"white"'), ({"white": "p"}, '"black"')),
        ({"white": "k", "black": ""}, "captures.white: expected up to 15 letters of pnbrq"),
        ({"white": "", "black": "P"}, "captures.black: expected up to 15 letters of pnbrq"),
        ({"white": "p" * 16, "black": ""}, "up to 15"),
    ],
    "genie_spent": [([0, 1], "true or false"), (True, "[white, black]")],
    "rounds_left": [(-1, "from 0")],
    "fen": [
        *((5, "a position as FEN"), ("", "a position as FEN"), ("k8/8/8/8/8/8/8/K7 w - - 0 1", "a position as FEN")),
        *(("k7/8/8/8/8/8/8/K7 x - - 0 1", "a position as FEN"), ("8/8/8/8/8/8/8/K7 w - - 0 1", "0 black kings")),
        *(("kk6/8/8/8/8/8/8/K7 w - - 0 1", "2 black kings"), ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "en passant")),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "first or last rank"),
    ],
    "dice": [(3, "no such key (did you mean 'die'?)")],
}


@pytest.mark.parametrize(("key", "value", "said"), [(key, *wrong) for key, wrongs in WRONG.items() for wrong in wrongs])
def test_what_does_not_fit_is_named_with_what_was_expected(key: str, value: object, said: str) -> None:
    words = wrong(line(**{key: value}))
    assert words.startswith(key)
    assert ": expected " in words
    assert said in words


@pytest.mark.parametrize("key", ASKED)
def test_a_missing_key_is_named_with_what_was_expected(key: str) -> None:
    words = wrong(json.dumps({other: value for other, value in ASKED.items() if other != key}).encode())
    assert words.startswith(f"{key}: expected ")
    assert "missing" in words


@pytest.mark.parametrize("asked", [b"", b"\n", b"{", b"[1]", b"3", b"null", b"\xff\xfe", b"{}{}", b"[" * 5000])
def test_a_line_that_is_no_object_is_said_to_be_none(asked: bytes) -> None:
    assert wrong(asked).startswith("line: expected one JSON object in UTF-8 a line")


TEXT = st.text('ab{"\\\0é🎲', max_size=5)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(ASKED)), json_values)
def test_whatever_a_key_holds_the_line_is_read_or_refused_by_a_sentence(key: str, value: object) -> None:
    try:
        read_request(msgspec.json.encode(ASKED | {key: value}))
        refused = f"{key}, as it is read"
    except BadRequest as error:
        refused = json.loads(error_line(error))["error"]
    assert refused.startswith(key)


@given(st.binary(max_size=200))
def test_whatever_bytes_a_line_holds_they_are_refused_by_a_sentence(asked: bytes) -> None:
    assert "expected" in wrong(asked)


def test_an_answer_is_one_object_a_line() -> None:
    found = FoundAction("move", "e1g1", 1 / 3, 4, 12_345)
    told = {"action": "move", "move": "e1g1", "value": 0.333333, "depth": 4, "nodes": 12345, "ms": 17}
    assert json.loads(answer_line(found, 17)) == told
    assert answer_line(found, 17).count(b"\n") == 1
    assert json.loads(answer_line(FoundAction("move", None, 0.0, 1, 1), 0))["move"] is None
