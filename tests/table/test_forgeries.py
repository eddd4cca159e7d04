"""Ways to forge a match: `verify` refuses each, names the entry, and says what was expected."""

import json
import runpy
from pathlib import Path

import pytest

from captains_table.table.history import export
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Salted
from captains_table.table.model.match import Match
from tests.support.documents import ROOT
from tests.support.forgeries import (
    FORGERIES,
    LEGEND,
    Forge,
    Value,
    doubt,
    of_second_form,
    place_of,
    played,
    sealed,
    throw_dropped,
)
from tests.support.honest_match import HonestTable


@pytest.mark.parametrize(("way", "forge", "words"), FORGERIES, ids=[forge.__name__ for _, forge, _ in FORGERIES])
def test_a_forged_match_is_refused_at_its_entry_with_what_was_expected(way: str, forge: Forge, words: str) -> None:
    value = played(way)
    place = forge(value)
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert words in verdict.words
    assert verdict.entry == place
    assert verdict.expected is not None or verdict.found is not None


def test_a_later_form_cannot_be_passed_off_as_the_first_one() -> None:
    value = played("clock")
    forged = {**value, "form": export.EXPORT_FORMS[0]}
    verdict = verify_export({**forged, "digest": export.digest(forged)})
    assert (verdict.proven, verdict.entry) == (False, 0)
    assert "expected form 'captains-table match 3'" in verdict.words


OF_SECOND_FORM = [
    (way, forge)
    for way, forge, words in FORGERIES
    if "the clock stopped (" in words and forge.__name__ not in ("another_why", "a_question_asked_afterwards")
]


def refused_at(value: Value) -> int:
    """Return the entry at which an export is refused."""
    verdict = verify_export(value)
    assert not verdict.proven
    assert verdict.entry is not None
    return verdict.entry


@pytest.mark.parametrize(("way", "forge"), OF_SECOND_FORM, ids=[forge.__name__ for _, forge in OF_SECOND_FORM])
def test_what_an_earlier_program_left_unsaid_gains_nobody_time(way: str, forge: Forge) -> None:
    value = played(way)
    place = forge(value)
    value = of_second_form(value)
    assert value["form"] == "captains-table match 2"
    assert refused_at(value) >= place


def test_a_match_cannot_say_that_an_earlier_program_began_it_and_hide_why_its_clock_stood() -> None:
    value = played("by_hand")
    del value["entries"][place_of(value, "clock-stopped")]["why"]
    assert not verify_export(sealed(value)).proven
    earlier = verify_export(of_second_form(value))
    assert earlier.proven
    assert "An earlier program did not write why" in earlier.remarks[0]
    assert earlier.remarks[-1].endswith("It does not say whether there was a game master.")


def test_a_doubt_about_a_move_is_no_matter_and_a_computer_that_sat_down_later_unknown_here_is_a_remark() -> None:
    value = played()
    place = place_of(value, "acted", 4)
    value["entries"].insert(place + 1, doubt(value["entries"][place]["seq"]))
    assert verify_export(sealed(value)).proven
    value = played("clock")
    value["entries"].insert(2, {"entry": "seated", "seat": 0, "player": "nosuch:6"})
    verdict = verify_export(sealed(value))
    assert verdict.proven, verdict.words
    assert verdict.remarks[-1].endswith("Not known here, and taken as told: nosuch:6.")


def test_a_throw_that_is_left_out_is_refused_where_the_next_action_does_not_fit() -> None:
    value = played()
    place = place_of(value, "rolled", 3)
    throw_dropped(value)
    assert refused_at(sealed(value)) >= place


@pytest.mark.parametrize("seat", [-1, -(2**63) - 1, 10**30])
def test_a_throw_from_a_seat_that_nobody_can_have_is_refused_at_its_entry(seat: int) -> None:
    value = played()
    place = place_of(value, "rolled")
    value["entries"][place]["seat"] = seat
    value["entries"][0]["kinds"] = ["human", "computer"]
    assert refused_at(sealed(value)) <= place


def first_form(value: Value) -> Value:
    """Return an export without anything that the first form has not, as an earlier program would have written it."""
    entries = [entry for entry in value["entries"] if entry["entry"] not in ("resumed", "clock-stopped")]
    started = {key: part for key, part in entries[0].items() if key not in ("kinds", "at_ms", "master")}
    return sealed({**value, "entries": [started, *entries[1:]]})


def test_the_first_form_verifies_as_ever_and_a_clock_that_never_ran_is_called_so() -> None:
    value = first_form(played())
    assert value["form"] == "captains-table match 1"
    assert verify_export(value).proven
    value = first_form(played("clock"))
    value["entries"] = [entry for entry in value["entries"] if entry["entry"] != "clock-went-on"]
    verdict = verify_export(sealed(value))
    assert verdict.proven, verdict.words
    assert verdict.remarks[0] == "The clock never ran; no clock time is proven."


def test_the_first_form_refuses_a_clock_that_went_on_later_because_it_did_not_record_why() -> None:
    value = first_form(played("clock"))
    verdict = verify_export(value)
    assert verdict.words.endswith("this form did not record interruptions")
    assert verdict.entry == place_of(value, "clock-went-on", 1)


def test_the_second_form_without_kinds_is_a_match_of_humans() -> None:
    value = played()
    for key in ("kinds", "at_ms", "master"):
        del value["entries"][0][key]
    second = {**value, "form": "captains-table match 2"}
    assert verify_export({**second, "digest": export.digest(second)}).proven


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("presses", "they convince only its owner"),
        ("words", "this proves the dice to Bart, and to others as far as they trust Bart"),
        ("clock", "taken up again 2 times: at entry"),
    ],
)
def test_an_honest_match_is_proven_and_says_to_whom(way: str, words: str) -> None:
    verdict = verify_export(played(way))
    assert verdict.proven, verdict.words
    remarks = " ".join(verdict.remarks)
    assert words in remarks
    if way == "clock":
        assert "given back at most 0:00" in remarks
        assert "No clock time is proven." in remarks
        assert "presses" not in remarks  # no die was thrown


def test_computers_that_are_declared_throw_without_a_press() -> None:
    table = HonestTable("legend", LEGEND, ("human", "computer"))
    table.play_on(4)
    assert {entry.seat for entry in table.entries() if isinstance(entry, Salted)} == {0}
    verdict = verify_export(table.export())
    assert verdict.proven, verdict.words
    assert "Declared computers, who press nothing: Bart." in verdict.remarks[0]


def test_a_match_that_is_cut_again_and_again_is_proven() -> None:
    table = HonestTable("legend", {"rounds": "1", "turn_limit": "4"})
    for luck in range(4):
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


@pytest.mark.parametrize(("way", "salt"), [("presses", "held_ms"), ("words", "text")])
def test_a_stranger_who_only_reads_the_documents_agrees(
    way: str, salt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = stranger_program(tmp_path)
    value = played(way)
    assert stranger_agrees(program, value, monkeypatch)
    throws = [entry for entry in value["entries"] if entry.get("action", {}).get("type") == "rolled"]
    faces = throws[-1]["action"]["faces"]
    faces[0] = faces[0] % 6 + 1
    assert not stranger_agrees(program, value, monkeypatch)
    other = played(way)
    stirred = next(entry for entry in other["entries"] if salt in entry)
    stirred[salt] = 12_345_678 if way == "presses" else "other words"
    assert not stranger_agrees(program, other, monkeypatch)
    assert not stranger_agrees(program, {**played(way), "seed": bytes(32).hex()}, monkeypatch)
