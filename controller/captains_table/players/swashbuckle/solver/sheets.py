"""Solves Swashbuckle for one player exactly: the expected value of the rest of a match on every sheet.

Values are stored as `values[filled lower boxes][upper half][flags]`; sheets with more filled boxes are solved first.
There are no curses. Piracy scores without a victim. If requested, piracy's points count twice: between two players, the
victim's loss is worth as much to the raider as the raider's gain.

If variances are requested, the values are complex numbers that hold the mean and the mean square (`turns.gaining`).

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captains_table.games.swashbuckle.sheet import (
    BLIMEY,
    BLIMEY_FROM,
    BONUS,
    LOWER,
    MOST_PIRACY,
    PIRACY,
    SMOOTH_SAILING,
    box_points,
    is_five_alike,
    is_for_piracy,
    maximum,
)
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.sheet_values import (
    FLAGS,
    HORNSWAGGLE_LEFT,
    LOWER_BOXES,
    LOWER_FULL,
    SCUTTLED,
    SMOOTH,
    SWASHBUCKLE_BIT,
    UPPER_BOXES,
    UPPER_FULL,
    lower_halves,
    upper_halves,
)
from captains_table.players.swashbuckle.solver.turns import SOLVER_DICE, ValueArray, before_turn, gaining, piracy_value

NEVER: Final = -1e9  # the value of an illegal choice
IMPOSSIBLE: Final = -1e8  # a lower value means that every choice was illegal
PIRACY_BOX: Final = LOWER.index(PIRACY)
ALL_FLAGS: Final = np.arange(FLAGS)
AFTER_ZERO: Final = ALL_FLAGS & ~SMOOTH

FULL: Final = dice_multisets(SOLVER_DICE).full
POINTS: Final = [[box_points(box, multiset) for box in LOWER] for multiset in FULL]


class SheetSolver:
    """Computes the values of all sheets.

    Args:
        voluntary: whether a box may be scuttled (filled with 0) although some box would score points (W3,
            `voluntary_scuttle`).
        raids: how many additional times the points of piracy count (W6).
        spread: whether to compute mean squares too.
    """

    def __init__(self, *, voluntary: bool, raids: int = 0, spread: bool = False) -> None:
        self._voluntary, self._raids = voluntary, raids
        halves = list(upper_halves())
        self._layers = [
            [index for index, half in enumerate(halves) if half.filled.bit_count() == count]
            for count in range(UPPER_BOXES + 1)
        ]
        self._after = [_upper_after(count) for count in range(UPPER_BOXES + 1)]
        kind = np.complex128 if spread else np.float64
        self.value: ValueArray = np.full((LOWER_FULL + 1, len(halves) + 1, FLAGS), NEVER, dtype=kind)
        nothing = np.zeros((), dtype=kind)
        for index in self._layers[UPPER_BOXES]:
            blimey = BLIMEY if halves[index].subtotal >= BLIMEY_FROM else 0
            bonuses = [gaining(nothing, blimey + SMOOTH_SAILING * (flags & SMOOTH > 0)) for flags in range(FLAGS)]
            self.value[LOWER_FULL, index] = bonuses

    def solve(
        self,
        *,
        open_upper: int = UPPER_BOXES,
        open_lower: int = LOWER_BOXES,
        progress: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Solve every sheet with up to these numbers of open upper and lower boxes.

        Args:
            open_upper: the maximum number of open upper boxes.
            open_lower: the maximum number of open lower boxes.
            progress: called with the share that is done, from 0 to 1.
        """
        order = sorted(range(LOWER_FULL + 1), key=lambda filled: -filled.bit_count())
        order = [filled for filled in order if LOWER_BOXES - filled.bit_count() <= open_lower]
        total, done = (len(self.value[0]) - 1) * len(order), 0
        for upper_filled in range(UPPER_BOXES, UPPER_BOXES - open_upper - 1, -1):
            for lower_filled in order:
                if (upper_filled, lower_filled) != (UPPER_BOXES, LOWER_FULL):
                    self._solve_layer(lower_filled, upper_filled)
                done += len(self._layers[upper_filled])
                progress(done / total)

    def matrix(self) -> ValueArray:
        """Return the values, with lower halves as rows and upper halves as columns, numbered as in `sheet_values`."""
        return np.stack([self.value[half.filled, :-1, half.flags] for half in lower_halves()])

    def _solve_layer(self, lower_filled: int, upper_filled: int) -> None:
        """Solve all sheets with certain lower boxes and a certain number of upper boxes filled.

        Args:
            lower_filled: the filled lower boxes, as a bit set.
            upper_filled: the number of filled upper boxes.
        """
        layer = self._layers[upper_filled]
        rows = slice(layer[0], layer[-1] + 1)
        after = self._after[upper_filled]
        turn = _Finals(self.value, lower_filled, rows, after, voluntary=self._voluntary, raids=self._raids)
        finals = turn.of_all_multisets()
        without, left = (np.ascontiguousarray(finals[:, :, flag::2]) for flag in (0, HORNSWAGGLE_LEFT))
        solved = before_turn(without, left)
        for flag, values in enumerate(solved):
            self.value[lower_filled, rows, flag : turn.flags : 2] = values


def _upper_after(count: int) -> NDArray[np.int64]:
    """Return the state of a sheet's upper half after one more box is filled, for every possible filling.

    The result is indexed by the box, by the number of dice with the box's face, and by the state before. Each entry is
    the index of the state after. If the box is filled already, the entry is no valid index: the number of all states.

    Args:
        count: the number of filled boxes in the states before.
    """
    halves = upper_halves()
    layer = [half for half in halves if half.filled.bit_count() == count]
    after = np.full((UPPER_BOXES, SOLVER_DICE + 1, len(layer)), len(halves))
    for place, half in enumerate(layer):
        for box in range(UPPER_BOXES):
            if not half.filled >> box & 1 and half.filled != UPPER_FULL:
                after[box, :, place] = [
                    halves[half.with_box(box, (box + 1) * count)] for count in range(SOLVER_DICE + 1)
                ]
    return after


class _Finals:
    """The values of the dice after the last throw, on all sheets of one layer.

    A layer contains the sheets with the same filled lower boxes and the same number of filled upper boxes. The values
    are arrays with one axis for the upper halves and one for the flags.

    Args:
        value: the values of all sheets; the sheets with more filled boxes must be solved already.
        lower_filled: the filled lower boxes, as bits.
        rows: the upper halves of the layer, as indices in `value`.
        after: the indices of the upper halves after one more box is filled (`_upper_after`).
        voluntary: whether a box may be scuttled although another box would score points.
        raids: how many additional times the points of piracy count.
    """

    def __init__(
        self,
        value: ValueArray,
        lower_filled: int,
        rows: slice,
        after: NDArray[np.int64],
        *,
        voluntary: bool,
        raids: int,
    ) -> None:
        self._voluntary, self._raids = voluntary, raids
        self._swashbuckle_filled = bool(lower_filled & SWASHBUCKLE_BIT)
        self.flags = FLAGS if self._swashbuckle_filled else SCUTTLED
        flags = ALL_FLAGS[: self.flags]
        here = value[lower_filled]
        self._upper = [
            [gaining(here[after[box, count]][:, flags], (box + 1) * count) for count in range(SOLVER_DICE + 1)]
            for box in range(UPPER_BOXES)
        ]
        self._lower = {
            box: value[lower_filled | 1 << box, rows, : self.flags]
            for box in range(LOWER_BOXES)
            if not lower_filled >> box & 1
        }
        zeros = [here[after[box, 0]][:, AFTER_ZERO[flags]] for box in range(UPPER_BOXES)]
        for box in self._lower:
            scuttled = SCUTTLED if 1 << box == SWASHBUCKLE_BIT else 0
            zeros.append(value[lower_filled | 1 << box, rows][:, AFTER_ZERO[flags] | scuttled])
        self._scuttling: ValueArray = np.maximum.reduce(zeros)
        if PIRACY_BOX in self._lower:
            self._piracy = piracy_value(self._lower[PIRACY_BOX], marks=self._swashbuckle_filled, raids=raids)

    def of_all_multisets(self) -> ValueArray:
        """Return the value of each multiset of dice after a turn's last throw.

        The axes of the array are the dice, the upper half and the flags. The axis of the dice includes multisets of
        fewer than five dice. Their values are undefined.
        """
        multisets = dice_multisets(SOLVER_DICE)
        finals = np.empty((len(multisets.all), *self._scuttling.shape), dtype=self._scuttling.dtype)
        for index, multiset in enumerate(FULL):
            final = self._scored(index)
            marks = final[:, :SCUTTLED]  # flags without SCUTTLED: where the box is filled it holds points
            earns = is_five_alike(multiset) and self._swashbuckle_filled
            if earns:
                marks[...] = np.where(marks.real < IMPOSSIBLE, self._wild()[:, :SCUTTLED], marks)
            final[...] = np.where(
                self._voluntary | (final.real < IMPOSSIBLE), np.maximum(final, self._scuttling), final
            )
            if earns:
                marks[...] = gaining(marks, BONUS)
            finals[multisets.first_full + index] = final
        return finals

    def _scored(self, index: int) -> ValueArray:
        """Return the value of the best box that scores points (W2); it is far below 0 if no open box scores points."""
        multiset = FULL[index]
        best = np.full(self._scuttling.shape, NEVER, dtype=self._scuttling.dtype)
        for face in set(multiset):
            np.maximum(best, self._upper[face - 1][multiset.count(face)], out=best)
        for box, after in self._lower.items():
            if box == PIRACY_BOX and is_for_piracy(multiset):
                np.maximum(best, self._piracy, out=best)
            elif POINTS[index][box]:
                np.maximum(best, gaining(after, POINTS[index][box]), out=best)
        return best

    def _wild(self) -> ValueArray:
        """Return the value of a repeated swashbuckle that scores in no open box: any open box gets its maximum (W5)."""
        raided = MOST_PIRACY * (1 + self._raids)
        most = {box: raided if box == PIRACY_BOX else maximum(LOWER[box]) for box in self._lower}
        wild = [self._upper[box][SOLVER_DICE] for box in range(UPPER_BOXES)]
        lower = [gaining(self._lower[box], most[box]) for box in self._lower]
        return np.asarray(np.maximum.reduce([*wild, *lower]))
