"""Boreas at a seat: it answers whatever Captain's Chess asks, at levels that differ, within the time there is."""

import random
from collections.abc import Callable
from itertools import count
from types import ModuleType

import pytest

from captains_table.catalog import entry_of
from captains_table.games.captains_chess.game import State
from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import Action, Decide, Over, Pick, PickAsk, TimeControl
from captains_table.players.boreas import advising, player
from captains_table.players.boreas.advising import advise_on_move, evaluate_by_search
from captains_table.players.boreas.board import BoreasBoard
from captains_table.players.boreas.player import LEAST_S, LEVELS, search_of, share_s
from captains_table.players.boreas.search import BoreasLimits, BoreasSearch
from captains_table.players.common.opponents import Means
from tests.support.captains_chess_play import GAME, play, start
from tests.support.effort import effort

BOREAS = entry_of("captains-chess").opponents["boreas"]
FAR_AHEAD = "4k4/p8/9/9/9/9/PPP6/QR2K4 {} - - {} 60"
LEVEL_FOR_LONG = "4k4/pp7/9/9/9/9/PP7/4K4 w - - 30 60"
FULL_BOARD = "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 {}"
BY_HUNDREDTHS = 0.01


def means(seed: int = 1, seconds: Callable[[], float] = lambda: 0.0, think_s: float | None = None) -> Means:
    return Means(random.Random(seed).randrange, seconds, think_s)


def ticking() -> Callable[[], float]:
    """Return a clock that goes on by a hundredth of a second whenever it is read: before each position."""
    return count(0.0, BY_HUNDREDTHS).__next__


def answer(level: int, state: State, means: Means) -> Action:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    return BOREAS.make(level, means)(state, turn)


def hasty(level: int, state: State, seed: int = 1) -> Action:
    """Return what a level answers within the time for some 3,000 positions."""
    return answer(level, state, means(seed, ticking(), think_s=0.5))


def is_a_move_of(action: Action | None, state: State) -> bool:
    return isinstance(action, Pick) and action.id in state.position.moves


def winner_of_match(white: int, black: int, seed: int, options: dict[str, str]) -> int | None:
    """Return which of two levels won a match, or nobody; each of their answers is one that is offered."""
    both = [BOREAS.make(level, means(seed + 1000 * seat)) for seat, level in enumerate((white, black))]
    state, answers = GAME.start(["Anne", "Bart"], options), 0
    while not isinstance(turn := GAME.turn(state), Over):
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        action = both[turn.seat](state, turn)
        assert isinstance(action, Pick)
        assert action.id in {option.id for option in turn.ask.options}
        state, answers = GAME.apply(state, action), answers + 1
    assert answers > 20
    return None if turn.result.winner is None else (white, black)[turn.result.winner]


# --- at a seat ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", BOREAS.levels)
def test_at_every_level_it_makes_a_move_that_is_offered_from_any_position(level: int) -> None:
    for fen in ("r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R {} KQkq - 0 9", "4k4/P1P6/9/9/9/9/2p1p4/4K4 {} - - 0 9"):
        for side in ("w", "b"):
            state = start(fen.format(side))
            assert is_a_move_of(answer(level, state, means(think_s=None if level < 5 else 0.0)), state)


@pytest.mark.parametrize("level", [1, 4, 5])
def test_the_same_chance_in_the_same_position_gives_the_same_answer(level: int) -> None:
    state = play(start(), "e2e4", "e7e5", "b1c3")
    assert answer(level, state, means(7)) == answer(level, state, means(7))


def test_not_every_match_begins_alike() -> None:
    assert len({answer(5, start(), means(seed)) for seed in range(effort(8, 30))}) > 2


def test_its_advice_does_not_vary_and_is_a_move_that_is_offered() -> None:
    first, again = (advise_on_move(start(), means(seed, count().__next__, think_s=20.0)) for seed in (1, 2))
    assert first is not None
    assert first == again
    assert is_a_move_of(first.action, start())
    assert advise_on_move(play(start(clock="5"), "e2e4"), means()) is None


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("better", "worse", "options"), [(3, 1, {"clock": "5+3"}), (3, 1, {}), (2, 1, {})][: effort(1, 3)]
)
def test_higher_levels_win_most_whole_matches_against_lower_ones(
    better: int, worse: int, options: dict[str, str]
) -> None:
    levels = [(better, worse) if seed % 2 == 0 else (worse, better) for seed in range(effort(2, 20))]
    won = [winner_of_match(*pair, seed, options) for seed, pair in enumerate(levels)]
    assert won.count(better) > won.count(worse)


# --- draws ----------------------------------------------------------------------------------------------------------


def offered_a_draw(fen: str) -> State:
    return play(start(fen), "offer-draw")


@pytest.mark.parametrize("level", BOREAS.levels)
def test_at_every_level_it_agrees_to_a_draw_where_it_is_behind_and_to_none_else(level: int) -> None:
    assert hasty(level, offered_a_draw(FAR_AHEAD.format("w", 0))) == Pick("agree")
    assert hasty(level, offered_a_draw(FAR_AHEAD.format("b", 0))) == Pick("refuse")
    for move, seed in ((1, 0), (25, 1)):
        assert hasty(level, offered_a_draw(FULL_BOARD.format(move)), seed) == Pick("refuse")


def test_it_agrees_where_it_has_long_been_level() -> None:
    assert answer(5, offered_a_draw(LEVEL_FOR_LONG), means()) == Pick("agree")


@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_whatever_its_levels_errors_it_claims_a_draw_where_it_is_behind(level: int) -> None:
    for fen in (FAR_AHEAD.format("b", 100), "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBC1R w KQkq - 100 60"):
        assert answer(level, start(fen), means()) == Pick("claim-draw")


def test_it_plays_on_where_it_is_ahead_and_might_claim_a_draw() -> None:
    ahead = start(FAR_AHEAD.format("w", 100))
    assert is_a_move_of(answer(5, ahead, means()), ahead)


# --- time -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "think_s", "reads"), [({}, 1.0, range(11, 12)), ({"clock": "1"}, None, range(6, 30))]
)
def test_it_stops_when_its_time_is_over_or_after_a_share_of_the_clock(
    options: dict[str, str], think_s: float | None, reads: range
) -> None:
    ticks = count()  # of a tenth of a second; a second or so of the clock's sixty
    answer(6, start(FULL_BOARD.format(9), **options), means(seconds=lambda: next(ticks) / 10, think_s=think_s))
    assert next(ticks) in reads


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
def test_time_to_think_is_an_upper_limit_next_to_its_levels_own(
    options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = searches_of(player, monkeypatch)
    for think_s in (None, 3.0, 0.1):
        answer(5, start(FULL_BOARD.format(9), **options), means(seconds=ticking(), think_s=think_s))
    alone, generous, tiny = (search.nodes for search in searches)
    assert generous == alone == LEVELS[5].nodes  # three seconds are some 19,000 positions
    assert 0 < tiny < 1000


def test_a_position_is_evaluated_within_the_time_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = searches_of(advising, monkeypatch)
    for think_s in (None, 0.1):
        evaluate_by_search(start(), means(seconds=ticking(), think_s=think_s))
    alone, tiny = (search.nodes for search in searches)
    assert 0 < tiny < alone / 2


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
    shares = [share_s(clock("5"), number) for number in (1, 60, 500)]
    assert shares[0] == pytest.approx(6.5, abs=0.2)
    assert shares[1] < 2
    assert shares[2] == LEAST_S
