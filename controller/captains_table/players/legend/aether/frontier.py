"""The last move that is looked ahead, for all dice at once: where a search spends nine tenths of its time.

What a quiet move is worth follows from the squares it leaves and reaches, unless it touches an attack on a king: those
moves, captures, the king's and the pawns' special ones are made and valued in full (`touching`). The value is the same
as if every move were made and valued by `Evaluation.of`.

Source: docs/rules/legend.md L8 - L20.
"""

from collections.abc import Callable
from typing import Final

from captains_table.players.legend.aether.attacks import attack_set, diagonal, least_class, orthogonal
from captains_table.players.legend.aether.bits import (
    ALL,
    ANTIDIAGONAL_INNER,
    ANTIDIAGONALS,
    BIT,
    DIAGONAL_INNER,
    DIAGONALS,
    FILE_INNER,
    FILES,
    KING_TARGETS,
    KNIGHT_SET,
    KNIGHT_TARGETS,
    NOT_A,
    NOT_H,
    PAWNS_AT,
    RANK_1,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    RANK_8,
    RANK_INNER,
    RANKS,
    Line,
)
from captains_table.players.legend.aether.board import CASTLINGS, PAWN, Board, passed_turn
from captains_table.players.legend.aether.evaluation import Evaluation, Purse, stakes
from captains_table.players.legend.aether.throws import CARGO, UNKNOWN, best_of_turn
from captains_table.players.legend.aether.touching import Before, worth

Worths = tuple[float, ...]
Pending = list[tuple[int, int]]  # moves to be valued in full, as from and to
Scan = tuple[float, int, Pending]  # the most a quiet move gains by its squares, how many were looked at, and the others

MOST_BY_THROWING: Final = 4.2500001  # more than three throws can add to a move that every die permits
LAST_RANKS: Final = RANK_1 | RANK_8
SPECIAL_RANKS: Final = (LAST_RANKS | RANK_2, LAST_RANKS | RANK_7)  # where Black's, White's pawns do more than move
ANY: Final = 1e9  # more than any value


def last_turn(
    evaluation: Evaluation, board: Board, placed: float, purse: Purse, enough: float = ANY
) -> tuple[float, int]:
    """Return what a turn before its first throw is worth one move ahead, and how many positions were looked at.

    A value that is `enough` or more may be a bound from below.
    """
    before, quiet, loose, alerts = _survey(evaluation, board, placed, purse)
    unscored = [UNKNOWN] * 7
    best, lowest, forfeited, count = UNKNOWN, 7, 0.0, 0
    for kind in (1, 2, 3, 4, 5, 6):
        pieces = board[kind - 1]
        if pieces:
            gain, looked_at, pending = SCANS[kind](before, pieces, before.own_squares[kind], loose, alerts[kind])
            count += looked_at + len(pending)
            if lowest == 7 and (pending or gain > UNKNOWN):
                lowest = kind
                if kind > PAWN:
                    forfeited = _forfeited(evaluation, board, placed, purse)
            if quiet + gain > best:
                best = quiet + gain
            for origin, to in pending:
                value = worth(before, kind, origin, to, best)
                if value > best:
                    best = value
        unscored[kind] = best
        if best + MOST_BY_THROWING >= enough and kind < 6:
            bound = _value([*unscored[: kind + 1], *(best,) * (6 - kind)], lowest, forfeited)
            if bound >= enough:
                return bound, count
    if lowest == 7:
        return _forfeited(evaluation, board, placed, purse), count + 1
    return _value(unscored, lowest, forfeited), count


def _value(unscored: list[float], lowest: int, forfeited: float) -> float:
    return best_of_turn([best + die for die, best in enumerate(unscored)], unscored, lowest, forfeited)


def _forfeited(evaluation: Evaluation, board: Board, placed: float, purse: Purse) -> float:
    cargo, other_cargo, held, other_held = purse
    return CARGO - evaluation.of(passed_turn(board), -placed, (other_cargo, cargo + CARGO, other_held, held))


def _survey(
    evaluation: Evaluation, board: Board, placed: float, purse: Purse
) -> tuple[Before, float, int, tuple[int, ...]]:
    """Return what is common to all moves of a turn.

    That is what full valuing needs; what a quiet move is worth beside its squares; the pieces that open a line to a
    king or stop attacking one when they move; and for each class the squares on which an attack begins or is cut off.
    """
    own, theirs, white = board[0:6], board[6:12], board[14]
    p, n, b, r, k, q = own
    xp, xn, xb, xr, xk, xq = theirs
    mine = p | n | b | r | k | q
    occupied = mine | xp | xn | xb | xr | xk | xq
    place, home = xk.bit_length() - 1, k.bit_length() - 1
    across, along = diagonal(place, occupied), orthogonal(place, occupied)
    hits = attack_set(place, occupied, own, white)
    harm = attack_set(home, occupied, theirs, 1 - white)
    loose = hits | _opening(place, occupied, mine, b | q, r | q) | _opening(home, occupied, mine, xb | xq, xr | xq)
    cut = 0
    if hits & (b | r | q):
        cut |= across | along
    if harm & (xb | xr | xq):
        cut |= diagonal(home, occupied) | orthogonal(home, occupied)

    weights = evaluation.weights
    cargo, other_cargo, held, other_held = purse
    stake, against = stakes((other_cargo, cargo + CARGO, other_held, held))
    base = CARGO + placed - weights.turn - weights.stake * stake - weights.stake_against * against
    attack = [one + more * stake for one, more in zip(weights.attack, weights.attack_stake, strict=True)]
    exposed = [one + more * against for one, more in zip(weights.exposed, weights.exposed_stake, strict=True)]
    quiet = base - attack[least_class(harm, theirs)] - exposed[least_class(hits, own)]
    slack = 1.0 - min(attack) - min(exposed)
    squares = evaluation.squares
    before = Before(
        board,
        own,
        theirs,
        mine,
        occupied,
        hits,
        squares[white],
        squares[1 - white],
        purse,
        base,
        stake,
        against,
        slack,
        weights,
    )
    alerts = (
        *(0, PAWNS_AT[white][place] | cut | SPECIAL_RANKS[white], KNIGHT_SET[place] | cut),
        *(across | cut, along | cut, ALL, across | along | cut),
    )
    return before, quiet, loose, alerts


def _opening(king: int, occupied: int, mine: int, diagonals: int, orthogonals: int) -> int:
    """Return the mover's pieces that stand between a king and sliders of one side."""
    found = 0
    if diagonals:
        seen = diagonal(king, occupied)
        blockers = seen & mine
        if blockers and diagonal(king, occupied ^ blockers) & ~seen & diagonals:
            found |= blockers
    if orthogonals:
        seen = orthogonal(king, occupied)
        blockers = seen & mine
        if blockers and orthogonal(king, occupied ^ blockers) & ~seen & orthogonals:
            found |= blockers
    return found


# --- the moves of each kind -----------------------------------------------------------------------------------------


def _pawns(before: Before, pawns: int, table: Worths, loose: int, alert: int) -> Scan:
    board, occupied = before.board, before.occupied
    prey = board[6] | board[7] | board[8] | board[9] | board[10] | board[11] | board[13]
    if board[14]:
        single = pawns << 8 & ~occupied & ALL
        double = (single & RANK_3) << 8 & ~occupied
        left, right = (pawns & NOT_A) << 7 & prey, (pawns & NOT_H) << 9 & prey
        ahead, by_left, by_right = 8, 7, 9
    else:
        single = pawns >> 8 & ~occupied
        double = (single & RANK_6) >> 8 & ~occupied
        left, right = (pawns & NOT_A) >> 9 & prey, (pawns & NOT_H) >> 7 & prey
        ahead, by_left, by_right = -8, -9, -7
    top, count = UNKNOWN, 0
    pending: Pending = []
    for targets, step in ((single, ahead), (double, 2 * ahead)):
        while targets:
            to = targets.bit_length() - 1
            targets ^= BIT[to]  # noqa: PLW2901 - the set is used up
            if BIT[to] & alert or BIT[to - step] & loose:
                _add(pending, to - step, to)
            else:
                count += 1
                gain = table[to] - table[to - step]
                if gain > top:
                    top = gain
    for targets, step in ((left, by_left), (right, by_right)):
        while targets:
            to = targets.bit_length() - 1
            targets ^= BIT[to]  # noqa: PLW2901 - the set is used up
            _add(pending, to - step, to)
    return top, count, pending


def _add(pending: Pending, origin: int, to: int) -> None:
    if BIT[to] & LAST_RANKS:
        pending += [(origin, to + 64), (origin, to + 128), (origin, to + 192), (origin, to + 256)]
    else:
        pending.append((origin, to))


def _knights(before: Before, knights: int, table: Worths, loose: int, alert: int) -> Scan:
    occupied = before.occupied
    own = before.mine
    top, count = UNKNOWN, 0
    pending: Pending = []
    while knights:
        origin = knights.bit_length() - 1
        knights ^= BIT[origin]
        careful = ALL if BIT[origin] & loose else alert
        least = top + table[origin]
        for to, bit, _ in KNIGHT_TARGETS[origin]:
            if not bit & (occupied | careful):
                count += 1
                if table[to] > least:
                    least = table[to]
            elif not own & bit:
                pending.append((origin, to))
        top = least - table[origin]
    return top, count, pending


def _slider(*lines: tuple[tuple[Line, ...], tuple[int, ...]]) -> Callable[[Before, int, Worths, int, int], Scan]:
    """Return how a piece is looked at that slides along some lines."""

    def scan(before: Before, pieces: int, table: Worths, loose: int, alert: int) -> Scan:
        occupied, own = before.occupied, before.mine
        top, count = UNKNOWN, 0
        pending: Pending = []
        while pieces:
            origin = pieces.bit_length() - 1
            pieces ^= BIT[origin]
            careful = ALL if BIT[origin] & loose else alert
            best = top + table[origin]
            for by_square, inner in lines:
                free, ends, _ = by_square[origin][occupied & inner[origin]]
                count += len(free)
                for to, bit, _ in free:
                    if bit & careful:
                        pending.append((origin, to))
                    elif table[to] > best:
                        best = table[to]
                for to, bit, _ in ends:
                    if not bit & (occupied | careful):
                        count += 1
                        if table[to] > best:
                            best = table[to]
                    elif not own & bit:
                        pending.append((origin, to))
            top = best - table[origin]
        return top, count, pending

    return scan


SLIDING = ((DIAGONALS, DIAGONAL_INNER), (ANTIDIAGONALS, ANTIDIAGONAL_INNER)), ((RANKS, RANK_INNER), (FILES, FILE_INNER))


def _king(before: Before, king: int, table: Worths, loose: int, alert: int) -> Scan:  # noqa: ARG001 - one form for all
    board, own, home = before.board, before.mine, king.bit_length() - 1
    pending = [(home, to) for to, bit, _ in KING_TARGETS[home] if not own & bit]
    if board[12]:
        for needed, _, to, empty, _ in CASTLINGS[board[14]]:
            if board[12] & needed and not before.occupied & empty:
                pending.append((home, to))
    return UNKNOWN, 0, pending


SCANS: Final = (
    _pawns,
    _pawns,
    _knights,
    _slider(*SLIDING[0]),
    _slider(*SLIDING[1]),
    _king,
    _slider(*SLIDING[0], *SLIDING[1]),
)
