"""Aether at a seat of Legend: it answers whatever is asked, and what it answers is sensible."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from captains_table import catalog
from captains_table.games.contract import Amount, Decide, Keep, Over, Pick
from captains_table.games.legend.asks import sensible_keep
from captains_table.games.legend.state import AbandonConsent, State, with_step
from captains_table.players.common.opponents import Means, sitter_of
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.situation import FoundAction, Situation, situation_of
from captains_table.players.legend.aether.thinking import thinker_of
from tests.players.aether_at_work import (
    UNERRING,
    Ticking,
    answer,
    hasty,
    means,
    no_time,
    play_out,
    quick,
    seated,
    with_search,
)
from tests.support.effort import effort
from tests.support.legend_harness import BARE_KINGS, BART, GAME, asked, moves, play, start
from tests.support.random_matches import OPTIONS, eager_action

KING_IN_REACH = "4k3/8/8/8/4R3/8/8/K7 w - - 0 1"
BOTH_IN_REACH = "4k3/8/8/8/q7/8/8/K3R3 w - - 0 1"
QUEEN_EN_PRISE = "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1"
seeds = st.integers(0, 10**9)


# --- whatever is asked ----------------------------------------------------------------------------------------------


@settings(max_examples=effort(10, 500))
@given(seeds, st.sampled_from(sorted(LEVELS)), st.sampled_from(OPTIONS["legend"]))
def test_seated_and_unseated_at_random_it_answers_whatever_is_asked(seed: int, level: int, mix: dict[str, str]) -> None:
    """Somebody who likes what is rare plays both seats, and again and again Aether answers in his place."""
    rng = random.Random(seed)
    player, state = quick(seed, LEVELS[level]), GAME.start(["Anne", "Bart"], mix)
    for _ in range(600):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        sits = isinstance(turn, Decide) and rng.random() < 0.5
        action = player(state, turn) if sits and isinstance(turn, Decide) else eager_action(GAME, state, turn, rng)
        state = GAME.apply(state, action)  # raises where the answer is not what is asked


@settings(max_examples=effort(2, 60))
@given(seeds, st.sampled_from(sorted(LEVELS)))
def test_it_does_so_with_its_own_search_too(seed: int, level: int) -> None:
    rng = random.Random(seed)
    player, state = hasty(level, seed), GAME.start(["Anne", "Bart"], {"rounds": "2", "turn_limit": "16"})
    while not isinstance(turn := GAME.turn(state), Over):
        sits = isinstance(turn, Decide) and rng.random() < 0.7
        action = player(state, turn) if sits and isinstance(turn, Decide) else eager_action(GAME, state, turn, rng)
        state = GAME.apply(state, action)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [(1, 2), (6, 3), (4, 5)])
def test_a_match_between_levels_comes_to_an_end(pair: tuple[int, int]) -> None:
    for rounds, limit in (("1", "0"), ("2", "12")):
        players = [hasty(level, seat) for seat, level in enumerate(pair)]
        play_out(players, {"rounds": rounds, "turn_limit": limit}, 7)


@pytest.mark.slow
def test_a_round_of_two_bare_kings_comes_to_an_end() -> None:
    play_out([hasty(3, 1), hasty(3, 2)], {"rounds": "1", "fen": BARE_KINGS}, 5)


@pytest.mark.slow
def test_the_same_seed_plays_the_same_match() -> None:
    matches = [play_out([hasty(1, 1), hasty(3, 2)], {"rounds": "1", "turn_limit": "40"}, 11) for _ in range(2)]
    assert matches[0] == matches[1]


def test_with_time_to_think_every_answer_comes_within_it() -> None:
    clock, rng = Ticking(), random.Random(3)
    player = AetherPlayer(thinker_of(LEVELS[6], Means(rng.randrange, clock, think_s=0.05)))
    state, took = with_a_rook_lost((40, 0)), list[float]()
    for _ in range(12):
        turn, began = GAME.turn(state), clock.now
        action = player(state, turn) if isinstance(turn, Decide) else eager_action(GAME, state, turn, rng)
        took.append(clock.now - began)
        state = GAME.apply(state, action)
    assert 0.02 < max(took) < 0.1


@pytest.mark.parametrize(
    "level", [AetherLevel("few nodes", nodes=600), AetherLevel("not deep", nodes=1 << 40, depth=2)]
)
def test_time_to_think_is_an_upper_limit_next_to_its_levels_own(level: AetherLevel) -> None:
    state = play(start(), "roll 6 5 4 6 6 6")

    def found(think_s: float | None, parts: int) -> FoundAction:
        thinker = thinker_of(level, Means(random.Random(1).randrange, Ticking(), think_s))
        thinker.begin()
        return thinker.search(situation_of(state), parts)

    for parts in (1, 3):
        assert found(5.0, parts) == found(None, parts)  # the clock is read some hundred times within the level's limit
        assert found(0.002, parts).nodes < found(None, parts).nodes


@settings(max_examples=effort(2, 30))
@given(seeds, st.sampled_from([1, 3, 5]))
def test_what_it_answers_depends_on_the_state_and_on_chance_and_not_on_what_it_was_asked_before(
    seed: int, level: int
) -> None:
    rng, chance = random.Random(seed), random.Random()

    def thoughtless() -> AetherPlayer:
        return AetherPlayer(thinker_of(replace(LEVELS[level], nodes=1), Means(chance.randrange, no_time)))

    player = thoughtless()
    state = GAME.start(["Anne", "Bart"], {"rounds": "1"})
    for number in range(60):
        turn = GAME.turn(state)
        if not isinstance(turn, Decide):
            state = GAME.apply(state, eager_action(GAME, state, turn, rng))
            continue
        answers = []
        for asked_one in (player, thoughtless(), player):
            chance.seed(f"{seed} {number}")
            answers.append(asked_one(state, turn))
        assert answers[0] == answers[1] == answers[2]
        state = GAME.apply(state, answers[0])
        if isinstance(GAME.turn(state), Over):
            return


def test_it_sits_down_by_its_key_and_level() -> None:
    opponents = catalog.entry_of("legend").opponents
    sitter = sitter_of("aether:3", opponents)
    assert sitter is not None
    assert opponents[sitter.key].title == "Aether"
    assert (list(opponents[sitter.key].levels), len(set(opponents[sitter.key].levels.values()))) == (
        [1, 2, 3, 4, 5, 6],
        6,
    )
    state = GAME.start(["Anne", "Bart"], {})
    assert opponents[sitter.key].make(sitter.level, means(0))(state, asked(state)) == Pick("roll")


# --- dice -----------------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_all_six_dice_and_one_kind_thrown_alone_is_made_whole() -> None:
    assert answer(seated(), start()) == Pick("roll")
    assert answer(seated(), play(start(), "roll-cargo 6 5 4 6 6")) == Pick("roll-legend")
    assert answer(seated(), play(start(), "roll-legend 6")) == Pick("roll-cargo")


def test_one_throw_throws_cargo_and_legend_die_each_as_is_best_for_it() -> None:
    state = play(start(fen=BARE_KINGS), "roll 6 5 4 1 2 1")
    state = replace(state, genie_spent=(True, True))  # so a die of one moves nothing
    assert answer(seated(), state) == Pick("throw-again")
    assert answer(seated(), GAME.apply(state, Pick("throw-again"))) == Keep((1, 2, 3))


def test_cargo_is_thrown_before_the_move_is_made() -> None:
    state = play(start(fen=KING_IN_REACH, rounds="2"), "roll 6 5 4 1 1 6")
    assert answer(seated(), state) == Pick("throw-again")
    assert answer(seated(), GAME.apply(state, Pick("throw-again"))) == Keep((1, 2, 3, 6))


def test_somebody_who_must_throw_though_all_lies_well_loses_least() -> None:
    state = GAME.apply(play(start(), "roll 6 5 4 6 5 6"), Pick("throw-again"))
    kept = answer(quick(), state)
    assert isinstance(kept, Keep)
    assert len(kept.dice) == 5


def test_where_a_turn_ends_the_match_it_throws_for_the_cargo_that_wins() -> None:
    state = replace(play(start(fen=KING_IN_REACH, rounds="1"), "roll 6 5 4 3 3 6", "e4e8"), cargo=(0, 0))
    ahead = replace(state, legend=(5, 10))  # six of cargo wins by one
    behind = replace(state, legend=(0, 10))  # six do not
    assert answer(seated(), ahead) == Pick("done")
    assert answer(seated(), behind) == Pick("throw-again")
    assert answer(seated(), GAME.apply(behind, Pick("throw-again"))) == Keep((1, 2, 3))


def test_a_beginner_keeps_other_cargo_dice_than_the_best_now_and_then() -> None:
    hold = GAME.apply(play(start(), "roll 6 5 4 1 1 6"), Pick("throw-again"))
    answers = {repr(answer(quick(seed, LEVELS[1]), hold)) for seed in range(30)}
    assert len(answers) > 1
    assert {repr(answer(quick(seed, LEVELS[6]), hold)) for seed in range(30)} == {repr(Keep((1, 2, 3, 6)))}
    assert sensible_keep(hold) == (1, 2, 3, 6)


# --- the move -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_it_takes_a_queen_that_stands_to_be_taken(level: int) -> None:
    state = play(start(fen=QUEEN_EN_PRISE), "roll 6 5 4 6 6 6")
    assert answer(seated(replace(LEVELS[level], nodes=1000, glances=0, slips=0)), state) == Pick("e4d5")


@pytest.mark.slow
def test_a_beginner_overlooks_it_now_and_then() -> None:
    state = play(start(fen=QUEEN_EN_PRISE), "roll 6 5 4 6 6 6")
    answers = [answer(seated(LEVELS[1], seed), state) for seed in range(8)]
    assert Pick("e4d5") in answers
    assert set(answers) != {Pick("e4d5")}


def test_a_player_that_only_glances_takes_what_brings_most_at_once_a_treasure_too() -> None:
    glancing = replace(UNERRING, glances=100)
    castles = play(start(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "roll 6 5 4 6 6 6")
    answers = [answer(seated(glancing, seed), castles) for seed in range(20)]
    assert answers.count(Pick("e1g1")) >= 10  # of fifteen moves, four in ten of which it overlooks


def test_a_king_is_taken_where_that_wins_the_match() -> None:
    state = play(start(fen=KING_IN_REACH, rounds="1"), "roll 6 5 4 6 6 4")
    assert answer(seated(), state) == Pick("e4e8")


def test_a_king_is_left_where_taking_him_would_lose_the_match() -> None:
    state = play(start(fen=KING_IN_REACH, rounds="1"), "roll 6 5 4 6 6 4")
    move = answer(seated(), replace(state, legend=(0, 80)))
    assert isinstance(move, Pick)
    assert move != Pick("e4e8")
    earlier = play(start(fen=BOTH_IN_REACH, rounds="2"), "roll 6 5 4 6 6 4")
    assert answer(seated(), replace(earlier, legend=(0, 80))) == Pick("e1e8")


def test_in_a_round_that_drags_on_the_king_is_taken_wherever_he_can_be() -> None:
    state = play(start(fen=KING_IN_REACH, rounds="2"), "roll 6 5 4 6 6 6")
    assert answer(with_search(Fixed("e4e5")), state) == Pick("e4e5")
    assert answer(with_search(Fixed("e4e5")), replace(state, turns=160)) == Pick("e4e8")


def test_a_move_that_cannot_be_made_is_forfeited() -> None:
    state = replace(play(start(fen=BARE_KINGS), "roll 6 5 4 6 6 1"), genie_spent=(True, True))
    state = replace(state, turn=replace(state.turn, cargo_throws=3, legend_throws=3))
    assert answer(seated(), state) == Pick("done")


# --- offers ---------------------------------------------------------------------------------------------------------


class Fixed:
    """A search that always finds the same move, and says what a test wants of each position."""

    def __init__(self, move: str, worth: float = 0.0) -> None:
        self._move, self._worth = move, worth

    def find(self, situation: Situation, limits: object) -> FoundAction:  # noqa: ARG002 - it knows already
        mover_is_white = situation.fen.split()[1] == "w"
        rooks = situation.fen.split()[0].count("R")
        lead = situation.cargo[0] + situation.legend[0] - situation.cargo[1] - situation.legend[1]
        value = lead + rooks * self._worth
        return FoundAction("move", self._move, value if mover_is_white else -value, 1, 1)


def with_a_rook_lost(cargo: tuple[int, int]) -> State:
    """Return a turn of Anne's under a die of six, with a rook of hers taken by Bart."""
    state = play(start(fen="r3k3/8/8/8/R7/8/8/4K2R b - - 0 1", rounds="2"), "roll 1 1 1 1 1 6", "a8a4", "done")
    return replace(play(state, "roll 6 5 4 6 6 6"), cargo=cargo, genie_spent=(True, True))


def test_a_piece_that_is_worth_its_price_is_asked_for_once_a_round() -> None:
    state, player = with_a_rook_lost((40, 0)), with_search(Fixed("e1e2", worth=60.0))
    assert answer(player, state) == Pick("buy-back")
    state = GAME.apply(state, Pick("buy-back"))
    assert answer(player, state) == Pick("r")
    state = GAME.apply(state, Pick("r"))
    assert answer(player, state) == Amount(20)  # the usual price, though it is worth more
    refused = play(state, "offer 20", "refuse")
    assert answer(player, refused) == Pick("e1e2")
    assert answer(player, replace(refused, turns=refused.turns + 2)) == Pick("e1e2")


def test_a_piece_that_is_not_worth_half_its_price_or_cannot_be_paid_is_not_asked_for() -> None:
    assert answer(with_search(Fixed("e1e2", worth=15.0)), with_a_rook_lost((40, 0))) == Pick("e1e2")
    assert answer(with_search(Fixed("e1e2", worth=60.0)), with_a_rook_lost((0, 40))) == Pick("e1e2")


@pytest.mark.parametrize(("price", "agrees"), [(20, True), (3, False)])
def test_it_sells_for_more_than_the_piece_does_for_the_buyer(price: int, *, agrees: bool) -> None:
    state = play(with_a_rook_lost((40, 0)), "buy-back", "r", f"offer {price}")
    assert asked(state).seat == BART
    assert answer(with_search(Fixed("e1e2", worth=15.0)), state) == Pick("agree" if agrees else "refuse")


def test_a_piece_bought_is_put_on_a_square_that_is_lit() -> None:
    state = play(with_a_rook_lost((40, 0)), "buy-back", "r", "offer 20", "agree")
    assert answer(seated(), state) in [Pick("r@a1"), Pick("r@h1")]


# --- abandoning -----------------------------------------------------------------------------------------------------


def offered_to_abandon(fen: str, **options: str) -> State:
    return with_step(start(fen=fen, **options), AbandonConsent())


def test_it_agrees_to_abandon_a_round_that_it_is_about_to_lose_and_no_other() -> None:
    lost = offered_to_abandon("k7/8/8/8/8/8/8/K2QRR2 w - - 0 1", rounds="2")
    won = offered_to_abandon("k2qrr2/8/8/8/8/8/8/K7 w - - 0 1", rounds="2")
    assert asked(lost).seat == BART
    assert answer(seated(), lost) == Pick("agree")
    assert answer(seated(), won) == Pick("refuse")


def test_in_the_last_round_it_agrees_where_that_wins_the_match() -> None:
    state = offered_to_abandon("k2qrr2/8/8/8/8/8/8/K7 w - - 0 1", rounds="1")
    assert answer(seated(), replace(state, legend=(0, 1))) == Pick("agree")
    assert answer(seated(), replace(state, legend=(1, 0))) == Pick("refuse")


def test_it_proposes_to_abandon_only_what_drags_on_and_then_once_a_turn() -> None:
    state = moves(start(fen=BARE_KINGS, rounds="2"), "e1e2")
    assert answer(seated(), state) == Pick("roll")
    dragging = replace(state, turns=160)
    assert answer(seated(), dragging) == Pick("abandon")
    assert answer(seated(), dragging) == Pick("abandon")
    assert answer(seated(), play(dragging, "abandon", "refuse")) == Pick("roll")


# --- the Genie ------------------------------------------------------------------------------------------------------


def test_the_genie_carries_the_king_to_one_of_his_squares() -> None:
    state = play(start(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "roll 6 5 4 6 6 6", "genie 5 3")
    assert answer(seated(), state) in [Pick("genie-f4"), Pick("genie-d6")]
