"""Why a clock stood still is written down, for every kind of standing still, and what was played so is proven."""

import pytest

from captains_table.games.contract import Pick
from captains_table.table.history.export import FORM
from captains_table.table.history.verify import verify_export
from captains_table.table.history.verify_clock import interruptions
from captains_table.table.model.entries import Acted, ClockStopped, ClockWentOn, Entry, MatchStarted, Resumed
from tests.support.forgeries import of_second_form, sealed
from tests.support.honest_match import BEGAN
from tests.support.stopped_clocks import WAYS, stopped, unclear

HAND = "The clock stood still once, for 0:30 in all, while a hand made a computer's move."
ASKED = "The clock stood still once, for 0:20 in all, while the table asked what was done on the board."
ASKED_IN_HAND = "The clock stood still once, for 0:10 in all, while the table asked what was done on the board."
TWICE = "The clock stood still 2 times, for 0:30 in all, while the table asked what was done on the board."
SAYS = {
    "by_hand": (["hand"], HAND),
    "left_by_hand": (["hand"], "The match was taken up again once: at entry 6 after 0:30, given back at most 0:00."),
    "cut_by_hand": (["hand"], "The match was taken up again once: at entry 6 after 0:30, given back at most 0:00."),
    "answered": (["asked"], ASKED),
    "dismissed": (["asked", "asked"], TWICE),
    "asked_in_hand": (["asked"], ASKED_IN_HAND),
    "left": (["left"], "The match was taken up again once: at entry 5 after 0:00, given back at most 0:00."),
    "cut": ([], "The match was taken up again once: at entry 4 after 0:05, given back at most 0:05."),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_honest_match_says_why_its_clock_stood_and_is_proven(way: str) -> None:
    value = stopped(way)
    verdict = verify_export(value)
    reasons, words = SAYS[way]
    assert value["form"] == FORM
    assert [entry["why"] for entry in value["entries"] if entry["entry"] == "clock-stopped"] == reasons
    assert verdict.proven, verdict.words
    assert verdict.remarks[0] == f"{words} No clock time is proven."


def test_a_pause_after_the_match_was_taken_up_again_is_not_counted_as_given_back() -> None:
    entries: list[Entry] = [
        MatchStarted("captains-chess", ("Anne", "boreas:1"), {}, "", ("human", "computer"), 0),
        Resumed(BEGAN, 0),
        ClockWentOn(2000),
        Acted(1, 0, 5000, Pick("e2e4")),
        ClockStopped(1, 6000, "asked"),
        ClockWentOn(90_000),
    ]
    assert [each.given_back_s for each in interruptions(entries, BEGAN)] == [2]


def test_what_was_unclear_before_a_question_is_still_asked_after_a_power_cut() -> None:
    """Bart has lifted his king already as Anne presses the clock, and sets him down while the table is off."""
    table = unclear()
    table.touch("-e8")
    table.press()
    table.cut_power("e8")
    table.wait(5000)
    table.press()
    table.pick("a1i1")
    assert table.actions() == [Pick("a1i1"), Pick("press-clock")]


@pytest.mark.parametrize("way", WAYS)
def test_a_match_that_an_earlier_program_began_and_this_one_ended_is_proven(way: str) -> None:
    value = stopped(way)
    del value["entries"][0]["master"]
    value = sealed(value)
    assert verify_export(value).proven
    assert verify_export(of_second_form(value)).proven
