"""Chooses rounds with several pieces that reveal missing diodes, distinguish explanations, and prove good diodes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from captains_table.doctor.diagnosis.explanations import Explanation, MatrixReading
from captains_table.doctor.diagnosis.matrix_logic import Predictor
from captains_table.doctor.diagnosis.suspects import DIODES, Suspect, SuspectKind, Suspects, matrix_lines_of
from captains_table.games.contract import Shape

Occupied = frozenset[int]
FEWEST_PIECES: Final = 3  # for three corners of a rectangle
MOST_COMPARED: Final = 8  # explanations that are compared with each other: the best ones
SPARE_LINES: Final = 2  # faultless files, and faultless ranks, that candidates may use as well
NARROWEST: Final = 2
WIDEST: Final = 4
GOOD_SHARE: Final = 0.5  # of the unproven diodes: a round that proves this share is taken at once


def first_rounds(shape: Shape, pieces: int) -> list[Occupied]:
    """Return rounds that reveal a missing or bridged diode on any square, each with at most this number of pieces.

    A bad diode is revealed if its square is the middle one of three occupied corners of a rectangle, because the empty
    fourth corner is then read as closed. With enough pieces a round is a stair of up to four squares on every rank,
    wrapped round the board; the rounds shift the stair until every square is covered. With few pieces a round is a
    stair of two squares on some of the ranks, or only three corners of a rectangle. With fewer than three pieces there
    is no round.
    """
    width = min(4, pieces // shape.ranks, shape.files // 2)
    if width >= 2:  # noqa: PLR2004 - a corner needs a second square on its rank
        return _covering(shape, [stair(shape, range(shape.ranks), shift, width) for shift in range(shape.files)])
    height = pieces // 2
    if pieces < FEWEST_PIECES:
        return []
    if height < 2:  # noqa: PLR2004
        return _covering(shape, _corners(shape))
    starts = range(shape.ranks)
    rounds = [
        stair(shape, [(start + step) % shape.ranks for step in range(height)], shift, 2)
        for start in starts
        for shift in range(shape.files)
    ]
    return _covering(shape, [*rounds, *_corners(shape)])


def revealing_squares(shape: Shape, standing: Occupied) -> set[int]:
    """Return the occupied squares at which a missing diode would make an empty square read as closed."""
    files, ranks = shape.files, shape.ranks
    return {
        square
        for square in standing
        if any(
            (square - square % files + file) in standing
            and (rank * files + square % files) in standing
            and rank * files + file not in standing
            for file in range(files)
            for rank in range(ranks)
        )
    }


def stair(shape: Shape, ranks: Iterable[int], shift: int, width: int, slant: int = 1) -> Occupied:
    """Return a stair: `width` adjacent squares on each given rank, shifted by `slant` files from rank to rank.

    Files beyond the edge continue at the opposite edge. The whole stair is shifted by `shift` files.
    """
    return frozenset(
        rank * shape.files + (slant * rank + shift + step) % shape.files for rank in ranks for step in range(width)
    )


def corner_round(shape: Shape, square: int, across: int = 1, along: int = 1) -> Occupied:
    """Return `square`, the square `across` files away, and the square `along` ranks away.

    The distances wrap round the edges of the board.
    """
    rank, file = divmod(square, shape.files)
    beside, above = (file + across) % shape.files, (rank + along) % shape.ranks
    return frozenset({square, rank * shape.files + beside, above * shape.files + file})


def _corners(shape: Shape) -> list[Occupied]:
    return [corner_round(shape, square) for square in range(shape.files * shape.ranks)]


def _covering(shape: Shape, choices: Sequence[Occupied]) -> list[Occupied]:
    """Return a small subset of `choices` that reveals the same squares as all choices together (greedy set cover)."""
    shows = {choice: revealing_squares(shape, choice) for choice in choices}
    left = set().union(*shows.values())
    rounds = []
    while left:
        best = max(choices, key=lambda choice: len(shows[choice] & left))
        rounds.append(best)
        left -= shows[best]
    return rounds


# --- distinguishing explanations ------------------------------------------------------------------------------------


class ChosenRound(NamedTuple):
    """A round that distinguishes explanations.

    Attributes:
        standing: the squares on which pieces are put.
        is_usual: whether most scanner chips show the difference; if false, only some scanner chips do.
    """

    standing: Occupied
    is_usual: bool


def distinguishing_round(
    explanations: Sequence[Explanation], predictor: Predictor, done: Iterable[Occupied], pieces: int
) -> ChosenRound | None:
    """Return the round that distinguishes the most pairs of explanations; `None` if no round distinguishes any.

    Only rounds of two or three pieces are tried. At most MOST_COMPARED explanations are compared. Their number of
    surprises (see `Explanation`) may exceed the smallest number by 1. A pair of explanations counts twice if most
    scanner chips show the difference, and once if only some scanner chips show it.

    Args:
        explanations: the explanations, the best first.
        predictor: predicts the readings.
        done: the rounds that have been read already.
        pieces: the number of pieces.
    """
    least = min((each.surprises for each in explanations), default=0)
    compared = [each.suspects for each in explanations if each.surprises <= least + 1][:MOST_COMPARED]
    done = set(done)
    best: tuple[tuple[int, int], ChosenRound] | None = None
    for standing in _candidates(compared, predictor.shape):
        if standing in done or len(standing) > pieces:
            continue
        usual, unusual = _count_distinguished(compared, predictor, standing)
        worth = (2 * usual + unusual, -len(standing))
        if (usual or unusual) and (best is None or worth > best[0]):
            best = worth, ChosenRound(standing, usual > 0)
    return None if best is None else best[1]


def _count_distinguished(compared: Sequence[Suspects], predictor: Predictor, standing: Occupied) -> tuple[int, int]:
    """Count the pairs of explanations that a round distinguishes.

    The first number counts the pairs that the round distinguishes on most chips. The second number counts the pairs
    that it distinguishes only on some chips. Chips differ in the voltage that they read as low.
    """
    predictions = [predictor.predict(suspects, standing) for suspects in compared]
    usual = unusual = 0
    for one, other in combinations(predictions, 2):
        if (one.usual ^ other.usual) & ~(one.possible | other.possible):
            usual += 1
        elif (one.usual | one.possible) != (other.usual | other.possible):
            unusual += 1
    return usual, unusual


def _candidates(compared: Sequence[Suspects], shape: Shape) -> Iterator[Occupied]:
    """Yield sets of squares on which the test may ask for pieces in the next round.

    Each set is three corners, or two opposite corners, of a rectangle. The sides of the rectangle lie on files and
    ranks about which the explanations differ, or on a few spare ones.
    """
    concerned = {
        line
        for suspects in compared
        for suspect in suspects
        if not all(suspect in other for other in compared)
        for line in (
            suspect.places
            if suspect.kind in {SuspectKind.SHORT, SuspectKind.OPEN}
            else [line for square in suspect.places for line in matrix_lines_of(shape, square)]
        )
    }
    files = _with_spares(concerned, range(shape.files))
    ranks = _with_spares(concerned, range(shape.files, shape.files + shape.ranks))
    for one, other in combinations(files, 2):
        for low, high in combinations(ranks, 2):
            corners = [(rank - shape.files) * shape.files + file for rank in (low, high) for file in (one, other)]
            yield from map(frozenset, combinations(corners, 3))
            yield frozenset({corners[0], corners[3]})
            yield frozenset({corners[1], corners[2]})


def _with_spares(concerned: Iterable[int], lines: range) -> list[int]:
    concerned = set(concerned)
    spare = [line for line in lines if line not in concerned][:SPARE_LINES]
    return sorted([*(line for line in lines if line in concerned), *spare])


def unproven_squares(suspects: Suspects, readings: Iterable[MatrixReading], predictor: Predictor) -> set[int]:
    """Return the squares whose diode is neither assumed to be faulty nor proven to be good.

    A diode is proven to be good if a reading would have been different with the diode missing or bridged.
    """
    shape = predictor.shape
    left = set(range(shape.files * shape.ranks)) - {each.places[0] for each in suspects if each.kind in DIODES}
    for standing, _ in readings:
        left -= {square for square in left & standing if _would_be_noticed(square, suspects, standing, predictor)}
    return left


def proving_round(
    suspects: Suspects, left: set[int], predictor: Predictor, done: Iterable[Occupied], pieces: int
) -> Occupied | None:
    """Return a round that would reveal missing diodes on as many squares as possible; `None` if no round reveals any.

    The search stops at the first round that would reveal missing diodes on GOOD_SHARE of the unproven squares.

    Args:
        suspects: the faults that are assumed.
        left: the squares whose diode is not proven.
        predictor: predicts the readings.
        done: the rounds that have been read already.
        pieces: the number of pieces.
    """
    best: tuple[int, Occupied] | None = None
    tried = set(done)
    for standing in _proving_candidates(predictor.shape, left):
        if standing in tried or len(standing) > pieces:
            continue
        tried.add(standing)
        noticed = sum(_would_be_noticed(square, suspects, standing, predictor) for square in left & standing)
        if noticed and (best is None or noticed > best[0]):
            best = noticed, standing
        if noticed >= GOOD_SHARE * len(left):
            break
    return None if best is None else best[1]


def _would_be_noticed(square: int, suspects: Suspects, standing: Occupied, predictor: Predictor) -> bool:
    without = predictor.predict(suspects, standing)
    with_it = predictor.predict(suspects | {Suspect(SuspectKind.LINKED, (square,))}, standing)
    return bool(with_it.usual & ~(without.usual | without.possible))


def _proving_candidates(shape: Shape, left: set[int]) -> Iterator[Occupied]:
    """Yield the sets of squares that the test's next round may occupy to prove that diodes are good.

    First come stairs in both directions (see `stair`). Then come, for each square in `left`, three corners of every
    rectangle that has this square as a corner, from small rectangles to large ones.

    Args:
        shape: the board's size.
        left: the squares whose diode is not proven.
    """
    for width in range(NARROWEST, WIDEST):
        for shift in range(shape.files):
            for slant in (-1, 1):
                yield stair(shape, range(shape.ranks), shift, width, slant)
    for square in sorted(left):
        for across in range(1, shape.files):
            for along in range(1, shape.ranks):
                yield corner_round(shape, square, across, along)
