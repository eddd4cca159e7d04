"""Finds the smallest sets of faults that explain all readings: a conflict-directed search for minimal diagnoses.

A reading that the assumed faults do not explain is a conflict. The search then tries each single fault that would
explain it (R. Reiter, "A theory of diagnosis from first principles", 1987: conflicts and their hitting sets). The best
of the smallest sets has the fewest surprises. A surprise is a square that was read as open although most chips would
have read it as closed. The search is limited for speed, so it may miss sets. Finally, `variants` names the possible
defects of squares that do not conduct.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from captains_table.doctor.diagnosis.matrix_logic import Predictor, closed_reeds, current_graph
from captains_table.doctor.diagnosis.suspects import (
    DIODES,
    Suspect,
    SuspectKind,
    Suspects,
    mask_of,
    matrix_lines_of,
    short,
    squares_of,
)
from captains_table.games.contract import Shape

MOST_FAULTS: Final = 12  # with more faults the test only reports what was seen
MOST_EXAMINED: Final = 6000  # sets of faults that are examined: a second or two on the slowest Pi
FEW: Final = 4  # ghosts of a small round that are examined
BEAM: Final = 6  # causes in a large round that are followed: those that leave the least of it unexplained
SMALL_ROUND: Final = 1  # pieces; before a larger round, shorts between lines are known


class MatrixReading(NamedTuple):
    """One reading of the board, and the pieces that were on the board then.

    Attributes:
        standing: the squares with a piece whose magnet works.
        read: the bit mask of the squares that were read as closed.
    """

    standing: frozenset[int]
    read: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """A set of faults that explains every reading.

    Attributes:
        suspects: the faults.
        surprises: how many squares, in all readings together, were read as open although most scanner chips would read
            them as closed.
    """

    suspects: Suspects
    surprises: int


def explain(readings: Iterable[MatrixReading], predictor: Predictor) -> list[Explanation]:
    """Return the smallest sets of faults that explain all readings, the best first.

    The result is empty if no set of up to MOST_FAULTS faults explains all readings. If the search gave up after
    MOST_EXAMINED sets, the result may be incomplete or empty.
    """
    search = _Search(sorted(set(readings), key=lambda reading: len(reading.standing)), predictor)
    for size in range(MOST_FAULTS + 1):
        found = search.of_size(size)
        if found or search.is_exhausted:
            return sorted(found, key=lambda each: (each.surprises, sorted(each.suspects)))
    return []


def surprises(suspects: Suspects, readings: Iterable[MatrixReading], predictor: Predictor) -> int:
    """Return how often a square was read as open although most chips would read it as closed.

    The chips are assumed to read a board with the suspected faults.
    """
    return sum(predictor.predict(suspects, standing).surprises(read) for standing, read in readings)


def variants(explanation: Explanation, readings: Sequence[MatrixReading], predictor: Predictor) -> list[Explanation]:
    """Return variants of an explanation that state the defect of each mute square.

    A mute square does not conduct from file to rank. In a variant, every mute square either does not conduct at all, or
    has a reversed diode. Only variants that the readings allow are returned. If there is none, or if more than FEW
    squares are mute, only the given explanation is returned.
    """
    mute = [each for each in explanation.suspects if each.kind is SuspectKind.MUTE]
    others = explanation.suspects - set(mute)
    kinds = (SuspectKind.BROKEN, SuspectKind.REVERSED)
    made = []
    for chosen in product(kinds, repeat=len(mute)) if len(mute) <= FEW else ():
        suspects = others | {Suspect(kind, each.places) for kind, each in zip(chosen, mute, strict=True)}
        if all(predictor.predict(suspects, standing).allows(read) for standing, read in readings):
            made.append(Explanation(suspects, surprises(suspects, readings, predictor)))
    return made or [explanation]


class _Search:
    def __init__(self, readings: Sequence[MatrixReading], predictor: Predictor) -> None:
        self._readings = readings
        self._predictor = predictor
        self._shape = predictor.shape
        self._tried = 0
        self._seen_lines = _lines_read(self._shape, readings)
        self._alone = {next(iter(standing)): read for standing, read in readings if len(standing) == 1}
        self._at_rest = next((read for standing, read in readings if not standing), 0)

    @property
    def is_exhausted(self) -> bool:
        """Whether the search gives up because it has examined `MOST_EXAMINED` sets of faults."""
        return self._tried >= MOST_EXAMINED

    def of_size(self, size: int) -> list[Explanation]:
        """Return all explanations with `size` faults; the caller must have found none with fewer faults.

        The result may be incomplete or empty if the search gives up (`is_exhausted`).
        """
        self._visited: set[Suspects] = set()
        return list(self._extend(frozenset(), size))

    def _extend(self, suspects: Suspects, left: int) -> Iterator[Explanation]:
        if suspects in self._visited or self.is_exhausted:
            return
        self._visited.add(suspects)
        self._tried += 1
        conflict = self._first_conflict(suspects)
        if conflict is None:
            yield Explanation(suspects, surprises(suspects, self._readings, self._predictor))
        elif left:
            for cause in self._causes(suspects, conflict):
                yield from self._extend(suspects | {cause}, left - 1)

    def _first_conflict(self, suspects: Suspects) -> MatrixReading | None:
        for reading in self._readings:
            if not self._predictor.predict(suspects, reading.standing).allows(reading.read):
                return reading
        return None

    # --- causes -----------------------------------------------------------------------------------------------------

    def _causes(self, suspects: Suspects, reading: MatrixReading) -> list[Suspect]:
        """Return further faults that could explain a difference between the reading and the assumed faults' prediction.

        If an expected closed switch is missing from the reading, only faults that hide this switch are returned.
        Otherwise, the faults explain switches that were unexpectedly read as closed. With more than SMALL_ROUND pieces
        on the board, at most the BEAM most promising of these faults are returned.
        """
        prediction = self._predictor.predict(suspects, reading.standing)
        missed = prediction.missed(reading.read)
        if missed:
            of_silence = self._causes_of_silence(suspects, reading, squares_of(missed)[0])
            return [cause for cause in of_silence if self._may_be(suspects, cause)]
        ghosts = squares_of(prediction.unexplained(reading.read))
        is_small = len(reading.standing) <= SMALL_ROUND
        causes = {
            cause
            for ghost in (ghosts[:FEW] if is_small else ghosts)  # in a large one several causes may act at once
            for cause in self._causes_of_ghost(suspects, reading, ghost)
            if self._may_be(suspects, cause)
        }
        if is_small or len(causes) <= BEAM:
            return sorted(causes)
        return sorted(causes, key=lambda cause: (self._badness(suspects | {cause}, reading), cause))[:BEAM]

    def _badness(self, suspects: Suspects, reading: MatrixReading) -> int:
        prediction = self._predictor.predict(suspects, reading.standing)
        return prediction.surprises(reading.read) + prediction.unexplained(reading.read).bit_count()

    def _causes_of_silence(self, suspects: Suspects, reading: MatrixReading, square: int) -> Iterator[Suspect]:
        file, rank = matrix_lines_of(self._shape, square)
        reeds = closed_reeds(suspects, reading.standing)
        for other in sorted(reeds) if len(reeds) <= FEW else [square] if square in reeds else []:
            yield Suspect(SuspectKind.MUTE, (other,))
        yield Suspect(SuspectKind.OPEN, (file,))
        yield Suspect(SuspectKind.OPEN, (rank,))

    def _causes_of_ghost(self, suspects: Suspects, reading: MatrixReading, ghost: int) -> Iterator[Suspect]:
        """Yield the faults that let current flow from the file line to the rank line of a ghost.

        A ghost is an empty square that is read as closed.
        """
        file, rank = matrix_lines_of(self._shape, ghost)
        if {Suspect(SuspectKind.OPEN, (line,)) for line in (file, rank)} & suspects:
            return
        reeds = closed_reeds(suspects, reading.standing)
        made = current_graph(self._shape, suspects, reeds)
        to_rank = made.leading_to(rank).keys()
        from_file = made.reversed().leading_to(file).keys()
        for square in sorted(reeds):
            its_file, its_rank = matrix_lines_of(self._shape, square)
            if its_rank in from_file and its_file in to_rank:
                yield Suspect(SuspectKind.LINKED, (square,))
                yield Suspect(SuspectKind.MUTE, (square,))
        if len(reading.standing) <= SMALL_ROUND:
            yield from self._causes_in_small_round(reading.standing, ghost, from_file, to_rank)
        else:
            mute = {each.places[0] for each in suspects if each.kind is SuspectKind.MUTE}
            for place in mute - reeds:  # it does not conduct alone, and may yet be closed permanently
                yield Suspect(SuspectKind.STUCK, (place,))
            # shorts between lines are known by now, unless one of the lines is not connected
            loose = {each.places[0] for each in suspects if each.kind is SuspectKind.OPEN}
            yield from sorted({each for each in _shorts(from_file, to_rank) if loose & set(each.places)})

    def _causes_in_small_round(
        self, standing: frozenset[int], ghost: int, from_file: Iterable[int], to_rank: Iterable[int]
    ) -> Iterator[Suspect]:
        yield from sorted(_shorts(from_file, to_rank))
        for file, rank in product(from_file, to_rank):
            if file < self._shape.files <= rank:
                yield Suspect(SuspectKind.STUCK, ((rank - self._shape.files) * self._shape.files + file,))
        for square in standing:
            if _are_neighbours(self._shape, square, ghost):
                yield Suspect(SuspectKind.WIDE, (square, ghost))

    def _may_be(self, suspects: Suspects, cause: Suspect) -> bool:
        """Return whether a fault is compatible with the assumed faults and with each single reading."""
        place = cause.places[0]
        match cause.kind:
            case SuspectKind.OPEN:
                return place not in self._seen_lines
            case SuspectKind.MUTE | SuspectKind.LINKED:
                if any(each.kind in DIODES and each.places[0] == place for each in suspects):
                    return False
                bit = mask_of([place])
                return cause.kind is SuspectKind.LINKED or not self._alone.get(place, 0) & bit & ~self._at_rest
        return True


def _shorts(from_file: Iterable[int], to_rank: Iterable[int]) -> set[Suspect]:
    return {short(one, other) for one in from_file for other in to_rank if one != other}


def _lines_read(shape: Shape, readings: Iterable[MatrixReading]) -> frozenset[int]:
    """Return the lines of all squares that were read as closed at least once."""
    squares = {square for reading in readings for square in squares_of(reading.read)}
    return frozenset(line for square in squares for line in matrix_lines_of(shape, square))


def _are_neighbours(shape: Shape, one: int, other: int) -> bool:
    (rank, file), (other_rank, other_file) = divmod(one, shape.files), divmod(other, shape.files)
    return max(abs(rank - other_rank), abs(file - other_file)) == 1
