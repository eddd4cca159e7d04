"""Hands that think again before the move is made."""

from tests.prove.fickle.deed import REST_MS, Deed, Script, Truth
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Scene

PAUSE_MS = (600, 3000)


def _tried_elsewhere(scene: Scene) -> Deed | None:
    move = scene.drawn(scene.simple())
    if move is None:
        return None
    origin, target = squares_of(move)
    other = scene.drawn(other for other in scene.of_piece(origin) if other.target != target)
    if other is None:
        return None
    tried = squares_of(other)[1]
    script = Script(scene.rng).lift(origin).place(tried).lift(tried, after=REST_MS)
    if move.victim is not None:
        script.lift(move.victim)
    return script.place(target).meaning(move.id)


def _home_then_any(scene: Scene) -> Deed | None:
    """A piece is lifted and put home, then any move is played."""
    first, move = scene.drawn(scene.simple()), scene.drawn(scene.simple())
    if first is None or move is None:
        return None
    origin, _ = squares_of(first)
    return play(Script(scene.rng).lift(origin).place(origin, after=PAUSE_MS), scene, move).meaning(move.id)


def _changed_victim(scene: Scene) -> Deed | None:
    """With the piece in the hand one victim is touched, then another: either may be what is taken."""
    pairs = scene.pairs_of_captures()
    if not pairs:
        return None
    first, move = scene.rng.choice(pairs)
    origin, touched = squares_of(first)
    meant = squares_of(move)[1]
    script = Script(scene.rng).lift(origin).straighten(touched)
    return script.straighten(meant).meaning(move.id, first.id)


def _other_victim_touched(scene: Scene) -> Deed | None:
    """Another victim is touched before the piece is lifted, then the meant one is taken."""
    pairs = scene.pairs_of_captures()
    if not pairs:
        return None
    other, move = scene.rng.choice(pairs)
    _, touched = squares_of(other)
    return play(Script(scene.rng).straighten(touched), scene, move).meaning(move.id)


def _straightened_in_hand_home(scene: Scene) -> Deed | None:
    """A victim is straightened with the piece in the hand, the piece put home, then any move played."""
    first, move = scene.drawn(scene.captures()), scene.drawn(scene.simple())
    if first is None or move is None:
        return None
    origin, victim = squares_of(first)
    script = Script(scene.rng).lift(origin).straighten(victim).place(origin)
    return play(script, scene, move).meaning(move.id)


def _straightened_in_hand_other_victim(scene: Scene) -> Deed | None:
    """The same, then the same piece takes another victim."""
    pairs = scene.pairs_of_captures()
    if not pairs:
        return None
    first, move = scene.rng.choice(pairs)
    origin, victim = squares_of(first)
    script = Script(scene.rng).lift(origin).straighten(victim).place(origin, after=PAUSE_MS)
    return play(script, scene, move).meaning(move.id)


def _straightened_in_hand_elsewhere(scene: Scene) -> Deed | None:
    """A victim is straightened with the piece in the hand, which then goes elsewhere; or it was taken and set there."""
    first = scene.drawn(scene.captures())
    if first is None:
        return None
    origin, victim = squares_of(first)
    move = scene.drawn(scene.of_piece(origin))
    if move is None:
        return None
    target = squares_of(move)[1]
    script = Script(scene.rng).lift(origin).straighten(victim).place(target)
    return script.meaning(move.id, Truth(first.id, Script(scene.rng).lift(target).done()))


def _straightened_in_hand_home_again(scene: Scene) -> Deed | None:
    """A victim is straightened with the piece in the hand, the piece put home, and nothing played for a while."""
    first = scene.drawn(scene.captures())
    if first is None:
        return None
    origin, victim = squares_of(first)
    return Script(scene.rng).lift(origin).straighten(victim).place(origin).meaning(None)


KINDS = (
    Kind("tried-elsewhere", "the mover is tried on another legal square first", _tried_elsewhere),
    Kind("home-then-any", "a piece is lifted and put home, then any move is played", _home_then_any),
    Kind("changed-victim", "with the piece in the hand one victim is touched, then another taken", _changed_victim),
    Kind("other-victim-touched", "another victim is touched first, then the meant one taken", _other_victim_touched),
    Kind(
        "phantom-any",
        "a victim is straightened with the piece in the hand, it goes home, then any move",
        _straightened_in_hand_home,
    ),
    Kind(
        "phantom-other-victim", "the same, then the same piece takes another victim", _straightened_in_hand_other_victim
    ),
    Kind(
        "phantom-elsewhere",
        "a victim is straightened with the piece in the hand, which goes elsewhere",
        _straightened_in_hand_elsewhere,
    ),
    Kind(
        "phantom-home",
        "a victim is straightened with the piece in the hand, it goes home, and that is all",
        _straightened_in_hand_home_again,
    ),
)
