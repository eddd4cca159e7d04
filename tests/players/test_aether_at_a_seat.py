"""Aether at a seat of Legend: it answers whatever is asked, and what it answers is sensible."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from captains_table import catalog
from captains_table.games.contract import Action, Amount, Decide, Keep, Over, Pick
from captains_table.games.legend.asks import sensible_keep
from captains_table.games.legend.state import State, with_step
from captains_table.games.legend.steps import AbandonConsent
from captains_table.players.common.opponents import Means, sitter_of
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.situation import FoundAction, Situation, situation_of
from captains_table.players.legend.aether.thinking import ActionFinder, Thinker, thinker_of
from captains_table.players.legend.bartering import answering_bargains
from tests.support.effort import effort
from tests.support.legend_harness import BARE_KINGS, BART, GAME, asked, moves, play, start
from tests.support.legend_walks import bargains
from tests.support.random_matches import OPTIONS, eager_action
from tests.support.random_play import random_action

KING_IN_REACH = "4k3/8/8/8/4R3/8/8/K7 w - - 0 1"
BOTH_IN_REACH = "4k3/8/8/8/q7/8/8/K3R3 w - - 0 1"
QUEEN_EN_PRISE = "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1"
SEEDS = st.integers(0, 10**9)
UNERRING = AetherLevel("unerring", nodes=300, depth=2)


def no_time() -> float:
    """Return the time of a clock that nobody may read."""
    raise AssertionError("the clock was read")


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def means(seed: int) -> Means:
    return Means(random.Random(seed).randrange, no_time)


def with_search(search: ActionFinder) -> Strategy:
    return answering_bargains(AetherPlayer(Thinker(search, UNERRING, means(0))))


def seated(level: AetherLevel = UNERRING, seed: int = 0) -> Strategy:
    return answering_bargains(AetherPlayer(thinker_of(level, means(seed))))


def hasty(level: int, seed: int) -> Strategy:
    """Return an Aether that errs as a level does, but hardly looks ahead: for matches that are played to their end."""
    return seated(replace(LEVELS[level], nodes=1), seed)


def answer(player: Strategy, state: State) -> Action:
    return player(state, asked(state))


# --- whatever is asked ----------------------------------------------------------------------------------------------


@settings(max_examples=effort(6, 500))
@given(SEEDS, st.sampled_from(sorted(LEVELS)), st.sampled_from(OPTIONS["legend"]))
def test_seated_and_unseated_at_random_it_answers_whatever_is_asked(seed: int, level: int, mix: dict[str, str]) -> None:
    """Somebody who likes what is rare plays both seats, and again and again Aether answers in their place."""
    rng, player, state = random.Random(seed), hasty(level, seed), GAME.start(["Anne", "Bart"], mix)
    for _ in range(effort(300, 600)):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        sits = isinstance(turn, Decide) and rng.random() < 0.5
        action = player(state, turn) if sits and isinstance(turn, Decide) else eager_action(GAME, state, turn, rng)
        state = GAME.apply(state, action)  # raises where the answer is not what is asked


@pytest.mark.long
@pytest.mark.parametrize("seed", range(effort(1, 20)))
def test_aether_answers_whatever_bargain_it_is_asked_about(seed: int) -> None:
    rng, player = random.Random(seed), hasty(2, seed)
    for state, _, _ in bargains(seed, 300):
        turn = GAME.turn(state)
        if isinstance(turn, Decide) and (rng.random() < 0.05 or "Main" not in type(state.turn.step).__name__):
            assert not isinstance(GAME.turn(GAME.apply(state, player(state, turn))), Over)  # raises if it is no answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pair", "options"),
    [
        ((6, 3), {"rounds": "1"}),
        ((1, 2), {"rounds": "2", "turn_limit": "12"}),
        ((3, 3), {"rounds": "1", "fen": BARE_KINGS}),
    ],
    ids=["without a limit", "broken off", "two bare kings"],
)
def test_a_match_between_levels_comes_to_an_end(pair: tuple[int, int], options: dict[str, str]) -> None:
    players, rng = [hasty(level, seat) for seat, level in enumerate(pair)], random.Random(7)
    state = GAME.start(["Anne", "Bart"], options)
    for _ in range(60_000):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        action = players[turn.seat](state, turn) if isinstance(turn, Decide) else random_action(turn, rng)
        state = GAME.apply(state, action)
    pytest.fail("it never ended")


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
    assert found(None, 3).nodes < found(None, 1).nodes or level.depth == 2, "a part of the positions"


@settings(max_examples=effort(2, 30))
@given(SEEDS, st.sampled_from([1, 3, 5]))
def test_what_it_answers_depends_on_the_state_and_on_chance_and_not_on_what_it_was_asked_before(
    seed: int, level: int
) -> None:
    rng, chance = random.Random(seed), random.Random()

    def thoughtless() -> AetherPlayer:
        return AetherPlayer(thinker_of(replace(LEVELS[level], nodes=1), Means(chance.randrange, no_time)))

    player = thoughtless()
    state = GAME.start(["Anne", "Bart"], {"rounds": "1"})
    for number in range(effort(30, 60)):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        if isinstance(turn, Decide):
            answers = list[Action]()
            for one in (player, thoughtless(), player):
                chance.seed(f"{seed} {number}")
                answers.append(one(state, turn))
            assert answers[0] == answers[1] == answers[2]
            state = GAME.apply(state, answers[0])
        else:
            state = GAME.apply(state, eager_action(GAME, state, turn, rng))


def test_it_sits_down_by_its_key_and_level() -> None:
    opponents = catalog.entry_of("legend").opponents
    sitter = sitter_of("aether:3", opponents)
    assert sitter is not None
    aether = opponents[sitter.key]
    assert (aether.title, list(aether.levels), len(set(aether.levels.values()))) == ("Aether", [0, 1, 2, 3, 4, 5, 6], 7)
    assert aether.make(sitter.level, means(0))(start(), asked(start())) == Pick("roll")


# --- dice and moves -------------------------------------------------------------------------------------------------


def no_genie(state: State) -> State:
    return replace(state, genie_spent=(True, True))


def last_turn(legend: tuple[int, int]) -> State:
    """Return how Anne has taken the king in the last round, with three cargo dice that might fall again."""
    state = play(start(fen=KING_IN_REACH, rounds="1"), "roll 6 5 4 3 3 6", "e4e8")
    return replace(state, cargo=(0, 0), legend=legend)


NO_MOVE = no_genie(play(start(fen=BARE_KINGS), "roll 6 5 4 1 2 1"))
THIRD_THROW = replace(NO_MOVE, turn=replace(NO_MOVE.turn, cargo_throws=3, legend_throws=3))
SMALL_CARGO = play(start(fen=KING_IN_REACH, rounds="2"), "roll 6 5 4 1 1 6")
TAKES_OR_LEAVES = play(start(fen=KING_IN_REACH, rounds="1"), "roll 6 5 4 6 6 4")
BOTH_KINGS = play(start(fen=BOTH_IN_REACH, rounds="2"), "roll 6 5 4 6 6 4")
AGAIN = Pick("throw-again")


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        pytest.param(start(), Pick("roll"), id="a turn begins with all six dice"),
        pytest.param(play(start(), "roll-cargo 6 5 4 6 6"), Pick("roll-legend"), id="cargo dice alone are made whole"),
        pytest.param(play(start(), "roll-legend 6"), Pick("roll-cargo"), id="the Legend die alone is made whole"),
        pytest.param(NO_MOVE, AGAIN, id="a die that moves nothing is thrown again"),
        pytest.param(GAME.apply(NO_MOVE, AGAIN), Keep((1, 2, 3)), id="one throw throws cargo and Legend die"),
        pytest.param(SMALL_CARGO, AGAIN, id="cargo is thrown before the move is made"),
        pytest.param(GAME.apply(SMALL_CARGO, AGAIN), Keep((1, 2, 3, 6)), id="and the Legend die lies on"),
        pytest.param(last_turn((5, 10)), Pick("done"), id="six of cargo wins by one"),
        pytest.param(last_turn((0, 10)), AGAIN, id="six of cargo does not win"),
        pytest.param(GAME.apply(last_turn((0, 10)), AGAIN), Keep((1, 2, 3)), id="it throws for the cargo that wins"),
        pytest.param(TAKES_OR_LEAVES, Pick("e4e8"), id="a king is taken where that wins the match"),
        pytest.param(replace(BOTH_KINGS, legend=(0, 80)), Pick("e1e8"), id="a king is taken in an earlier round"),
        pytest.param(THIRD_THROW, Pick("done"), id="a move that cannot be made is forfeited"),
    ],
)
def test_in_a_plain_position_it_does_what_is_plainly_best(state: State, expected: Action) -> None:
    assert answer(seated(), state) == expected


def test_a_king_is_left_where_taking_him_would_lose_the_match() -> None:
    move = answer(seated(), replace(TAKES_OR_LEAVES, legend=(0, 80)))
    assert isinstance(move, Pick)
    assert move != Pick("e4e8")


def test_somebody_who_must_throw_though_all_lies_well_loses_least() -> None:
    kept = answer(seated(), GAME.apply(play(start(), "roll 6 5 4 6 5 6"), AGAIN))
    assert isinstance(kept, Keep)
    assert len(kept.dice) == 5


def test_a_beginner_keeps_other_cargo_dice_than_the_best_now_and_then() -> None:
    hold = GAME.apply(play(start(), "roll 6 5 4 1 1 6"), AGAIN)
    assert len({repr(answer(hasty(1, seed), hold)) for seed in range(30)}) > 1
    assert {repr(answer(hasty(6, seed), hold)) for seed in range(30)} == {repr(Keep((1, 2, 3, 6)))}
    assert sensible_keep(hold) == (1, 2, 3, 6)


@pytest.mark.slow
def test_it_takes_a_queen_that_stands_to_be_taken_and_a_beginner_overlooks_it_now_and_then() -> None:
    state = play(start(fen=QUEEN_EN_PRISE), "roll 6 5 4 6 6 6")
    for level in (3, 4, 5, 6):
        assert answer(seated(replace(LEVELS[level], nodes=1000, glances=0, slips=0)), state) == Pick("e4d5")
    answers = [answer(seated(LEVELS[1], seed), state) for seed in range(8)]
    assert 0 < answers.count(Pick("e4d5")) < len(answers)


def test_a_player_that_only_glances_takes_what_brings_most_at_once_a_treasure_too() -> None:
    glancing = replace(UNERRING, glances=100)
    castles = play(start(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "roll 6 5 4 6 6 6")
    answers = [answer(seated(glancing, seed), castles) for seed in range(20)]
    assert answers.count(Pick("e1g1")) >= 10  # of fifteen moves, four in ten of which it overlooks


def test_in_a_round_that_drags_on_the_king_is_taken_wherever_he_can_be() -> None:
    state = play(start(fen=KING_IN_REACH, rounds="2"), "roll 6 5 4 6 6 6")
    assert answer(with_search(Fixed("e4e5")), state) == Pick("e4e5")
    assert answer(with_search(Fixed("e4e5")), replace(state, turns=160)) == Pick("e4e8")


def test_the_genie_carries_the_king_to_one_of_his_squares() -> None:
    state = play(start(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "roll 6 5 4 6 6 6", "genie 5 3")
    assert answer(seated(), state) in [Pick("genie-f4"), Pick("genie-d6")]


# --- offers ---------------------------------------------------------------------------------------------------------


class Fixed:
    """A search that always finds the same move, and says what a test wants of each position."""

    def __init__(self, move: str, worth: float = 0.0) -> None:
        self._move, self._worth = move, worth

    def find(self, situation: Situation, limits: object) -> FoundAction:  # noqa: ARG002 - it knows already
        placed, side, *_ = situation.fen.split()
        lead = situation.cargo[0] + situation.legend[0] - situation.cargo[1] - situation.legend[1]
        value = lead + placed.count("R") * self._worth
        return FoundAction("move", self._move, value if side == "w" else -value, 1, 1)


def with_a_rook_lost(cargo: tuple[int, int]) -> State:
    """Return a turn of Anne's under a die of six, with a rook of hers taken by Bart."""
    state = play(start(fen="r3k3/8/8/8/R7/8/8/4K2R b - - 0 1", rounds="2"), "roll 1 1 1 1 1 6", "a8a4", "done")
    return replace(no_genie(play(state, "roll 6 5 4 6 6 6")), cargo=cargo)


def test_a_piece_that_is_worth_its_price_is_asked_for_once_a_round() -> None:
    state, player = with_a_rook_lost((40, 0)), with_search(Fixed("e1e2", worth=60.0))
    for expected in (Pick("buy-back"), Pick("r"), Amount(20)):  # the usual price, though it is worth more
        assert answer(player, state) == expected
        state = GAME.apply(state, expected)
    refused = play(state, "refuse")
    assert answer(player, refused) == Pick("e1e2")
    assert answer(player, replace(refused, turns=refused.turns + 2)) == Pick("e1e2")


@pytest.mark.parametrize(("worth", "cargo"), [(15.0, (40, 0)), (60.0, (0, 40))])
def test_a_piece_that_is_not_worth_half_its_price_or_cannot_be_paid_is_not_asked_for(
    worth: float, cargo: tuple[int, int]
) -> None:
    assert answer(with_search(Fixed("e1e2", worth=worth)), with_a_rook_lost(cargo)) == Pick("e1e2")


@pytest.mark.parametrize(("price", "says"), [(20, "agree"), (3, "refuse")])
def test_it_sells_for_more_than_the_piece_does_for_the_buyer(price: int, says: str) -> None:
    state = play(with_a_rook_lost((40, 0)), "buy-back", "r", f"offer {price}")
    assert asked(state).seat == BART
    assert answer(with_search(Fixed("e1e2", worth=15.0)), state) == Pick(says)


def test_a_piece_bought_is_put_on_a_square_that_is_lit() -> None:
    state = play(with_a_rook_lost((40, 0)), "buy-back", "r", "offer 20", "agree")
    assert answer(seated(), state) in [Pick("r@a1"), Pick("r@h1")]


# --- abandoning -----------------------------------------------------------------------------------------------------

LOST_FOR_BART, WON_FOR_BART = "k7/8/8/8/8/8/8/K2QRR2 w - - 0 1", "k2qrr2/8/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "rounds", "legend", "says"),
    [
        (LOST_FOR_BART, "2", (0, 0), "agree"),
        (WON_FOR_BART, "2", (0, 0), "refuse"),
        (WON_FOR_BART, "1", (0, 1), "agree"),
        (WON_FOR_BART, "1", (1, 0), "refuse"),
    ],
)
def test_it_agrees_to_abandon_a_round_that_it_is_about_to_lose_or_the_last_where_that_wins_the_match(
    fen: str, rounds: str, legend: tuple[int, int], says: str
) -> None:
    state = replace(with_step(start(fen=fen, rounds=rounds), AbandonConsent()), legend=legend)
    assert asked(state).seat == BART
    assert answer(seated(), state) == Pick(says)


def test_it_proposes_to_abandon_only_what_drags_on_and_then_once_a_turn() -> None:
    state = moves(start(fen=BARE_KINGS, rounds="2"), "e1e2")
    assert answer(seated(), state) == Pick("roll")
    dragging = replace(state, turns=160)
    assert answer(seated(), dragging) == Pick("abandon")
    assert answer(seated(), play(dragging, "abandon", "refuse")) == Pick("roll")
