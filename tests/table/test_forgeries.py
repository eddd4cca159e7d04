"""Ways to forge a match: `verify` refuses each, names the entry, and says what was expected."""

import json
import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from captains_table.table.history import export
from captains_table.table.history.fairness import FaceStream, commitment
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import ENTRIES, Acted, Salted, TakenBack, Words
from captains_table.table.model.match import Match
from tests.support.documents import ROOT
from tests.support.honest_match import SEED, HonestTable

Value = dict[str, Any]
LEGEND = {"rounds": "1", "turn_limit": "30"}


@cache
def _played(way: str) -> str:
    table = HonestTable("captains-chess", {"clock": "10"}) if way == "clock" else HonestTable("legend", LEGEND)
    if way == "clock":
        table.pick("e2e4", "press-clock", "e7e5", "press-clock")
        table.cut(60)
        table.pick("g1f3", "press-clock")
        table.leave(60)
        table.pick("resign")
    if way == "words":
        table.table.give_words(0, "Anne's luck", 0)
        table.table.give_words(1, "tóc 7", 0)
    table.play_on(3)
    return json.dumps(table.export())


def played(way: str = "presses") -> Value:
    """Return the export of an honest match: with presses, with own words, or with clocks and interruptions."""
    value: Value = json.loads(_played(way))
    return value


def sealed(value: Value) -> Value:
    """Return a forged export with all that follows from its entries, as a forger would write it."""
    entries = [ENTRIES.from_plain(entry) for entry in value["entries"]]
    rewritten = export.export_json(entries, bytes.fromhex(value["seed"]), value["began"])
    return {**rewritten, "seed": value["seed"]}


def renumbered(value: Value) -> Value:
    """Return an export whose actions count from 1 again."""
    seq = 0
    for entry in value["entries"]:
        if "seq" in entry:
            seq += 1
            entry["seq"] = seq
    return value


def thrown_again(value: Value) -> Value:
    """Return an export with the faces that its salt gives now."""
    stream = FaceStream(bytes.fromhex(value["seed"]))
    for entry in value["entries"]:
        if entry["entry"] == "salted":
            stream.add_salt(entry["held_ms"])
        elif entry["entry"] == "words":
            stream.add_words(entry["text"])
        elif entry.get("action", {}).get("type") == "rolled":
            entry["action"]["faces"] = list(stream.throw(len(entry["action"]["faces"])))
    return value


def place_of(value: Value, kind: str, nth: int = 0) -> int:
    """Return the place of the nth entry of a kind, or action of a type."""
    places = [
        place
        for place, entry in enumerate(value["entries"])
        if kind in (entry["entry"], entry.get("action", {}).get("type"))
    ]
    return places[nth]


def throw_taken_back(value: Value) -> int:
    """Take a throw back and have it again."""
    place = place_of(value, "rolled", 2)
    entries = value["entries"]
    of_seq, seat = entries[place]["seq"], entries[place]["seat"]
    back = {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": entries[place]["at_ms"], "of_seq": of_seq}
    entries[place + 1 : place + 1] = [back, json.loads(json.dumps(entries[place]))]
    thrown_again(renumbered(value))
    return place + 1


def no_salt(value: Value) -> int:
    """Leave a press out."""
    del value["entries"][place_of(value, "salted", 1)]
    thrown_again(value)
    seat = next(entry["seat"] for entry in value["entries"] if entry["entry"] == "salted")
    throws = [place for place, entry in enumerate(value["entries"]) if entry.get("action", {}).get("type") == "rolled"]
    return next(place for place in throws if value["entries"][place]["seat"] != seat)


def late_salt(value: Value) -> int:
    """Let a press in only after the throw was seen."""
    place, throw = place_of(value, "salted"), place_of(value, "rolled")
    value["entries"].insert(throw, value["entries"].pop(place))
    thrown_again(value)
    return throw - 1


def clock_time_added(value: Value) -> int:
    """Let the clock go on once more."""
    place = place_of(value, "acted", 2)
    value["entries"].insert(place, {"entry": "clock-went-on", "at_ms": value["entries"][place]["at_ms"]})
    return place


def reordered(value: Value) -> int:
    """Swap two actions, and number them anew."""
    entries = value["entries"]
    place = next(
        place
        for place in range(1, len(entries) - 1)
        if entries[place]["entry"] == entries[place + 1]["entry"] == "acted"
        and (entries[place]["action"]["type"] == "rolled") != (entries[place + 1]["action"]["type"] == "rolled")
    )
    entries[place], entries[place + 1] = entries[place + 1], entries[place]
    renumbered(value)
    return place


def throw_dropped(value: Value) -> int:
    """Leave a throw out."""
    place = place_of(value, "rolled", 3)
    del value["entries"][place]
    thrown_again(renumbered(value))
    return next(place for place, entry in enumerate(value["entries"]) if place >= place_of(value, "acted", 0))


def another_seed(value: Value) -> int:
    """Choose another seed after the match."""
    value["seed"] = bytes(32).hex()
    return 0


def another_salt(value: Value) -> int:
    """Choose another press after the match."""
    value["entries"][place_of(value, "salted")]["held_ms"] += 1
    return place_of(value, "rolled")


def clock_stands(value: Value) -> int:
    """Leave the clock standing after an interruption."""
    place = place_of(value, "clock-went-on", 1)
    del value["entries"][place]
    return place


def words_after_a_throw(value: Value) -> int:
    """Put words where the throws before are known."""
    place = place_of(value, "rolled", 1) + 1
    value["entries"].insert(place, {"entry": "words", "seat": 0, "text": "now six"})
    thrown_again(value)
    return place


def words_beside_presses(value: Value) -> int:
    """Let words in where a player has pressed."""
    place = place_of(value, "salted") + 1
    value["entries"].insert(place, {"entry": "words", "seat": 1, "text": "now six"})
    thrown_again(value)
    return place


def a_press_beside_words(value: Value) -> int:
    """Let a press in where words were given."""
    place = place_of(value, "words", 1) + 1
    value["entries"].insert(place, {"entry": "salted", "seat": 0, "held_ms": 3})
    thrown_again(value)
    return place


def words_not_normal(value: Value) -> int:
    """Write words in another form than the salt's."""
    place = place_of(value, "words", 1)
    value["entries"][place]["text"] = "to\u0301c 7"
    thrown_again(value)
    return place


def too_many_words(value: Value) -> int:
    """Write more than anybody may give."""
    place = place_of(value, "words")
    value["entries"][place]["text"] = "a" * 201
    thrown_again(value)
    return place


def words_of_nobody(value: Value) -> int:
    """Let somebody give words who does not play."""
    place = place_of(value, "words")
    value["entries"][place]["seat"] = 2
    return place


def words_left_out(value: Value) -> int:
    """Leave all words out, as if nobody had given any."""
    value["entries"] = [entry for entry in value["entries"] if entry["entry"] != "words"]
    thrown_again(value)
    return place_of(value, "rolled")


def a_computer_that_presses(value: Value) -> int:
    """Declare a seat a computer's that has pressed."""
    value["entries"][0]["kinds"] = ["computer", "human"]
    return next(
        place for place, entry in enumerate(value["entries"]) if entry["entry"] == "salted" and entry["seat"] == 0
    )


def inserted(value: Value, place: int, *entries: Value) -> Value:
    """Put entries in, and let everything after them be as late as the last one."""
    late = max((entry.get("at_ms", 0) for entry in entries), default=0)
    for entry in value["entries"][place:]:
        if "at_ms" in entry:
            entry["at_ms"] += late
    value["entries"][place:place] = list(entries)
    return renumbered(value)


def taken_back(value: Value, place: int, seat: int | None, of_seq: int) -> Value:
    """Return an entry that takes an action back half a minute after the entry before it."""
    late = value["entries"][place - 1]["at_ms"] + 30_000
    return {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": late, "of_seq": of_seq}


def an_old_move_again(value: Value) -> int:
    """Take back a move that was sealed by the press of the clock, press and all."""
    place = place_of(value, "acted", 3) + 1
    inserted(value, place, taken_back(value, place, 0, 1))
    return place


def a_press_again(value: Value) -> int:
    """Press the clock once more, for more seconds."""
    place = place_of(value, "acted", 1) + 1
    inserted(value, place, taken_back(value, place, 0, 2))
    return place


def thought_by_nobody(value: Value) -> int:
    """Think half a minute that counts for nobody, and take the move back in nobody's name."""
    place = place_of(value, "acted", 4) + 1
    again = dict(value["entries"][place - 1])
    back = taken_back(value, place, None, 5)
    inserted(value, place, back, {**again, "at_ms": back["at_ms"]})
    return place


def thought_by_the_other(value: Value) -> int:
    """Think half a minute that counts for the opponent."""
    place = thought_by_nobody(value)
    value["entries"][place]["seat"] = 1
    return place


def a_take_back_after_the_time(value: Value) -> int:
    """Take a move back when the time is long up."""
    place = thought_by_nobody(value)
    value["entries"][place]["seat"] = 0
    for entry in value["entries"][place:]:
        if "at_ms" in entry:
            entry["at_ms"] += 10_000_000
    return place


def time_that_goes_back(value: Value) -> int:
    """Use no time by acting before the action before."""
    place = place_of(value, "acted", 2)
    value["entries"][place]["at_ms"] = 5
    return place


def negative_time(value: Value) -> int:
    """Begin before the table did."""
    value["entries"][1]["at_ms"] = -1
    return 1


def time_beyond_all_clocks(value: Value) -> int:
    """Come back at a time that no clock shows."""
    place = place_of(value, "resumed")
    value["entries"][place]["at_ms"] = 10**400
    return place


def an_action_of_a_stranger(value: Value) -> int:
    """Act from a seat that nobody has."""
    place = place_of(value, "acted", 2)
    value["entries"][place]["seat"] = 99
    return place


def a_clock_of_a_stranger(value: Value) -> int:
    """Stop a clock that nobody has."""
    place = place_of(value, "clock-stopped")
    value["entries"][place]["seat"] = 99
    return place


def too_many_kinds(value: Value) -> int:
    """Declare players who do not play."""
    value["entries"][0]["kinds"] = ["human", "human", "computer"]
    return 0


Forge = Callable[[Value], int]
FORGERIES: list[tuple[str, Forge, str]] = [
    ("presses", throw_taken_back, "is taken back with action"),
    ("presses", no_salt, "threw before it stirred the dice: expected its press first"),
    ("presses", late_salt, "threw before it stirred the dice: expected its press first"),
    ("clock", clock_time_added, "expected `resumed` before it"),
    ("presses", reordered, ""),
    ("presses", another_seed, "the seed is not the one committed to"),
    ("presses", another_salt, "the seed gives"),
    ("clock", clock_stands, "the clock stood still: expected `clock-went-on` before it"),
    ("presses", words_after_a_throw, "gave own words after the first throw: expected them before"),
    ("presses", words_beside_presses, "gave own words after a press: expected them before"),
    ("words", a_press_beside_words, "pressed after own words were given: expected no press any more"),
    ("words", words_not_normal, "not in normal form NFC: expected 'tóc 7'"),
    ("words", too_many_words, "own words of 201 characters: expected 1 to 200"),
    ("words", words_of_nobody, "seat 2 stirred the dice and did not play"),
    ("words", words_left_out, "threw before it stirred the dice: expected its press first"),
    ("clock", an_old_move_again, "takes back 1, which was sealed"),
    ("clock", a_press_again, "takes back 2, which was sealed"),
    ("clock", thought_by_nobody, "nobody takes back what seat 0 did"),
    ("clock", thought_by_the_other, "seat 1 takes back what seat 0 did"),
    ("clock", a_take_back_after_the_time, "the time was up before"),
    ("clock", time_that_goes_back, "time 5: expected no less than 2000"),
    ("clock", negative_time, "time -1: expected no less than 0"),
    ("clock", time_beyond_all_clocks, "expected at most"),
    ("clock", an_action_of_a_stranger, "seat 99 does not play: expected one of 2, counted from 0"),
    ("clock", a_clock_of_a_stranger, "seat 99 does not play: expected one of 2, counted from 0"),
    ("presses", too_many_kinds, "3 kinds of players: expected one for each of 2"),
    ("presses", a_computer_that_presses, "is declared a computer: expected no press of it"),
]


@pytest.mark.parametrize(("way", "forge", "words"), FORGERIES, ids=[forge.__name__ for _, forge, _ in FORGERIES])
def test_a_forged_match_is_refused_at_its_entry_with_what_was_expected(way: str, forge: Forge, words: str) -> None:
    value = played(way)
    place = forge(value)
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert words in verdict.words
    assert verdict.entry == place
    assert verdict.expected is not None or verdict.found is not None


def test_a_throw_that_is_left_out_is_refused_where_the_next_action_does_not_fit() -> None:
    value = played()
    place = place_of(value, "rolled", 3)
    throw_dropped(value)
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert verdict.entry is not None
    assert verdict.entry >= place


def test_a_later_form_cannot_be_passed_off_as_the_first_one() -> None:
    value = played("clock")
    forged = {**value, "form": export.FORMS[0]}
    verdict = verify_export({**forged, "digest": export.digest(forged)})
    assert (verdict.proven, verdict.entry) == (False, 0)
    assert "expected form 'captains-table match 2'" in verdict.words


def first_form(value: Value) -> Value:
    """Return an export without anything that the first form has not, as an earlier program would have written it."""
    entries = [entry for entry in value["entries"] if entry["entry"] not in ("resumed", "clock-stopped")]
    started = {key: part for key, part in entries[0].items() if key not in ("kinds", "at_ms")}
    return sealed({**value, "entries": [started, *entries[1:]]})


def test_the_first_form_verifies_as_ever() -> None:
    value = first_form(played())
    assert value["form"] == "captains-table match 1"
    assert verify_export(value).proven


def test_the_first_form_refuses_a_clock_that_went_on_later_because_it_did_not_record_why() -> None:
    value = first_form(played("clock"))
    verdict = verify_export(value)
    assert verdict.words.endswith("this form did not record interruptions")
    assert verdict.entry == place_of(value, "clock-went-on", 1)


def test_a_clock_of_the_first_form_that_never_ran_is_called_so() -> None:
    value = first_form(played("clock"))
    value["entries"] = [entry for entry in value["entries"] if entry["entry"] != "clock-went-on"]
    verdict = verify_export(sealed(value))
    assert verdict.proven, verdict.words
    assert verdict.remarks == ("The clock never ran; no clock time is proven.",)


def test_the_second_form_without_kinds_is_a_match_of_humans() -> None:
    value = played()
    del value["entries"][0]["kinds"], value["entries"][0]["at_ms"]
    assert verify_export({**value, "digest": export.digest(value)}).proven


@pytest.mark.parametrize("way", ["presses", "words", "clock"])
def test_an_honest_match_is_proven_and_says_to_whom(way: str) -> None:
    value = played(way)
    verdict = verify_export(value)
    assert verdict.proven, verdict.words
    remarks = " ".join(verdict.remarks)
    expected = {
        "presses": "they convince nobody but its owner",
        "words": "this proves the dice to Bart, and to others as far as they trust Bart",
        "clock": "taken up again 2 times; given back at most: 1:00 at entry",
    }
    assert expected[way] in remarks
    if way == "clock":
        assert "0:00 at entry" in remarks
        assert remarks.endswith("No clock time is proven.")
        assert "presses" not in remarks  # no die was thrown


def test_computers_that_are_declared_throw_without_a_press() -> None:
    table = HonestTable("legend", LEGEND, ("human", "computer"))
    table.play_on(4)
    assert {entry.seat for entry in table.entries() if isinstance(entry, Salted)} == {0}
    verdict = verify_export(table.export())
    assert verdict.proven, verdict.words
    assert "Declared computers, who press nothing: Bart." in verdict.remarks[0]


def test_honest_matches_with_moves_taken_back_are_proven() -> None:
    table = HonestTable("legend", LEGEND)
    taken_back = 0
    for luck in range(400):
        table.play_on(luck, most=1)
        taken_back += table.takes_back_a_move()
    table.play_on(9)
    assert sum(isinstance(entry, TakenBack) for entry in table.entries()) >= taken_back > 0
    assert verify_export(table.export()).proven


def test_a_match_that_is_cut_again_and_again_is_proven() -> None:
    table = HonestTable("legend", LEGEND)
    for luck in range(30):
        table.play_on(luck, most=3)
        table.cut(5)
    table.play_on(7)
    assert verify_export(table.export()).proven
    assert Match.resumed(table.entries()).is_ended is False


# --- a stranger's verifier ------------------------------------------------------------------------------------------


def stranger_program(tmp_path: Path) -> Path:
    """Return the program that docs/operations.md gives to strangers."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    [program] = [block.partition("```")[0] for block in text.split("```python\n")[1:] if "hmac" in block]
    lines = program.splitlines()
    assert len([line for line in lines if line.strip()]) <= 20
    path = tmp_path / "stranger.py"
    path.write_text(program, encoding="utf-8")
    return path


def stranger_agrees(program: Path, value: Value, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether the stranger's program accepts an export."""
    file = program.with_name("match.json")
    file.write_text(json.dumps(value), encoding="utf-8")
    monkeypatch.setattr("sys.argv", [str(program), str(file)])
    try:
        runpy.run_path(str(program))
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("way", ["presses", "words"])
def test_a_stranger_who_only_reads_the_documents_agrees(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = stranger_program(tmp_path)
    value = played(way)
    assert stranger_agrees(program, value, monkeypatch)
    throws = [entry for entry in value["entries"] if entry.get("action", {}).get("type") == "rolled"]
    faces = throws[-1]["action"]["faces"]
    faces[0] = faces[0] % 6 + 1
    assert not stranger_agrees(program, value, monkeypatch)
    salt = "held_ms" if way == "presses" else "text"
    other = played(way)
    stirred = next(entry for entry in other["entries"] if salt in entry)
    stirred[salt] = 12_345_678 if way == "presses" else "other words"
    assert not stranger_agrees(program, other, monkeypatch)
    assert not stranger_agrees(program, {**played(way), "seed": bytes(32).hex()}, monkeypatch)


def test_the_matches_here_are_what_they_seem() -> None:
    presses, words = played(), played("words")
    kinds = [ENTRIES.from_plain(entry) for entry in words["entries"]]
    assert sum(isinstance(entry, Words) for entry in kinds) == 2
    assert not any(isinstance(entry, Salted) for entry in kinds)
    assert sum(entry["entry"] == "salted" for entry in presses["entries"]) == 2
    assert commitment(SEED) == presses["commitment"]
    assert sum(isinstance(entry, Acted) for entry in kinds) > 20
