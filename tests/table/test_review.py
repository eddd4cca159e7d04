"""A match looked back on: its moments, its dice as they lay, its turns, and nothing that is secret."""

import pytest
from hypothesis import given, settings, strategies as st

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.contract import Keep, Pick, Rolled, Square
from captains_table.games.registry import GAMES, game_by_key
from captains_table.table.history.review import MatchReview
from captains_table.table.model.entries import Acted, MatchEnded, TakenBack
from captains_table.table.model.view import Mark, Phase
from tests.support.effort import effort
from tests.support.reviewed import entries_of, reviewed
from tests.support.two_cards import ACE, DEUCE, TwoCards

SHIP = "ship-captain-crew"
SEATED = {"order": "seated"}


def story_of(*args: object, **settings: object) -> MatchReview:
    """Return the story of a match that was played."""
    story = reviewed(entries_of(*args, **settings)).story  # type: ignore[arg-type]
    assert story is not None
    return story


def faces(story: MatchReview, number: int) -> list[int | None]:
    return [die.face for die in story.view(number).dice]


def test_a_throw_that_ends_the_turn_is_seen_as_it_fell() -> None:
    """The next player's dice are blank by then."""
    throws = [Rolled((6, 2, 2, 1, 1)), Rolled((2, 2, 1, 1)), Rolled((3, 3, 1, 2))]
    story = story_of(SHIP, throws, options=SEATED)
    assert [moment.lines[0].words for moment in story.moments] == [
        "Anne: throws 6, 2, 2, 1, 1",
        "Anne: throws 2, 2, 1, 1",
        "Anne: throws 3, 3, 1, 2",
    ]
    assert faces(story, 3) == [6, 3, 3, 1, 2]
    assert [die.held for die in story.view(3).dice] == [True, False, False, False, False]
    assert story.moments[2].lines[-1].words == "Anne: 6 3 3 1 2, no captain, no cargo"


def test_the_dice_stay_where_a_decision_ends_the_turn_or_some_are_kept() -> None:
    story = story_of(SHIP, [Rolled((6, 5, 4, 3, 3)), Pick("stand")], options=SEATED)
    assert faces(story, 2) == [6, 5, 4, 3, 3]
    assert [slot.die for slot in story.view(2).slots] == [1, 2, 3]
    assert story.moments[1].points == (6, 0)
    again = [Rolled((6, 6, 1, 2, 3)), Pick("throw-again"), Keep((1, 2)), Rolled((6, 6, 2))]
    story = story_of("swashbuckle", again, options=SEATED)
    assert faces(story, 2) == [6, 6, 6, 6, 2]
    assert [die.held for die in story.view(2).dice] == [True, True, False, False, False]


def test_the_beginning_is_a_moment_too_and_what_was_taken_back_is_none() -> None:
    story = story_of("captains-chess", [Pick("e2e4")])
    assert story.view(0).pieces[Square(4, 1)] == "P"
    assert story.view(0).prompt == ()
    assert story.view(1).pieces[Square(4, 3)] == "P"
    assert story.view(1).marks == {Square(4, 1): Mark.LAST_MOVE, Square(4, 3): Mark.LAST_MOVE}
    entries = entries_of("captains-chess", [Pick("e2e4")])
    again = reviewed([*entries, TakenBack(2, 0, 2000, 1), Acted(3, 0, 3000, Pick("d2d4"))]).story
    assert again is not None
    assert [moment.lines[0].words for moment in again.moments] == ["Anne: d2-d4"]


@pytest.mark.slow
@settings(max_examples=effort(3, 200))
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 1000), st.booleans())
def test_every_throw_and_every_point_of_a_match_is_in_a_moment(game: str, luck: int, ends: bool) -> None:  # noqa: FBT001
    entries = entries_of(game, luck=luck, most=10_000 if ends else 60)
    story = reviewed(entries).story
    assert story is not None
    throws = [step for step in story.steps if isinstance(step.acted.action, Rolled)]
    told = {moment.place for moment in story.moments}
    assert all(story.steps.index(step) in told for step in throws)
    points = [sum(moment.points[seat] for moment in story.moments) for seat in range(len(story.names))]
    purses = (
        game_by_key(game).score(story.steps[0].before) if story.steps else story.scores
    )  # not all begin with nothing
    assert [purse + gained for purse, gained in zip(purses, points, strict=True)] == list(story.scores)
    for number in range(0, len(story.moments) + 1, 7):
        step = story.steps[story.moments[number - 1].place] if number else None
        fallen = step.acted.action.faces if step is not None and isinstance(step.acted.action, Rolled) else ()
        assert sorted(set(fallen) - set(faces(story, number))) == []
    assert (story.result is not None) == isinstance(entries[-1], MatchEnded)
    assert (story.end().phase is Phase.OVER) == isinstance(entries[-1], MatchEnded)
    assert story.turns[-1].scores == story.scores


def test_a_turn_is_one_seats_and_throwing_for_the_start_is_none() -> None:
    first = [Rolled((1, 1, 1, 1, 1)), Rolled((2, 2, 2, 2, 2))]
    turns = [Rolled((6, 5, 4, 3, 3)), Pick("stand"), Rolled((6, 5, 4, 1, 1)), Pick("throw-again"), Rolled((2, 2))]
    story = story_of(SHIP, [*first, *turns])
    assert [(turn.seat, turn.scores) for turn in story.turns] == [(1, (0, 6)), (0, (0, 6))]
    alone = story_of(SHIP, turns[:2] * 3, names=("Anne",))
    assert [turn.scores for turn in alone.turns] == [(6,), (12,), (18,)]


def test_an_answer_to_an_offer_belongs_to_the_turn_of_the_player_who_asked() -> None:
    moves = [Pick("e2e4"), Pick("offer-draw"), Pick("refuse"), Pick("e7e5")]
    assert [turn.seat for turn in story_of("captains-chess", moves).turns] == [0, 1]


# --- secrets --------------------------------------------------------------------------------------------------------


@pytest.fixture
def two_cards(monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the tiny game of secret cards be known."""
    monkeypatch.setitem(GAMES, TwoCards.key, TwoCards())
    monkeypatch.setitem(catalog._entries, TwoCards.key, GameEntry(game=TwoCards()))
    return TwoCards.key


def test_a_match_is_told_only_up_to_its_first_secret_until_it_is_over(two_cards: str) -> None:
    """Not even that something was laid."""
    story = story_of(two_cards, [Pick(ACE.id), Pick(DEUCE.id)])
    assert (story.steps, story.end().details) == ((), {})
    story = story_of(two_cards, [Pick(ACE.id), Pick(DEUCE.id), Pick(ACE.id), Pick(ACE.id)])
    assert story.moments[-1].lines[0].words == "Anne shows 1 aces"
    assert len(story.steps) == 4


def test_a_match_that_does_not_replay_says_why_and_keeps_its_exports() -> None:
    entries = [*entries_of("captains-chess"), Acted(1, 0, 0, Pick("e2e5"))]
    review = reviewed(entries)
    assert review.story is None
    assert "does not replay" in review.why_not
    assert review.forms == ("json", "ini", "pgn")
