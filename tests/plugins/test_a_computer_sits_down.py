"""The computer of docs/adding-a-game.md: a plug-in seats one, and it answers whatever its seat is asked."""

import random
from dataclasses import replace
from typing import Final

import pytest

from captains_table import catalog
from captains_table.games import registry
from captains_table.games.contract import Decide, Over, Roll, Rolled
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, play_at_random, play_best
from pig_game import ENTRY
from pig_game.adviser import advise


def make_porky(level: int, means: Means) -> Strategy:
    """Return a player of Pig: at level 1 anything, at level 2 what the adviser says."""
    anything = play_at_random(means.below)
    return anything if level == 1 else play_best(advise, anything)


PORKY: Final = Opponent("porky", "Porky", make_porky, levels={1: "careless", 2: "careful"}, usual=2)
WITH_PORKY: Final = replace(ENTRY, opponents={PORKY.key: PORKY})


def test_a_computer_of_a_plug_in_may_be_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog._entries, "pig", WITH_PORKY)
    monkeypatch.setitem(registry.COMPUTERS, "pig", {PORKY.key: PORKY.levels})
    assert catalog.kinds_of("pig", ["Anne", "porky:2"]) == ("human", "computer")


@pytest.mark.parametrize("level", PORKY.levels)
def test_it_answers_all_that_its_seat_is_asked(level: int) -> None:
    rng, pig = random.Random(level), ENTRY.game
    player = PORKY.make(level, Means(rng.randrange, lambda: 0.0))
    state = pig.start(["Anne", "Bart"], {"target": "30"})
    while not isinstance(turn := pig.turn(state), Over):
        assert isinstance(turn, Decide | Roll)
        faces = tuple(rng.randint(1, 6) for _ in turn.dice) if isinstance(turn, Roll) else ()
        state = pig.apply(state, player(state, turn) if isinstance(turn, Decide) else Rolled(faces))
    assert max(turn.result.scores) >= 30
