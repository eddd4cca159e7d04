"""The coach: what the last turn against a computer was worth, said to those who may act at the table alone."""

from contextlib import closing

import pytest

from captains_table.games.contract import Action, Pick, Rolled
from captains_table.phrases import Language, in_language
from captains_table.runtime.coaching import FinishedTurn, TurnCoach, finished_turn, may_be_coached, turn_sentence
from captains_table.table.history.review import JudgedDecision
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.web.security import SEAT_COOKIE
from tests.runtime.seat_guests import Evening

AGAIN = (Pick("throw-again"), Rolled((1, 1)))
GERMAN = Language(
    "de",
    {
        ("", "{decision} cost {cost} points."): ("{decision}: kostete {cost} Punkte.",),
        ("", "\u201c{words}\u201d"): ("{words}",),
        ("", "Throw the cargo again"): ("Nochmal werfen",),
    },
)
TWELVE = (Rolled((6, 5, 4, 6, 6)), *AGAIN, *AGAIN)


def played(*actions: Action, seats: tuple[str, ...] = ("Anne", "zephyr:4")) -> Match:
    kinds = tuple("computer" if ":" in name else "human" for name in seats)
    match = Match(MatchStarted("ship-captain-crew", seats, {"order": "seated"}, kinds=kinds))  # type: ignore[arg-type]
    match.computers_think = True
    for number, action in enumerate(actions):
        match.act(action, number)
    return match


def test_a_turn_is_finished_once_another_begins_and_the_present_one_is_not() -> None:
    assert finished_turn(played(*TWELVE[:2])) is None
    assert finished_turn(played(*TWELVE)) == FinishedTurn(0, 0, 5)
    assert finished_turn(played(*TWELVE, Rolled((1, 1, 1, 1, 1)))) == FinishedTurn(0, 0, 5)
    no_crew = [Rolled((1, 1, 1, 1, 1))] * 3
    assert finished_turn(played(*TWELVE, *no_crew)) == FinishedTurn(1, 5, 8)


@pytest.mark.parametrize(
    ("seats", "is_coached"),
    [
        (("Anne", "zephyr:4"), True),
        (("Anne", "Bart"), False),
        (("Anne", "Bart", "zephyr:4"), False),
        (("Anne",), False),
    ],
)
def test_one_person_against_computers_is_coached_and_nobody_else(seats: tuple[str, ...], *, is_coached: bool) -> None:
    assert may_be_coached(played(seats=seats)) == is_coached


async def test_a_turn_is_judged_by_what_the_dice_promised_and_the_same_turn_is_told_once() -> None:
    with closing(TurnCoach()) as coach:
        told = await coach.last_turn(played(*TWELVE))
        assert told is not None
        assert told.words.startswith("\u201cThrow the cargo again\u201d cost ")
        assert "points. Better: Stand with 12 (" in told.words
        assert in_language(told.words, GERMAN).startswith("Nochmal werfen: kostete ")
        assert await coach.last_turn(played(*TWELVE, Rolled((6, 5, 4, 1, 1)))) == told
        after = await coach.last_turn(played(*TWELVE, Rolled((6, 5, 4, 6, 6)), Pick("stand")))
        assert after is not None
        assert after.words.startswith("Zephyr: Stand with 12: ")
        assert await coach.last_turn(played(seats=("Anne", "Bart"))) is None


@pytest.mark.parametrize(
    ("cost", "deed", "best", "move", "told"),
    [
        (1.24, "“a3”", "Nb1-c3", "b1c3", "“a3” cost 1.2 pawns. Better: Nb1-c3 (level)."),
        (2.0, "Keeping 5", "Keep 6", "", "Keeping 5 cost 2.0 pawns. Better: Keep 6 (level)."),
        (10.0, "“a3”", "Ra8", "a1a8", "“a3” cost a mate, or what is worth one. Better: Ra8 (level)."),
        (0.04, "“a3”", "Nb1-c3", "b1c3", "Well chosen: nothing better was there."),
    ],
)
def test_the_costliest_decision_of_a_turn_is_spoken_of(cost: float, deed: str, best: str, move: str, told: str) -> None:
    decision = JudgedDecision(1, 0, "Anne: a3", cost, best, move, "level", deed=deed)
    forced = JudgedDecision(1, 0, "Anne: no choice", 9.0)
    expected = (told, "" if told.startswith("Well") else move)
    assert turn_sentence([forced, decision], "pawns", is_computers=False) == expected
    assert turn_sentence([forced], "pawns", is_computers=False) == ("", "")


def test_of_a_computer_s_turn_the_reason_of_its_last_right_choice_is_said() -> None:
    right, wrong = (
        JudgedDecision(1, 1, "Zephyr: Stand", 0.0, why="enough"),
        JudgedDecision(1, 1, "Zephyr: x", 3, why="y"),
    )
    assert turn_sentence([right, wrong], "points", is_computers=True) == ("Zephyr: Stand: enough.", "")
    assert turn_sentence([wrong], "points", is_computers=True) == ("", "")


async def test_while_the_other_is_asked_to_agree_the_turn_is_not_over_and_the_answer_belongs_to_it() -> None:
    kinds = ("human", "computer")
    match = Match(MatchStarted("legend", ("Anne", "aether:1"), {"rounds": "1"}, kinds=kinds))  # type: ignore[arg-type]
    match.computers_think = True
    match.act(Pick("abandon"), 1)
    assert finished_turn(match) is None
    match.act(Pick("refuse"), 2)
    assert finished_turn(match) is None
    for action in (Pick("roll"), Rolled((1, 1, 1, 1, 1, 1)), Pick("a2a3"), Pick("done")):
        match.act(action, 3)
    assert finished_turn(match) == FinishedTurn(0, 0, 6)


async def test_the_coach_answers_those_who_play_and_is_silent_between_people(at: Evening) -> None:
    at.table.matches.new_match("ship-captain-crew", ["Anne", "zephyr:1"], {"order": "seated"})
    assert (await at.owner("GET", "/coach")).status_code == 204
    assert (await at.ask("GET", "/coach", Cookie=f"{SEAT_COOKIE}-80={at.key(0)}")).status_code == 204
    stranger = await at.ask("GET", "/coach")
    assert stranger.status_code == 403
