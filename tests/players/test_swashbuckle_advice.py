"""Advice in Swashbuckle at the table, in positions where the best answer is plain."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from captains_table.games.contract import Keep, Pick
from captains_table.games.registry import game_by_key
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import BoxChoiceStep, Cursing, PiracyFallen, Raiding, State, SwashbuckleTurn
from captains_table.players.common.advice import Advice
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.sheet_values import sheet_values
from tests.players.swashbuckle_oracle import sheet_with

GAME = game_by_key("swashbuckle")
ADVISE = SwashbuckleAdviser(lambda _: sheet_values())


def a_state(faces: Sequence[int], *sheets: Sheet, throws: int = 3) -> State:
    names = [f"Player {number}" for number in range(1, len(sheets) + 1)]
    state: State = GAME.start(names, {"order": "seated"})
    return replace(state, sheets=sheets, turn=SwashbuckleTurn(tuple(faces), throws), step=BoxChoiceStep())


def advised(state: State) -> Advice:
    advice = ADVISE(state)
    assert advice is not None
    return advice


def test_five_alike_on_a_fresh_sheet_are_a_swashbuckle() -> None:
    advice = advised(a_state((4, 4, 4, 4, 4), Sheet()))
    assert advice.action == Pick("score-swashbuckle")
    assert advice.expected == pytest.approx(50 + sheet_values().of_sheet(Sheet().with_box("swashbuckle", 50)))


def test_four_in_a_row_are_kept_for_the_fifth() -> None:
    state = a_state((2, 3, 4, 5, 5), sheet_with(("succession-5", "ones")), throws=1)
    advice = advised(state)
    assert (advice.action, advice.words) == (Pick("throw-again"), "Keep 2 3 4 5")
    assert advised(GAME.apply(state, Pick("throw-again"))).action in (Keep((1, 2, 3, 4)), Keep((1, 2, 3, 5)))


def test_whoever_is_expected_to_end_highest_is_raided() -> None:
    rich, poor = sheet_with(("ones",), upper=5), sheet_with(("ones",), upper=1)
    state = replace(a_state((1, 2, 3, 4, 5), Sheet(), poor, rich), step=Raiding(17))
    assert advised(state).action == Pick("raid-2")


def test_a_curse_waits_until_it_costs_enough_and_is_spoken_at_the_last_chance() -> None:
    state = replace(a_state((1, 2, 3, 4, 5), Sheet(), Sheet()), step=Cursing())
    assert advised(state).action == Pick("no-curse")
    assert advised(replace(state, sheets=(Sheet(), sheet_with(("flotsam",))))).action == Pick("curse-1")


def test_an_ordinary_piracy_throw_stands() -> None:
    sheet = sheet_with(("piracy",))
    turn = SwashbuckleTurn((1, 1, 2, 2, 3), 2, is_piracy=True)
    state = replace(a_state((1, 1, 2, 2, 3), sheet), turn=turn, step=PiracyFallen())
    assert advised(state).action == Pick("stand")


def test_nothing_is_advised_while_dice_are_to_fall() -> None:
    assert ADVISE(GAME.start(["Anne"], {})) is None
