"""One gesture performed on a board: what hands touch, the reeds, the scanner and the link, and the truth.

The link loses frames and sends them again, doubles them, and delivers late in bursts; never out of order. The board
sends what has settled, and keeps it until it is acknowledged: so a lost frame comes later and nothing is missing. A
burst arrives at one instant; the pace of what happened is gone, its order is not.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from captains_table.games.contract import Shape, Square
from captains_table.simulation.noisy_switches import Touch
from captains_table.simulation.reeds import Influence, InfluenceKind, ReedChange, Reeds
from captains_table.simulation.simulated_scanner import SimulatedScanner
from tests.support.noise_mix import NoiseMix
from tests.support.simulated_hands import BETWEEN_MS, Hand, Pieces, moves_between

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
    """What really happened.

    Attributes:
        pieces: what stands where at the end.
        missing: whether a lift was never to be seen.
        kinds: the kinds of noise that were in it.
        tried: the squares a piece was put on for a try.
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
    """A gesture as the table gets to know it, and as it was.

    Attributes:
        changes: what has settled, as it arrives.
        truth: what really happened.
    """

    changes: tuple[ReedChange, ...]
    truth: Truth


class HandsAtBoard:
    """Hands at one board with its reeds, its scanner and its link.

    Args:
        reeds: the switches, with what stands on them.
        scanner: what debounces them.
        shape: the board.
        rng: where all chance comes from.
    """

    def __init__(self, reeds: Reeds, scanner: SimulatedScanner, shape: Shape, rng: random.Random) -> None:
        self._reeds = reeds
        self._scanner = scanner
        self._shape = shape
        self._rng = rng

    def perform(self, before: Pieces, after: Pieces, mix: NoiseMix, at_ms: int) -> PlayedGesture:
        """Bring the board from one position to another, as people do.

        Args:
            before: what stands where.
            after: what shall stand where.
            mix: how often what goes otherwise than it should.
            at_ms: when it begins.
        """
        hand = hand_after(before, after, mix, self._rng, self._shape, at_ms)
        kinds, rests_ms = set(hand.kinds), hand.now_ms
        pulls = self._pulls(hand.touches)
        kinds |= {BLEMISHES[pull.field] for pull in pulls if pull.field in BLEMISHES}
        pulls += self._faults(mix, at_ms, rests_ms, kinds)
        chattering = frozenset(pull.square for pull in pulls if pull.field is InfluenceKind.FLIP)
        settled = self._scanner.settle_all(self._reeds.sense(pulls))
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
