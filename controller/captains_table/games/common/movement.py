"""Move generation for boards of any size: finds the target squares and the attacks of leapers and riders from tables.

A square is a number: its file plus its rank times the number of files, where file and rank count from 0. A board is a
sequence of bytes: the piece code of each square, 0 for a vacant one. A game defines its pieces by offsets in files and
ranks. From these offsets the tables are made once: for each square, the squares that a piece leaps to and the rays
along which it rides. The attack tables also find the pieces that shield a square and may be pinned.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from msgspec import Struct

from captains_table.games.contract import Shape

Offset = tuple[int, int]  # files, ranks; positive means towards the last file and rank
MailboxBoard = bytes | bytearray
VACANT = 0


def all_rotations(*offsets: Offset) -> frozenset[Offset]:
    """Return the offsets in all rotations and mirror images: (1, 2) gives all eight leaps of a knight."""
    return frozenset(
        (first * files, second * ranks)
        for one, other in offsets
        for files, ranks in ((one, other), (other, one))
        for first in (1, -1)
        for second in (1, -1)
    )


ORTHOGONAL = all_rotations((0, 1))
DIAGONAL = all_rotations((1, 1))
KNIGHTLY = all_rotations((1, 2))


class Movement(Struct, frozen=True):
    """The moves of a piece, as White makes them.

    Attributes:
        leaps: the offsets by which the piece leaps.
        rides: the offsets that the piece repeats along a line until it is blocked.
    """

    leaps: frozenset[Offset] = frozenset()
    rides: frozenset[Offset] = frozenset()

    def mirrored(self) -> "Movement":
        """Return the movement mirrored for Black, who moves forward towards lower ranks."""
        return Movement(_each(self.leaps, 1, -1), _each(self.rides, 1, -1))

    def reversed(self) -> "Movement":
        """Return the movement with all offsets negated, as seen from the other side of the board.

        The returned movement also leads from each target square back to the start.
        """
        return Movement(_each(self.leaps, -1, -1), _each(self.rides, -1, -1))


def _each(offsets: Iterable[Offset], files: int, ranks: int) -> frozenset[Offset]:
    return frozenset((file * files, rank * ranks) for file, rank in offsets)


class Reach:
    """The tables of one movement on one board.

    Attributes:
        steps: for each square, the squares that the piece leaps to.
        rays: for each square, the rays along which it rides, nearest square first.
    """

    __slots__ = ("rays", "steps")

    def __init__(self, shape: Shape, movement: Movement) -> None:
        squares = range(shape.files * shape.ranks)
        leaps, rides = sorted(movement.leaps), sorted(movement.rides)
        self.steps = tuple(tuple(to for leap in leaps for to in ray_from(shape, at, leap)[:1]) for at in squares)
        self.rays = tuple(tuple(ray for ride in rides if (ray := ray_from(shape, at, ride))) for at in squares)

    def targets(self, board: MailboxBoard, at: int, barred: Collection[int]) -> list[int]:
        """Return the squares that a piece can move to, whether vacant or occupied by a piece that it may capture.

        A ray ends at its first occupied square. A square is listed twice if the piece reaches it both by a leap and
        along a ray.

        Args:
            board: the piece code of each square.
            at: the square of the piece.
            barred: the codes of the pieces that the piece may not capture, as a rule those of its own side.
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
    """Return the squares on the ray from `at`, which is excluded, by repeated steps of an offset up to the edge.

    The result is cached, since many pieces share a ray.
    """
    files, ranks = shape.files, shape.ranks
    rank, file = divmod(at, files)
    ray = []
    while 0 <= (file := file + offset[0]) < files and 0 <= (rank := rank + offset[1]) < ranks:
        ray.append(file + rank * files)
    return tuple(ray)


@dataclass(frozen=True, slots=True)
class Attacks:
    """The attack tables of one side: for each square, from where and by which pieces it can be attacked.

    Attributes:
        leapers: for each target square, pairs: a square, and the codes of the pieces that leap from it to the target.
        riders: for each target square, pairs: a ray of squares, the one nearest to the target first, and the codes of
            the pieces that attack the target along this ray.
    """

    leapers: tuple[tuple[tuple[int, frozenset[int]], ...], ...] = field(repr=False)
    riders: tuple[tuple[tuple[tuple[int, ...], frozenset[int]], ...], ...] = field(repr=False)

    @classmethod
    def of(cls, shape: Shape, pieces: Mapping[int, Movement]) -> "Attacks":
        """Return the attack tables of a side.

        Args:
            shape: the board's size.
            pieces: how each piece of the side captures, keyed by the piece's code.
        """
        back = {code: movement.reversed() for code, movement in pieces.items()}
        leaps = _users({code: movement.leaps for code, movement in back.items()})
        rides = _users({code: movement.rides for code, movement in back.items()})
        squares = range(shape.files * shape.ranks)
        return cls(
            tuple(tuple((to, u) for leap, u in leaps for to in ray_from(shape, at, leap)[:1]) for at in squares),
            tuple(tuple((ray, u) for ride, u in rides if (ray := ray_from(shape, at, ride))) for at in squares),
        )

    def hit(self, board: MailboxBoard, square: int) -> bool:
        """Return whether the side attacks a square of a board."""
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

    def shields(self, board: MailboxBoard, square: int) -> list[int]:
        """Return the squares of all pieces of both sides that shield a square from one of this side's riders.

        A shield is the only piece between rider and square. It may be pinned, or its move may uncover an attack.
        """
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
    """Return each offset with the codes of the pieces that use it."""
    used = sorted({offset for each in offsets.values() for offset in each})
    return [(offset, frozenset(code for code, each in offsets.items() if offset in each)) for offset in used]
