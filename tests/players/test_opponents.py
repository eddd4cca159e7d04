"""Who may sit in a place, as words declare it; and computers of the dice games answer whatever they are asked."""

import random
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from captains_table import catalog
from captains_table.catalog import entry_of, kinds_of, opponents_of
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Action, Decide, Over, Roll
from captains_table.players.common.opponents import Means, opponent_of
from captains_table.players.common.strategies import Strategy, play_at_random
from tests.support.effort import effort
from tests.support.random_matches import OPTIONS
from tests.support.random_play import random_action


def test_a_name_with_a_level_is_a_computer_and_all_else_a_person() -> None:
    assert kinds_of("legend", ("Anne", "aether:3")) == ("human", "computer")
    assert kinds_of("legend", ("Aether", "AETHER: 3")) == ("human", "computer")
    assert kinds_of("swashbuckle", ("Anne:3", "Bart: the second", "aether", "Aether: a poem")) == ("human",) * 4


@pytest.mark.parametrize(
    ("game", "words", "why"),
    [
        ("crowns", "aether:1", "'aether:1': aether plays Legend; Crowns has notus:0 to notus:4"),
        ("captains-chess", "AETHER: 9", "aether plays Legend; Captain's Chess has boreas:0 to boreas:6"),
        ("legend", "zephyr:2", "zephyr plays Ship, Captain and Crew; Legend has aether:0 to aether:6"),
        ("captains-chess", "engine:2", "engine is there where one is installed or configured; Captain's Chess has bor"),
        ("legend", "aether:9", "expected a level from 0 to 6, as in aether:0"),
        ("legend", "aether:", "expected a level from 0 to 6"),
        ("legend", "aehter:3", "no computer of this game is called aehter .did you mean 'aether'.."),
    ],
)
def test_a_computer_that_this_game_does_not_have_is_refused_in_words(game: str, words: str, why: str) -> None:
    with pytest.raises(NoSuchOpponent, match=why):
        kinds_of(game, ("Anne", words))


def test_an_engine_is_refused_in_words_whether_another_game_has_it_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    # the tables that other tests open in this process offer the machine's engines
    chess = {key: each for key, each in opponents_of("chess").items() if key != "stockfish"}
    for computers, why in (
        (chess, "stockfish is there where one is installed or configured"),
        ({**chess, "stockfish": opponents_of("legend")["aether"]}, "stockfish plays Chess"),
    ):
        monkeypatch.setitem(catalog._entries, "chess", replace(entry_of("chess"), opponents=computers))
        with pytest.raises(NoSuchOpponent, match=f"'Stockfish:3': {why}; Captain's Chess has boreas:0 to boreas:6"):
            kinds_of("captains-chess", ("Anne", "Stockfish:3"))


def test_a_sitter_is_who_it_says_or_nobody() -> None:
    opponents = opponents_of("legend")
    assert opponent_of(ComputerSeat("aether", 3), opponents) is opponents["aether"]
    with pytest.raises(NoSuchOpponent, match="no computer 'zephyr:1' is known"):
        opponent_of(ComputerSeat("zephyr", 1), opponents)


# --- the dice games ---------------------------------------------------------------------------------------------------

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


class Evening(NamedTuple):
    """Who sits down to what: each seat a computer at some level; at random its answers are given by somebody else."""

    game: str
    seed: int
    options: dict[str, str]
    seats: tuple[ComputerSeat, ...]
    meddling: float


def sitters(game: str) -> list[ComputerSeat]:
    return [ComputerSeat(each.key, level) for each in entry_of(game).opponents.values() for level in each.levels]


@st.composite
def evenings(draw: st.DrawFn, game: str) -> Evening:
    options = draw(st.sampled_from([*OPTIONS[game], *MORE_OPTIONS[game]]))
    seats = draw(st.lists(st.sampled_from(sitters(game)), min_size=1, max_size=effort(3, len(NAMES))))
    return Evening(game, draw(st.integers(0, 10**6)), options, tuple(seats), draw(st.sampled_from([0.0, 0.3, 0.9])))


def play(evening: Evening) -> tuple[list[Action], Over]:
    """Play a match and return what the computers answered; the game accepts each answer or raises."""
    entry, rng = entry_of(evening.game), random.Random(evening.seed)
    game, state = entry.game, entry.game.start(NAMES[: len(evening.seats)], evening.options)
    means = Means(rng.randrange, lambda: 0.0)
    players: list[Strategy] = [entry.opponents[sitter.key].make(sitter.level, means) for sitter in evening.seats]
    anybody, answers = play_at_random(rng.randrange), list[Action]()
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Roll):
            state = game.apply(state, random_action(turn, rng))
            continue
        assert isinstance(turn, Decide)
        answers.append(players[turn.seat](state, turn))
        meddled = rng.random() < evening.meddling
        state = game.apply(state, answers[-1])
        turn = game.turn(state)
        if meddled and isinstance(turn, Decide):
            state = game.apply(state, anybody(state, turn))
    return answers, turn


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("game", MORE_OPTIONS)
def test_matches_among_computers_of_all_levels_end_and_every_answer_is_accepted(game: str) -> None:
    @settings(max_examples=effort(5 if game == "ship-captain-crew" else 3, 60))
    @given(evenings(game))
    def check(evening: Evening) -> None:
        _, over = play(evening)
        assert len(over.result.scores) == len(evening.seats)

    check()


@pytest.mark.parametrize("game", MORE_OPTIONS)
def test_the_same_chances_give_the_same_answers(game: str) -> None:
    evening = Evening(game, 7, {}, tuple(sitters(game)[-3:-1]), 0.3)
    assert play(evening)[0] == play(evening)[0]
