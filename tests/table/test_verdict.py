"""The verdict on a finished match: who won, by how much, why, and in which order the players are listed."""

import random

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import EventKind, GameEvent, Over, Pick, Result
from captains_table.games.registry import game_by_key
from captains_table.table.model.verdict import headline, ranking, reasons, score_line
from tests.support.random_play import play_match

NAMES = ("Anne", "Bart", "Cleo", "Dora", "Eve")
RESULTS = st.lists(st.integers(-9, 99), min_size=1, max_size=5).flatmap(
    lambda scores: st.builds(Result, st.none() | st.integers(0, len(scores) - 1), st.just(tuple(scores)))
)


@given(RESULTS)
def test_all_are_ranked_once_the_winner_alone_and_first_and_equals_share_a_place(result: Result) -> None:
    places = ranking(result)
    assert sorted(place.seat for place in places) == list(range(len(result.scores)))
    assert [place.seat for place in places if place.seat == result.winner] == [
        place.seat for place in places[:1] if result.winner is not None
    ]
    for place in places:
        better = [each for each in places if each.seat == result.winner or each.score > place.score]
        assert place.place == (1 if place.seat == result.winner else 1 + len(better))


@pytest.mark.parametrize(
    ("result", "words", "scores"),
    [
        (Result(0, (80, 33)), "Anne wins", "80 : 33"),
        (Result(1, (0, 1)), "Bart wins", "1 : 0"),
        (Result(None, (0, 0)), "A draw", "½ : ½"),
        (Result(None, (7, 7)), "A draw", "7 : 7"),
        (Result(None, (7, 7, 2)), "The match is shared", "7 : 7 …"),
        (Result(None, (9, 7)), "Nobody wins", "9 : 7"),
        (Result(1, (9, 7, 1)), "Bart wins", ""),
        (Result(0, (9, 7, 5, 3, 1)), "Anne wins", "9 : 7 …"),
        (Result(0, (42,)), "Anne ends with 42", ""),
    ],
)
def test_who_won_and_by_how_much_is_said_in_a_few_words(result: Result, words: str, scores: str) -> None:
    assert headline(result, NAMES) == words
    assert score_line(result) == scores


@pytest.mark.parametrize(
    ("key", "options", "why"),
    [
        ("legend", {"rounds": "1", "turn_limit": "1"}, "The limit of 1 turns is reached"),
        ("ship-captain-crew", {"mode": "single"}, "The largest cargo wins"),
        ("ship-captain-crew", {"target": "20", "finish_round": "false"}, "Anne reaches 20"),
        ("swashbuckle", {}, "Every box is filled"),
    ],
)
def test_every_game_says_why_a_match_ended(key: str, options: dict[str, str], why: str) -> None:
    game = game_by_key(key)
    said = set()
    for seed in range(9):
        state = game.start(NAMES[:2], options)
        for action in play_match(game, NAMES[:2], options, random.Random(seed)):
            state = game.apply(state, action)
        turn = game.turn(state)
        assert isinstance(turn, Over)
        assert turn.result.why
        said.add(turn.result.why)
    assert any(why in words for words in said), said


def test_chess_says_who_resigned_and_the_last_events_explain_what_was_paid() -> None:
    game = game_by_key("captains-chess")
    turn = game.turn(game.apply(game.start(NAMES[:2], {}), Pick("resign")))
    assert isinstance(turn, Over)
    assert reasons(turn.result, ()) == ["Anne resigns"]
    paid = GameEvent(EventKind.SETTLEMENT, 0, 9, "Bart pays 9 to Anne")
    told = GameEvent(EventKind.MATCH, 0, 0, "The match is won by Anne, 80 to 33")
    ranks = [GameEvent(EventKind.RANK, seat, 0, f"{name}: a captain") for seat, name in enumerate(("Anne", "Bart"))]
    result = Result(0, (80, 33), "Anne captures the king")
    assert reasons(result, (paid, told, *ranks)) == ["Anne captures the king", "Bart pays 9 to Anne", "Anne: a captain"]
    assert reasons(Result(0, (80, 33)), (told,)) == [told.words], "a plug-in's event, if nothing else says why"
