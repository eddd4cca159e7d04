"""Tapes that expect too much, or cannot be played: what is told, and which exit code they deserve.

Source: docs/contracts.md Contract 6.
"""

import pytest

from tests.support.playing import OPENING, played


def test_a_mismatch_is_told_with_file_and_line_and_the_tape_plays_on() -> None:
    tape = played(OPENING + "expect tallies.Anne.legend 6\npick done\n")
    assert tape.code == 1
    assert tape.err.startswith("some.tape:6: ")
    assert "expected 6" in tape.err
    assert tape.actions[-1]["action"] == {"type": "pick", "id": "done"}


def test_an_expectation_compares_a_value_of_the_final_object() -> None:
    met = ["seat Anne", 'seat "Anne"', "result null", "dice [6, 5, 4, 3, 2, 5]", "dice.0 6", "tallies.Anne.cargo 0"]
    met += ["pieces.e4 P"]
    missed = ["seat Bart", "dice.9 6", "tallies.Anne.cargo false", "tallies.Carl.cargo 0", "pieces.e2 P", "odd null"]
    tape = played(OPENING + "".join(f"expect {words}\n" for words in (*met, *missed)))
    assert tape.code == 1
    first = 1 + OPENING.count("\n") + len(met)
    places = [line.partition(": ")[0] for line in tape.err.splitlines()]
    assert places == [f"some.tape:{first + number}" for number in range(len(missed))]


BAD_LINES = [
    *(("jump e2", "expected one of"), ("lift z9", "expected a1 to h8"), ("place e9", "expected a1 to h8")),
    *(("mask i1", "expected a1 to h8"), ("pick e2e5", "expected"), ("pick nonsense", "expected")),
    *(("amount 5", "expected"), ("keep 7", "expected"), ("keep 1 1", "expected"), ("keep 1 2 3 4 5", "expected")),
    *(("config slide_ms=1", "expected before"), ("board 8/8/8/8/8/8/8/8", "expected before")),
    *(("game nonsense Anne Bart", "expected"), ("game legend", "expected"), ("game legend Anne Anne", "expected")),
    *(("game legend Anne Bart Carl", "expected"), ("game legend Anne Bart rounds=0", "expected")),
    *(("game legend Anne Bart colour=red", "expected"), ("game legend Anne Bart fen=nonsense", "fen")),
    ("pick throw-again\nkeep", "5 dice must fall"),
]


@pytest.mark.parametrize(("line", "told"), BAD_LINES)
def test_an_input_that_is_not_possible_ends_the_tape_and_is_told(line: str, told: str) -> None:
    tape = played(f"{OPENING}{line}\npick done\n")
    number = 6 + line.count("\n")
    assert tape.code == 2
    assert tape.err.startswith(f"some.tape:{number}: ")
    assert told in tape.err
    assert tape.err.count("\n") == 1
    assert tape.final["game"] == "legend"
    assert tape.final["pieces"]["e4"] == "P"
    assert {"type": "pick", "id": "done"} not in [action["action"] for action in tape.actions]


BEFORE_A_MATCH = ["cut", "set-up", "unplug", "plug", "lift e2", "mask e2", "pick roll", "amount 3"]
BAD_SETTINGS = ["config nonsense=1", "config slide_ms=soon", "config buttons=three", "board 9/9"]


@pytest.mark.parametrize("line", [*BEFORE_A_MATCH, *BAD_SETTINGS])
def test_what_needs_a_match_before_there_is_one_and_a_setting_that_cannot_be_used_are_refused(line: str) -> None:
    tape = played(f"{line}\ngame legend Anne Bart\n")
    assert tape.code == 2
    assert tape.err.startswith(("some.tape:1: ", "some.tape:2: " if line == "board 9/9" else "some.tape:1: "))


def test_an_impossible_input_changes_nothing_and_outweighs_a_mismatch() -> None:
    assert played(OPENING + "pick e7e5\n").final == played(OPENING).final
    assert played(OPENING + "expect seat Bart\njump\n").code == 2


@pytest.mark.parametrize("line", ["press roll", "press next", "press choose", "press back", "hold roll 700"])
def test_a_press_that_means_nothing_is_ignored(line: str) -> None:
    tape = played(line)
    assert (tape.code, tape.err, tape.actions) == (0, "", [])


def test_a_repeated_place_or_lift_is_harmless() -> None:
    before = played(OPENING).final
    for line in ("place e4", "lift e2", "place a1", "lift a5"):
        tape = played(f"{OPENING}{line}\n+5000 {line}\n")
        assert (tape.code, tape.err) == (0, "")
        assert tape.final == before
