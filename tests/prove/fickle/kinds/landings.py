"""Hands that set a captured piece down on the board for a while, or a piece across the border of two squares."""

from captains_table.games.contract import Square
from tests.prove.fickle.kinds.kind import kind
from tests.prove.fickle.scene import Deed, Move, Scene, Truth
from tests.prove.stories import are_neighbours

DROPPED_MS = (400, 3000)
SET_DOWN_AFTER_MS = (300, 1500)
SET_DOWN_MS = (500, 20_000)
TOGETHER_MS = (5, 55)
HELD_MS = (1000, 3000)


def _vacant(scene: Scene, move: Move) -> Square:
    """Return a vacant square where a captured piece may be set down, most often near."""
    free = [square for square in scene.vacant() if square != move.target]
    near = [square for square in scene.near(move.target) if square in free]
    return scene.draw(near if near and scene.rng.random() < 0.7 else free)


@kind
def victim_elsewhere(scene: Scene) -> Deed:
    """The victim is set down elsewhere first, then taken off."""
    move = scene.draw(scene.captures())
    square = _vacant(scene, move)
    hands = scene.hands().lift(move.target).place(square)
    if scene.rng.random() < 0.5:
        return hands.lift(square, after=DROPPED_MS).lift(move.origin).place(move.target).meaning(move)
    return hands.lift(move.origin).place(move.target).lift(square, after=DROPPED_MS).meaning(move)


@kind
def victim_set_down(scene: Scene) -> Deed:
    """The captured piece is set down on the board for up to 20 s."""
    move = scene.draw(scene.captures())
    square = _vacant(scene, move)
    hands = scene.hands().make(move).place(square, after=SET_DOWN_AFTER_MS)
    return hands.lift(square, after=SET_DOWN_MS).meaning(move)


@kind
def victim_on_origin(scene: Scene) -> Deed:
    """The captured piece rests on the taker's first square; or both were put back, and the mover lifted again."""
    move = scene.draw(scene.captures())
    hands = scene.hands().make(move).place(move.origin, after=SET_DOWN_AFTER_MS).lift(move.origin, after=SET_DOWN_MS)
    if not (others := scene.of_piece(move.origin)):
        return hands.meaning(move)
    other = scene.draw(others)
    return hands.meaning(move, Truth(other.id, scene.hands().place(other.target).handlings))


# --- across a border ------------------------------------------------------------------------------------------------


def _with_neighbour(scene: Scene, moves: list[Move]) -> tuple[Move, Move]:
    """Return a move, and a plain one of the same piece to a square next to its target."""
    return scene.draw(
        (move, other)
        for move in moves
        for other in scene.of_piece(move.origin)
        if are_neighbours(move.target, other.target)
    )


@kind
def border(scene: Scene) -> Deed:
    """A piece set across two squares closes both; either may be meant."""
    move, other = _with_neighbour(scene, scene.plain())
    hands = scene.hands().lift(move.origin).place(move.target).place(other.target, after=TOGETHER_MS)
    then = [scene.hands().lift(square, after=HELD_MS).handlings for square in (other.target, move.target)]
    return hands.meaning(Truth(move.id, then[0]), Truth(other.id, then[1]))


@kind
def border_capture(scene: Scene) -> Deed:
    """A capture lands across the border; or the victim is put back just as the piece is set next to it."""
    move, other = _with_neighbour(scene, scene.captures())
    hands = scene.hands().make(move).place(other.target, after=TOGETHER_MS)
    return hands.meaning(Truth(move.id, scene.hands().lift(other.target, after=HELD_MS).handlings), other)


@kind
def border_illegal(scene: Scene) -> Deed:
    """A piece lands across the border of a square where it may not go."""
    move = scene.draw(scene.simple())
    legal = {other.target for other in scene.moves if other.origin == move.origin}
    square = scene.draw(
        square for square in scene.near(move.target, 1) if square not in legal and square not in scene.before
    )
    return scene.hands().make(move).place(square, after=TOGETHER_MS).lift(square, after=HELD_MS).meaning(move)
