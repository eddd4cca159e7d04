"""The sheet: what dice are worth, what adds up, what an open box would take (docs/rules/swashbuckle.md, "Sheet")."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from captains_table.games.contract import Prospect
from captains_table.games.swashbuckle.sheet import (
    BOXES,
    UPPER,
    Sheet,
    Values,
    box_points,
    box_title,
    is_for_piracy,
    maximum,
    piracy_points,
    scoring_cells,
)
from captains_table.games.swashbuckle.state import State
from captains_table.table.model.view import View
from tests.support.swashbuckle_play import GAME, ids, pick_ask, said, start, with_filled

RNG = random.Random(0)
THROWS, CURSED = (
    [tuple(RNG.sample(faces, dice)) for faces in combinations_with_replacement(range(1, 7), dice)] for dice in (5, 4)
)  # all that may fall, each in some order
RUNS_OF_4 = [{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}]


def oracle(box: str, faces: tuple[int, ...]) -> int:
    """Return a box's points written down straight from the table of the rules."""
    total, counts = sum(faces), sorted(Counter(faces).values())
    sums = {name: face * faces.count(face) for face, name in enumerate(UPPER, start=1)}
    four = 2 * total if len(faces) == 4 else total
    needs = {
        "three-alike": total * any(faces.count(face) >= 3 for face in faces),
        "four-alike": four * any(faces.count(face) >= 4 for face in faces),
        "aces-high": 45 * (faces.count(1) >= 4),
        "full-boat": 25 * (counts == [2, 3]),
        "succession-4": 30 * any(run <= set(faces) for run in RUNS_OF_4),
        "succession-5": 40 * (set(faces) in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})),
        "pieces-of-8": 45 * (total == 8),
        "flotsam": total,
        "piracy": 0,
        "swashbuckle": 50 * (counts == [5]),
    }
    return (sums | needs)[box]


@pytest.mark.parametrize("box", BOXES)
def test_every_throw_of_five_and_of_four_dice_scores_what_the_table_says(box: str) -> None:
    for faces in (*THROWS, *CURSED):
        assert box_points(box, faces) == oracle(box, faces), faces


def test_one_one_one_three_three_has_exactly_its_five_boxes() -> None:
    points = {each.box: each.points for each in scoring_cells((Sheet(),), (1, 1, 1, 3, 3))}
    assert points == {"ones": 3, "threes": 6, "three-alike": 9, "full-boat": 25, "flotsam": 9}


def test_boxes_that_score_are_listed_best_first_with_piracy_where_its_average_belongs() -> None:
    boxes = [each.box for each in scoring_cells((Sheet(),), (2, 3, 4, 5, 6))]
    assert boxes == ["succession-5", "succession-4", "flotsam", "piracy", "sixes", "fives", "fours", "threes", "twos"]


@pytest.mark.parametrize("box", [box for box in BOXES if box != "piracy"])
def test_the_maximum_of_a_box_is_the_most_that_five_dice_score_in_it(box: str) -> None:
    assert maximum(box) == max(box_points(box, faces) for faces in THROWS)
    summed = Values(aces_high=None, succession_4=1, succession_5=2, pieces_of_8=8)
    assert maximum(box, summed) == max(box_points(box, faces, summed) for faces in THROWS)


def test_a_piracy_throw_counts_its_sum_and_five_alike_forty() -> None:
    assert [piracy_points(faces) for faces in ((6, 6, 6, 6, 5), (1,) * 5, (6,) * 5)] == [29, 40, 40]
    assert [sorted(faces) for faces in THROWS if is_for_piracy(faces)] == [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6]]


@pytest.mark.parametrize(
    ("upper", "bonus"), [((3, 6, 9, 12, 15, 22), 0), ((3, 6, 9, 12, 15, 23), 45), ((4, 6, 9, 12, 15, 24), 45)]
)
def test_blimey_begins_at_sixty_eight(upper: tuple[int, ...], bonus: int) -> None:
    sheet = Sheet()
    for box, worth in zip(UPPER, upper, strict=True):
        sheet = sheet.with_box(box, worth)
    assert (sheet.subtotal, sheet.blimey, sheet.nest) == (sum(upper), bonus, sum(upper) + bonus)


def test_smooth_sailing_needs_a_full_sheet_without_a_zero() -> None:
    sheet = Sheet((*[1] * 15, None))
    assert sheet.smooth_sailing == 0
    assert sheet.with_box("swashbuckle", 50).smooth_sailing == 10
    assert sheet.with_box("swashbuckle", 0).smooth_sailing == 0


def test_the_tallies_add_up_as_the_rules_say() -> None:
    sheet = Sheet(tuple(range(1, 17)), marks=2, hornswaggled=True, pillaged=20)
    assert sheet.nest == 1 + 2 + 3 + 4 + 5 + 6
    assert sheet.bilge == sum(range(7, 17)) + 10 + 100 - 15 - 20
    assert sheet.total == sheet.nest + sheet.bilge
    assert replace(Sheet(), pillaged=30, hornswaggled=True).total == -45, "a total may become negative"


def no_box_for_twos(swashbuckle: int) -> Sheet:
    """Return a sheet on which five twos score in no open box."""
    filled = {"swashbuckle": swashbuckle, "twos": 8, "flotsam": 9, "three-alike": 10, "four-alike": 0}
    return Sheet(tuple(filled.get(box) for box in BOXES))


def test_a_second_swashbuckle_without_a_scoring_box_may_take_the_maximum_anywhere() -> None:
    sheet = no_box_for_twos(50)
    options = {each.box: each.points for each in scoring_cells((sheet,), (2,) * 5)}
    assert options == {box: maximum(box) for box in sheet.open_boxes()}
    assert options["piracy"] == 36
    assert options["ones"] == 5


def test_a_second_swashbuckle_is_scored_as_it_is_while_a_box_takes_points() -> None:
    sheet = Sheet().with_box("swashbuckle", 50)
    assert {each.box for each in scoring_cells((sheet,), (2,) * 5)} == {"twos", "three-alike", "four-alike", "flotsam"}


def test_a_scuttled_swashbuckle_leaves_further_ones_without_points() -> None:
    assert scoring_cells((no_box_for_twos(0),), (2,) * 5) == ()


def test_four_cursed_dice_reach_neither_swashbuckle_nor_full_boat_nor_five_in_a_row() -> None:
    reached = {each.box for faces in CURSED for each in scoring_cells((Sheet(),), faces)}
    assert set(BOXES) - reached == {"swashbuckle", "full-boat", "succession-5", "piracy"}
    assert box_points("four-alike", (6, 6, 6, 6)) == 48


# --- prospects: what each open box would take of the dice as they lie -----------------------------------------------


def prospects(state: State) -> dict[str, Prospect]:
    """Return what stands in the sheet for the player on turn, by the rows' titles."""
    return {row.title: prospect for row in GAME.sheet(state) for prospect in row.prospects}


def test_nothing_is_in_prospect_before_the_dice_lie() -> None:
    assert prospects(start(order="throw")) == {}
    assert prospects(start()) == {}


def test_every_open_box_says_what_it_would_take_and_by_which_answer() -> None:
    state = said(start(), "11333")
    found = prospects(state)
    assert list(found) == [box_title(box) for box in BOXES]
    assert found["Ones"] == Prospect(0, "2", "score-ones")
    assert found["Full boat"] == Prospect(0, "25", "score-full-boat")
    assert found["Sixes"] == Prospect(0, "0")
    assert {prospect.id for prospect in found.values()} - {""} == set(ids(state)) - {"throw-again"}

    assert "Ones" not in prospects(with_filled(state, ones=3)), "a box that is filled has no prospect"


def test_a_box_that_may_be_given_up_is_chosen_by_that() -> None:
    found = prospects(said(start(voluntary_scuttle="true"), "11333"))
    assert (found["Sixes"].id, found["Ones"].id) == ("scuttle-sixes", "score-ones")


def test_piracy_is_thrown_for_and_its_throw_is_what_it_takes() -> None:
    state = said(start(), "23456")
    assert prospects(state)["Piracy"] == Prospect(0, "throw for it", "score-piracy")
    state = said(state, "score-piracy")
    assert prospects(state) == {}
    state = said(state, "66665")
    assert prospects(state) == {"Piracy": Prospect(0, "29", "stand")}


def test_while_dice_are_chosen_the_prospects_stay_and_none_can_be_taken() -> None:
    state = said(start(), "11333", "throw-again")
    assert prospects(state)["Full boat"] == Prospect(0, "25")


def test_a_view_lists_the_answers_best_first() -> None:
    state = said(start(), "11333")
    view = View(ask=pick_ask(state), sheet=tuple(GAME.sheet(state)))
    best_first = ["score-full-boat", "score-three-alike", "score-flotsam", "score-threes", "score-ones"]
    assert ids(state) == ["throw-again", *best_first]
    assert [option.id for option in view.options] == ["throw-again", *best_first]


def test_a_view_without_a_sheet_lists_the_answers_as_they_are_offered() -> None:
    view = View(ask=pick_ask(said(start(), "11333")))
    assert [option.id for option in view.options][:2] == ["throw-again", "score-full-boat"]
    assert View().options == ()
