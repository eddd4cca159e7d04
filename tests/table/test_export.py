"""A match as it is exported: an honest one verifies, and whatever was changed in it is found out."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.contract import Pick, parse_square
from captains_table.table.history import export
from captains_table.table.history.export import export_json
from captains_table.table.history.not_proven import NotProven
from captains_table.table.history.verify import prove, verify_export
from captains_table.table.model.entries import Acted, Entry, Masked, MatchEnded, MatchStarted, TakenBack
from captains_table.table.model.events import SwitchMasked
from captains_table.table.model.match import BadHistory
from tests.support.effort import effort
from tests.support.forgeries import Value, place_of
from tests.support.honest_match import BEGAN, SEED, HonestTable


@cache
def match_with_moves_taken_back() -> str:
    """Return the export of a match with moves taken back and a switch masked."""
    table = HonestTable("legend", {"rounds": "1", "turn_limit": "8"})
    table.session.handle(SwitchMasked(parse_square("a5")), 0)
    taken_back = 0
    for luck in range(effort(20, 400)):
        table.play_on(luck, most=1)
        taken_back += table.takes_back_a_move()
    table.play_on(9)
    entries = table.entries()
    assert sum(isinstance(entry, TakenBack) for entry in entries) >= taken_back > 0
    assert any(isinstance(entry, Masked) for entry in entries)
    return json.dumps(table.export())


def exported() -> Value:
    value: Value = json.loads(match_with_moves_taken_back())
    return value


@cache
def short_match() -> HonestTable:
    table = HonestTable("legend", {"rounds": "1", "turn_limit": "2"})
    table.play_on(5)
    return table


@cache
def short_text() -> str:
    return json.dumps(short_match().export(), separators=(",", ":"))


def sealed(value: Value) -> Value:
    """Compute the digest again, as a forger would."""
    return {**value, "digest": export.digest(value)}


def test_an_honest_match_verifies_take_backs_and_all() -> None:
    value = exported()
    throws = sum(entry.get("action", {}).get("type") == "rolled" for entry in value["entries"])
    verdict = verify_export(value)
    words = f"The seed is the one committed to, and all {throws} throws are the seed's"
    assert (verdict.proven, verdict.words) == (True, words)


def test_the_seed_is_told_only_when_the_match_is_over() -> None:
    entries = short_match().entries()
    for length in range(1, len(entries) + 1):
        is_over = any(isinstance(entry, MatchEnded) for entry in entries[:length])
        value = export_json(entries[:length], SEED, BEGAN)
        assert ("seed" in value) == is_over
        assert (SEED.hex() in json.dumps(value)) == is_over
        verdict = verify_export(value)
        assert verdict.proven == is_over
        assert is_over or verdict.words == "the match is not over: its seed is not told yet"


def test_a_dictated_match_says_so_and_does_not_verify() -> None:
    entries: list[Entry] = [MatchStarted("legend", ("Anne", "Bart"), {}), MatchEnded(None, (0, 0))]
    value = export_json(entries, None, BEGAN)
    assert value["dice"] == "dictated"
    assert "seed" not in value
    verdict = verify_export(value)
    assert not verdict.proven
    assert "dictated" in verdict.words


@settings(max_examples=effort(25, 5000))
@given(st.data())
def test_no_other_letter_anywhere_verifies(data: st.DataObject) -> None:
    text = short_text()
    position = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="ascii", exclude_characters=text[position]))
    try:
        value = json.loads(text[:position] + letter + text[position + 1 :])
    except json.JSONDecodeError:
        return
    if export.canonical(value) != export.canonical(json.loads(text)):
        assert not verify_export(value).proven


SCALARS = st.none() | st.integers() | st.text()
ANY_JSON: st.SearchStrategy[object] = st.deferred(
    lambda: SCALARS | st.lists(ANY_JSON, max_size=4) | st.dictionaries(st.text(), ANY_JSON, max_size=4)
)


@pytest.mark.slow
@settings(max_examples=effort(10, 1000))
@given(ANY_JSON)
def test_whatever_json_it_is_given_it_answers(value: object) -> None:
    assert not verify_export(value).proven
    assert not verify_export({**json.loads(short_text()), "entries": value}).proven
    assert not verify_export({**json.loads(short_text()), "entries": [value]}).proven


# --- forgeries whose digest was computed again ----------------------------------------------------------------------


def test_a_die_changed_by_hand_is_named() -> None:
    value = exported()
    entry = value["entries"][place_of(value, "rolled")]
    honest = tuple(entry["action"]["faces"])
    entry["action"]["faces"][0] = honest[0] % 6 + 1
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert (verdict.seq, verdict.expected, verdict.found) == (entry["seq"], honest, tuple(entry["action"]["faces"]))
    assert "the seed gives" in verdict.words


def put(value: Value, path: str, new: object) -> None:
    """Write something at a path, in which an entry is named by its kind or its action's type."""
    *steps, last = path.split(".")
    part: Any = value
    for step in steps:
        part = part[place_of(value, step)] if isinstance(part, list) else part[step]
    part[last] = new


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"entries.pick.action.id": "e2e9"}, "'e2e9' is not offered"),
        ({"entries.pick.seat": 1}, "had to act, found seat 1"),
        ({"entries.salted.held_ms": -1}, "cannot be held for -1 ms"),
        ({"entries.ended.scores": [99, 0], "result.scores": [99, 0]}, "result: the game's is"),
        ({"result.scores": [99, 0]}, "result: expected"),
        ({"seats": ["Mary", "Bart"]}, "seats: expected"),
        ({"seed": SEED.hex().upper()}, "seed: expected 64 hexadecimal digits"),
        ({"remark": "all was well"}, "remark: not expected"),
        ({"entries.taken-back.of_seq": 9999}, "which does not stand"),
        ({"entries.started.game": "ludo", "game": "ludo"}, "unknown game 'ludo'"),
        ({"entries.started.options": {"luck": "much"}, "options": {"luck": "much"}}, "unknown option 'luck'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_what_was_written_otherwise_is_found_out(changes: dict[str, object], words: str) -> None:
    value = exported()
    for path, new in changes.items():
        put(value, path, new)
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert words in verdict.words


def test_an_export_of_a_match_that_is_over_without_its_seed_is_refused() -> None:
    value = exported()
    del value["seed"]
    assert "seed: expected 64 hexadecimal digits" in verify_export(sealed(value)).words


def pressed(seat: int) -> Value:
    return {"entry": "salted", "seat": seat, "held_ms": 1}


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (lambda acted: [*acted[:-1], pressed(0), acted[-1]], "stirred the dice twice"),
        (lambda acted: [*acted[:-1], pressed(2), acted[-1]], "did not play"),
        (lambda acted: acted[:5] + acted[6:], "expected number"),
        (lambda acted: [*acted[:9], acted[-1]], "before its game was over"),
        (lambda acted: [*acted, {**acted[-2], "seq": acted[-2]["seq"] + 1}], "after the match was over"),
        (lambda acted: [*acted[:4], acted[0], *acted[4:]], "a match starts once"),
    ],
    ids=["pressed twice", "a stranger pressed", "an action left out", "ended early", "played on", "begun again"],
)
def test_entries_put_in_or_left_out_are_found_out(forge: Callable[[list[Value]], list[Value]], words: str) -> None:
    value = exported()
    verdict = verify_export(sealed({**value, "entries": forge(value["entries"])}))
    assert not verdict.proven
    assert words in verdict.words


def test_prove_raises_what_verify_says_and_a_journal_without_a_beginning_is_no_match() -> None:
    with pytest.raises(NotProven, match="not an exported match"):
        prove({})
    with pytest.raises(BadHistory, match="must begin"):
        export_json([Acted(1, 0, 0, Pick("roll"))])
