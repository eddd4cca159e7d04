"""Zephyr beside exact chances written out from the rules, and at the table in every state there is."""

import random
from functools import cache

import pytest

from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy, play_best, play_greedily
from captains_table.players.ship_captain_crew.adviser import advise
from captains_table.players.ship_captain_crew.zephyr.player import ZEPHYR
from tests.support.crew_race import GAME, Race, best_turns, chances_in, turns_of

SEATED = {"order": "seated"}


def zephyr(level: int = 4, seed: int = 0) -> Strategy:
    """Return Zephyr, whose chances come from a seed."""
    return ZEPHYR.make(level, Means(random.Random(seed).randrange, lambda: 0.0))


@cache
def best_chances() -> list[float]:
    """Return how likely each cargo is for the table's best player, wherever he stands."""
    best = play_best(advise, play_greedily(GAME, random.Random(0).randrange))
    return chances_in(best, GAME.start(["A", "B"], SEATED))


def chance_of_zephyr(options: dict[str, str]) -> list[float]:
    """Return Zephyr's exact chances against the table's best player, as the first to throw and as the second."""
    return [Race(turns_of(zephyr()), best_chances(), options, place).chance() for place in (0, 1)]


def best_chance(options: dict[str, str]) -> list[float]:
    """Return the best chances there are against the table's best player."""
    return [Race(best_turns, best_chances(), options, place).chance() for place in (0, 1)]


@pytest.mark.parametrize(("mode", "of_a_hundred"), [("target", 50.4), ("single", 50.6)])
def test_for_two_zephyr_answers_the_best_player_as_well_as_can_be(mode: str, of_a_hundred: float) -> None:
    chances = chance_of_zephyr({"mode": mode})
    assert chances == pytest.approx(best_chance({"mode": mode}), abs=1e-9)
    assert round(50 * sum(chances), 1) == of_a_hundred
