"""Eurus: the last turns exactly, whom it raids and curses, and how its levels and its tables hold."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from captains_table.games.contract import Action, Decide, Keep, Over, Pick, Roll, Rolled
from captains_table.games.swashbuckle.sheet import HORNSWAGGLE, UPPER, Sheet, Values, scoring_cells
from captains_table.games.swashbuckle.state import BoxChoiceStep, BoxHoldStep, Cursing, Raiding, State, SwashbuckleTurn
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.eurus.forecast import last_gains, sheet_of
from captains_table.players.swashbuckle.eurus.player import EURUS
from captains_table.players.swashbuckle.sheet_turn import HouseRules
from captains_table.players.swashbuckle.sheet_values import sheet_halves, table_of, upper_halves
from captains_table.players.swashbuckle.solver.sheets import SheetSolver
from tests.players.swashbuckle_oracle import HANDFULS, KEEPS, best_rethrow, sheet_with, throwing, value_of
from tests.support.effort import effort
from tests.support.swashbuckle_play import GAME, start, with_sheet

RULES = HouseRules(Values())
ADVISE = SwashbuckleAdviser(table_of)
PLACE = {handful: place for place, handful in enumerate(HANDFULS)}
LAST_SHEETS = [
    sheet_with(("swashbuckle",)),
    sheet_with(("piracy",), hornswaggled=True),
    sheet_with(("sixes",), upper=4),
    sheet_with(("full-boat",), swashbuckle=0),
    sheet_with(("flotsam",)),
]


def eurus(level: int = 5, seed: int = 0) -> Strategy:
    """Return Eurus, whose chances come from a seed."""
    return EURUS.make(level, Means(random.Random(seed).randrange, lambda: 0.0))


def answer_of(player: Strategy, state: State) -> Pick | Keep:
    """Return what a player answers."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    action = player(state, turn)
    assert isinstance(action, Pick | Keep)
    GAME.apply(state, action)
    return action


def answer(state: State) -> Pick | Keep:
    """Return what Eurus at its strongest answers."""
    return answer_of(eurus(), state)


# --- the last turn ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", LAST_SHEETS, ids=lambda sheet: sheet.open_boxes()[0])
def test_all_gains_of_a_last_turn_add_up_to_what_every_throw_written_out_gives(sheet: Sheet) -> None:
    gains = last_gains(*sheet_halves(sheet), RULES, 5, 0.0)
    counted = sheet.total - sheet.blimey - sheet.smooth_sailing
    assert sum(chance for _, chance in gains) == pytest.approx(1)
    assert counted + sum(gain * chance for gain, chance in gains) == pytest.approx(value_of(sheet), abs=1e-5)
    assert sheet_halves(sheet_of(*sheet_halves(sheet))) == sheet_halves(sheet)


def against_a_finished_sheet(sheet: Sheet, total: int) -> State:
    """Return a match in which Anne has her last turn, and Bart has so many points for good."""
    state = with_sheet(with_sheet(start(), 0, sheet), 1, Sheet((total, *(0,) * 15)))
    assert state.sheets[1].total == total + state.sheets[1].blimey
    return state


@pytest.mark.long
@pytest.mark.parametrize(
    ("box", "needed"), [("flotsam", 25), ("sixes", 19), ("three-alike", 22), ("fives", 11)][: effort(1, 4)]
)
def test_in_the_last_turn_nobody_wins_more_often(box: str, needed: int) -> None:
    """Its answers to every throw there is, followed to the end, win as often as the best of all answers do."""
    sheet = sheet_with((box,), upper=2, swashbuckle=0)
    state = against_a_finished_sheet(sheet, sheet.total + needed - 45)
    ours, best = chance_by(answer, state), best_chance(sheet, needed)
    assert ours == pytest.approx(best, abs=1e-9)


def advised(state: State) -> Pick | Keep:
    """Return what is advised for the most plunder."""
    advice = ADVISE(state)
    assert advice is not None
    assert isinstance(advice.action, Pick | Keep)
    return advice.action


@pytest.mark.slow
def test_for_the_mean_one_wins_less_often_in_the_last_turn() -> None:
    sheet = sheet_with(("flotsam",), upper=2, swashbuckle=0)
    assert chance_by(advised, against_a_finished_sheet(sheet, sheet.total + 25 - 45)) < best_chance(sheet, 25) - 0.01


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


def chance_by(answers: Callable[[State], Pick | Keep], state: State) -> float:
    """Return how often answers to every throw win against a finished sheet."""
    needed = state.sheets[1].total - state.sheets[0].total
    final = np.array([_final(answers, state, handful, needed) for handful in HANDFULS])
    for left in (1, 2):
        final = np.array([_thrown(answers, state, handful, left, final) for handful in HANDFULS])
    return float(throwing()[0] @ final)


def _at(state: State, handful: tuple[int, ...], left: int) -> State:
    turn = SwashbuckleTurn(faces=handful, throws=3 - left, fell_last=(1, 2, 3, 4, 5))
    return replace(state, turn=turn, step=BoxChoiceStep())


def _kept(answers: Callable[[State], Pick | Keep], state: State) -> int:
    keep = answers(state)
    assert isinstance(keep, Keep)
    return KEEPS.index(tuple(sorted(state.turn.lying[die - 1] for die in keep.dice)))


def _final(answers: Callable[[State], Pick | Keep], state: State, handful: tuple[int, ...], needed: int) -> float:
    at = _at(state, handful, 0)
    if answers(at) == Pick("hornswaggle"):
        kept = _kept(answers, replace(at, step=BoxHoldStep(hornswaggle=True)))
        return float(throwing()[kept] @ won(state.sheet, needed + HORNSWAGGLE))
    return float(won(state.sheet, needed)[PLACE[handful]])


def _thrown(
    answers: Callable[[State], Pick | Keep],
    state: State,
    handful: tuple[int, ...],
    left: int,
    later: NDArray[np.float64],
) -> float:
    at = _at(state, handful, left)
    if answers(at) == Pick("throw-again"):
        return float(throwing()[_kept(answers, replace(at, step=BoxHoldStep()))] @ later)
    needed = state.sheets[1].total - state.sheets[0].total
    return float(won(state.sheet, needed)[PLACE[handful]])


# --- raids, curses, alone ---------------------------------------------------------------------------------------------


def of_three(step: Raiding | Cursing, *sheets: Sheet, **options: str) -> State:
    """Return a match of three in which Anne has filled a box."""
    state = start("Anne", "Bart", "Cleo", **options)
    for seat, sheet in enumerate(sheets):
        state = with_sheet(state, seat, sheet)
    return replace(state, step=step, turn=SwashbuckleTurn(filled="piracy"))


def full(total: int) -> Sheet:
    return Sheet((0,) * 7 + (total,) + (0,) * 8)


def test_it_raids_whoever_stands_between_it_and_the_win_and_no_lost_sheet() -> None:
    assert answer(of_three(Raiding(20), full(200), full(150), full(210))) == Pick("raid-2")
    assert answer(of_three(Raiding(20), full(200), full(210), full(150))) == Pick("raid-1")


def test_it_raids_a_captain_who_loses_double_where_only_that_helps() -> None:
    options = {"captain": "Anne", "captain_pillage": "double"}
    state = of_three(Raiding(20), full(230), full(200), full(150), **options)
    state = replace(state, seat=2)  # Cleo cannot win any more; Bart could not either if he raided only 20
    assert answer(replace(state, seat=1, sheets=(full(230), full(200), full(150)))) == Pick("raid-0")


def test_it_curses_whoever_four_dice_stop_and_not_whoever_merely_has_more_points() -> None:
    """Bart needs his full boat, which four dice never give; Cleo needs five alike, which she hardly throws anyway."""
    needs_boat = replace(sheet_with(("full-boat",)), filled=(*full(190).filled[:9], None, *full(190).filled[10:]))
    needs_alike = replace(full(205), filled=(*full(205).filled[:15], None))
    state = of_three(Cursing(), full(206), needs_boat, needs_alike)
    assert advised(state) == Pick("curse-2")
    assert answer(state) == Pick("curse-1")


def test_whoever_is_left_no_turn_to_curse_later_curses_now() -> None:
    state = of_three(Cursing(), full(150), Sheet(), full(150))
    assert answer(state) == Pick("curse-1")


def alone_by(answers: Callable[[State], Action], seed: int) -> int:
    """Return the plunder of a match played alone by these answers."""
    state, rng = start("Anne"), random.Random(seed)
    while not isinstance(turn := GAME.turn(state), Over):
        action = Rolled(tuple(rng.choices(range(1, 7), k=len(turn.dice)))) if isinstance(turn, Roll) else answers(state)
        state = GAME.apply(state, action)
    return state.sheet.total


def test_alone_it_plays_for_the_most_plunder_as_the_adviser_does() -> None:
    same = list[bool]()

    def compared(state: State) -> Action:
        action = advised(state)
        same.append(action == answer(state))
        return action

    alone_by(compared, seed=3)
    assert sum(same) > 0.97 * len(same)


# --- levels and tables ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_higher_levels_get_more_plunder() -> None:
    def plunder(level: int) -> int:
        return sum(alone_by(partial(answer_of, eurus(level, seed)), seed) for seed in range(effort(4, 8)))

    totals = [plunder(level) for level in (1, 2, 3, 5)]
    assert all(lower < higher for lower, higher in pairwise(totals)), totals


@cache
def solved(*, is_upper: bool) -> SheetSolver:
    """Return the solver that knows the last turns with one box open in one half of the sheet."""
    solver = SheetSolver(voluntary=False, raids=1, spread=True)
    solver.solve(open_upper=int(is_upper), open_lower=int(not is_upper))
    return solver


@pytest.mark.slow
@pytest.mark.parametrize("sheet", LAST_SHEETS, ids=lambda sheet: sheet.open_boxes()[0])
def test_the_solver_keeps_the_spread_of_what_is_still_to_come(sheet: Sheet) -> None:
    """Where one box is open, it is that of all gains; piracy counts twice, as one loses what the other wins."""
    solver = solved(is_upper=sheet.open_boxes()[0] in UPPER)
    upper, lower = sheet_halves(sheet)
    value = solver.value[lower.filled, upper_halves()[upper], lower.flags]
    gains = last_gains(upper, lower, RULES, 5, 1.0)
    mean = sum(gain * chance for gain, chance in gains)
    variance = sum((gain - mean) ** 2 * chance for gain, chance in gains)
    assert value.real == pytest.approx(mean, abs=1e-4)
    assert value.imag - value.real**2 == pytest.approx(variance, abs=1e-2)
