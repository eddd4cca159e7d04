"""Hands that play one move, slowly, nervously or in an order of their own."""

from captains_table.games.contract import Square
from tests.prove.fickle.deed import Deed, Script
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Scene
from tests.prove.stories.roles import squares_between

ROCK_MS = (12, 60)
SLOW_MS = (400, 1500)
HELD_MS = (6200, 9000)


def _ordinary(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    return None if move is None else play(Script(scene.rng), scene, move).meaning(move.id)


def _slow_slide(scene: Scene) -> Deed | None:
    move = scene.drawn(move for move in scene.plain() if _is_slide(*squares_of(move)))
    if move is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng).lift(origin)
    for square in squares_between(origin, target):
        script.place(square, after=(40, 200)).lift(square, after=SLOW_MS)
    return script.place(target, after=(40, 200)).meaning(move.id)


def _is_slide(origin: Square, target: Square) -> bool:
    files, ranks = abs(target.file - origin.file), abs(target.rank - origin.rank)
    return max(files, ranks) > 1 and (0 in (files, ranks) or files == ranks)


def _two_hands(scene: Scene) -> Deed | None:
    move = scene.drawn(move for move in scene.moves if move.origin is None and len(move.after) == len(scene.before))
    if move is None:
        return None
    left = [square for square in scene.before if square not in move.after]
    filled = [square for square in move.after if square not in scene.before]
    scene.rng.shuffle(left)
    scene.rng.shuffle(filled)
    return Script(scene.rng).lift(*left).place(*filled).meaning(move.id)


def _nervous(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, _ = squares_of(move)
    return play(Script(scene.rng).tap(origin, scene.rng.randint(4, 12)), scene, move).meaning(move.id)


def _rocking(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng)
    for square in [origin] if move.victim is None else [move.victim, origin]:
        script.lift(square).place(square, after=ROCK_MS).lift(square, after=ROCK_MS)
    script.place(target).lift(target, after=ROCK_MS).place(target, after=ROCK_MS)
    return script.meaning(move.id)


def _held_long(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng)
    if move.victim is not None and scene.rng.random() < 0.5:
        return script.lift(move.victim, origin).place(target, after=HELD_MS).meaning(move.id)
    script.lift(origin)
    if move.victim is not None:
        script.lift(move.victim, after=HELD_MS)
    return script.place(target, after=HELD_MS).meaning(move.id)


def _crown_first(scene: Scene) -> Deed | None:
    move = scene.drawn(move for move in scene.moves if move.becomes is not None)
    if move is None:
        return None
    origin, target = squares_of(move)
    script = Script(scene.rng)
    if move.victim is not None:
        script.lift(move.victim)
    return script.place(target).lift(origin, after=(300, 1500)).meaning(move.id)


def _any_special(scene: Scene) -> Deed | None:
    """En passant and promotion in an order of their own."""
    special = (move for move in scene.moves if move.becomes is not None or (move.victim or move.target) != move.target)
    move = scene.drawn(special)
    if move is None:
        return None
    origin, target = squares_of(move)
    others = [] if move.victim in (None, target) else [move.victim]
    script = Script(scene.rng)
    if move.victim == target:
        script.lift(target)
    if scene.rng.random() < 0.5:
        return script.lift(origin).place(target).lift(*filter(None, others)).meaning(move.id)
    return script.lift(*filter(None, others), origin).place(target).meaning(move.id)


KINDS = (
    Kind("ordinary", "a move with nothing beside it", _ordinary),
    Kind("before-throw", "a move is made before the dice are thrown", _ordinary, is_early=True),
    Kind("slow-slide", "a piece is slid and rests on squares of its way", _slow_slide),
    Kind("two-hands", "king and rook castle in any order, both in the air", _two_hands),
    Kind("nervous", "the mover is tapped 4 to 12 times, then moves", _nervous),
    Kind("rocking", "every piece touches down twice, when it is lifted and when it is set", _rocking),
    Kind("held-long", "a piece is thought about in the hand for 6 to 9 s", _held_long),
    Kind("crown-first", "the promoted piece is set down before the pawn is taken off", _crown_first),
    Kind("special", "promotion and en passant in any order", _any_special),
)
