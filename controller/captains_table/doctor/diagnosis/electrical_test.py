"""Finds the electrical faults of a switch matrix from readings, and chooses the squares on which to put pieces next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from captains_table.doctor.diagnosis.explanations import Explanation, MatrixReading, explain, variants
from captains_table.doctor.diagnosis.matrix_logic import Predictor
from captains_table.doctor.diagnosis.round_choice import (
    Occupied,
    distinguishing_round,
    first_rounds,
    proving_round,
    unproven_squares,
)
from captains_table.doctor.diagnosis.suspects import DIODES, Suspect, SuspectKind, Suspects
from captains_table.games.contract import Shape

MOST_FURTHER: Final = 8  # rounds beyond the first ones
MOST_UNUSUAL_ROUNDS: Final = 2  # rounds that give a telling result on some chips only
SAME_TO_READINGS: Final = {
    frozenset({SuspectKind.BROKEN, SuspectKind.REVERSED}): SuspectKind.MUTE,
    frozenset({SuspectKind.LINKED, SuspectKind.REVERSED}): SuspectKind.LEAKY,
}
"""Maps two kinds of fault that readings of the same square cannot tell apart to the kind that means either of them."""


@dataclass(frozen=True, slots=True)
class MatrixVerdict:
    """The faults of the matrix; squares and lines are numbered by the wiring.

    Attributes:
        certain: the faults that every likely explanation contains.
        alternatives: the sets of further faults; one set if these faults are known, several sets if only a meter can
            decide which set is present.
        unusual: the sets of further faults that are possible only on a chip that reads 0.9 V as high, the likeliest
            first.
        unproven: the squares for which no reading has shown that the diode is there and not bridged.
        is_explained: whether there is a set of faults that explains all readings.
        reads_ghosts: whether this chip was seen to read the 0.9 V behind two diodes as low.
    """

    certain: Suspects
    alternatives: tuple[Suspects, ...]
    unusual: tuple[Suspects, ...]
    unproven: frozenset[int]
    is_explained: bool
    reads_ghosts: bool = False


class ElectricalTest:
    """Collects readings, chooses the squares for the next pieces, and says what is wrong.

    Args:
        shape: the board.
        pieces: how many pieces can be on the board at once.
    """

    def __init__(self, shape: Shape, pieces: int) -> None:
        self._pieces = pieces
        self._predictor = Predictor(shape)
        self._readings: list[MatrixReading] = []
        self._asked: set[Occupied] = set()
        self._waiting = first_rounds(shape, pieces)
        self._further = self._unusual = 0
        self._explanations: list[Explanation] | None = None

    def learn(self, readings: Iterable[MatrixReading]) -> None:
        """Add readings; the explanations are computed anew when they are next needed."""
        self._readings += readings
        self._explanations = None

    def next_round(self, pieces: int | None = None) -> Occupied | None:
        """Return the squares on which pieces should be put next; `None` if the test is over.

        The test is over if no further round would reveal anything, or after MOST_FURTHER rounds beyond the first ones.
        It is also over if there are fewer than two pieces, or if the readings cannot be explained.

        Args:
            pieces: how many pieces are left; `None` if as many as before.
        """
        self._pieces = self._pieces if pieces is None else pieces
        chosen = self._waiting.pop(0) if self._waiting else self._further_round()
        if chosen is not None:
            chosen = frozenset(sorted(chosen)[: self._pieces])
            self._asked.add(chosen)
        return chosen

    def needs(self, square: int, standing: Occupied) -> bool:
        """Return whether an occupied square is read as closed only because of its own piece.

        The best explanation of the readings is assumed to be true.

        Args:
            square: the square.
            standing: all occupied squares.
        """
        explanations = self._explained()
        suspects: Suspects = explanations[0].suspects if explanations else frozenset()
        without = self._predictor.predict(suspects, standing - {square})
        return not (without.usual | without.possible) >> square & 1

    def independent(self, squares: Iterable[int], most: int) -> Occupied:
        """Return squares on which pieces can stand together without closing each other's switches.

        Args:
            squares: the squares to choose from, the preferred ones first.
            most: the maximum number of squares.
        """
        chosen: Occupied = frozenset()
        for square in squares:
            if len(chosen) >= most:
                break
            more = chosen | {square}
            if all(self.needs(each, more) for each in more):
                chosen = more
        return chosen

    def _further_round(self) -> Occupied | None:
        explanations = self._explained()
        if self._further >= MOST_FURTHER or not explanations or self._pieces < len(("one", "two")):
            return None
        self._further += 1
        telling = distinguishing_round(explanations, self._predictor, self._asked, self._pieces)
        if telling is not None and not telling.is_usual:
            self._unusual += 1
        if telling is not None and (telling.is_usual or self._unusual <= MOST_UNUSUAL_ROUNDS):
            return telling.standing
        best = explanations[0].suspects
        left = unproven_squares(best, self._readings, self._predictor)
        return proving_round(best, left, self._predictor, self._asked, self._pieces)

    def _explained(self) -> list[Explanation]:
        if self._explanations is None:
            found = explain(self._readings, self._predictor)
            varied = [each for one in found for each in variants(one, self._readings, self._predictor)]
            self._explanations = sorted(varied, key=lambda each: each.surprises)
        return self._explanations

    def verdict(self) -> MatrixVerdict:
        """Return the verdict that follows from the readings so far."""
        explanations = self._explained()
        if not explanations:
            return MatrixVerdict(frozenset(), (frozenset(),), (), frozenset(), is_explained=False)
        best, least = explanations[0].suspects, explanations[0].surprises
        usual = _alike([each.suspects for each in explanations if each.surprises == least])
        others = _alike([each.suspects for each in explanations if each.surprises > least])
        certain = frozenset.intersection(*usual)
        left = unproven_squares(best, self._readings, self._predictor)
        reads_ghosts = any(self._predictor.predict(best, standing).likely & read for standing, read in self._readings)
        return MatrixVerdict(
            certain,
            tuple(each - certain for each in usual),
            tuple(each - certain for each in others if each not in usual),
            frozenset(left),
            is_explained=True,
            reads_ghosts=reads_ghosts,
        )


def _alike(sets: list[Suspects]) -> list[Suspects]:
    """Return sets of faults, merging those sets that the readings cannot tell apart."""
    joined = [_with_groups(each) for each in sets]
    kinds: dict[tuple[int, ...], set[SuspectKind]] = {}
    for suspects in joined:
        for each in suspects:
            if each.kind in DIODES:
                kinds.setdefault(each.places, set()).add(each.kind)
    stands_for = {
        place: either
        for place, found in kinds.items()
        if (either := SAME_TO_READINGS.get(frozenset(found))) is not None
    }
    alike = (
        frozenset(
            Suspect(stands_for[each.places], each.places) if each.kind in DIODES and each.places in stands_for else each
            for each in suspects
        )
        for suspects in joined
    )
    return list(dict.fromkeys(alike))


def _with_groups(suspects: Suspects) -> Suspects:
    """Return the faults; shorts that have a line in common become one short between all their lines."""
    groups: list[set[int]] = []
    for each in suspects:
        if each.kind is SuspectKind.SHORT:
            touching = [group for group in groups if group & set(each.places)]
            groups = [group for group in groups if group not in touching]
            groups.append(set(each.places).union(*touching))
    others = {each for each in suspects if each.kind is not SuspectKind.SHORT}
    return frozenset(others | {Suspect(SuspectKind.SHORT, tuple(sorted(group))) for group in groups})
