"""The last turn of a sheet: every gain it may bring, with its chance, played for the most points.

Source: docs/rules/swashbuckle.md W2 - W6.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from captains_table.games.swashbuckle.boxes import DICE, LOWER, MOST_PIRACY, PIRACY, SWASHBUCKLE, UPPER, is_five_alike
from captains_table.games.swashbuckle.sheet import BLIMEY_FROM, HORNSWAGGLE, Sheet
from captains_table.games.swashbuckle.state import MAX_THROWS
from captains_table.players.common.hold_solver import DiceMultisets, chance, dice_multisets
from captains_table.players.swashbuckle.eurus.race import Gains
from captains_table.players.swashbuckle.sheet_layout import (
    HORNSWAGGLE_LEFT,
    SCUTTLED,
    SMOOTH,
    UPPER_FULL,
    LowerHalf,
    UpperHalf,
)
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn, piracy_standing
from captains_table.players.swashbuckle.sheet_values import table_of

REMEMBERED: Final = 1024
LEAST_SUBTOTAL: Final = 6  # from which no single box reaches the blimey bonus; each of the others holds a point
RAIDS_BOX: Final = f"score-{PIRACY}"

Shares = Mapping[int, float]  # of multisets, by their index


def last_gains(upper: UpperHalf, lower: LowerHalf, rules: HouseRules, dice: int, raid: float) -> Gains:
    """Return every gain of a sheet with one open box, bonuses included.

    Args:
        upper: the sheet's upper half.
        lower: its lower half.
        rules: what was agreed.
        dice: five, or four under a curse.
        raid: how much more each point of piracy counts.
    """
    return _gains_of(_alike(upper), lower, rules, dice, raid)


def _alike(upper: UpperHalf) -> UpperHalf:
    """Return a half that brings the same: all that counts of a subtotal is how far the blimey bonus is."""
    if upper.filled == UPPER_FULL:
        return UpperHalf(upper.filled, upper.subtotal if upper.subtotal == BLIMEY_FROM else LEAST_SUBTOTAL)
    face = (UPPER_FULL & ~upper.filled).bit_length()  # of the open box
    needed = -(-(BLIMEY_FROM - upper.subtotal) // face)  # dice of the open box's face
    return UpperHalf(upper.filled, BLIMEY_FROM - face * needed if needed <= DICE else LEAST_SUBTOTAL)


@lru_cache(maxsize=REMEMBERED)
def _gains_of(upper: UpperHalf, lower: LowerHalf, rules: HouseRules, dice: int, raid: float) -> Gains:
    gains: defaultdict[float, float] = defaultdict(float)
    for gain, share in _LastTurn(sheet_of(upper, lower), rules, dice, raid).gains():
        gains[round(gain, 6)] += share
    return tuple(sorted(gains.items()))


def sheet_of(upper: UpperHalf, lower: LowerHalf) -> Sheet:
    """Return some sheet with these halves."""
    filler = 1 if lower.flags & SMOOTH else 0
    nest = [filler if upper.filled >> box & 1 else None for box in range(len(UPPER))]
    if upper.filled:
        first = next(box for box, value in enumerate(nest) if value is not None)
        nest[first] = upper.subtotal - filler * (upper.filled.bit_count() - 1)
    bilge: list[int | None] = [filler if lower.filled >> box & 1 else None for box in range(len(LOWER))]
    swashbuckle = LOWER.index(SWASHBUCKLE)
    if bilge[swashbuckle] is not None:
        bilge[swashbuckle] = 0 if lower.flags & SCUTTLED else 1
    return Sheet((*nest, *bilge), hornswaggled=not lower.flags & HORNSWAGGLE_LEFT)


class _LastTurn:
    """A turn for one open box, followed throw by throw."""

    def __init__(self, sheet: Sheet, rules: HouseRules, dice: int, raid: float) -> None:
        self._rows, self._raid = dice_multisets(dice), raid
        self._marks = sheet.scored_swashbuckle
        table = table_of(rules.voluntary_scuttle)
        self._turn = SheetTurn(sheet, table, rules, dice)
        self._spent = SheetTurn(replace(sheet, hornswaggled=True), table, rules, dice)

    def gains(self) -> Iterator[tuple[float, float]]:
        """Yield every gain and its chance."""
        lying: Shares = _thrown({0: 1.0}, self._rows)
        cheated: defaultdict[int, float] = defaultdict(float)
        for left in range(MAX_THROWS - 1, -1, -1):
            kept: defaultdict[int, float] = defaultdict(float)
            for index, share in lying.items():
                faces = self._rows.all[index]
                options = self._turn.options(faces, left)
                best = max(options, key=lambda option: options[option])
                keep = self._turn.best_keep(faces, left) if left else None
                if keep is not None and keep.value > options[best]:
                    kept[self._rows.index(keep.multiset)] += share
                elif best == "hornswaggle":
                    cheated[self._rows.index(self._turn.best_keep(faces, 0).multiset)] += share
                else:
                    yield from self._filled(index, best, options[best], share)
            lying = _thrown(kept, self._rows)
        for index, share in _thrown(cheated, self._rows).items():
            options = self._spent.options(self._rows.all[index], 0)
            best = max(options, key=lambda option: options[option])
            yield from self._filled(index, best, options[best] - HORNSWAGGLE, share)

    def _filled(self, index: int, option: str, value: float, share: float) -> Iterator[tuple[float, float]]:
        """Yield what filling the box brings: it is certain, but for the throw for piracy."""
        if option != RAIDS_BOX:
            yield value, share
            return
        if is_five_alike(self._rows.all[index]):  # then piracy takes its maximum (W5)
            yield value + self._raid * MOST_PIRACY, share
            return
        standing, booty = piracy_standing(marks=self._marks), piracy_standing(marks=False)
        shares = [float(chance(multiset)) for multiset in self._rows.full]
        mean = sum(likely * points for likely, points in zip(shares, standing, strict=True))
        for likely, points, taken in zip(shares, standing, booty, strict=True):
            yield value + (points - mean) + self._raid * taken, share * likely


def _thrown(kept: Shares, rows: DiceMultisets) -> dict[int, float]:
    """Return how the dice may lie when these stay and the others are thrown."""
    shares = [0.0] * len(rows.all)
    for index, share in kept.items():
        shares[index] = share
    for index, more in enumerate(rows.one_more):
        if shares[index]:
            for after in more:
                shares[after] += shares[index] / len(more)
    return {index: share for index, share in enumerate(shares[rows.first_full :], start=rows.first_full) if share}
