"""What a hand does: a deed on the board as the comings and goings of magnets.

A deed is only the pieces before and after; how they get there is drawn: in which order pieces are lifted, whether they
are carried or slid and along which path, how quickly, and with which second thoughts.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from captains_table.games.contract import Shape, Square
from captains_table.simulation.noisy_switches import Touch, slide_path, slide_touches
from tests.support.noise_mix import NoiseMix

CARRY_MS = (120, 900)
BETWEEN_MS = (40, 600)
ROCK_MS = (12, 60)
HOVER_MS = (500, 6000)
REST_MS = (100, 2500)
SWAP_MS = (60, 400)
PAWNS = "Pp"
Pieces = Mapping[Square, str]
Chance = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class PieceMove:
    """One piece's way: from a square or from beside the board, to a square or off the board."""

    piece: str
    start: Square | None
    end: Square | None


class Step(Enum):
    """The halves of a carry."""

    LIFT = auto()
    PLACE = auto()


@dataclass(slots=True)
class Hand:
    """A hand at work on one deed; `perform` is its whole life.

    Attributes:
        now_ms: its clock.
        stands: how many magnets are on each square.
        touches: the magnets' comings and goings.
        kinds: the kinds of noise in what it did.
        tried: the squares a piece was put on for a try.
        missing: whether a lift was never to be seen, so that the switches cannot tell what was done.
    """

    mix: NoiseMix
    rng: random.Random
    shape: Shape
    now_ms: int
    stands: dict[Square, int]
    touches: list[Touch] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    tried: list[Square] = field(default_factory=list)
    missing: bool = False
    promotes: bool = False

    def chance(self, kind: str) -> bool:
        """Return whether a kind of noise happens here, and remember it."""
        happens = self.rng.random() < float(getattr(self.mix, kind))
        if happens:
            self.kinds.add(kind)
        return happens

    def pause(self, between: tuple[int, int]) -> None:
        """Let a time pass that is more often short than long."""
        lo, hi = between
        self.now_ms += round(lo * (hi / lo) ** self.rng.random())

    # --- the parts of a gesture -------------------------------------------------------------------------------------

    def perform(self, moves: list[PieceMove]) -> None:
        """Bring all pieces to where they go."""
        self.promotes = any(move.piece in PAWNS and move.end is None for move in moves)
        steps = ordered(moves, self.rng, self.chance)
        swapped = self._swapped(moves)
        hover = self.chance("hover")
        for i, (step, move) in enumerate(steps):
            if i:
                self.pause(BETWEEN_MS)
            if step is Step.LIFT:
                self._lift(move, swapped)
                self._hesitate(moves, move, hover=hover and move.end is not None)
            else:
                lifted_just_now = i > 0 and steps[i - 1] == (Step.LIFT, move)
                self._place(move, swapped, may_slide=lifted_just_now)

    def _swapped(self, moves: list[PieceMove]) -> Square | None:
        """Return the square on which the victim's lift will not be seen."""
        ends = {move.end for move in moves if move.start is not None}
        squares = [move.start for move in moves if move.end is None and move.start in ends]
        return squares[0] if squares and self.chance("swapped") else None

    def _lift(self, move: PieceMove, swapped: Square | None) -> None:
        square = move.start
        if square is None or (square == swapped and move.end is None):
            return  # it comes from beside the board, or is taken from under the capturer
        self._touch(square, -1)
        if self.chance("rock"):
            self.pause(ROCK_MS)
            self._touch(square, 1)
            self.pause(ROCK_MS)
            self._touch(square, -1)

    def _hesitate(self, moves: list[PieceMove], move: PieceMove, *, hover: bool) -> None:
        if hover:
            self.pause(HOVER_MS)
        start = move.start
        if start is None or move.end is None:
            return
        if self.chance("go_back"):
            self.pause(BETWEEN_MS)
            self._touch(start, 1, rests=True)
            self.pause(REST_MS)
            self._touch(start, -1)
        busy = {square for other in moves for square in (other.start, other.end)}
        if self.chance("try_other"):
            vacant = [near for near in self.shape.squares() if not self.stands.get(near) and near not in busy]
            self._try(self.rng.choice(vacant))

    def _try(self, square: Square) -> None:
        self.tried.append(square)
        self.pause(CARRY_MS)
        self._touch(square, 1, rests=True)
        self.pause(REST_MS)
        self._touch(square, -1)

    def _place(self, move: PieceMove, swapped: Square | None, *, may_slide: bool) -> None:
        start, end = move.start, move.end
        if end is None:
            return
        if start is None and self.promotes and self.chance("any_order"):
            self._try_pawn(end)
        path = self._path(start, end) if start is not None and may_slide else None
        if path is not None:
            self._slide(path)
        else:
            self.pause(CARRY_MS)
        self._touch(end, 1, rests=True)
        if end == swapped and start is not None:
            self.pause(SWAP_MS)
            self._touch(end, -1)
            self.missing = True
        elif self.chance("rock"):
            self._touch(end, -1, after=ROCK_MS)
            self._touch(end, 1, after=ROCK_MS, rests=True)

    def _try_pawn(self, end: Square) -> None:
        """Promote by pushing the pawn to the last rank first, then changing it for another piece."""
        self.pause(CARRY_MS)
        self._touch(end, 1, rests=True)
        self.pause(BETWEEN_MS)
        self._touch(end, -1)

    def _path(self, start: Square, end: Square) -> list[Square] | None:
        """Return the vacant squares a slide crosses; none if the piece is carried."""
        if self.tried or not self.chance("slide"):
            return None
        path = slide_path(start, end, self.shape, self.rng, bent=self.chance("bent"))
        return None if any(self.stands.get(square) for square in path) else path

    def _slide(self, path: list[Square]) -> None:
        touches, self.now_ms = slide_touches(path, self.rng, self.now_ms)
        self.touches += touches

    def _touch(self, square: Square, change: int, *, rests: bool = False, after: tuple[int, int] | None = None) -> None:
        if after is not None:
            self.pause(after)
        self.touches.append(Touch(self.now_ms, square, change, rests))
        self.stands[square] = self.stands.get(square, 0) + change


def moves_between(before: Pieces, after: Pieces) -> list[PieceMove]:
    """Return which piece goes where between two positions: a promoted pawn leaves, its new piece comes from beside."""
    taken = {square: piece for square, piece in before.items() if after.get(square) != piece}
    found = []
    for end, piece in after.items():
        if before.get(end) == piece:
            continue
        start = next((square for square, other in taken.items() if other == piece), None)
        if start is not None:
            del taken[start]
        found.append(PieceMove(piece, start, end))
    return found + [PieceMove(piece, square, None) for square, piece in taken.items()]


def ordered(moves: list[PieceMove], rng: random.Random, chance: Chance) -> list[tuple[Step, PieceMove]]:
    """Return the lifts and places of a gesture in an order in which hands do them.

    Args:
        moves: which piece goes where.
        rng: where all chance comes from.
        chance: returns whether a kind of noise happens here.
    """
    movers = [move for move in moves if move.end is not None]
    leavers = [move for move in moves if move.end is None]
    is_capture = bool(leavers) and any(move.start is not None for move in movers)
    if _is_displacing(movers):
        return _any_order(moves, rng) if chance("any_order") else _victim_aside(movers, leavers, chance)
    if len(movers) > 1 or (leavers and not _is_plain_capture(movers, leavers)):
        if chance("any_order"):
            return _any_order(moves, rng)
    elif is_capture and chance("mover_first"):
        lifts = [(Step.LIFT, move) for move in (*movers, *leavers)]
        return lifts + [(Step.PLACE, move) for move in movers]
    return [(step, move) for move in (*leavers, *movers) for step in Step if step is Step.LIFT or move.end]


def _is_plain_capture(movers: Iterable[PieceMove], leavers: Iterable[PieceMove]) -> bool:
    return {move.end for move in movers} == {move.start for move in leavers}


def _is_displacing(movers: list[PieceMove]) -> bool:
    """Return whether a piece goes where another one stands that goes elsewhere on the board."""
    return not {move.start for move in movers}.isdisjoint(move.end for move in movers)


def _victim_aside(movers: list[PieceMove], leavers: list[PieceMove], chance: Chance) -> list[tuple[Step, PieceMove]]:
    """Return how a victim is set elsewhere: before the capturer is lifted, or with both in the hand."""
    ends = {move.end for move in movers}
    victims = [move for move in movers if move.start in ends]
    others = [move for move in movers if move not in victims]
    first = [(Step.LIFT, move) for move in leavers]
    if not others or chance("mover_first"):
        lifts = [(Step.LIFT, move) for move in (*others, *victims)]
        return [*first, *lifts, *((Step.PLACE, move) for move in (*victims, *others))]
    return [*first, *((step, move) for move in (*victims, *others) for step in Step)]


def _any_order(moves: list[PieceMove], rng: random.Random) -> list[tuple[Step, PieceMove]]:
    """Return any order in which each piece is lifted before it is placed, and on a square that is clear by then."""
    waiting = [(Step.LIFT, move) for move in moves] + [(Step.PLACE, move) for move in moves if move.end]
    done: list[tuple[Step, PieceMove]] = []
    while waiting:
        to_lift = [move for step, move in waiting if step is Step.LIFT]
        blocked = {move.start for move in to_lift}
        ready = [
            (step, move)
            for step, move in waiting
            if step is Step.LIFT or (move not in to_lift and move.end not in blocked)
        ]
        chosen = rng.choice(ready)
        waiting.remove(chosen)
        done.append(chosen)
    return done
