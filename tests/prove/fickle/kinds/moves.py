"""Hands that play one move: slowly, nervously, in an order of their own, or while sleeves brush other pieces."""

from captains_table.games.contract import Square
from tests.prove.fickle.kinds.kind import Kind, kind
from tests.prove.fickle.scene import REST_MS, Deed, Hands, Move, Scene, Truth, is_white
from tests.prove.stories import squares_between

ROCK_MS = (12, 60)
SLOW_MS = (400, 1500)
HELD_MS = (6200, 9000)


@kind
def ordinary(scene: Scene) -> Deed:
    """A move and nothing else."""
    move = scene.draw(scene.simple())
    return scene.hands().make(move).meaning(move)


before_throw = Kind("before-throw", ordinary.act, is_early=True)


@kind
def slow_slide(scene: Scene) -> Deed:
    """A piece is slid and rests on squares of its way."""
    move = scene.draw(move for move in scene.plain() if _is_slide(move.origin, move.target))
    hands = scene.hands().lift(move.origin)
    for square in squares_between(move.origin, move.target):
        hands.place(square, after=(40, 200)).lift(square, after=SLOW_MS)
    return hands.place(move.target, after=(40, 200)).meaning(move)


def _is_slide(origin: Square, target: Square) -> bool:
    files, ranks = abs(target.file - origin.file), abs(target.rank - origin.rank)
    return max(files, ranks) > 1 and (0 in (files, ranks) or files == ranks)


@kind
def two_hands(scene: Scene) -> Deed:
    """King and rook castle in any order, both in the air."""
    after = scene.draw(scene.castlings())
    left = [square for square in scene.before if square not in after]
    filled = [square for square in after if square not in scene.before]
    scene.rng.shuffle(left)
    scene.rng.shuffle(filled)
    id_ = next(end.id for end in scene.ends.values() if end.pieces is after)
    return Deed(scene.hands().lift(*left).place(*filled).handlings, [Truth(id_)])


@kind
def nervous(scene: Scene) -> Deed:
    """The mover is tapped 4 to 12 times, then moves."""
    move, hands = scene.draw(scene.simple()), scene.hands()
    for _ in range(scene.rng.randint(4, 12)):
        hands.lift(move.origin, after=(90, 220)).place(move.origin, after=(60, 160))
    return hands.make(move).meaning(move)


@kind
def rocking(scene: Scene) -> Deed:
    """Every piece touches down twice, when it is lifted and when it is set."""
    move, hands = scene.draw(scene.simple()), scene.hands()
    for square in move.lifts:
        hands.lift(square).place(square, after=ROCK_MS).lift(square, after=ROCK_MS)
    return hands.place(move.target).lift(move.target, after=ROCK_MS).place(move.target, after=ROCK_MS).meaning(move)


@kind
def held_long(scene: Scene) -> Deed:
    """A piece is thought about in the hand for 6 to 9 s."""
    move, hands = scene.draw(scene.simple()), scene.hands()
    if move.victim is not None and scene.rng.random() < 0.5:
        return hands.lift(*move.lifts).place(move.target, after=HELD_MS).meaning(move)
    hands.lift(move.origin)
    if move.victim is not None:
        hands.lift(move.victim, after=HELD_MS)
    return hands.place(move.target, after=HELD_MS).meaning(move)


@kind
def crown_first(scene: Scene) -> Deed:
    """The promoted piece is set down before the pawn is taken off."""
    move, hands = scene.draw(move for move in scene.moves if move.becomes is not None), scene.hands()
    if move.victim is not None:
        hands.lift(move.victim)
    return hands.place(move.target).lift(move.origin, after=(300, 1500)).meaning(move)


@kind
def special(scene: Scene) -> Deed:
    """Promotion and en passant in any order."""
    move = scene.draw(
        move for move in scene.moves if move.becomes is not None or (move.victim or move.target) != move.target
    )
    others, hands = [] if move.victim in (None, move.target) else [move.victim], scene.hands()
    if move.victim == move.target:
        hands.lift(move.target)
    if scene.rng.random() < 0.5:
        return hands.lift(move.origin).place(move.target).lift(*filter(None, others)).meaning(move)
    return hands.lift(*filter(None, others), move.origin).place(move.target).meaning(move)


# --- sleeves, children, swapped pieces ------------------------------------------------------------------------------


def _brush(hands: Hands, scene: Scene, move: Move, around: Square) -> Hands:
    """Lift up to three pieces near a square that have no part in a move and set them back, one by one or together."""
    near = [square for square in scene.near(around) if scene.before.get(square) == move.after.get(square)]
    standing = [square for square in near if square in scene.before]
    squares = scene.rng.sample(standing, min(len(standing), scene.rng.randint(1, 3)))
    if scene.rng.random() < 0.5:
        return hands.straighten(*squares, after=(60, 600))
    back = scene.rng.sample(squares, len(squares))
    return hands.lift(*squares, after=(20, 200)).place(*back, after=(100, 900))


@kind
def sleeve_before(scene: Scene) -> Deed:
    """A sleeve lifts and sets pieces near before the move."""
    move = scene.draw(scene.simple())
    return _brush(scene.hands(), scene, move, move.origin).make(move).meaning(move)


@kind
def sleeve_with(scene: Scene) -> Deed:
    """The same with the mover in the hand."""
    move, hands = scene.draw(scene.simple()), scene.hands()
    takes_first = move.victim is not None and scene.rng.random() < 0.5
    hands.lift(*move.lifts if takes_first else [move.origin])
    _brush(hands, scene, move, move.target)
    if move.victim is not None and not takes_first:
        hands.lift(move.victim)
    return hands.place(move.target).meaning(move)


@kind
def sleeve_after(scene: Scene) -> Deed:
    """The same after the move."""
    move = scene.draw(scene.simple())
    return _brush(scene.hands().make(move), scene, move, move.target).meaning(move)


@kind
def child(scene: Scene) -> Deed:
    """A child moves a second piece after the move, and it is put back."""
    move = scene.draw(scene.simple())
    start = scene.draw(square for square in move.after if square != move.target)
    end = scene.draw(square for square in scene.vacant() if square not in (move.origin, move.target))
    hands = scene.hands().make(move).lift(start, after=(500, 2000)).place(end)
    return hands.lift(end, after=REST_MS).place(start).meaning(move)


@kind
def child_plays(scene: Scene) -> Deed:
    """A child makes a move the next player might make, and it is taken back, piece or victim first."""
    move = scene.draw(scene.simple())
    reply = scene.draw(scene.replies(move))
    hands = scene.hands().make(move).lift(*reply.lifts, after=(500, 2000)).place(reply.target)
    hands.lift(reply.target, after=REST_MS)
    back = reply.lifts[::-1]
    return hands.place(*scene.rng.sample(back, len(back))).meaning(move)


def _swapped(scene: Scene, *, like: bool, and_back: bool, of_one_side: bool = True) -> Deed:
    """Let two pieces change places before a move that touches neither."""
    one, other = scene.draw(
        (one, other)
        for one, piece in scene.before.items()
        for other, another in scene.before.items()
        if one < other and (piece == another) == like and (is_white(piece) == is_white(another)) == of_one_side
    )
    move = scene.draw(move for move in scene.simple() if {one, other}.isdisjoint((move.origin, move.target)))
    hands = scene.hands().lift(one, other).place(other, one)
    if and_back:
        hands.lift(one, other, after=REST_MS).place(other, one)
    return hands.make(move).meaning(move)


@kind
def like_swapped(scene: Scene) -> Deed:
    """Two like pieces change places."""
    return _swapped(scene, like=True, and_back=False)


@kind
def different_swapped(scene: Scene) -> Deed:
    """Two different pieces of a side change places, and back."""
    return _swapped(scene, like=False, and_back=True)


@kind
def enemy_swapped(scene: Scene) -> Deed:
    """An own and an enemy piece change places, and back."""
    return _swapped(scene, like=False, and_back=True, of_one_side=False)
