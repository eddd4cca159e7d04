"""Hands that think again before the move is made, or take it back and make another one."""

from tests.prove.fickle.kinds.kind import kind
from tests.prove.fickle.scene import REST_MS, Deed, Hands, Move, Scene, Truth

PAUSE_MS = (600, 3000)
BACK_MS = (500, 4000)


@kind
def tried_elsewhere(scene: Scene) -> Deed:
    """The mover is tried on another legal square first."""
    move = scene.draw(scene.simple())
    tried = scene.draw(other.target for other in scene.of_piece(move.origin) if other.target != move.target)
    hands = scene.hands().lift(move.origin).place(tried).lift(tried, after=REST_MS)
    if move.victim is not None:
        hands.lift(move.victim)
    return hands.place(move.target).meaning(move)


@kind
def home_then_any(scene: Scene) -> Deed:
    """A piece is lifted and put home, then any move is played."""
    first, move = scene.draw(scene.simple()), scene.draw(scene.simple())
    return scene.hands().lift(first.origin).place(first.origin, after=PAUSE_MS).make(move).meaning(move)


@kind
def changed_victim(scene: Scene) -> Deed:
    """With the piece in the hand one victim is touched, then another: either may be what is taken."""
    first, move = scene.draw(scene.pairs_of_captures())
    return scene.hands().lift(first.origin).straighten(first.target, move.target).meaning(move, first)


@kind
def other_victim_touched(scene: Scene) -> Deed:
    """Another victim is touched before the piece is lifted, then the meant one is taken."""
    other, move = scene.draw(scene.pairs_of_captures())
    return scene.hands().straighten(other.target).make(move).meaning(move)


def _phantom(scene: Scene, first: Move) -> Hands:
    """Lift a piece and straighten one that it might take."""
    return scene.hands().lift(first.origin).straighten(first.target)


@kind
def phantom_any(scene: Scene) -> Deed:
    """A victim is straightened with the piece in the hand, it goes home, then any move."""
    first, move = scene.draw_each(scene.captures(), scene.simple())
    return _phantom(scene, first).place(first.origin).make(move).meaning(move)


@kind
def phantom_other_victim(scene: Scene) -> Deed:
    """The same, then the same piece takes another victim."""
    first, move = scene.draw(scene.pairs_of_captures())
    return _phantom(scene, first).place(first.origin, after=PAUSE_MS).make(move).meaning(move)


@kind
def phantom_elsewhere(scene: Scene) -> Deed:
    """A victim is straightened with the piece in the hand, which then goes elsewhere; or it was taken and set there."""
    first = scene.draw(scene.captures())
    move = scene.draw(scene.of_piece(first.origin))
    hands = _phantom(scene, first).place(move.target)
    return hands.meaning(move, Truth(first.id, scene.hands().lift(move.target).handlings))


@kind
def phantom_home(scene: Scene) -> Deed:
    """A victim is straightened with the piece in the hand, it goes home, and nothing is played for a while."""
    first = scene.draw(scene.captures())
    return _phantom(scene, first).place(first.origin).meaning(None)


# --- taken back -----------------------------------------------------------------------------------------------------


def _made_and_back(scene: Scene, move: Move, order: str) -> Hands:
    """Make a move and take it back, the piece put `home` first or the `victim` put back first."""
    hands = scene.hands().make(move).lift(move.target, after=BACK_MS)
    if move.victim is None:
        return hands.place(move.origin)
    back = (move.origin, move.target)
    return hands.place(*back if order == "home" else back[::-1])


@kind
def back_any(scene: Scene) -> Deed:
    """A move is taken back, then any move made."""
    first, move = scene.draw(scene.simple()), scene.draw(scene.simple())
    return _made_and_back(scene, first, scene.rng.choice(["home", "victim"])).make(move).meaning(move)


@kind
def back_all(scene: Scene) -> Deed:
    """A move is taken back, and nothing played for a while."""
    first = scene.draw(scene.simple())
    return _made_and_back(scene, first, scene.rng.choice(["home", "victim"])).meaning(None)


def _back_and_other_victim(scene: Scene, order: str) -> Deed:
    first, move = scene.draw(scene.pairs_of_captures())
    return _made_and_back(scene, first, order).make(move).meaning(move)


@kind
def back_home_first(scene: Scene) -> Deed:
    """A capture is taken back, piece home first, then the other is made."""
    return _back_and_other_victim(scene, "home")


@kind
def back_victim_first(scene: Scene) -> Deed:
    """A capture is taken back, victim first, then the other is made."""
    return _back_and_other_victim(scene, "victim")


@kind
def back_straight_over(scene: Scene) -> Deed:
    """The victim is put back and the piece goes straight over to another one; or it only was straightened."""
    first, move = scene.draw(scene.pairs_of_captures())
    hands = scene.hands().make(first).lift(first.target, after=REST_MS).place(first.target)
    return hands.straighten(move.target).meaning(move, first)


@kind
def back_to_vacant(scene: Scene) -> Deed:
    """A capture is taken back, and the piece goes on to a vacant square."""
    first = scene.draw(scene.captures())
    move = scene.draw(scene.of_piece(first.origin))
    hands = scene.hands().make(first).lift(first.target, after=BACK_MS).place(first.target)
    return hands.place(move.target).meaning(move)
