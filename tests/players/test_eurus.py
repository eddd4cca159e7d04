"""Eurus: the last turns exactly, whom it raids and curses, several columns, and how its levels and its advice hold.

Source: docs/rules/swashbuckle.md.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from captains_table.games.contract import Action, Decide, Keep, Over, Pick, Roll, Rolled
from captains_table.games.swashbuckle.sheet import HORNSWAGGLE, Sheet, Values, scoring_cells
from captains_table.games.swashbuckle.state import State, SwashbuckleTurn
from captains_table.games.swashbuckle.steps import BoxChoiceStep, BoxHoldStep, Cursing, Raiding
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy, play_greedily
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.eurus.forecast import last_gains, sheet_of
from captains_table.players.swashbuckle.eurus.player import EURUS, as_only_column
from captains_table.players.swashbuckle.sheet_turn import HouseRules
from captains_table.players.swashbuckle.sheet_values import sheet_halves, table_of
from tests.players.swashbuckle_oracle import (
    HANDFULS,
    KEEPS,
    LAST_SHEETS,
    PLACE,
    best_rethrow,
    sheet_with,
    throwing,
    value_of,
)
from tests.support.effort import effort
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, said, start, with_sheet

ADVISE = SwashbuckleAdviser(table_of)
Answers = Callable[[State], Action]


def eurus(level: int = 5, seed: int = 0) -> Strategy:
    """Return Eurus, whose chances come from a seed; at its strongest, where it never errs, unless told otherwise."""
    return EURUS.make(level, Means(random.Random(seed).randrange, lambda: 0.0))


def answer_of(player: Strategy, state: State) -> Action:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    return player(state, turn)


answer: Answers = partial(answer_of, eurus())


def advised(state: State) -> Action:
    """Return what is advised for the most plunder."""
    advice = ADVISE(state)
    assert advice is not None
    assert advice.action is not None
    return advice.action


def alone_by(answers: Answers, seed: int, **options: str) -> int:
    state, rng = start("Anne", **options), random.Random(seed)
    while not isinstance(turn := GAME.turn(state), Over):
        action = Rolled(tuple(rng.choices(range(1, 7), k=len(turn.dice)))) if isinstance(turn, Roll) else answers(state)
        state = GAME.apply(state, action)
    return turn.result.scores[0]


# --- the last turn ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", LAST_SHEETS, ids=lambda sheet: sheet.open_boxes()[0])
def test_all_gains_of_a_last_turn_add_up_to_what_every_throw_written_out_gives(sheet: Sheet) -> None:
    gains = last_gains(*sheet_halves(sheet), HouseRules(Values()), 5, 0.0)
    counted = sheet.total - sheet.blimey - sheet.smooth_sailing
    assert sum(chance for _, chance in gains) == pytest.approx(1)
    assert counted + sum(gain * chance for gain, chance in gains) == pytest.approx(value_of(sheet), abs=1e-5)
    assert sheet_halves(sheet_of(*sheet_halves(sheet))) == sheet_halves(sheet)


@pytest.mark.long
@pytest.mark.parametrize(
    ("box", "needed"), [("flotsam", 25), ("sixes", 19), ("three-alike", 22), ("fives", 11)][: effort(1, 4)]
)
def test_in_the_last_turn_nobody_wins_more_often(box: str, needed: int) -> None:
    """Its answers to every throw there is, followed to the end, win as often as the best of all answers do."""
    state, best = last_turn(box, needed), best_chance(last_turn(box, needed).sheet, needed)
    assert chance_by(answer, state, needed) == pytest.approx(best, abs=1e-9)
    assert box != "flotsam" or chance_by(advised, state, needed) < best - 0.01, "the most plunder wins less often"


def last_turn(box: str, needed: int) -> State:
    """Return a match in which Anne has her last turn, and needs so many points: Bart's sheet is full."""
    sheet = sheet_with((box,), upper=2, swashbuckle=0)
    return with_sheet(with_sheet(start(), 0, sheet), 1, Sheet((sheet.total + needed - 45, *(0,) * 15)))


@cache
def won(sheet: Sheet, needed: int) -> NDArray[np.float64]:
    """Return for each handful whether the open box then takes more than is needed, a half for just that."""
    points = [max([scoring.points for scoring in scoring_cells((sheet,), handful)] or [0]) for handful in HANDFULS]
    full = [sheet.with_box(sheet.open_boxes()[0], scored).total - sheet.total for scored in points]
    return np.array([0.5 if gained == needed else float(gained > needed) for gained in full])


def best_chance(sheet: Sheet, needed: int) -> float:
    """Return the best chance to gain more than is needed, every keep and throw written out."""
    cheated = best_rethrow(won(sheet, needed + HORNSWAGGLE))
    final = np.maximum(won(sheet, needed), cheated)
    return float(throwing()[0] @ best_rethrow(best_rethrow(final)))


def chance_by(answers: Answers, state: State, needed: int) -> float:
    """Return how often answers to every throw win against a finished sheet."""

    def at(handful: tuple[int, ...], left: int) -> State:
        turn = SwashbuckleTurn(faces=handful, throws=3 - left, fell_last=(1, 2, 3, 4, 5))
        return replace(state, turn=turn, step=BoxChoiceStep())

    def kept(held: State) -> int:
        keep = answers(held)
        assert isinstance(keep, Keep)
        return KEEPS.index(tuple(sorted(held.turn.lying[die - 1] for die in keep.dice)))

    def chance(handful: tuple[int, ...], left: int, later: NDArray[np.float64]) -> float:
        asked = at(handful, left)
        if answers(asked) == Pick("throw-again" if left else "hornswaggle"):
            return float(throwing()[kept(replace(asked, step=BoxHoldStep(hornswaggle=not left)))] @ later)
        return float(won(state.sheet, needed)[PLACE[handful]])

    later = won(state.sheet, needed + HORNSWAGGLE)
    for left in (0, 1, 2):
        later = np.array([chance(handful, left, later) for handful in HANDFULS])
    return float(throwing()[0] @ later)


# --- raids, curses, alone ---------------------------------------------------------------------------------------------


def of_three(step: Raiding | Cursing, *sheets: Sheet, **options: str) -> State:
    """Return a match of three in which Anne has filled a box."""
    state = replace(start("Anne", "Bart", "Cleo", **options), sheets=sheets)
    return replace(state, step=step, turn=SwashbuckleTurn(filled="piracy"))


def full(total: int) -> Sheet:
    return Sheet((0,) * 7 + (total,) + (0,) * 8)


def test_it_raids_the_player_between_it_and_the_win_and_no_lost_sheet() -> None:
    assert answer(of_three(Raiding(20), full(200), full(150), full(210))) == Pick("raid-2")
    assert answer(of_three(Raiding(20), full(200), full(210), full(150))) == Pick("raid-1")


def test_it_raids_a_captain_who_loses_double_where_only_that_helps() -> None:
    options = {"captain": "Anne", "captain_pillage": "double"}
    state = of_three(Raiding(20), full(230), full(200), full(150), **options)
    assert answer(replace(state, seat=1)) == Pick("raid-0")  # Bart could not win any more if he raided only 20


def test_it_curses_the_player_whom_four_dice_stop_and_not_one_who_merely_has_more_points() -> None:
    """Bart needs his full boat, which four dice never give; Cleo needs five alike, which she hardly throws anyway."""
    needs_boat = replace(sheet_with(("full-boat",)), filled=(*full(190).filled[:9], None, *full(190).filled[10:]))
    needs_alike = replace(full(205), filled=(*full(205).filled[:15], None))
    state = of_three(Cursing(), full(206), needs_boat, needs_alike)
    assert advised(state) == Pick("curse-2")
    assert answer(state) == Pick("curse-1")


def test_a_player_who_is_left_no_turn_to_curse_later_curses_now() -> None:
    assert answer(of_three(Cursing(), full(150), Sheet(), full(150))) == Pick("curse-1")


def test_alone_it_plays_for_the_most_plunder_as_the_adviser_does() -> None:
    same = list[bool]()

    def compared(state: State) -> Action:
        action = advised(state)
        same.append(action == answer(state))
        return action

    alone_by(compared, seed=3)
    assert sum(same) > 0.97 * len(same)


@pytest.mark.slow
def test_higher_levels_get_more_plunder() -> None:
    def plunder(level: int) -> int:
        return sum(alone_by(partial(answer_of, eurus(level, seed)), seed) for seed in range(effort(3, 8)))

    totals = [plunder(level) for level in (1, 2, 3, 5)]
    assert all(lower < higher for lower, higher in pairwise(totals)), totals


# --- several columns (N5) ---------------------------------------------------------------------------------------------


def with_columns(*columns: Sheet, seats: tuple[str, ...] = ("Anne",)) -> State:
    """Return a match of two columns a player in which those of the first seat are these."""
    state = start(*seats, columns="2")
    return replace(state, sheets=(*columns, *state.sheets[len(columns) :]))


def test_n5_beyond_one_column_there_is_no_advice() -> None:
    assert ADVISE(said(start(columns="2"), PLAIN)) is None
    assert ADVISE(said(start(columns="1"), PLAIN)) is not None


@pytest.mark.parametrize(
    ("first", "second", "words", "answers"),
    [
        (("flotsam", "sixes"), ("full-boat", "sixes"), ["22233"], [Pick("score-full-boat-2")]),
        (("succession-5",), ("ones",), ["23455", "throw-again"], [Keep((1, 2, 3, 4)), Keep((1, 2, 3, 5))]),
        # 50, and 50 for the second column's box
        (("swashbuckle", "ones"), ("ones", "sixes"), ["66666"], [Pick("score-swashbuckle-1")]),
    ],
    ids=["the column that gains most", "the dice that the better column wants", "a bonus earned by the other column"],
)
def test_n5_eurus_plays_for_the_better_column(
    first: tuple[str, ...], second: tuple[str, ...], words: list[str], answers: list[Action]
) -> None:
    assert answer(said(with_columns(all_but(*first), all_but(*second)), *words)) in answers


def test_n5_a_column_alone_is_the_match_with_that_column_only() -> None:
    state = said(with_columns(all_but("ones"), all_but("sixes"), seats=("Anne", "Bart")), PLAIN)
    one = as_only_column(state, 1)
    assert (one.options.columns, one.sheets) == (1, (all_but("sixes"), Sheet()))
    spent = replace(state, turn=replace(state.turn, is_hornswaggled=True))
    assert as_only_column(spent, 1).sheet.hornswaggled  # once a turn, though this column's is left


@pytest.mark.slow
def test_n5_eurus_is_better_with_columns_than_a_player_who_takes_what_is_proposed() -> None:
    proposed = partial(answer_of, play_greedily(GAME, random.Random(1).randrange))
    assert alone_by(answer, 0, columns="3") > alone_by(proposed, 0, columns="3") + 50


# --- penalties and challenges (N2, N1) --------------------------------------------------------------------------------


def test_n2_eurus_refuses_a_penalty_and_goes_on() -> None:
    state = said(start(penalty="1"), PLAIN, "penalty-0")
    assert answer(state) == Pick("refuse")
    assert ADVISE(state) is None


def test_n1_eurus_takes_up_its_sheet() -> None:
    state = with_sheet(start(challenge="true"), 0, all_but("flotsam"))
    assert answer(said(state, PLAIN, "score-flotsam", "no-curse")) == Pick("take-up")


def test_n1_a_curse_on_somebody_who_has_not_begun_is_not_put_off() -> None:
    state = said(start(challenge="true"), PLAIN, "score-flotsam")
    assert (advised(state), answer(state)) == (Pick("curse-1"),) * 2


@pytest.mark.parametrize(
    ("open_boxes", "points", "id_"),
    [
        (("full-boat", "swashbuckle"), 5, "no-curse"),
        (("four-alike", "aces-high", "pieces-of-8", "swashbuckle"), 0, "curse-0"),
    ],
)
def test_n1_a_finished_sheet_is_cursed_only_where_four_dice_suit_oneself_better(
    open_boxes: tuple[str, ...], points: int, id_: str
) -> None:
    sheets = (all_but(), all_but(*open_boxes, points=points))
    state = replace(start(challenge="true"), seat=1, sheets=sheets, step=Cursing())
    assert (advised(state), answer(state)) == (Pick(id_),) * 2
