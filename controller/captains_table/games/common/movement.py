"""How pieces move on a board of any size: leapers and riders, and what attacks what.

A square is a number, file + rank x files; a board is bytes, one piece code a square, 0 where it is vacant. What can be
worked out beforehand is: for each square where a piece steps to and along which rays it rides. So a game says what its
pieces do in offsets of files and ranks, and moving them is walking through tables.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from msgspec import Struct

from captains_table.games.contract import Shape

Offset = tuple[int, int]  # files, ranks; positive is towards the last file and rank
Board = bytes | bytearray
VACANT = 0


def turned(*offsets: Offset) -> frozenset[Offset]:
    """Return offsets turned and mirrored every way: (1, 2) gives all eight leaps of a knight."""
    return frozenset(
        (first * files, second * ranks)
        for one, other in offsets
        for files, ranks in ((one, other), (other, one))
        for first in (1, -1)
        for second in (1, -1)
    )


ORTHOGONAL = turned((0, 1))
DIAGONAL = turned((1, 1))
KNIGHTLY = turned((1, 2))


class Movement(Struct, frozen=True):
    """What a piece does, seen from White: offsets it leaps (or steps) by, and offsets it rides along until blocked."""

    leaps: frozenset[Offset] = frozenset()
    rides: frozenset[Offset] = frozenset()

    def mirrored(self) -> "Movement":
        """Return the same for the other side, whose forward is down the board."""
        return Movement(_each(self.leaps, 1, -1), _each(self.rides, 1, -1))

    def reversed(self) -> "Movement":
        """Return what leads back: from the square reached to where the piece stood."""
        return Movement(_each(self.leaps, -1, -1), _each(self.rides, -1, -1))


def _each(offsets: Iterable[Offset], files: int, ranks: int) -> frozenset[Offset]:
    return frozenset((file * files, rank * ranks) for file, rank in offsets)


class Reach:
    """One movement on one board, worked out for every square.

    Attributes:
        steps: for each square, the squares it leaps to.
        rays: for each square, the lines it rides along, nearest square first.
    """

    __slots__ = ("rays", "steps")

    def __init__(self, shape: Shape, movement: Movement) -> None:
        squares = range(shape.files * shape.ranks)
        leaps, rides = sorted(movement.leaps), sorted(movement.rides)
        self.steps = tuple(tuple(to for leap in leaps for to in ray_from(shape, at, leap)[:1]) for at in squares)
        self.rays = tuple(tuple(ray for ride in rides if (ray := ray_from(shape, at, ride))) for at in squares)

    def targets(self, board: Board, at: int, barred: Collection[int]) -> list[int]:
        """Return the squares a piece reaches from one: vacant ones, and the first one met on each way.

        Args:
            board: what stands where.
            at: where the piece stands.
            barred: codes of pieces it may not take, as a rule those of its own side.
        """
        found = [to for to in self.steps[at] if board[to] not in barred]
        for ray in self.rays[at]:
            for to in ray:
                there = board[to]
                if there:
                    if there not in barred:
                        found.append(to)
                    break
                found.append(to)
        return found


@cache
def ray_from(shape: Shape, at: int, offset: Offset) -> tuple[int, ...]:
    """Return the squares from one on along an offset, up to the edge; kept, as many pieces use the same."""
    files, ranks = shape.files, shape.ranks
    rank, file = divmod(at, files)
    ray = []
    while 0 <= (file := file + offset[0]) < files and 0 <= (rank := rank + offset[1]) < ranks:
        ray.append(file + rank * files)
    return tuple(ray)


@dataclass(frozen=True, slots=True)
class Attacks:
    """Whence each square can be attacked by one side.

    Attributes:
        leapers: for each square, pairs of a square and the codes of the pieces that attack by leaping from there.
        riders: for each square, pairs of a line, nearest square first, and the codes of those that ride along it.
    """

    leapers: tuple[tuple[tuple[int, frozenset[int]], ...], ...] = field(repr=False)
    riders: tuple[tuple[tuple[tuple[int, ...], frozenset[int]], ...], ...] = field(repr=False)

    @classmethod
    def of(cls, shape: Shape, pieces: Mapping[int, Movement]) -> "Attacks":
        """Return the attacks of a side.

        Args:
            shape: the board.
            pieces: how each code of that side takes.
        """
        back = {code: movement.reversed() for code, movement in pieces.items()}
        leaps = _users({code: movement.leaps for code, movement in back.items()})
        rides = _users({code: movement.rides for code, movement in back.items()})
        squares = range(shape.files * shape.ranks)
        return cls(
            tuple(tuple((to, u) for leap, u in leaps for to in ray_from(shape, at, leap)[:1]) for at in squares),
            tuple(tuple((ray, u) for ride, u in rides if (ray := ray_from(shape, at, ride))) for at in squares),
        )

    def hit(self, board: Board, square: int) -> bool:
        """Return whether a square is attacked."""
        for source, codes in self.leapers[square]:
            if board[source] in codes:
                return True
        for ray, codes in self.riders[square]:
            for source in ray:
                there = board[source]
                if there:
                    if there in codes:
                        return True
                    break
        return False

    def shields(self, board: Board, square: int) -> list[int]:
        """Return where a single piece of any side stands between a rider and a square: moving it may open an attack."""
        found = []
        for ray, codes in self.riders[square]:
            shield = -1
            for source in ray:
                there = board[source]
                if not there:
                    continue
                if shield < 0:
                    shield = source
                    continue
                if there in codes:
                    found.append(shield)
                break
        return found


def _users(offsets: Mapping[int, frozenset[Offset]]) -> list[tuple[Offset, frozenset[int]]]:
    """Return each offset with the codes of those that use it."""
    used = sorted({offset for each in offsets.values() for offset in each})
    return [(offset, frozenset(code for code, each in offsets.items() if offset in each)) for offset in used]
