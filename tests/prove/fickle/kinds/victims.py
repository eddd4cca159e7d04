"""Hands that set a captured piece down on the board for a while."""

from captains_table.games.contract import Square
from tests.prove.fickle.deed import Deed, Script, Truth
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Move, Scene

DROPPED_MS = (400, 3000)
SET_DOWN_MS = (500, 20_000)


def _vacant(scene: Scene, move: Move) -> Square | None:
    free = [square for square in scene.vacant() if square != move.target]
    near = [square for square in scene.near(squares_of(move)[1]) if square in free]
    choice = near if near and scene.rng.random() < 0.7 else free
    return scene.rng.choice(choice) if choice else None


def _elsewhere_first(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.captures())
    square = None if move is None else _vacant(scene, move)
    if move is None or square is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng).lift(target).place(square)
    if scene.rng.random() < 0.5:
        return script.lift(square, after=DROPPED_MS).lift(origin).place(target).meaning(move.id)
    return script.lift(origin).place(target).lift(square, after=DROPPED_MS).meaning(move.id)


def _set_down_after(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.captures())
    square = None if move is None else _vacant(scene, move)
    if move is None or square is None:
        return None
    script = play(Script(scene.rng), scene, move).place(square, after=(300, 1500))
    return script.lift(square, after=SET_DOWN_MS).meaning(move.id)


def _set_on_origin(scene: Scene) -> Deed | None:
    """The captured piece rests on the taker's first square; or both were put back, and the mover lifted again."""
    move = scene.drawn(scene.captures())
    if move is None:
        return None
    origin, _ = squares_of(move)
    script = play(Script(scene.rng), scene, move).place(origin, after=(300, 1500)).lift(origin, after=SET_DOWN_MS)
    other = scene.drawn(scene.of_piece(origin))
    if other is None:
        return script.meaning(move.id)
    return script.meaning(move.id, Truth(other.id, Script(scene.rng).place(squares_of(other)[1]).done()))


KINDS = (
    Kind("victim-elsewhere", "the victim is set down elsewhere first, then taken off", _elsewhere_first),
    Kind("victim-set-down", "the captured piece is set down on the board for up to 20 s", _set_down_after),
    Kind("victim-on-origin", "the captured piece is set down where its taker came from", _set_on_origin),
)
