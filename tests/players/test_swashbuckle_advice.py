"""Advice in Swashbuckle where the best answer is plain, and one turn as it is weighed, against a plain solution."""

from array import array
from dataclasses import replace

import pytest

from captains_table.games.contract import Keep, Pick
from captains_table.games.swashbuckle.sheet import PRINTED, Sheet, scoring_cells
from captains_table.games.swashbuckle.state import State, SwashbuckleTurn
from captains_table.games.swashbuckle.steps import Cursing, PiracyFallen, Raiding
from captains_table.players.common.advice import Advice
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn
from captains_table.players.swashbuckle.sheet_values import (
    LowerHalf,
    SheetValues,
    UpperHalf,
    sheet_halves,
    sheet_values,
)
from tests.players.swashbuckle_oracle import HANDFULS, rest_of, sheet_with
from tests.support.swashbuckle_play import GAME, said, start

HOUSE = HouseRules(PRINTED)
CLOSE = 0.5  # what compressing the table may cost
ADVISE = SwashbuckleAdviser(lambda _: sheet_values())


def with_sheets(*sheets: Sheet) -> State:
    """Return a match of as many players, whose sheets are these."""
    return replace(start(*("Anne", "Bart", "Cleo")[: len(sheets)]), sheets=sheets)


def advised(state: State) -> Advice:
    advice = ADVISE(state)
    assert advice is not None
    return advice


def turn_on(sheet: Sheet, *, voluntary: bool = False, dice: int = 5) -> SheetTurn:
    return SheetTurn(sheet, sheet_values(), replace(HOUSE, voluntary_scuttle=voluntary), dice)


# --- advice -----------------------------------------------------------------------------------------------------------


def test_five_alike_on_a_fresh_sheet_are_a_swashbuckle() -> None:
    advice = advised(said(with_sheets(Sheet()), "44444"))
    assert advice.action == Pick("score-swashbuckle")
    assert advice.expected == pytest.approx(50 + sheet_values().of_sheet(Sheet().with_box("swashbuckle", 50)))


def test_four_in_a_row_are_kept_for_the_fifth() -> None:
    state = said(with_sheets(sheet_with(("succession-5", "ones"))), "23455")
    assert (advised(state).action, advised(state).words) == (Pick("throw-again"), "Keep 2 3 4 5")
    assert advised(said(state, "throw-again")).action in (Keep((1, 2, 3, 4)), Keep((1, 2, 3, 5)))


def test_the_player_expected_to_end_highest_is_raided() -> None:
    rich, poor = sheet_with(("ones",), upper=5), sheet_with(("ones",), upper=1)
    assert advised(replace(with_sheets(Sheet(), poor, rich), step=Raiding(17))).action == Pick("raid-2")


def test_a_curse_waits_until_it_costs_enough_and_is_spoken_at_the_last_chance() -> None:
    state = replace(with_sheets(Sheet(), Sheet()), step=Cursing(), turn=SwashbuckleTurn((1, 2, 3, 4, 5), 3))
    assert advised(state).action == Pick("no-curse")
    assert advised(replace(state, sheets=(Sheet(), sheet_with(("flotsam",))))).action == Pick("curse-1")


def test_an_ordinary_piracy_throw_stands_and_nothing_is_advised_before_it_fell() -> None:
    assert ADVISE(GAME.start(["Anne"], {})) is None
    turn = SwashbuckleTurn((1, 1, 2, 2, 3), 2, is_piracy=True)
    state = replace(with_sheets(sheet_with(("piracy",))), turn=turn, step=PiracyFallen())
    assert advised(state).action == Pick("stand")


# --- one turn ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sheet",
    [
        sheet_with(("swashbuckle",), hornswaggled=True),
        sheet_with(("sixes", "full-boat"), swashbuckle=0),
        sheet_with(("piracy",)),
    ],
    ids=lambda sheet: " ".join(sheet.open_boxes()),
)
def test_a_turn_is_worth_before_its_first_throw_what_every_throw_written_out_gives(sheet: Sheet) -> None:
    assert turn_on(sheet).before() == pytest.approx(rest_of(sheet), abs=CLOSE)


def test_the_answers_offered_are_those_of_the_rules() -> None:
    sheet = sheet_with(("ones", "threes", "three-alike", "full-boat", "flotsam", "pieces-of-8"))
    turn = turn_on(sheet)
    for multiset in HANDFULS:
        ids = {f"score-{scoring.box}" for scoring in scoring_cells((sheet,), multiset)}
        assert set(turn.options(multiset, 1)) == ids
        assert set(turn.options(multiset, 0)) == {*ids, "hornswaggle"}


def test_a_swashbuckle_thrown_again_may_fill_any_box_with_its_maximum_and_earns_its_bonus() -> None:
    sheet = sheet_with(("sixes", "succession-5"), hornswaggled=True)
    values = turn_on(sheet).options((2, 2, 2, 2, 2), 0)
    assert set(values) == {"score-sixes", "score-succession-5"}
    assert values["score-sixes"] == pytest.approx(50 + 30 + rest_of(sheet.with_box("sixes", 30)), abs=CLOSE)


def test_at_will_scuttling_is_weighed_only_where_it_was_agreed() -> None:
    sheet = sheet_with(("ones", "sixes"))
    assert "scuttle-ones" not in turn_on(sheet).options((1, 2, 3, 6, 6), 0)
    assert "scuttle-ones" in turn_on(sheet, voluntary=True).options((1, 2, 3, 6, 6), 0)


def test_the_hornswaggle_is_worth_its_fifteen_points_when_one_die_is_missing_for_a_lot() -> None:
    turn = turn_on(sheet_with(("succession-5",)))
    values = turn.options((1, 2, 3, 4, 4), 0)
    assert turn.best_keep((1, 2, 3, 4, 4), 0).multiset == (1, 2, 3, 4)
    gains = (40 + 10) / 6 - 15  # a five in six, smooth sailing saved; else the box is scuttled all the same
    assert values["hornswaggle"] - values["scuttle-succession-5"] == pytest.approx(gains, abs=CLOSE)


def test_under_a_curse_four_dice_can_fill_no_swashbuckle_and_four_alike_counts_double() -> None:
    sheet = sheet_with(("four-alike", "swashbuckle"), hornswaggled=True)
    values = turn_on(sheet, dice=4).options((3, 3, 3, 3), 0)
    assert set(values) == {"score-four-alike"}
    assert values["score-four-alike"] == pytest.approx(24 + rest_of(sheet.with_box("four-alike", 24)), abs=CLOSE)
    assert set(turn_on(sheet, dice=4).options((1, 2, 3, 4), 0)) == {"scuttle-four-alike", "scuttle-swashbuckle"}


class ForgetfulTable(SheetValues):
    """A table that finds nothing after this turn worth anything: what is left is the turn alone."""

    def __init__(self) -> None:
        self.terms = 1

    def of_sheet(self, sheet: Sheet) -> float:  # noqa: ARG002 - whatever the sheet
        return 0.0

    def upper_row(self, half: UpperHalf) -> "array[float]":  # noqa: ARG002 - whatever the sheet
        return array("f", [0])

    def lower_row(self, half: LowerHalf) -> "array[int]":  # noqa: ARG002 - whatever the sheet
        return array("h", [0])


@pytest.mark.parametrize(
    ("box", "points", "chance"), [("swashbuckle", 50, 347897 / 7558272), ("succession-5", 40, 0.2611)]
)
def test_for_a_box_alone_a_turn_is_worth_its_points_times_its_best_chance(box: str, points: int, chance: float) -> None:
    """The chance of five alike in three throws is well known: 347897 in 7558272."""
    turn = SheetTurn(sheet_with((box,), swashbuckle=0, hornswaggled=True), ForgetfulTable(), HOUSE)
    assert turn.before() / points == pytest.approx(chance, abs=1e-4)


def test_what_matters_of_a_sheet_is_not_how_its_points_came_about() -> None:
    sheet = sheet_with(("sixes", "flotsam"))
    other = replace(sheet, filled=(6, 3, *sheet.filled[2:]))  # as much in ones and twos together
    assert sheet_halves(sheet) == sheet_halves(other)
    assert sheet_halves(sheet) != sheet_halves(replace(sheet, hornswaggled=True))
