"""Every kind of hands, by name: one way people handle pieces, which makes a deed of a scene that has a use for it.

Hands play one move slowly, nervously, in an order of their own, or while sleeves brush other pieces; they think again
before it is made, or take it back; they set a captured piece down for a while, or a piece across a border.
"""

from collections.abc import Callable
from dataclasses import dataclass

from captains_table.games.contract import Square
from tests.prove.fickle.scene import REST_MS, Deed, Hands, Move, Scene, Truth, Unusable, is_white
from tests.prove.stories.roles import are_neighbours, squares_between

ROCK_MS = (12, 60)
SLOW_MS = (400, 1500)
HELD_MS = (6200, 9000)
PAUSE_MS = (600, 3000)
BACK_MS = (500, 4000)
DROPPED_MS = (400, 3000)
SET_DOWN_AFTER_MS = (300, 1500)
SET_DOWN_MS = (500, 20_000)
TOGETHER_MS = (5, 55)
LIES_MS = (1000, 3000)


@dataclass(frozen=True, slots=True)
class Kind:
    """One way people handle pieces; `is_early`: before the dice are thrown."""

    name: str
    act: Callable[[Scene], Deed]
    is_early: bool = False

    def make(self, scene: Scene) -> Deed | None:
        """Return a deed, or None where the scene has no use for it."""
        try:
            return self.act(scene)
        except Unusable:
            return None


KINDS: dict[str, Kind] = {}


def kind(act: Callable[[Scene], Deed]) -> Kind:
    """Declare a kind by what it does, under the name of its function."""
    name = act.__name__.replace("_", "-")
    KINDS[name] = Kind(name, act)
    return KINDS[name]


@kind
def ordinary(scene: Scene) -> Deed:
    """A move and nothing else."""
    move = scene.draw(scene.simple())
    return scene.hands().make(move).meaning(move)


KINDS["before-throw"] = Kind("before-throw", ordinary.act, is_early=True)


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
    hands.place(move.target, of=move.origin).lift(move.target, after=ROCK_MS)
    return hands.place(move.target, after=ROCK_MS, of=move.origin).meaning(move)


@kind
def held_long(scene: Scene) -> Deed:
    """A piece is thought about in the hand for 6 to 9 s."""
    move, hands = scene.draw(scene.simple()), scene.hands()
    if move.victim is not None and scene.rng.random() < 0.5:
        return hands.lift(*move.lifts).place(move.target, after=HELD_MS, of=move.origin).meaning(move)
    hands.lift(move.origin)
    if move.victim is not None:
        hands.lift(move.victim, after=HELD_MS)
    return hands.place(move.target, after=HELD_MS, of=move.origin).meaning(move)


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
    return hands.place(move.target, of=move.origin).meaning(move)


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
    hands = scene.hands().make(move).lift(*reply.lifts, after=(500, 2000)).place(reply.target, of=reply.origin)
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
    hands = scene.hands().lift(one, other).place(other, of=one).place(one, of=other)
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


# --- second thoughts -------------------------------------------------------------------------------------------------


@kind
def tried_elsewhere(scene: Scene) -> Deed:
    """The mover is tried on another legal square first."""
    move = scene.draw(scene.simple())
    tried = scene.draw(other.target for other in scene.of_piece(move.origin) if other.target != move.target)
    hands = scene.hands().lift(move.origin).place(tried).lift(tried, after=REST_MS)
    if move.victim is not None:
        hands.lift(move.victim)
    return hands.place(move.target, of=move.origin).meaning(move)


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


# --- captured pieces set down, and borders ---------------------------------------------------------------------------


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
        return hands.lift(square, after=DROPPED_MS).lift(move.origin).place(move.target, of=move.origin).meaning(move)
    return hands.lift(move.origin).place(move.target, of=move.origin).lift(square, after=DROPPED_MS).meaning(move)


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
    hands = scene.hands().lift(move.origin).place(move.target)
    hands.place(other.target, after=TOGETHER_MS, of=move.origin)
    then = [scene.hands().lift(square, after=LIES_MS).handlings for square in (other.target, move.target)]
    return hands.meaning(Truth(move.id, then[0]), Truth(other.id, then[1]))


@kind
def border_capture(scene: Scene) -> Deed:
    """A capture lands across the border; or the victim is put back just as the piece is set next to it."""
    move, other = _with_neighbour(scene, scene.captures())
    hands = scene.hands().make(move).place(other.target, after=TOGETHER_MS, of=move.origin)
    return hands.meaning(Truth(move.id, scene.hands().lift(other.target, after=LIES_MS).handlings), other)


@kind
def border_illegal(scene: Scene) -> Deed:
    """A piece lands across the border of a square where it may not go."""
    move = scene.draw(scene.simple())
    legal = {other.target for other in scene.moves if other.origin == move.origin}
    square = scene.draw(
        square for square in scene.near(move.target, 1) if square not in legal and square not in scene.before
    )
    hands = scene.hands().make(move).place(square, after=TOGETHER_MS, of=move.origin)
    return hands.lift(square, after=LIES_MS).meaning(move)
