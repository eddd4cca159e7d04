"""What a move is worth as the last one looked ahead, where it may touch an attack on a king: it is made and valued.

Source: docs/rules/legend.md L9 - L20.
"""

from typing import Final, NamedTuple

from captains_table.players.legend.aether.attacks import Pieces, attack_set, least_class
from captains_table.players.legend.aether.bits import BIT, RANK_2, RANK_7
from captains_table.players.legend.aether.board import KING, PAWN, PROMOTED, ROOK, Board
from captains_table.players.legend.aether.evaluation import Purse, Weights
from captains_table.players.legend.aether.throws import CARGO, KING_CAPTURE, KING_VALUE, TREASURE

SEVENTH: Final = (RANK_2, RANK_7)  # Black's, White's
Squares = tuple[tuple[float, ...], ...]


class Before(NamedTuple):
    """What is common to all moves of a turn.

    Attributes:
        board: the position.
        own: the mover's pieces.
        theirs: the other's.
        mine: all of the mover's.
        occupied: all of both.
        hits: the attackers of the other's king.
        own_squares: the worth of the mover's pieces by class and square.
        their_squares: the same of the other's.
        purse: the tallies.
        base: what a move is worth beside what changes.
        stake: what the mover's king would bring the other afterwards.
        against: what the other's king brings the mover.
        slack: more than a move without capture or treasure can gain beside its squares.
        weights: those of the evaluation.
    """

    board: Board
    own: Pieces
    theirs: Pieces
    mine: int
    occupied: int
    hits: int
    own_squares: Squares
    their_squares: Squares
    purse: Purse
    base: float
    stake: float
    against: float
    slack: float
    weights: Weights


def worth(before: Before, kind: int, origin: int, to: int, floor: float) -> float:
    """Return what a move is worth, without what it scores; anything up to `floor` where it cannot be more.

    Args:
        before: the turn.
        kind: the class of the piece.
        origin: where it stands.
        to: where it goes, 64 more for each kind of promotion.
        floor: the best that is known of such moves.
    """
    board, own, theirs, _, occupied, hits, own_squares, their_squares, purse, base, stake, against, slack, weights = (
        before
    )
    leaves, on = BIT[origin], to & 63
    bit = BIT[on]
    white = board[14]
    becomes = PROMOTED[to >> 6] or kind
    gain = own_squares[becomes][on] - own_squares[kind][origin]
    treasure = 0.0
    occupied = (occupied ^ leaves) | bit
    made = list(own)
    made[kind - 1] ^= leaves
    made[becomes - 1] |= bit
    taken, victim = 0, on
    if before.occupied & bit:
        for other, pieces in enumerate(theirs, start=1):
            if pieces & bit:
                taken = other
                break
    if kind == PAWN:
        if bit & SEVENTH[white]:
            treasure = TREASURE
        elif bit == board[13]:
            taken, victim = PAWN, on - 8 if white else on + 8
            occupied ^= BIT[victim]
    elif kind == KING and (to - origin == 2 or origin - to == 2):
        treasure = TREASURE
        corner, beside = (to + 1, to - 1) if to > origin else (to - 2, to + 1)
        both = BIT[corner] | BIT[beside]
        occupied ^= both
        made[ROOK - 1] ^= both
        gain += own_squares[ROOK][beside] - own_squares[ROOK][corner]
    if taken:
        if taken == KING:
            return CARGO + treasure + against
        gain += their_squares[taken][victim]
        left = list(theirs)
        left[taken - 1] ^= BIT[victim]
        theirs = (left[0], left[1], left[2], left[3], left[4], left[5])
    if taken or treasure:
        cargo, other_cargo, held, other_held = purse
        now = KING_CAPTURE + 2 * min(cargo + CARGO + treasure, other_held + KING_VALUE)
        then = KING_CAPTURE + 2 * min(other_cargo, held + taken + KING_VALUE)
        gain += treasure + weights.stake * (stake - now) + weights.stake_against * (against - then)
        stake, against = now, then
    elif base + gain + slack <= floor:
        return floor
    place, home = theirs[4].bit_length() - 1, made[4].bit_length() - 1
    after = (made[0], made[1], made[2], made[3], made[4], made[5])
    strikers = attack_set(place, occupied, after, white)
    if strikers & ~hits:
        gain += 1.0
    first = least_class(attack_set(home, occupied, theirs, 1 - white), theirs)
    second = least_class(strikers, after)
    return (
        base
        + gain
        - weights.attack[first]
        - weights.attack_stake[first] * stake
        - weights.exposed[second]
        - weights.exposed_stake[second] * against
    )
