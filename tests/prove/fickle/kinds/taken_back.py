"""Hands that take a move back and make another one."""

from tests.prove.fickle.deed import REST_MS, Deed, Script
from tests.prove.fickle.kinds.kind import Kind, play, squares_of
from tests.prove.fickle.scene import Move, Scene

PAUSE_MS = (500, 4000)


def _made_and_back(scene: Scene, move: Move, order: str) -> Script:
    """Make a move and take it back, the piece put home first or the victim put back first."""
    script = play(Script(scene.rng), scene, move)
    origin, target = squares_of(move)
    script.lift(target, after=PAUSE_MS)
    if move.victim is None:
        return script.place(origin)
    back = (origin, target) if order == "home" else (target, origin)
    return script.place(*back)


def _then_any(scene: Scene) -> Deed | None:
    first, move = scene.drawn(scene.simple()), scene.drawn(scene.simple())
    if first is None or move is None:
        return None
    return play(_made_and_back(scene, first, scene.rng.choice(["home", "victim"])), scene, move).meaning(move.id)


def _and_all(scene: Scene) -> Deed | None:
    first = scene.drawn(scene.simple())
    if first is None:
        return None
    return _made_and_back(scene, first, scene.rng.choice(["home", "victim"])).meaning(None)


def _other_victim(order: str) -> Kind:
    def make(scene: Scene) -> Deed | None:
        pairs = scene.pairs_of_captures()
        if not pairs:
            return None
        first, move = scene.rng.choice(pairs)
        return play(_made_and_back(scene, first, order), scene, move).meaning(move.id)

    words = f"a capture is taken back, {'piece home' if order == 'home' else 'victim'} first, then the other is made"
    return Kind(f"back-{order}-first", words, make)


def _straight_over(scene: Scene) -> Deed | None:
    """The victim is put back and the piece goes straight over to another one; or it only was straightened."""
    pairs = scene.pairs_of_captures()
    if not pairs:
        return None
    first, move = scene.rng.choice(pairs)
    taken, meant = squares_of(first)[1], squares_of(move)[1]
    script = play(Script(scene.rng), scene, first).lift(taken, after=REST_MS).place(taken)
    return script.straighten(meant).meaning(move.id, first.id)


def _to_vacant(scene: Scene) -> Deed | None:
    """A capture is taken back and the piece goes on to a vacant square."""
    first = scene.drawn(scene.captures())
    if first is None:
        return None
    origin, taken = squares_of(first)
    move = scene.drawn(scene.of_piece(origin))
    if move is None:
        return None
    script = play(Script(scene.rng), scene, first).lift(taken, after=PAUSE_MS).place(taken)
    return script.place(squares_of(move)[1]).meaning(move.id)


KINDS = (
    Kind("back-any", "a move is taken back, then any move made", _then_any),
    Kind("back-all", "a move is taken back, and nothing played for a while", _and_all),
    _other_victim("home"),
    _other_victim("victim"),
    Kind(
        "back-straight-over",
        "a capture is taken back, and the piece goes straight over to another victim",
        _straight_over,
    ),
    Kind("back-to-vacant", "a capture is taken back, and the piece goes to a vacant square", _to_vacant),
)
