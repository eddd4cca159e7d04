"""Pieces set across the border of two squares, whose magnet closes both switches for a while."""

from tests.prove.fickle.deed import Deed, Script, Truth
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Move, Scene
from tests.prove.stories.roles import are_neighbours

TOGETHER_MS = (5, 55)
HELD_MS = (1000, 3000)


def _beside(scene: Scene, moves: list[Move]) -> list[tuple[Move, Move]]:
    """Return moves with a plain one of the same piece to a square beside their own."""
    return [
        (move, other)
        for move in moves
        for other in scene.of_piece(move.origin)
        if are_neighbours(squares_of(move)[1], squares_of(other)[1])
    ]


def _two_squares(scene: Scene) -> Deed | None:
    pairs = _beside(scene, scene.plain())
    if not pairs:
        return None
    move, other = scene.rng.choice(pairs)
    (origin, target), beside = squares_of(move), squares_of(other)[1]
    script = Script(scene.rng).lift(origin).place(target).place(beside, after=TOGETHER_MS)
    then = [Script(scene.rng).lift(square, after=HELD_MS).done() for square in (beside, target)]
    return script.meaning(Truth(move.id, then[0]), Truth(other.id, then[1]))


def _capture(scene: Scene) -> Deed | None:
    """A capture lands across the border; or the victim is put back just as the piece is set beside it."""
    pairs = _beside(scene, scene.captures())
    if not pairs:
        return None
    move, other = scene.rng.choice(pairs)
    beside = squares_of(other)[1]
    script = play(Script(scene.rng), scene, move).place(beside, after=TOGETHER_MS)
    return script.meaning(Truth(move.id, Script(scene.rng).lift(beside, after=HELD_MS).done()), other.id)


def _illegal_beside(scene: Scene) -> Deed | None:
    """A piece lands across the border of a square where it may not go."""
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    legal = {other.target for other in scene.moves if other.origin == origin}
    near = [square for square in scene.near(target, 1) if square not in legal and square not in scene.before]
    if not near:
        return None
    square = scene.rng.choice(near)
    script = play(Script(scene.rng), scene, move).place(square, after=TOGETHER_MS)
    return script.lift(square, after=HELD_MS).meaning(move.id)


KINDS = (
    Kind("border", "a piece set across two squares closes both, either may be meant", _two_squares),
    Kind("border-capture", "a capture lands across the border of another possible square", _capture),
    Kind("border-illegal", "a piece closes the switch of a square beside where it may not go", _illegal_beside),
)
