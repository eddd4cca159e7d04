"""Sleeves that brush pieces, children that move a second one, pieces that are swapped and put back."""

from captains_table.games.contract import Square
from tests.prove.fickle.deed import REST_MS, Deed, Script
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Move, Scene


def _brushed(scene: Scene, move: Move, around: Square) -> list[Square]:
    """Return up to three pieces near a square that have no part in a move."""
    after = [square for square in scene.near(around) if scene.before.get(square) == move.after.get(square)]
    standing = [square for square in after if square in scene.before]
    return scene.rng.sample(standing, min(len(standing), scene.rng.randint(1, 3)))


def _sweep(script: Script, scene: Scene, squares: list[Square]) -> Script:
    """Lift pieces and set them back, one after the other or all at once."""
    if scene.rng.random() < 0.5:
        return script.straighten(*squares, after=(60, 600))
    back = scene.rng.sample(squares, len(squares))
    return script.lift(*squares, after=(20, 200)).place(*back, after=(100, 900))


def _sleeve_before(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, _ = squares_of(move)
    return play(_sweep(Script(scene.rng), scene, _brushed(scene, move, origin)), scene, move).meaning(move.id)


def _sleeve_with(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng)
    takes_first = move.victim is not None and scene.rng.random() < 0.5
    if move.victim is not None and takes_first:
        script.lift(move.victim)
    script.lift(origin)
    _sweep(script, scene, _brushed(scene, move, target))
    if move.victim is not None and not takes_first:
        script.lift(move.victim)
    return script.place(target).meaning(move.id)


def _sleeve_after(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    _, target = squares_of(move)
    return _sweep(play(Script(scene.rng), scene, move), scene, _brushed(scene, move, target)).meaning(move.id)


def _child(scene: Scene) -> Deed | None:
    """A child moves a second piece after the move, and it is put back."""
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    others = [square for square in move.after if square != target]
    vacant = [square for square in scene.vacant() if square not in (origin, target)]
    if not others or not vacant:
        return None
    start, end = scene.rng.choice(others), scene.rng.choice(vacant)
    script = play(Script(scene.rng), scene, move).lift(start, after=(500, 2000)).place(end)
    return script.lift(end, after=REST_MS).place(start).meaning(move.id)


def _child_plays(scene: Scene) -> Deed | None:
    """A child makes a move the next player might make, and it is taken back, piece or victim first."""
    move = scene.drawn(scene.simple())
    reply = None if move is None else scene.drawn(scene.replies(move))
    if move is None or reply is None:
        return None
    origin, target = squares_of(reply)
    script = play(Script(scene.rng), scene, move)
    script.lift(*[origin] if reply.victim is None else [reply.victim, origin], after=(500, 2000)).place(target)
    script.lift(target, after=REST_MS)
    back = [origin] if reply.victim is None else [origin, reply.victim]
    return script.place(*scene.rng.sample(back, len(back))).meaning(move.id)


def _swapped(scene: Scene, one: Square, other: Square, *, and_back: bool) -> Deed | None:
    untouched = [move for move in scene.simple() if {one, other}.isdisjoint(squares_of(move))]
    move = scene.drawn(untouched)
    if move is None:
        return None
    script = Script(scene.rng).lift(one, other).place(other, one)
    if and_back:
        script.lift(one, other, after=REST_MS).place(other, one)
    return play(script, scene, move).meaning(move.id)


def _like_swapped(scene: Scene) -> Deed | None:
    return _swapped_of(scene, and_back=False, is_like=True)


def _different_swapped(scene: Scene) -> Deed | None:
    return _swapped_of(scene, and_back=True, is_like=False)


def _enemy_swapped(scene: Scene) -> Deed | None:
    return _swapped_of(scene, and_back=True, is_like=False, of_one_side=False)


def _swapped_of(scene: Scene, *, and_back: bool, is_like: bool, of_one_side: bool = True) -> Deed | None:
    pairs = [
        (one, other)
        for one, piece in scene.before.items()
        for other, another in scene.before.items()
        if one < other
        and (piece == another) == is_like
        and (piece.lstrip("+").isupper() == another.lstrip("+").isupper()) == of_one_side
    ]
    return _swapped(scene, *scene.rng.choice(pairs), and_back=and_back) if pairs else None


KINDS = (
    Kind("sleeve-before", "a sleeve lifts and sets pieces near before the move", _sleeve_before),
    Kind("sleeve-with", "the same with the mover in the hand", _sleeve_with),
    Kind("sleeve-after", "the same after the move", _sleeve_after),
    Kind("child", "a child moves a second piece, which is put back", _child),
    Kind("child-plays", "a child makes a move the next player might make, and it is taken back", _child_plays),
    Kind("like-swapped", "two like pieces change places", _like_swapped),
    Kind("different-swapped", "two different pieces of a side change places, and back", _different_swapped),
    Kind("enemy-swapped", "an own and an enemy piece change places, and back", _enemy_swapped),
)
