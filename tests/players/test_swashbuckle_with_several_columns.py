"""Computers and advice in Swashbuckle's non-standard rules (docs/rules/swashbuckle.md N1, N2, N5)."""

import random
from dataclasses import replace

import pytest

from captains_table.games.contract import Action, Decide, Keep, Over, Pick, Roll, Rolled
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import Cursing, State
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy, play_greedily
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.best_column import as_only_column
from captains_table.players.swashbuckle.eurus.player import EURUS
from captains_table.players.swashbuckle.sheet_values import table_of
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, said, start

ADVISER = SwashbuckleAdviser(table_of)


def eurus() -> Strategy:
    """Return Eurus at its strongest, which never errs."""
    return EURUS.make(5, Means(random.Random(1).randrange, lambda: 0.0))


def answered(state: State) -> Action:
    """Return what Eurus answers."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    return eurus()(state, turn)


def advised(state: State) -> Action | None:
    advice = ADVISER(state)
    assert advice is not None
    return advice.action


def with_columns(state: State, *columns: Sheet) -> State:
    """Return the state with the columns of the first seat replaced."""
    return replace(state, sheets=(*columns, *state.sheets[len(columns) :]))


def total_of(strategy: Strategy, seed: int, **options: str) -> int:
    """Return what somebody alone reaches."""
    dice, state = random.Random(seed), start("Anne", **options)
    while not isinstance(turn := GAME.turn(state), Over):
        if isinstance(turn, Roll):
            action: Action = Rolled(tuple(dice.randint(1, 6) for _ in turn.dice))
        else:
            assert isinstance(turn, Decide)
            action = strategy(state, turn)
        state = GAME.apply(state, action)
    return turn.result.scores[0]


def test_n5_beyond_one_column_there_is_no_advice() -> None:
    assert ADVISER(said(start(columns="2"), PLAIN)) is None
    assert ADVISER(said(start(columns="1"), PLAIN)) is not None


def test_n5_eurus_fills_the_column_that_gains_most() -> None:
    state = with_columns(start("Anne", columns="2"), all_but("flotsam", "sixes"), all_but("full-boat", "sixes"))
    assert answered(said(state, "22233")) == Pick("score-full-boat-2")


def test_n5_eurus_keeps_the_dice_that_the_better_column_wants() -> None:
    state = with_columns(start("Anne", columns="2"), all_but("succession-5", points=5), all_but("ones", points=5))
    assert answered(said(state, "23455", "throw-again")) in (Keep((1, 2, 3, 4)), Keep((1, 2, 3, 5)))


def test_n5_a_column_alone_is_the_match_with_that_column_only() -> None:
    state = said(with_columns(start("Anne", "Bart", columns="2"), all_but("ones"), all_but("sixes")), PLAIN)
    one = as_only_column(state, 1)
    assert (one.options.columns, one.sheets) == (1, (all_but("sixes"), Sheet()))
    spent = replace(state, turn=replace(state.turn, is_hornswaggled=True))
    assert as_only_column(spent, 1).sheet.hornswaggled  # once a turn, though this column's is left


def test_n5_a_bonus_that_another_column_earns_is_counted_wherever_the_dice_go() -> None:
    state = with_columns(start("Anne", columns="2"), all_but("swashbuckle", "ones"), all_but("ones", "sixes"))
    assert answered(said(state, "66666")) == Pick("score-swashbuckle-1")  # 50, and 50 for the second column's box


@pytest.mark.slow
def test_n5_eurus_is_better_with_columns_than_whoever_takes_what_is_proposed() -> None:
    proposed = play_greedily(GAME, random.Random(1).randrange)
    ours, others = (sum(total_of(who, seed, columns="3") for seed in range(2)) for who in (eurus(), proposed))
    assert ours > others + 2 * 50


def test_n2_eurus_refuses_a_penalty_and_goes_on() -> None:
    state = said(start(penalty="1"), PLAIN, "penalty-0")
    assert answered(state) == Pick("refuse")
    assert ADVISER(state) is None


def test_n1_eurus_takes_up_its_sheet() -> None:
    state = start(challenge="true")
    state = said(with_columns(state, all_but("flotsam")), PLAIN, "score-flotsam", "no-curse")
    assert answered(state) == Pick("take-up")


def test_n1_a_curse_on_somebody_who_has_not_begun_is_not_put_off() -> None:
    state = said(start(challenge="true"), PLAIN, "score-flotsam")
    assert answered(state) == Pick("curse-1")
    assert advised(state) == Pick("curse-1")


def cursing_a_finished_sheet(*open_boxes: str, points: int) -> State:
    """Return Bart asked for a curse, Anne being done and these boxes open on his sheet."""
    state = start(challenge="true")
    return replace(state, seat=1, sheets=(all_but(), all_but(*open_boxes, points=points)), step=Cursing())


def test_n1_a_finished_sheet_is_cursed_only_where_four_dice_suit_oneself_better() -> None:
    worse = cursing_a_finished_sheet("full-boat", "swashbuckle", points=5)
    better = cursing_a_finished_sheet("four-alike", "aces-high", "pieces-of-8", "swashbuckle", points=0)
    for state, id_ in ((worse, "no-curse"), (better, "curse-0")):
        assert (advised(state), answered(state)) == (Pick(id_), Pick(id_))
