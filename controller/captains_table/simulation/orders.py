"""Which piece goes where, and in which order hands lift and place the pieces of one gesture."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from captains_table.games.contract import Square

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
