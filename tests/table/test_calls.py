"""Calls: what anybody may pick at any turn, at the knob, on the page, while a computer decides, and in the journal.

docs/contracts.md Contract 1; the one game that has them is Swashbuckle (docs/rules/swashbuckle.md N2).
"""

import pytest

from captains_table.games.contract import IllegalAction, Pick
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased
from captains_table.table.model.view import Phase
from tests.support.computer_table import ComputerTable
from tests.support.honest_match import HonestTable

PENALTIES = {"order": "seated", "penalty": "2"}


def asked_for_a_box() -> HonestTable:
    """Return a table at which Anne has thrown and is asked for a box."""
    table = HonestTable("swashbuckle", PENALTIES)
    table.roll()
    return table


def test_they_stand_behind_the_answers_at_the_knob_as_none_of_them_and_are_chosen_twice() -> None:
    at = asked_for_a_box()
    assert [call.id for call in at.view.calls] == ["penalty-0", "penalty-1"]
    assert not any(option.id.startswith("penalty") for option in at.view.options)
    lines = at.labels()
    assert lines[0] == "Throw again (2 left)"
    assert lines[-2:] == ["Penalty for Anne", "Penalty for Bart"]
    at.press(Button.PREVIOUS, Button.CHOOSE)
    assert at.view.menu.entries[-1].label == "Penalty for Bart? Once more"
    assert at.view.seat == 0
    at.press(Button.CHOOSE)
    view = at.view
    assert (view.seat, [entry.id for entry in view.menu.entries], view.calls) == (1, ["agree", "refuse"], ())


def test_they_may_be_made_while_a_throw_is_waited_for_and_dice_that_tumble_fall_later() -> None:
    at = HonestTable("swashbuckle", PENALTIES)
    at.session.handle(ButtonPressed(Button.ROLL), at.now_ms)
    at.pick("penalty-1")
    at.session.handle(ButtonReleased(Button.ROLL), at.now_ms)
    assert at.view.seat == 1
    at.pick("refuse")
    view = at.view
    assert (view.seat, view.roll.label) == (0, "Throw all five")
    assert all(die.face is None for die in view.dice)


def test_they_are_nobodys_in_the_journal_last_over_a_power_cut_and_just_refused_are_listed_no_more() -> None:
    at = asked_for_a_box()
    at.pick("penalty-1", "refuse")
    assert [entry.id for entry in at.view.menu.entries if entry.id.startswith("penalty")] == ["penalty-0"]
    at.pick("penalty-1")  # it may be called all the same
    called = [entry for entry in at.journal.entries() if isinstance(entry, Acted)][-1]
    assert (called.seat, called.action) == (None, Pick("penalty-1"))
    at.cut(60)
    assert at.view.seat == 1
    at.pick("agree")
    assert at.view.seats[1].tallies["total"] == -2


@pytest.mark.slow
def test_they_prove_with_the_match_and_in_a_players_name_they_do_not() -> None:
    at = asked_for_a_box()
    at.pick("penalty-1", "agree", "penalty-0", "refuse")
    at.play_on(luck=1)
    assert (at.view.phase, at.view.calls) == (Phase.OVER, ())  # nothing can be called any more
    forged = at.export()
    assert verify_export(forged).proven
    call = next(entry for entry in forged["entries"] if entry.get("action", {}).get("id") == "penalty-1")
    call["seat"] = 0
    verdict = verify_export(forged)
    assert (verdict.proven, "had to act" in verdict.words) == (False, True)


def test_they_are_made_while_a_computer_decides_who_then_thinks_anew() -> None:
    table = ComputerTable("swashbuckle", ("eurus:3", "Anne"), PENALTIES, dice=(1, 1, 3, 3, 6))
    table.wait(5000)
    assert table.is_asked()
    with pytest.raises(IllegalAction, match="answers by itself"):
        table.pick("score-flotsam")
    table.pick("penalty-1")
    assert not table.is_asked()
    table.pick("agree")
    assert table.is_asked()
    table.pick("penalty-0")
    assert table.is_asked()  # the computer itself is called
    table.thinks("refuse")
    table.wait(3000)
    assert table.view.seats[0].tallies["total"] == 0
    assert table.view.seats[1].tallies["total"] == -2
