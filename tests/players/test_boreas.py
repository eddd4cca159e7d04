"""Boreas on a seat: he answers whatever Captain's Chess asks, at levels that differ, within the time there is."""

import random
from collections.abc import Callable, Mapping
from itertools import count
from types import ModuleType

import pytest

from captains_table.catalog import entry_of
from captains_table.games.captains_chess.state import State
from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import Action, Decide, Over, Pick, PickAsk, TimeControl
from captains_table.players.captains_chess import advising
from captains_table.players.captains_chess.advising import advise_on_captains_move
from captains_table.players.captains_chess.boreas import player
from captains_table.players.captains_chess.boreas.board import BoreasBoard
from captains_table.players.captains_chess.boreas.player import LEAST_S, LEVELS, search_of, share_s
from captains_table.players.captains_chess.boreas.search import BoreasLimits, BoreasSearch
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy
from tests.support.captains_chess_play import GAME, play, start
from tests.support.effort import effort

BOREAS = entry_of("captains-chess").opponents["boreas"]
FAR_AHEAD = "4k4/p8/9/9/9/9/PPP6/QR2K4 {} - - {} 60"
LEVEL_FOR_LONG = "4k4/pp7/9/9/9/9/PP7/4K4 {} - - 30 60"


def no_time() -> float:
    return 0.0


def seated(level: int, seed: int = 1, seconds: Callable[[], float] = no_time, think_s: float | None = None) -> Strategy:
    return BOREAS.make(level, Means(random.Random(seed).randrange, seconds, think_s))


def hasty(level: int, seed: int = 1) -> Strategy:
    """Return Boreas at a level, within the time for some 3,000 positions."""
    return seated(level, seed, count(0.0, 0.01).__next__, think_s=0.5)


def answer(player: Strategy, state: State) -> Action:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    return player(state, turn)


def match(white: int, black: int, seed: int, options: Mapping[str, str] | None = None) -> tuple[State, int]:
    """Play a match of two levels and return how it stands in the end, and after how many answers."""
    both = seated(white, seed), seated(black, seed + 1000)
    state = GAME.start(["Anne", "Bart"], options or {})
    for answers in count():
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return state, answers
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        action = both[turn.seat](state, turn)
        assert isinstance(action, Pick)
        assert action.id in {option.id for option in turn.ask.options}
        state = GAME.apply(state, action)
    raise AssertionError  # counting does not end


def winner(state: State) -> int | None:
    turn = GAME.turn(state)
    return turn.result.winner if isinstance(turn, Over) else None


# --- on a seat ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"clock": "5+3"}], ids=["no clock", "clock"])
def test_he_plays_a_whole_match_against_himself(options: dict[str, str]) -> None:
    state, answers = match(2, 1, 3, options)
    assert isinstance(GAME.turn(state), Over)
    assert answers > 20


@pytest.mark.parametrize("level", BOREAS.levels)
def test_at_every_level_he_makes_a_move_that_is_offered_from_any_position(level: int) -> None:
    for fen in ("r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R {} KQkq - 0 9", "4k4/P1P6/9/9/9/9/2p1p4/4K4 {} - - 0 9"):
        for side in ("w", "b"):
            state = start(fen.format(side))
            action = answer(seated(level, think_s=None if level < 5 else 0.0), state)
            assert isinstance(action, Pick)
            assert action.id in state.position.moves


def test_he_is_there_for_captains_chess_at_six_levels() -> None:
    assert list(BOREAS.levels) == [1, 2, 3, 4, 5, 6]
    assert BOREAS.usual in BOREAS.levels


@pytest.mark.parametrize("level", [1, 4, 5])
def test_the_same_chance_in_the_same_position_gives_the_same_answer(level: int) -> None:
    state = play(start(), "e2e4", "e7e5", "b1c3")
    assert answer(seated(level, 7), state) == answer(seated(level, 7), state)


@pytest.mark.slow
def test_not_every_match_begins_alike() -> None:
    assert len({answer(seated(5, seed), start()) for seed in range(effort(8, 30))}) > 2


def test_his_advice_does_not_vary_and_is_a_move_that_is_offered() -> None:
    first, again = (
        advise_on_captains_move(start(), Means(random.Random(seed).randrange, count().__next__, think_s=20.0))
        for seed in (1, 2)
    )
    assert first is not None
    assert first == again
    assert isinstance(first.action, Pick)
    assert first.action.id in start().position.moves
    assert advise_on_captains_move(play(start(clock="5"), "e2e4"), Means(random.Random(1).randrange, no_time)) is None


# --- draws ----------------------------------------------------------------------------------------------------------


def offered_a_draw(fen: str) -> State:
    """Return a match in which the side to move has just offered a draw."""
    return play(start(fen), "offer-draw")


@pytest.mark.parametrize("move", [1, 25])
@pytest.mark.parametrize("level", BOREAS.levels)
def test_he_agrees_to_no_draw_where_nothing_is_lost_at_any_level(level: int, move: int) -> None:
    even = offered_a_draw(f"rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 {move}")
    for seed in range(3 if level < 5 else 1):
        assert answer(hasty(level, seed), even) == Pick("refuse")


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_he_agrees_to_a_draw_where_he_is_behind_and_to_none_where_he_is_ahead(level: int) -> None:
    assert answer(hasty(level), offered_a_draw(FAR_AHEAD.format("w", 0))) == Pick("agree")
    assert answer(hasty(level), offered_a_draw(FAR_AHEAD.format("b", 0))) == Pick("refuse")


def test_he_agrees_where_it_has_long_been_level() -> None:
    assert answer(seated(5), offered_a_draw(LEVEL_FOR_LONG.format("w"))) == Pick("agree")


def test_he_claims_a_draw_where_he_is_behind_and_plays_on_where_he_is_ahead() -> None:
    behind, ahead = start(FAR_AHEAD.format("b", 100)), start(FAR_AHEAD.format("w", 100))
    assert answer(seated(5), behind) == Pick("claim-draw")
    action = answer(seated(5), ahead)
    assert isinstance(action, Pick)
    assert action.id in ahead.position.moves


@pytest.mark.parametrize("level", [1, 2, 3])
def test_his_levels_errors_do_not_keep_him_from_claiming_a_draw_where_he_is_behind(level: int) -> None:
    behind = start("rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBC1R w KQkq - 100 60")
    for seed in range(3):
        assert answer(seated(level, seed), behind) == Pick("claim-draw")


# --- levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("better", "worse", "matches"), [(2, 1, 4), (3, 1, 2)])
def test_higher_levels_win_most_matches_against_lower_ones(better: int, worse: int, matches: int) -> None:
    won = lost = 0
    for seed in range(effort(matches, 5 * matches)):
        levels = (better, worse) if seed % 2 == 0 else (worse, better)
        state, _ = match(*levels, seed)
        seat = winner(state)
        won += seat is not None and levels[seat] == better
        lost += seat is not None and levels[seat] == worse
    assert won > lost


# --- time -----------------------------------------------------------------------------------------------------------


def test_he_stops_when_the_time_he_is_given_is_over() -> None:
    ticks = count()
    assert isinstance(answer(seated(6, seconds=lambda: next(ticks) / 10, think_s=1.0), start()), Pick)
    assert next(ticks) == 11


def searches_of(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[BoreasSearch]:
    """Return a list to which every search that a module begins is added."""
    searches = list[BoreasSearch]()

    def watched(state: State, limit: BoreasLimits, seconds: Callable[[], float]) -> tuple[BoreasBoard, BoreasSearch]:
        board, search = search_of(state, limit, seconds)
        searches.append(search)
        return board, search

    monkeypatch.setattr(module, "search_of", watched)
    return searches


@pytest.mark.parametrize("options", [{}, {"clock": "60"}], ids=["no clock", "clock"])
def test_time_to_think_is_an_upper_limit_next_to_his_levels_own(
    options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = searches_of(player, monkeypatch)
    state = start("rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 9", **options)
    for think_s in (None, 3.0, 0.1):
        answer(seated(5, seconds=count(0.0, 0.01).__next__, think_s=think_s), state)
    alone, generous, tiny = (search.nodes for search in searches)
    assert generous == alone == LEVELS[5].nodes  # three seconds are some 19,000 positions
    assert 0 < tiny < 1000


def test_a_move_is_judged_within_the_time_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = searches_of(advising, monkeypatch)
    for think_s in (None, 0.1):
        advising.judge_move(
            start(), Pick("e2e4"), Means(random.Random(1).randrange, count(0.0, 0.01).__next__, think_s)
        )
    alone, tiny = (search.nodes for search in searches)
    assert 0 < tiny < alone / 2


def test_on_a_clock_he_takes_a_share_of_it_for_each_move() -> None:
    ticks = count()
    state = start("rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 9", clock="1")
    answer(seated(6, seconds=lambda: next(ticks) / 10), state)
    assert 5 < next(ticks) < 30  # a second or so, of sixty


def clock(text: str) -> TimeControl:
    control = parse_clock(text)
    assert control is not None
    return control


@pytest.mark.parametrize("text", ["1", "5+3", "30", "600+600"])
def test_a_match_however_long_never_uses_up_the_clock(text: str) -> None:
    control = clock(text)
    left_s = control.base_ms / 1000
    for number in range(1, 180):
        share = share_s(control, number)
        assert share >= LEAST_S
        left_s += control.increment_ms / 1000 - share
        assert left_s > 0


def test_a_share_of_five_minutes_is_some_seconds_at_first_and_little_later() -> None:
    assert share_s(clock("5"), 1) == pytest.approx(6.5, abs=0.2)
    assert share_s(clock("5"), 60) < 2
    assert share_s(clock("5"), 500) == LEAST_S
