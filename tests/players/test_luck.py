"""Luck, skill, mean and what others did: together they are the score, and each is what it is called."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.catalog import entry_of
from captains_table.games.contract import STAND, Decide, Game, Over, Pick, Roll, Rolled, acting_seat
from captains_table.games.registry import game_by_key
from captains_table.games.ship_captain_crew.game import stands_by_score
from captains_table.games.ship_captain_crew.state import State
from captains_table.players.common.luck import MatchLuck, Measure, Transition, match_luck
from captains_table.players.common.strategies import play_greedily
from captains_table.records.luck import skilled_seat
from tests.support.effort import effort
from tests.support.random_matches import OPTIONS
from tests.support.random_play import random_action
from tests.support.swashbuckle_play import GAME, said, start

EXACT = 1e-9
ROUNDING = 0.15  # of Swashbuckle's table, from one turn to the next
NAMES = ("Anne", "Bart", "Cleo")
MOST_DICE = effort(3, 5)  # whose throws are all tried
DICE_GAMES = ("ship-captain-crew", "swashbuckle")
ALL_GAMES = (*DICE_GAMES, "legend")
SEEDS = st.integers(0, 10_000)


def measure_of(key: str) -> Measure:
    """Return what says what a state of a game is worth."""
    luck = entry_of(key).luck
    assert luck is not None
    return luck()


def deeds_of(key: str, seed: int, seats: int, *, sense: float = 0.0, most: int = 100_000) -> Iterator[Transition]:
    """Yield the actions of a match played at random; a share of the decisions is what the adviser advises."""
    rng = random.Random(seed)
    game: Game[Any] = game_by_key(key)
    adviser = entry_of(key).adviser
    assert adviser is not None
    greedy = play_greedily(game, rng.randrange)
    known = [options for options in OPTIONS[key] if entry_of(key).luck_is_known(options)]
    state = game.start(NAMES[:seats], known[seed % len(known)] if seats > 1 else {})
    for _ in range(most):
        turn = game.turn(state)
        if isinstance(turn, Over):
            break
        action = random_action(turn, rng)
        if isinstance(turn, Decide) and rng.random() < sense:
            advice = adviser(state)
            action = greedy(state, turn) if advice is None or advice.action is None else advice.action
        after = game.apply(state, action)
        seat = skilled_seat(game, state, after, acting_seat(turn, action))
        yield Transition(seat, isinstance(action, Rolled), state, after)
        state = after


def reckoned(key: str, deeds: list[Transition]) -> MatchLuck:
    """Return where the points of a match come from; each seat's parts are its score, and what is still to come."""
    luck = match_luck(measure_of(key), deeds[0].before, deeds, game_by_key(key).score(deeds[-1].after))
    assert luck.seats
    for seat in luck.seats:
        parts = seat.mean + seat.luck + seat.skill + seat.others
        assert parts == pytest.approx(seat.score + seat.to_come, abs=EXACT)
    return luck


@settings(max_examples=effort(8, 500))
@given(st.sampled_from(DICE_GAMES), SEEDS, st.integers(1, 3), st.sampled_from((1.0, 0.0, 0.5)))
def test_mean_luck_skill_and_what_others_did_are_the_score_and_following_the_advice_costs_nothing(
    key: str, seed: int, seats: int, sense: float
) -> None:
    luck = reckoned(key, list(deeds_of(key, seed, seats, sense=sense)))
    assert seats > 1 or luck.seats[0].others == 0
    assert all(seat.to_come == pytest.approx(0, abs=EXACT) for seat in luck.seats)
    assert all(worth.skill is None or worth.skill <= EXACT for worth in luck.deeds)  # nothing is better than the best
    if sense == 1.0:
        assert all(not worth.skill or worth.skill == pytest.approx(0, abs=EXACT) for worth in luck.deeds)


@settings(max_examples=effort(10, 500))
@given(st.sampled_from(ALL_GAMES), SEEDS, st.integers(1, 2), st.integers(1, effort(60, 250)))
def test_a_match_that_goes_on_adds_up_with_what_is_still_to_come(key: str, seed: int, seats: int, most: int) -> None:
    reckoned(key, list(deeds_of(key, seed, seats, sense=0.5, most=most)))


@pytest.mark.long
@pytest.mark.parametrize("key", ALL_GAMES)
@pytest.mark.parametrize("seed", range(effort(1, 40)))
def test_the_luck_of_all_throws_that_may_fall_is_nothing_on_average(key: str, seed: int) -> None:
    """Each throw as likely: what it is worth afterwards is on average what was expected before it."""
    game, measure = game_by_key(key), measure_of(key)
    tried = 0
    for deed in deeds_of(key, seed, 2, sense=0.7, most=120):
        turn = game.turn(deed.before)
        if not isinstance(turn, Roll) or len(turn.dice) > MOST_DICE:
            continue
        before = measure.expected(deed.before, turn.seat) + measure.promised(deed.before, turn.seat)
        fallen = [game.apply(deed.before, Rolled(faces)) for faces in product(range(1, 7), repeat=len(turn.dice))]
        if key == "ship-captain-crew" and any(is_by_score(state) for state in (deed.before, *fallen)):
            continue
        after = sum(measure.expected(state, turn.seat) for state in fallen) / len(fallen)
        begins = key == "swashbuckle" and len(turn.dice) == len(game.dice(deed.before))
        assert after == pytest.approx(before, abs=ROUNDING if begins else 1e-6)
        tried += 1
    assert tried


def is_by_score(state: State) -> bool:
    """Return whether the score says what to do with the cargo, or the target is reached."""
    reached = state.options.mode == "target" and max(state.totals) + state.turn.cargo >= state.options.target
    return reached or stands_by_score(state) is not None


@pytest.mark.parametrize("finish_round", ["true", "false"])
def test_to_stand_with_what_reaches_the_target_costs_nothing_though_more_cargo_is_to_be_expected(
    finish_round: str,
) -> None:
    crew = game_by_key("ship-captain-crew")
    options = {"order": "seated", "finish_round": finish_round}
    for target, costs in (("5", False), ("50", True)):
        start = crew.start(NAMES[:2], options | {"target": target})
        asked = crew.apply(start, Rolled((6, 5, 4, 1, 4)))
        skill = [
            match_luck(
                measure_of("ship-captain-crew"),
                asked,
                [Transition(0, is_throw=False, before=asked, after=after)],
                crew.score(after),
            )
            for after in (crew.apply(asked, Pick(STAND.id)), crew.apply(asked, Pick("throw-again")))
        ]
        assert [each.seats[0].skill < -EXACT for each in skill] == [costs, False], target


def test_before_a_die_falls_a_match_is_worth_its_exact_optimum() -> None:
    """Where the number of turns is not fixed, each turn brings its own mean when it begins."""
    sheets, ship = (next(deeds_of(key, 1, 1)).before for key in ("swashbuckle", "ship-captain-crew"))
    assert measure_of("swashbuckle").expected(sheets, 0) == pytest.approx(300.5576, abs=1e-4)
    assert measure_of("ship-captain-crew").expected(ship, 0) == pytest.approx(0.0, abs=1e-4)
    assert measure_of("ship-captain-crew").promised(ship, 0) == pytest.approx(4.0825, abs=0.01)


@pytest.mark.parametrize(
    "words", [["23456", "score-piracy", "66541"], ["66541", *("throw-again", "keep 1 2 3 4", "6") * 2]]
)
def test_a_hornswaggled_throw_is_worth_the_mean_of_what_may_fall(words: list[str]) -> None:
    measure = measure_of("swashbuckle")
    chosen = said(start("Anne"), *words, "hornswaggle")
    thrown = said(chosen, "keep 1 2 3")
    fallen = [GAME.apply(thrown, Rolled(faces)) for faces in product(range(1, 7), repeat=2)]
    mean = sum(measure.expected(state, 0) for state in fallen) / len(fallen)
    assert measure.expected(thrown, 0) == pytest.approx(mean, abs=ROUNDING)
    assert measure.expected(chosen, 0) >= measure.expected(thrown, 0)


def test_a_curse_and_a_raid_are_neither_luck_nor_skill_of_their_victim() -> None:
    for seed in range(8):
        deeds = list(deeds_of("swashbuckle", seed, 3))
        if any(sheet.cursed is not None for sheet in deeds[-1].after.sheets):
            assert any(seat.others < 0 for seat in reckoned("swashbuckle", deeds).seats)
            return
    pytest.fail("nobody was cursed in eight matches")
