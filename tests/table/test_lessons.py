"""The lessons: played to their end by their own script, and by somebody who errs at every step."""

import re

import pytest

from captains_table import catalog
from captains_table.games.registry import GAMES
from captains_table.runtime.lessons import check_whole_lesson, lesson_for
from captains_table.table.lessons.lesson import BadLesson, read_lesson
from captains_table.table.lessons.lesson_game import ENDINGS, PULSE_MS, SHOW_MS
from captains_table.table.model.events import AdviceAsked, Button
from captains_table.table.model.view import Coach
from tests.table.lesson_learner import Learner

TAUGHT = [key for key in GAMES if (entry := catalog.find_entry(key)) is not None and entry.lesson is not None]


def test_every_game_of_the_house_has_a_lesson_of_five_minutes_at_most() -> None:
    assert [entry.game.key for entry in catalog.ENTRIES] == TAUGHT
    for key in TAUGHT:
        lesson = lesson_for(key)
        assert lesson is not None
        assert (lesson.game, lesson.minutes <= 5) == (key, True)
        check_whole_lesson(lesson)


@pytest.mark.parametrize("game", TAUGHT)
@pytest.mark.parametrize("way", ["page", "knob"])
def test_a_lesson_is_played_to_its_end(game: str, way: str) -> None:
    learner = Learner(game)
    told = []
    while not learner.is_over():
        coach = learner.view().coach
        assert coach is not None
        assert not coach.slip
        told.append(coach.step)
        learner.go_on(by_knob=way == "knob")
    assert sorted(set(told)) == told or told == sorted(told), "one step after the other"
    assert [option.id for option in learner.view().options] == [option.id for option in ENDINGS]


@pytest.mark.parametrize("game", TAUGHT)
def test_whoever_errs_at_every_step_is_told_why_and_loses_nothing(game: str) -> None:
    learner = Learner(game)
    while not learner.is_over():
        before = learner.match.state
        for said in learner.err():
            assert said, learner.view().coach
            assert learner.match.state == before
        learner.go_on()


@pytest.mark.parametrize("game", [key for key in TAUGHT if GAMES[key].shape is not None])
def test_a_lesson_is_played_on_a_noisy_board(game: str) -> None:
    for seed in range(3):
        learner = Learner(game, noise=seed)
        while not learner.is_over():
            learner.go_on(by_knob=True)


@pytest.mark.parametrize("game", TAUGHT)
def test_what_is_shown_counts_as_done_and_any_step_can_be_begun_at(game: str) -> None:
    learner = Learner(game)
    while not learner.is_over():
        before = learner.match.state
        learner.session.handle(AdviceAsked(), learner.now_ms)
        assert learner.match.state != before, learner.view().coach
        learner.wait_for_turn()
    lesson = learner.lesson
    for step in range(1, len(lesson.steps) + 1):
        coach = Learner(game, step=step).view().coach
        assert coach is not None
        assert coach.step >= step


def test_the_coach_points_again_after_a_while_and_then_offers_to_show() -> None:
    learner = Learner("legend")
    learner.session.handle(AdviceAsked(), learner.now_ms)
    seen = []
    for ms in (PULSE_MS - 1, 1, SHOW_MS - PULSE_MS - 1, 1):
        learner.wait(ms)
        coach = learner.view().coach
        assert coach is not None
        seen.append((coach.pulses, coach.may_show))
    assert seen == [(False, False), (True, False), (True, False), (True, True)]


def test_what_was_said_to_a_slip_is_not_said_again_after_the_right_move() -> None:
    learner = Learner("legend", step=4)
    learner.press(Button.ROLL)
    assert coached(learner).slip == "Later: first move the pawn from e2 to e4"
    learner.go_on()
    assert (coached(learner).step, coached(learner).slip) == (5, "")


WRONG = {
    "has 'hedding'": ('heading = "Throw"', 'hedding = "Throw"'),
    "says has 46 words": ("Five white dice", " ".join(["much"] * 13) + " Five white dice"),
    "is no computer of the game": ('"aether:1"', '"aether:99"'),
    "e2e5": ('"pick e2e4"', '"pick e2e5"'),
    "nothing that a player does": ('"pick e2e4"', '"expect phase over"'),
    "expected throw and the faces": ("throw 6 5 4 3 2 2", "throw 6 5 7"),
    "slips: 'score-ones'": ('throw-again = "Later', 'score-ones = "Later'),
    "expected TOML": ('title = "', "title = "),
}


@pytest.mark.parametrize("words", WRONG)
def test_an_author_is_told_what_is_wrong_and_where(words: str) -> None:
    entry = catalog.entry_of("legend")
    assert entry.lesson is not None
    before, after = WRONG[words]
    text = entry.lesson.read()
    assert before in text
    with pytest.raises(BadLesson, match=re.escape(words)):
        check_whole_lesson(read_lesson(text.replace(before, after, 1)))


def coached(learner: Learner) -> Coach:
    coach = learner.view().coach
    assert coach is not None
    return coach
