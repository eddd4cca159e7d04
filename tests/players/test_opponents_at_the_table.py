"""The computers of the dice games answer whatever they are asked, in any state, several at once, and matches end."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.catalog import entry_of
from captains_table.games.common.computer_seat import ComputerSeat
from captains_table.games.contract import Action, Decide, Over, Roll, Rolled
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy, play_at_random
from tests.support.effort import effort
from tests.support.random_matches import OPTIONS

NAMES = ["Anne", "Bart", "Cleo", "Dirk", "Eva", "Fred"]
MORE_OPTIONS = {
    "ship-captain-crew": [
        {"mode": "single", "cargo_dice": "each", "stake": "3"},
        {"target": "999", "mode": "single"},
        {"target": "150", "finish_round": "false", "cargo_dice": "each"},
        {"target": "1"},
    ],
    "swashbuckle": [{"captain": "Anne", "captain_pillage": "double", "voluntary_scuttle": "true", "aces_high": "sum"}],
}


@dataclass(frozen=True)
class Evening:
    """Who sits down to what: each seat a computer at some level; at random its answers are given by somebody else."""

    game: str
    seed: int
    options: dict[str, str]
    seats: tuple[ComputerSeat, ...]
    meddling: float


@st.composite
def evenings(draw: st.DrawFn, game: str) -> Evening:
    options = draw(st.sampled_from([*OPTIONS[game], *MORE_OPTIONS[game]]))
    sitters = [ComputerSeat(each.key, level) for each in entry_of(game).opponents.values() for level in each.levels]
    seats = draw(st.lists(st.sampled_from(sitters), min_size=1, max_size=len(NAMES)))
    return Evening(game, draw(st.integers(0, 10**6)), options, tuple(seats), draw(st.sampled_from([0.0, 0.3, 0.9])))


def play(evening: Evening) -> tuple[list[Action], Over]:
    """Play a match and return what the computers answered; the game accepts each answer or raises."""
    entry, rng = entry_of(evening.game), random.Random(evening.seed)
    game, names = entry.game, NAMES[: len(evening.seats)]
    state = game.start(names, evening.options)
    players: list[Strategy] = [
        entry.opponents[sitter.key].make(sitter.level, Means(rng.randrange, lambda: 0.0)) for sitter in evening.seats
    ]
    anybody, answers = play_at_random(rng.randrange), []
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Roll):
            state = game.apply(state, Rolled(tuple(rng.choices(range(1, 7), k=len(turn.dice)))))
            continue
        assert isinstance(turn, Decide)
        answers.append(players[turn.seat](state, turn))
        meddled = rng.random() < evening.meddling
        state = game.apply(state, answers[-1])
        if meddled:
            turn = game.turn(state)
            if isinstance(turn, Decide):
                state = game.apply(state, anybody(state, turn))
    return answers, turn


@pytest.mark.long
@pytest.mark.parametrize("game", ["ship-captain-crew", "swashbuckle"])
def test_matches_among_computers_of_all_levels_end_and_every_answer_is_accepted(game: str) -> None:
    @settings(max_examples=effort(12 if game == "ship-captain-crew" else 5, 60))
    @given(evenings(game))
    def check(evening: Evening) -> None:
        _, over = play(evening)
        assert len(over.result.scores) == len(evening.seats)

    check()


@pytest.mark.parametrize("game", ["ship-captain-crew", "swashbuckle"])
def test_the_same_chances_give_the_same_answers(game: str) -> None:
    sitters = [ComputerSeat(each.key, level) for each in entry_of(game).opponents.values() for level in each.levels][
        -3:
    ]
    evening = Evening(game, 7, {}, tuple(sitters[:2]), 0.3)
    assert play(evening)[0] == play(evening)[0]
