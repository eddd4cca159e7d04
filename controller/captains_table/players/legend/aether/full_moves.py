"""Evaluates the non-quiet moves in the search's last ply; used by `last_ply`.

Non-quiet moves are captures, king moves, special pawn moves, and moves that may change an attack on a king. The
evaluation may return early with an upper bound.

Source: docs/rules/legend.md L9 - L20.
"""

from typing import Final, NamedTuple

from captains_table.players.legend.aether.bits import BIT64, RANK_2, RANK_7, SidePieces, attack_set, least_class
from captains_table.players.legend.aether.board import KING, PAWN, PROMOTIONS, ROOK, AetherBoard, without
from captains_table.players.legend.aether.evaluation import LEAST, ByClass, Evaluation, Purse, stakes
from captains_table.players.legend.aether.throws import CARGO, TREASURE

SEVENTH: Final = (RANK_2, RANK_7)  # Black's, White's
Squares = tuple[tuple[float, ...], ...]


class TurnContext(NamedTuple):
    """The data that all moves of a turn have in common.

    Attributes:
        evaluation: evaluates the position after the move.
        board: the position.
        own: the mover's pieces.
        theirs: the opponent's pieces.
        mine: the squares of all the mover's pieces.
        occupied: the squares of all pieces.
        own_squares: the piece-square values for the mover's pieces.
        their_squares: the piece-square values for the opponent's pieces.
        purse: the cargo and the captures of both sides, which decide the points for a captured king.
        placed: the piece-square value of the position.
        base: the value of a move without the values of pieces and attacks.
        stake: the points that capturing the mover's king would bring the opponent after the move.
        against: the points that capturing the other king would bring the mover.
        by: two tables of values from the opponent's view: the first of attacks on the mover's king, the second of
            attacks on the opponent's king. Both are indexed by the weakest attacker (1 pawn to 6 queen; 0 no attack).
    """

    evaluation: Evaluation
    board: AetherBoard
    own: SidePieces
    theirs: SidePieces
    mine: int
    occupied: int
    own_squares: Squares
    their_squares: Squares
    purse: Purse
    placed: float
    base: float
    stake: float
    against: float
    by: tuple[ByClass, ByClass]


class KingAttacks(NamedTuple):
    """The attacks on both kings before a move, and the squares where moves may change them.

    Attributes:
        hits: the bitboard of the mover's pieces that attack the other king.
        hitting: the lowest class among these pieces; 0 if there are none.
        loose: the mover's pieces that may change the attacks on the other king when they leave their squares.
        alerts: for each class of piece, the target squares at which a move may change the attacks on the other king.
        harming: the lowest class of piece that attacks the mover's king; 0 if none does.
        home_loose: the mover's pieces that may change the attacks on the mover's king when they leave their squares.
        home_alert: the target squares at which a move may change the attacks on the mover's king.
    """

    hits: int
    hitting: int
    loose: int
    alerts: tuple[int, ...]
    harming: int
    home_loose: int
    home_alert: int


def full_move_value(before: TurnContext, attacks: KingAttacks, kind: int, origin: int, to: int, floor: float) -> float:
    """Return the value of a move without the points for its throw (L9).

    A value of at most `floor` may be an upper bound.

    Args:
        before: the turn before the move.
        attacks: the attacks on the kings before the move.
        kind: the class of the piece that moves.
        origin: the square of that piece.
        to: the target square, plus 64 times the index of the promotion in `PROMOTIONS`.
        floor: the value that the move must exceed to matter.
    """
    evaluation, board, own, theirs, _, occupied, squares, others, purse, placed, base, stake, against, by = before
    attack, exposed = by
    hits, hitting, loose, alerts, harming, home_loose, home_alert = attacks
    leaves, on = BIT64[origin], to & 63
    bit = BIT64[on]
    white = board[14]
    becomes = PROMOTIONS[to >> 6] or kind
    placed += squares[becomes][on] - squares[kind][origin]
    treasure, taken, victim, rook = 0.0, 0, on, 0
    if occupied & bit:
        taken = least_class(bit, theirs)
    touches = leaves & loose or bit & alerts[kind] or becomes != kind
    touches_home = leaves & home_loose or bit & home_alert
    if kind == PAWN:
        if bit & SEVENTH[white]:
            treasure = TREASURE
        elif bit == board[13]:
            taken, victim = PAWN, on - 8 if white else on + 8
            touches = touches_home = 1
    elif kind == KING:
        touches_home = 1
        if to - origin == 2 or origin - to == 2:
            treasure, touches = TREASURE, 1
            rook_from, rook_to = (to + 1, to - 1) if to > origin else (to - 2, to + 1)
            rook = BIT64[rook_from] | BIT64[rook_to]
            placed += squares[ROOK][rook_to] - squares[ROOK][rook_from]
    if taken:
        if taken == KING:
            return CARGO + treasure + against
        placed += others[taken][victim]
    if taken or treasure:
        cargo, other_cargo, held, other_held = purse
        now, then = stakes((other_cargo, cargo + CARGO + treasure, other_held, held + taken))
        if now != stake or then != against:
            base += evaluation.staked(stake, against) - evaluation.staked(now, then)
            attack, exposed = evaluation.by_stake(now, then)
        base += treasure
    struck = 1.0 if touches else 0.0
    worst, least = LEAST if touches_home else harming, LEAST if touches else hitting
    kept = (evaluation.most_kept if placed > 0 else evaluation.least_kept)[worst][least]
    most = base + struck + kept * placed - attack[worst] - exposed[least]
    if most <= floor or not (touches or touches_home):
        return most

    occupied = (occupied ^ leaves) | bit
    if rook:
        occupied ^= rook
    if taken:
        if victim != on:
            occupied ^= BIT64[victim]
        theirs = without(theirs, BIT64[victim])
    if touches:
        made = list(own)
        made[kind - 1] ^= leaves
        made[becomes - 1] |= bit
        made[ROOK - 1] ^= rook
        after = (made[0], made[1], made[2], made[3], made[4], made[5])
        strikers = attack_set(theirs[4].bit_length() - 1, occupied, after, white)
        hitting = least_class(strikers, after)
        if not strikers & ~hits:
            struck = 0.0
    if touches_home:
        home = on if kind == KING else own[4].bit_length() - 1
        harming = least_class(attack_set(home, occupied, theirs, 1 - white), theirs)
    return base + struck + evaluation.keeps[harming][hitting] * placed - attack[harming] - exposed[hitting]
