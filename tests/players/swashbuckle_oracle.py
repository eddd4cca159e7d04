"""A slow and plain solution of the end of a Swashbuckle match: every keep and every throw written out as a matrix."""

from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from captains_table.games.swashbuckle.sheet import (
    BOXES,
    PIRACY,
    Sheet,
    earns_bonus,
    is_five_alike,
    piracy_points,
    scoring_cells,
)

DICE = 5
HANDFULS = list(combinations_with_replacement(range(1, 7), DICE))
PLACE = {handful: place for place, handful in enumerate(HANDFULS)}
KEEPS = [keep for count in range(DICE + 1) for keep in combinations_with_replacement(range(1, 7), count)]


@cache
def throwing() -> NDArray[np.float64]:
    """Return the chance of each full handful (columns) after each keep (rows), by counting throws."""
    chances = np.zeros((len(KEEPS), len(HANDFULS)))
    for row, keep in enumerate(KEEPS):
        missing = DICE - len(keep)
        for faces in product(range(1, 7), repeat=missing):
            chances[row, PLACE[tuple(sorted(keep + faces))]] += 6.0**-missing
    return chances


@cache
def keepable() -> list[list[int]]:
    index = {keep: row for row, keep in enumerate(KEEPS)}
    return [
        sorted({index[subset] for count in range(DICE + 1) for subset in combinations(multiset, count)})
        for multiset in HANDFULS
    ]


def best_rethrow(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each handful is worth when the best keep is thrown on, or nothing falls."""
    kept = throwing() @ value
    return np.array([kept[rows].max() for rows in keepable()])


@cache
def value_of(sheet: Sheet, *, voluntary: bool = False) -> float:
    """Return the expected final plunder of one player with this sheet, solved by the rules as they stand."""
    if sheet.is_full:
        return float(sheet.total)
    final = np.array([_final(sheet, multiset, voluntary=voluntary) for multiset in HANDFULS])
    if not sheet.hornswaggled:
        cheating = replace(sheet, hornswaggled=True)
        cheated = np.array([_final(cheating, multiset, voluntary=voluntary) for multiset in HANDFULS])
        final = np.maximum(final, best_rethrow(cheated))
    return float(throwing()[0] @ best_rethrow(best_rethrow(final)))


def rest_of(sheet: Sheet, *, voluntary: bool = False) -> float:
    """Return what is expected of the rest of a match, the bonuses at its end included."""
    return value_of(sheet, voluntary=voluntary) - sheet.total + sheet.blimey + sheet.smooth_sailing


def _final(sheet: Sheet, multiset: tuple[int, ...], *, voluntary: bool) -> float:
    marked = replace(sheet, marks=sheet.marks + 1) if earns_bonus(sheet, multiset) else sheet
    values = []
    for scoring in scoring_cells((sheet,), multiset):
        if scoring.to_be_thrown:
            values.append(_piracy(sheet, voluntary=voluntary))
        else:
            values.append(value_of(marked.with_box(scoring.box, scoring.points), voluntary=voluntary))
    if voluntary or not values:
        values += [value_of(marked.with_box(box, 0), voluntary=voluntary) for box in sheet.open_boxes()]
    return max(values)


def _piracy(sheet: Sheet, *, voluntary: bool) -> float:
    def settled(before: Sheet) -> NDArray[np.float64]:
        values = []
        for multiset in HANDFULS:
            marks = before.marks + (before.scored_swashbuckle and is_five_alike(multiset))
            after = replace(before, marks=marks).with_box(PIRACY, piracy_points(multiset))
            values.append(value_of(after, voluntary=voluntary))
        return np.array(values)

    standing = settled(sheet)
    if not sheet.hornswaggled:
        standing = np.maximum(standing, best_rethrow(settled(replace(sheet, hornswaggled=True))))
    return float(throwing()[0] @ standing)


def sheet_with(open_boxes: tuple[str, ...], *, upper: int = 3, swashbuckle: int = 50, **others: bool) -> Sheet:
    """Return a sheet on which all but some boxes hold plain points: `upper` dice of each face above, 20 below."""
    points = [
        None if box in open_boxes else swashbuckle if box == "swashbuckle" else 20 if place > 5 else upper * (place + 1)
        for place, box in enumerate(BOXES)
    ]
    return Sheet(tuple(points), hornswaggled=others.get("hornswaggled", False))


LAST_SHEETS = [
    *(sheet_with(("swashbuckle",)), sheet_with(("piracy",), hornswaggled=True), sheet_with(("sixes",), upper=4)),
    *(sheet_with(("full-boat",), swashbuckle=0), sheet_with(("flotsam",))),
]
"""Sheets of a last turn."""
