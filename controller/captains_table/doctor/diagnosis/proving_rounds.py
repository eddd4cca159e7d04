"""Which diodes the rounds so far have proven good, and a further round for those that another fault has hidden."""

from collections.abc import Iterable, Iterator
from typing import Final

from captains_table.doctor.diagnosis.explaining import Reading
from captains_table.doctor.diagnosis.matrix_logic import Predictor
from captains_table.doctor.diagnosis.suspects import DIODES, Suspect, SuspectKind, Suspects
from captains_table.doctor.diagnosis.telling_rounds import Round, corner_round, stair
from captains_table.games.contract import Shape

NARROWEST: Final = 2
WIDEST: Final = 4
GOOD_SHARE: Final = 0.5  # of what is to be proven: a round that proves so much is not compared with others


def unproven(suspects: Suspects, readings: Iterable[Reading], predictor: Predictor) -> set[int]:
    """Return the squares whose missing or bridged diode would not have been noticed yet beside these faults."""
    shape = predictor.shape
    left = set(range(shape.files * shape.ranks)) - {each.places[0] for each in suspects if each.kind in DIODES}
    for standing, _ in readings:
        left -= {square for square in left & standing if _would_be_noticed(square, suspects, standing, predictor)}
    return left


def proving_round(
    suspects: Suspects, left: set[int], predictor: Predictor, done: Iterable[Round], pieces: int
) -> Round | None:
    """Return the round that would notice most of these squares' missing diodes, None if none would."""
    best: tuple[int, Round] | None = None
    tried = set(done)
    for standing in _candidates(predictor.shape, left):
        if standing in tried or len(standing) > pieces:
            continue
        tried.add(standing)
        noticed = sum(_would_be_noticed(square, suspects, standing, predictor) for square in left & standing)
        if noticed and (best is None or noticed > best[0]):
            best = noticed, standing
        if noticed >= GOOD_SHARE * len(left):
            break
    return None if best is None else best[1]


def _would_be_noticed(square: int, suspects: Suspects, standing: Round, predictor: Predictor) -> bool:
    without = predictor.predict(suspects, standing)
    with_it = predictor.predict(suspects | {Suspect(SuspectKind.LINKED, (square,))}, standing)
    return bool(with_it.usual & ~(without.usual | without.possible))


def _candidates(shape: Shape, left: set[int]) -> Iterator[Round]:
    """Yield stairs of both slants, and rectangles' corners about each square that is left, nearest lines first."""
    for width in range(NARROWEST, WIDEST):
        for shift in range(shape.files):
            for slant in (-1, 1):
                yield stair(shape, range(shape.ranks), shift, width, slant)
    for square in sorted(left):
        for across in range(1, shape.files):
            for along in range(1, shape.ranks):
                yield corner_round(shape, square, across, along)
