"""The sheet by itself: what dice are worth, and what adds up (docs/rules/swashbuckle.md, "Sheet")."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from captains_table.games.swashbuckle.sheet import (
    BOXES,
    UPPER,
    Sheet,
    Values,
    box_points,
    is_for_piracy,
    maximum,
    piracy_points,
    scoring_cells,
)

THROWS = list(product(range(1, 7), repeat=5))
CURSED = list(product(range(1, 7), repeat=4))
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
    scorings = scoring_cells((Sheet(),), (1, 1, 1, 3, 3))
    assert {(each.box, each.points) for each in scorings} == {
        ("ones", 3),
        ("threes", 6),
        ("three-alike", 9),
        ("full-boat", 25),
        ("flotsam", 9),
    }


def test_boxes_that_score_are_listed_best_first_with_piracy_where_its_average_belongs() -> None:
    boxes = [each.box for each in scoring_cells((Sheet(),), (2, 3, 4, 5, 6))]
    assert boxes == ["succession-5", "succession-4", "flotsam", "piracy", "sixes", "fives", "fours", "threes", "twos"]


@pytest.mark.parametrize("box", [box for box in BOXES if box != "piracy"])
def test_the_maximum_of_a_box_is_the_most_that_five_dice_score_in_it(box: str) -> None:
    assert maximum(box) == max(box_points(box, faces) for faces in THROWS)
    summed = Values(aces_high=None, succession_4=1, succession_5=2, pieces_of_8=8)
    assert maximum(box, summed) == max(box_points(box, faces, summed) for faces in THROWS)


def test_a_piracy_throw_counts_its_sum_and_five_alike_forty() -> None:
    assert {faces: piracy_points(faces) for faces in ((6, 6, 6, 6, 5), (1,) * 5, (6,) * 5)} == {
        (6, 6, 6, 6, 5): 29,
        (1,) * 5: 40,
        (6,) * 5: 40,
    }
    assert sum(is_for_piracy(faces) for faces in THROWS) == 2 * 120


@pytest.mark.parametrize(
    ("upper", "bonus"), [((3, 6, 9, 12, 15, 22), 0), ((3, 6, 9, 12, 15, 23), 45), ((4, 6, 9, 12, 15, 24), 45)]
)
def test_blimey_begins_at_sixty_eight(upper: tuple[int, ...], bonus: int) -> None:
    sheet = Sheet()
    for box, worth in zip(UPPER, upper, strict=True):
        sheet = sheet.with_box(box, worth)
    assert (sheet.subtotal, sheet.blimey, sheet.nest) == (sum(upper), bonus, sum(upper) + bonus)


def test_smooth_sailing_needs_a_full_sheet_without_a_zero() -> None:
    sheet = Sheet()
    for box in BOXES[:-1]:
        sheet = sheet.with_box(box, 1)
    assert sheet.smooth_sailing == 0
    assert sheet.with_box("swashbuckle", 50).smooth_sailing == 10
    assert sheet.with_box("swashbuckle", 0).smooth_sailing == 0


def test_the_tallies_add_up_as_the_rules_say() -> None:
    sheet = Sheet(tuple(range(1, 17)), marks=2, hornswaggled=True, pillaged=20)
    assert sheet.nest == 1 + 2 + 3 + 4 + 5 + 6
    assert sheet.bilge == sum(range(7, 17)) + 10 + 100 - 15 - 20
    assert sheet.total == sheet.nest + sheet.bilge


def test_a_total_may_become_negative() -> None:
    assert replace(Sheet(), pillaged=30, hornswaggled=True).total == -45


def test_a_second_swashbuckle_without_a_scoring_box_may_take_the_maximum_anywhere() -> None:
    sheet = Sheet().with_box("swashbuckle", 50).with_box("twos", 8).with_box("flotsam", 9)
    sheet = sheet.with_box("three-alike", 10).with_box("four-alike", 0)
    options = {each.box: each.points for each in scoring_cells((sheet,), (2,) * 5)}
    assert options == {box: maximum(box) for box in sheet.open_boxes()}
    assert options["piracy"] == 36
    assert options["ones"] == 5


def test_a_second_swashbuckle_is_scored_as_it_is_while_a_box_takes_points() -> None:
    sheet = Sheet().with_box("swashbuckle", 50)
    assert {each.box for each in scoring_cells((sheet,), (2,) * 5)} == {"twos", "three-alike", "four-alike", "flotsam"}


def test_a_scuttled_swashbuckle_leaves_further_ones_without_points() -> None:
    sheet = Sheet().with_box("swashbuckle", 0).with_box("twos", 8).with_box("flotsam", 9)
    sheet = sheet.with_box("three-alike", 10).with_box("four-alike", 0)
    assert scoring_cells((sheet,), (2,) * 5) == ()


def test_four_cursed_dice_reach_neither_swashbuckle_nor_full_boat_nor_five_in_a_row() -> None:
    reached = {each.box for faces in CURSED for each in scoring_cells((Sheet(),), faces)}
    assert set(BOXES) - reached == {"swashbuckle", "full-boat", "succession-5", "piracy"}
    assert box_points("four-alike", (6, 6, 6, 6)) == 48
