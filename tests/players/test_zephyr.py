"""Zephyr against exact chances written out from the rules, and at the table in every state there is."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise, product
from operator import mul

import pytest

from captains_table.games.ship_captain_crew.state import State
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy, play_best, play_greedily
from captains_table.players.ship_captain_crew.adviser import advise_on_cargo
from captains_table.players.ship_captain_crew.zephyr.player import ZEPHYR
from tests.players.crew_race import GAME, Race, best_turns, chances_in, turns_of
from tests.support.effort import effort

SEATED = {"order": "seated"}


def zephyr(level: int = 4, seed: int = 0) -> Strategy:
    """Return Zephyr, whose chances come from a seed."""
    return ZEPHYR.make(level, Means(random.Random(seed).randrange, lambda: 0.0))


@cache
def best_chances() -> list[float]:
    """Return how likely each cargo is for the table's best player, wherever they stand."""
    best = play_best(advise_on_cargo, play_greedily(GAME, random.Random(0).randrange))
    return chances_in(best, GAME.start(["A", "B"], SEATED))


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "of_a_hundred"),
    [({"target": "10"}, 50.9), ({"mode": "single"}, 50.6), ({"target": "50"}, 50.4)][: effort(2, 3)],
)
def test_for_two_zephyr_answers_the_best_player_as_well_as_can_be(options: dict[str, str], of_a_hundred: float) -> None:
    """Exactly, against the table's best player, as the first to throw and as the second."""
    chances = 0.0
    for place in (0, 1):
        ours, best = (
            Race(turns, best_chances(), options, place).chance() for turns in (turns_of(zephyr()), best_turns)
        )
        assert ours == pytest.approx(best, abs=1e-9)
        chances += ours
    assert round(50 * chances, 1) == of_a_hundred


# --- more than two players, and levels --------------------------------------------------------------------------------

SMALL_TARGET = effort(4, 6)
Totals = tuple[int, int, int]


@pytest.mark.slow
@pytest.mark.parametrize("finish_round", [True, False])
def test_as_the_first_of_three_it_is_in_no_position_worse_than_the_best_player_and_in_many_better(
    *, finish_round: bool
) -> None:
    """Exactly, in a short race; where they are level in the end each is given an equal share."""
    options = {"target": str(SMALL_TARGET), "finish_round": str(finish_round).lower(), **SEATED}
    start = GAME.start(["A", "B", "C"], options)
    best = chances_as_first_of_three(lambda _: best_chances(), start)
    found = chances_as_first_of_three(partial(chances_in, zephyr()), start)
    assert [totals for totals in best if found[totals] < best[totals] - 1e-12] == []
    assert sum(found[totals] > best[totals] + 1e-4 for totals in best) > len(best) / 4


def chances_as_first_of_three(cargoes_in: Callable[[State], list[float]], start: State) -> dict[Totals, float]:
    """Return the first player's chance in every position, by how likely their cargoes are there."""
    solved: dict[Totals, float] = {}
    others = [(cargo, share) for cargo, share in enumerate(best_chances()) if share]

    def after(totals: Totals, again: float) -> float:
        if max(totals) < SMALL_TARGET:
            return solved.get(totals, again)
        if not start.options.finish_round:
            return float(totals[0] >= SMALL_TARGET)
        return (totals[0] == max(totals)) / totals.count(max(totals))

    def round_from(totals: Totals, own: list[float], again: float) -> float:
        one, two, three = totals
        return sum(
            mine * sum(p * q * after((one + cargo, two + second, three + third), again)
                       for second, p in others for third, q in others)
            for cargo, mine in enumerate(own)
            if mine
        )  # fmt: skip

    for one, two, three in product(reversed(range(SMALL_TARGET)), repeat=3):
        totals = one, two, three
        own = cargoes_in(replace(start, totals=totals))
        at_none, at_all = round_from(totals, own, 0.0), round_from(totals, own, 1.0)
        solved[totals] = at_none / (1 - at_all + at_none)  # a round without any cargo comes again
    return solved


def test_alone_it_needs_no_more_turns_than_the_most_cargo_on_average_does() -> None:
    def turns(cargoes_at: Callable[[int], list[float]]) -> float:
        needed = [0.0]
        for to_go in range(1, 51):
            chances = cargoes_at(to_go)
            later = sum(share * needed[max(0, to_go - cargo)] for cargo, share in enumerate(chances) if cargo)
            needed.append((1 + later) / (1 - chances[0]))
        return needed[50]

    state = GAME.start(["A"], {})
    found = turns(lambda to_go: chances_in(zephyr(), replace(state, totals=(50 - to_go,))))
    assert found < turns(lambda _: best_chances()) - 0.01


@pytest.mark.slow
def test_each_level_errs_less_than_the_one_below() -> None:
    """By the exact chance of a player who is always so strong against the best player."""
    start = GAME.start(["A", "B"], SEATED)

    def chance(level: int) -> float:
        many = [chances_in(zephyr(level, seed), start) for seed in range(effort(20, 60))]
        mean = [sum(chances[cargo] for chances in many) / len(many) for cargo in range(13)]
        return Race(lambda _, worths: sum(map(mul, mean, worths)), best_chances(), {"target": "20"}, 0).chance()

    chances = [chance(level) for level in ZEPHYR.levels]
    assert all(higher - lower > 0.03 for lower, higher in pairwise(chances)), chances
