"""Faulty boards at random, as a builder may have soldered them."""

import random
from collections.abc import Collection
from itertools import pairwise

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.faults import (
    DIODE_FAULTS,
    REED_FAULTS,
    BadFault,
    BoardFault,
    FaultKind,
    FileLine,
    MatrixLine,
    RankLine,
    check_together,
)

MOST_FAULTS = 3


def random_faults(
    rng: random.Random, shape: Shape, kinds: Collection[FaultKind] = tuple(FaultKind), most: int = MOST_FAULTS
) -> tuple[BoardFault, ...]:
    """Return one to `most` different faults of these kinds that can be together, in no order."""
    wanted = rng.randint(1, most)
    faults: list[BoardFault] = []
    while len(faults) < wanted:
        fault = random_fault(rng, shape, rng.choice(list(kinds)))
        if fault not in faults and _can_be_together([*faults, fault]):
            faults.append(fault)
    return tuple(faults)


def random_fault(rng: random.Random, shape: Shape, kind: FaultKind) -> BoardFault:
    """Return a fault of a kind, anywhere on a board."""
    if kind in DIODE_FAULTS | REED_FAULTS:
        return BoardFault(kind, (Square(rng.randrange(shape.files), rng.randrange(shape.ranks)),))
    files: list[MatrixLine] = [FileLine(file) for file in range(shape.files)]
    ranks: list[MatrixLine] = [RankLine(rank) for rank in range(shape.ranks)]
    if kind is FaultKind.LINE_OPEN:
        return BoardFault(kind, (rng.choice(files + ranks),))
    return BoardFault(
        kind, rng.choice([*_neighbours(files), *_neighbours(ranks), (rng.choice(files), rng.choice(ranks))])
    )


def _neighbours(lines: list[MatrixLine]) -> list[tuple[MatrixLine, MatrixLine]]:
    """Return the lines that are next to each other, as wires that touch do."""
    return list(pairwise(lines))


def _can_be_together(faults: list[BoardFault]) -> bool:
    try:
        check_together(faults)
    except BadFault:
        return False
    return True
