"""One gesture performed on a board: what a hand touches, the reeds, the scanner and the link, and the truth.

What a hand does is given by the pieces before and after; how they get there is drawn: in which order pieces are lifted,
whether they are carried or slid and along which path, how quickly, and with which second thoughts.

The link loses frames and sends them again, doubles them, and delivers late in bursts; never out of order. The board
sends what has settled, and keeps it until it is acknowledged: so a lost frame comes later and nothing is missing. A
burst arrives at one instant; the pace of what happened is gone, its order is not.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from captains_table.games.contract import Shape, Square
from captains_table.simulation.noisy_switches import Touch, slide_path, slide_touches
from captains_table.simulation.reeds import Influence, InfluenceKind, ReedChange
from captains_table.simulation.simulated_scanner import SimulatedScanner
from tests.support.faulty_reeds import FaultyReeds, SwitchFault, settle_all
from tests.support.noise_mix import NoiseMix

CARRY_MS = (120, 900)
BETWEEN_MS = (40, 600)
ROCK_MS = (12, 60)
HOVER_MS = (500, 6000)
REST_MS = (100, 2500)
SWAP_MS = (60, 400)
PAWNS = "Pp"
Pieces = Mapping[Square, str]
Chance = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class PieceMove:
    """One piece's way: from a square or from beside the board, to a square or off the board."""

    piece: str
    start: Square | None
    end: Square | None


class Step(Enum):
    """The halves of a carry."""

    LIFT = auto()
    PLACE = auto()


@dataclass(slots=True)
class Hand:
    """A hand that makes one move; how many magnets are on each square is in `stands`.

    Attributes:
        kinds: the kinds of noise in what it did.
        tried: the squares a piece was put on for a try.
        missing: whether a lift was never to be seen, so that the switches cannot tell what was done.
    """

    mix: NoiseMix
    rng: random.Random
    shape: Shape
    now_ms: int
    stands: dict[Square, int]
    touches: list[Touch] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    tried: list[Square] = field(default_factory=list)
    missing: bool = False
    promotes: bool = False

    def chance(self, kind: str) -> bool:
        """Return whether a kind of noise happens here, and remember it."""
        happens = self.rng.random() < float(getattr(self.mix, kind))
        if happens:
            self.kinds.add(kind)
        return happens

    def pause(self, between: tuple[int, int]) -> None:
        """Let a time pass that is more often short than long."""
        lo, hi = between
        self.now_ms += round(lo * (hi / lo) ** self.rng.random())

    # --- the parts of a gesture -------------------------------------------------------------------------------------

    def perform(self, moves: list[PieceMove]) -> None:
        """Bring all pieces to where they go."""
        self.promotes = any(move.piece in PAWNS and move.end is None for move in moves)
        steps = ordered(moves, self.rng, self.chance)
        swapped = self._swapped(moves)
        hover = self.chance("hover")
        for i, (step, move) in enumerate(steps):
            if i:
                self.pause(BETWEEN_MS)
            if step is Step.LIFT:
                self._lift(move, swapped)
                self._hesitate(moves, move, hover=hover and move.end is not None)
            else:
                lifted_just_now = i > 0 and steps[i - 1] == (Step.LIFT, move)
                self._place(move, swapped, may_slide=lifted_just_now)

    def _swapped(self, moves: list[PieceMove]) -> Square | None:
        """Return the square on which the victim's lift will not be seen."""
        ends = {move.end for move in moves if move.start is not None}
        squares = [move.start for move in moves if move.end is None and move.start in ends]
        return squares[0] if squares and self.chance("swapped") else None

    def _lift(self, move: PieceMove, swapped: Square | None) -> None:
        square = move.start
        if square is None or (square == swapped and move.end is None):
            return  # it comes from beside the board, or is taken from under the capturer
        self._touch(square, -1)
        if self.chance("rock"):
            self.pause(ROCK_MS)
            self._touch(square, 1)
            self.pause(ROCK_MS)
            self._touch(square, -1)

    def _hesitate(self, moves: list[PieceMove], move: PieceMove, *, hover: bool) -> None:
        if hover:
            self.pause(HOVER_MS)
        start = move.start
        if start is None or move.end is None:
            return
        if self.chance("go_back"):
            self.pause(BETWEEN_MS)
            self._touch(start, 1, rests=True)
            self.pause(REST_MS)
            self._touch(start, -1)
        busy = {square for other in moves for square in (other.start, other.end)}
        if self.chance("try_other"):
            vacant = [near for near in self.shape.squares() if not self.stands.get(near) and near not in busy]
            self._try(self.rng.choice(vacant))

    def _try(self, square: Square) -> None:
        self.tried.append(square)
        self.pause(CARRY_MS)
        self._touch(square, 1, rests=True)
        self.pause(REST_MS)
        self._touch(square, -1)

    def _place(self, move: PieceMove, swapped: Square | None, *, may_slide: bool) -> None:
        start, end = move.start, move.end
        if end is None:
            return
        if start is None and self.promotes and self.chance("any_order"):
            self._try_pawn(end)
        path = self._path(start, end) if start is not None and may_slide else None
        if path is not None:
            self._slide(path)
        else:
            self.pause(CARRY_MS)
        self._touch(end, 1, rests=True)
        if end == swapped and start is not None:
            self.pause(SWAP_MS)
            self._touch(end, -1)
            self.missing = True
        elif self.chance("rock"):
            self._touch(end, -1, after=ROCK_MS)
            self._touch(end, 1, after=ROCK_MS, rests=True)

    def _try_pawn(self, end: Square) -> None:
        """Promote by pushing the pawn to the last rank first, then changing it for another piece."""
        self.pause(CARRY_MS)
        self._touch(end, 1, rests=True)
        self.pause(BETWEEN_MS)
        self._touch(end, -1)

    def _path(self, start: Square, end: Square) -> list[Square] | None:
        """Return the vacant squares a slide crosses; none if the piece is carried."""
        if self.tried or not self.chance("slide"):
            return None
        path = slide_path(start, end, self.shape, self.rng, bent=self.chance("bent"))
        return None if any(self.stands.get(square) for square in path) else path

    def _slide(self, path: list[Square]) -> None:
        touches, self.now_ms = slide_touches(path, self.rng, self.now_ms)
        self.touches += touches

    def _touch(self, square: Square, change: int, *, rests: bool = False, after: tuple[int, int] | None = None) -> None:
        if after is not None:
            self.pause(after)
        self.touches.append(Touch(self.now_ms, square, change, rests))
        self.stands[square] = self.stands.get(square, 0) + change


def moves_between(before: Pieces, after: Pieces) -> list[PieceMove]:
    """Return which piece goes where between two positions: a promoted pawn leaves, its new piece comes from beside."""
    taken = {square: piece for square, piece in before.items() if after.get(square) != piece}
    found = []
    for end, piece in after.items():
        if before.get(end) == piece:
            continue
        start = next((square for square, other in taken.items() if other == piece), None)
        if start is not None:
            del taken[start]
        found.append(PieceMove(piece, start, end))
    return found + [PieceMove(piece, square, None) for square, piece in taken.items()]


def ordered(moves: list[PieceMove], rng: random.Random, chance: Chance) -> list[tuple[Step, PieceMove]]:
    """Return the lifts and places of a gesture in an order in which hands do them."""
    movers = [move for move in moves if move.end is not None]
    leavers = [move for move in moves if move.end is None]
    is_capture = bool(leavers) and any(move.start is not None for move in movers)
    ends = {move.end for move in movers}
    if not ends.isdisjoint(move.start for move in movers):  # a piece goes where another stands that goes elsewhere
        return _any_order(moves, rng) if chance("any_order") else _victim_aside(movers, leavers, chance)
    if len(movers) > 1 or (leavers and ends != {move.start for move in leavers}):
        if chance("any_order"):
            return _any_order(moves, rng)
    elif is_capture and chance("mover_first"):
        lifts = [(Step.LIFT, move) for move in (*movers, *leavers)]
        return lifts + [(Step.PLACE, move) for move in movers]
    return [(step, move) for move in (*leavers, *movers) for step in Step if step is Step.LIFT or move.end]


def _victim_aside(movers: list[PieceMove], leavers: list[PieceMove], chance: Chance) -> list[tuple[Step, PieceMove]]:
    """Return how a victim is set elsewhere: before the capturer is lifted, or with both in the hand."""
    ends = {move.end for move in movers}
    victims = [move for move in movers if move.start in ends]
    others = [move for move in movers if move not in victims]
    first = [(Step.LIFT, move) for move in leavers]
    if not others or chance("mover_first"):
        lifts = [(Step.LIFT, move) for move in (*others, *victims)]
        return [*first, *lifts, *((Step.PLACE, move) for move in (*victims, *others))]
    return [*first, *((step, move) for move in (*victims, *others) for step in Step)]


def _any_order(moves: list[PieceMove], rng: random.Random) -> list[tuple[Step, PieceMove]]:
    """Return any order in which each piece is lifted before it is placed, and on a square that is clear by then."""
    waiting = [(Step.LIFT, move) for move in moves] + [(Step.PLACE, move) for move in moves if move.end]
    done: list[tuple[Step, PieceMove]] = []
    while waiting:
        to_lift = [move for step, move in waiting if step is Step.LIFT]
        blocked = {move.start for move in to_lift}
        ready = [
            (step, move)
            for step, move in waiting
            if step is Step.LIFT or (move not in to_lift and move.end not in blocked)
        ]
        chosen = rng.choice(ready)
        waiting.remove(chosen)
        done.append(chosen)
    return done


ADJUST_MS = (80, 900)
KNOCKED_MS = (400, 2500)
MOST_ADJUSTED = 3
ALL_AT_ONCE = 0.3
FALLS_ACROSS = 0.3
FALLS_MS = 60
FRAME_MS = 10
RESENT_MS = 50
STALL_MS = (50, 800)
BLEMISHES = {InfluenceKind.DEAD: "dead_spot", InfluenceKind.NEAR: "neighbour"}


@dataclass(frozen=True, slots=True)
class Truth:
    """What really happened: the pieces at the end, and what is known of the hand (`Hand`).

    Attributes:
        chattering: the squares whose switch said nothing for a while, but flickered.
        end_ms: when hands and switches had come to rest.
    """

    pieces: Pieces
    missing: bool
    kinds: frozenset[str]
    tried: tuple[Square, ...]
    chattering: frozenset[Square]
    end_ms: int


@dataclass(frozen=True, slots=True)
class PlayedGesture:
    """A gesture: the changes that the table gets to know of, and the truth."""

    changes: tuple[ReedChange, ...]
    truth: Truth


class HandsAtBoard:
    """Hands at one board with its reeds, its scanner and its link."""

    def __init__(self, reeds: FaultyReeds, scanner: SimulatedScanner, shape: Shape, rng: random.Random) -> None:
        self._reeds = reeds
        self._scanner = scanner
        self._shape = shape
        self._rng = rng

    def perform(self, before: Pieces, after: Pieces, mix: NoiseMix, at_ms: int) -> PlayedGesture:
        """Bring the board from one position to another, as people do."""
        hand = hand_after(before, after, mix, self._rng, self._shape, at_ms)
        kinds, rests_ms = set(hand.kinds), hand.now_ms
        pulls = self._pulls(hand.touches)
        kinds |= {BLEMISHES[pull.field] for pull in pulls if pull.field in BLEMISHES}
        pulls += self._faults(mix, at_ms, rests_ms, kinds)
        chattering = frozenset(pull.square for pull in pulls if pull.field is SwitchFault.FLIP)
        settled = settle_all(self._scanner, self._reeds.sense(pulls))
        changes = tuple(transmit(settled, mix, self._rng))
        kinds |= {"link"} if list(changes) != settled else set()
        end_ms = max([rests_ms, *(change.at_ms for change in changes[-1:])])
        truth = Truth(after, hand.missing, frozenset(kinds), tuple(hand.tried), chattering, end_ms)
        return PlayedGesture(changes, truth)

    def _pulls(self, touches: Iterable[Touch]) -> list[Influence]:
        pulls = []
        for touch in touches:
            pull = Influence(touch.at_ms, touch.square, InfluenceKind.MAGNET, touch.change)
            pulls.append(pull)
            if touch.rests:
                pulls += self._reeds.disturbances(pull)
        return pulls

    def _faults(self, mix: NoiseMix, from_ms: int, to_ms: int, kinds: set[str]) -> list[Influence]:
        pulls: list[Influence] = []
        for kind in ("chatter", "stuck_open", "stuck_closed"):
            if self._rng.random() < getattr(mix, kind):
                kinds.add(kind)
                square, at_ms = self._rng.choice(self._shape.squares()), self._rng.randint(from_ms, to_ms)
                pulls += (
                    self._reeds.chatter(square, at_ms)
                    if kind == "chatter"
                    else self._reeds.break_switch(square, at_ms, closed=kind == "stuck_closed")
                )
        return pulls


def hand_after(before: Pieces, after: Pieces, mix: NoiseMix, rng: random.Random, shape: Shape, at_ms: int) -> Hand:
    """Return the hand that brought the pieces from one position to another, its touches in time order."""
    hand = Hand(mix, rng, shape, at_ms, dict.fromkeys(before, 1))
    moves = moves_between(before, after)
    busy = {square for move in moves for square in (move.start, move.end) if square is not None}
    others = [square for square in sorted(before) if square not in busy]
    adjusts = bool(others) and hand.chance("adjust")
    adjusts_first = adjusts and rng.random() < 0.5
    if adjusts_first:
        _adjust(hand, rng.sample(others, min(len(others), rng.randint(1, MOST_ADJUSTED))))
    began_ms = hand.now_ms
    hand.perform(moves)
    last_ms = hand.now_ms
    _disturb(hand, others, began_ms)
    if adjusts and not adjusts_first:
        hand.now_ms = max(last_ms, hand.now_ms)
        hand.pause(BETWEEN_MS)
        _adjust(hand, rng.sample(sorted(after), min(len(after), rng.randint(1, MOST_ADJUSTED))))
    hand.touches.sort(key=lambda touch: touch.at_ms)
    hand.now_ms = max([last_ms, hand.now_ms, *(touch.at_ms for touch in hand.touches)])
    return hand


def _disturb(hand: Hand, others: list[Square], began_ms: int) -> None:
    """Let other hands touch other pieces while the move is made."""
    until_ms = hand.now_ms
    crossed = {touch.square for touch in hand.touches}
    free = [square for square in others if square not in crossed]
    for kind, lasts_ms in (("knock", KNOCKED_MS), ("two_hands", ADJUST_MS)):
        if free and hand.chance(kind):
            square = free.pop(hand.rng.randrange(len(free)))
            since_ms = hand.now_ms = hand.rng.randint(began_ms, until_ms)
            hand.touches.append(Touch(hand.now_ms, square, -1))
            hand.pause(lasts_ms)
            hand.touches.append(Touch(hand.now_ms, square, 1, rests=True))
            if kind == "knock" and hand.rng.random() < FALLS_ACROSS:
                hand.touches += _lies_across(hand, square, since_ms)


def _lies_across(hand: Hand, square: Square, since_ms: int) -> list[Touch]:
    """Return what a fallen piece does that lies on a neighbouring square until it is put back."""
    beside = [Square(square.file + 1, square.rank), Square(square.file - 1, square.rank)]
    vacant = [near for near in beside if near in hand.shape and not hand.stands.get(near)]
    if not vacant:
        return []
    near = hand.rng.choice(vacant)
    return [Touch(since_ms + FALLS_MS, near, 1), Touch(max(since_ms + FALLS_MS, hand.now_ms - FALLS_MS), near, -1)]


def _adjust(hand: Hand, squares: list[Square]) -> None:
    """Lift pieces and put each back on its square, one after the other or all at once."""
    all_at_once = hand.rng.random() < ALL_AT_ONCE
    for square in squares:
        hand.touches.append(Touch(hand.now_ms, square, -1))
        hand.pause(ADJUST_MS)
        if not all_at_once:
            hand.touches.append(Touch(hand.now_ms, square, 1, rests=True))
            hand.pause(BETWEEN_MS)
    for square in squares if all_at_once else ():
        hand.touches.append(Touch(hand.now_ms, square, 1, rests=True))
        hand.pause(BETWEEN_MS)


def transmit(changes: Sequence[ReedChange], mix: NoiseMix, rng: random.Random) -> list[ReedChange]:
    """Return settled changes as they arrive."""
    if not (mix.frame_lost or mix.frame_doubled or mix.frame_late):
        return list(changes)
    arrived: list[ReedChange] = []
    open_ms = frame_ms = -1  # until when the link stalls, and until when a frame takes in what happens
    for change in changes:
        if change.at_ms >= frame_ms:
            frame_ms = change.at_ms + FRAME_MS
            open_ms = max(open_ms, change.at_ms + _stall_ms(mix, rng))
        late = change._replace(at_ms=max(change.at_ms, open_ms))
        arrived += [late, late] if rng.random() < mix.frame_doubled else [late]
    return arrived


def _stall_ms(mix: NoiseMix, rng: random.Random) -> int:
    luck = rng.random()
    if luck < mix.frame_lost:
        return RESENT_MS
    return rng.randint(*STALL_MS) if luck < mix.frame_lost + mix.frame_late else 0
