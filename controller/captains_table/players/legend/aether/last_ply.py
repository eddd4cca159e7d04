"""Evaluates the search's last ply for all faces of the die at once; a search spends nine tenths of its time here.

For most moves, the squares that the piece leaves and reaches are enough to compute the value. Other moves are evaluated
in full (`full_moves`): captures, king moves, special pawn moves, and moves that may change an attack on a king. The
value of a turn is the same as if every move were made and evaluated by `Evaluation.of`.

Source: docs/rules/legend.md L8 - L20.
"""

from collections.abc import Callable
from typing import Final

from captains_table.players.legend.aether.bits import (
    ALL,
    BIT64,
    KING_SET,
    KNIGHT_SET,
    LAST_RANKS,
    LINES,
    PAWNS_AT,
    RANK_2,
    RANK_7,
    Lines,
    diagonal,
    least_class,
    orthogonal,
    pawn_target_sets,
)
from captains_table.players.legend.aether.board import (
    CASTLING_MASKS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    AetherBoard,
    passed_turn,
)
from captains_table.players.legend.aether.evaluation import Evaluation, Purse, stakes
from captains_table.players.legend.aether.full_moves import KingAttacks, TurnContext, full_move_value
from captains_table.players.legend.aether.throws import CARGO, UNKNOWN, best_of_turn

_SquareValues = tuple[float, ...]
Pending = list[tuple[int, int]]  # moves to evaluate in full, as from and to
Scan = tuple[float, int, Pending]  # best piece-square gain of a quiet move, number of quiet moves, and the other moves

MOST_BY_THROWING: Final = 4.2500001  # upper bound of what three throws add to a move that every die permits
SPECIAL_RANKS: Final = (LAST_RANKS | RANK_2, LAST_RANKS | RANK_7)  # ranks with special pawn moves: for Black, for White
ABOVE_ALL_VALUES: Final = 1e9  # greater than any value


def last_turn(
    evaluation: Evaluation, board: AetherBoard, placed: float, purse: Purse, enough: float = ABOVE_ALL_VALUES
) -> tuple[float, int]:
    """Return the value of a turn before its first throw, searched one move deep, and the number of searched positions.

    A value of `enough` or more may be a lower bound.
    """
    before, attacks = _survey(evaluation, board, placed, purse)
    kept = evaluation.keeps[attacks.harming][attacks.hitting]
    quiet = before.base + kept * placed - before.by[0][attacks.harming] - before.by[1][attacks.hitting]
    loose, home_alert = attacks.loose | attacks.home_loose, attacks.home_alert
    unscored = [UNKNOWN] * 7
    best, lowest, forfeited, count = UNKNOWN, 7, 0.0, 0
    for kind in (1, 2, 3, 4, 5, 6):
        pieces = board[kind - 1]
        if pieces:
            gain, looked_at, pending = SCANS[kind](
                before, pieces, before.own_squares[kind], loose, home_alert | attacks.alerts[kind]
            )
            count += looked_at + len(pending)
            if lowest == 7 and (pending or gain > UNKNOWN):
                lowest = kind
                if kind > PAWN:
                    forfeited = _forfeited(evaluation, board, placed, purse)
            if gain > UNKNOWN and quiet + kept * gain > best:
                best = quiet + kept * gain
            for origin, to in pending:
                value = full_move_value(before, attacks, kind, origin, to, best)
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


def _forfeited(evaluation: Evaluation, board: AetherBoard, placed: float, purse: Purse) -> float:
    cargo, other_cargo, held, other_held = purse
    return CARGO - evaluation.of(passed_turn(board), -placed, (other_cargo, cargo + CARGO, other_held, held))


def _survey(evaluation: Evaluation, board: AetherBoard, placed: float, purse: Purse) -> tuple[TurnContext, KingAttacks]:
    """Return the values that are the same for all moves of a turn, and the attacks on both kings before the move."""
    own, theirs, white = board[0:6], board[6:12], board[14]
    p, n, b, r, k, q = own
    xp, xn, xb, xr, xk, xq = theirs
    mine = p | n | b | r | k | q
    occupied = mine | xp | xn | xb | xr | xk | xq
    place, home = xk.bit_length() - 1, k.bit_length() - 1
    across, along = diagonal(place, occupied), orthogonal(place, occupied)
    bq, rq, xbq, xrq = b | q, r | q, xb | xq, xr | xq
    hits = (PAWNS_AT[white][place] & p) | (KNIGHT_SET[place] & n) | (KING_SET[place] & k) | (across & bq) | (along & rq)
    home_across, home_along = diagonal(home, occupied), orthogonal(home, occupied)
    harm = (
        (PAWNS_AT[1 - white][home] & xp)
        | (KNIGHT_SET[home] & xn)
        | (KING_SET[home] & xk)
        | (home_across & xbq)
        | (home_along & xrq)
    )

    loose, home_loose = hits, 0
    if across & mine and bq:
        loose |= _opening(diagonal, place, occupied, across, mine, bq)
    if along & mine and rq:
        loose |= _opening(orthogonal, place, occupied, along, mine, rq)
    if home_across & mine and xbq:
        home_loose |= _opening(diagonal, home, occupied, home_across, mine, xbq)
    if home_along & mine and xrq:
        home_loose |= _opening(orthogonal, home, occupied, home_along, mine, xrq)
    cut = across | along if hits & (bq | rq) else 0
    home_alert = harm | home_across | home_along if harm & (xbq | xrq) else harm
    alerts = (
        *(0, PAWNS_AT[white][place] | cut, KNIGHT_SET[place] | cut),
        *(across | cut, along | cut, KING_SET[place] | cut, across | along | cut),
    )
    hitting, harming = least_class(hits, own), least_class(harm, theirs)
    attacks = KingAttacks(hits, hitting, loose, alerts, harming, home_loose, home_alert)

    cargo, other_cargo, held, other_held = purse
    stake, against = stakes((other_cargo, cargo + CARGO, other_held, held))
    base = CARGO - evaluation.staked(stake, against)
    squares = evaluation.squares
    return (
        TurnContext(
            *(evaluation, board, own, theirs, mine, occupied, squares[white], squares[1 - white]),
            *(purse, placed, base, stake, against, evaluation.by_stake(stake, against)),
        ),
        attacks,
    )


def _opening(reach: Callable[[int, int], int], king: int, occupied: int, seen: int, mine: int, sliders: int) -> int:
    """Return the mover's pieces that may shield a king from sliders, so that moving one may discover an attack.

    The result is the bitboard of all the mover's pieces that a bishop, or a rook, on the king's square would attack. It
    is 0 if no slider would attack the king even if all these pieces were gone.

    Args:
        reach: returns the squares that a bishop attacks from a square, or those that a rook attacks.
        king: the king's square.
        occupied: the squares of all pieces.
        seen: the squares that `reach` returns for the king's square.
        mine: the squares of the mover's pieces.
        sliders: the squares of the pieces that move like that bishop or rook and may attack the king.
    """
    blockers = seen & mine
    return blockers if reach(king, occupied ^ blockers) & ~seen & sliders else 0


# --- the moves of each kind of piece --------------------------------------------------------------------------------


def _pawns(before: TurnContext, pawns: int, table: _SquareValues, loose: int, alert: int) -> Scan:
    board = before.board
    prey = board[6] | board[7] | board[8] | board[9] | board[10] | board[11] | board[13]
    steps = pawn_target_sets(pawns, before.occupied, prey, board[14])
    top, count, special = UNKNOWN, 0, alert | SPECIAL_RANKS[board[14]]
    pending: Pending = []
    for targets, step in steps[:2]:
        while targets:
            to = targets.bit_length() - 1
            targets ^= BIT64[to]  # noqa: PLW2901 - the set is used up
            if BIT64[to] & special or BIT64[to - step] & loose:
                _add(pending, to - step, to)
            else:
                count += 1
                gain = table[to] - table[to - step]
                if gain > top:
                    top = gain
    for targets, step in steps[2:]:
        while targets:
            to = targets.bit_length() - 1
            targets ^= BIT64[to]  # noqa: PLW2901 - the set is used up
            _add(pending, to - step, to)
    return top, count, pending


def _add(pending: Pending, origin: int, to: int) -> None:
    if BIT64[to] & LAST_RANKS:
        pending += [(origin, to + 64), (origin, to + 128), (origin, to + 192), (origin, to + 256)]
    else:
        pending.append((origin, to))


def _along(lines: tuple[Lines, ...]) -> Callable[[TurnContext, int, _SquareValues, int, int], Scan]:
    """Return a function that scans the moves of pieces along the given lines.

    The function returns the best piece-square gain of a quiet move, the number of quiet moves, and the other moves.
    """

    def scan(before: TurnContext, pieces: int, table: _SquareValues, loose: int, alert: int) -> Scan:
        occupied, own = before.occupied, before.mine
        top, count = UNKNOWN, 0
        pending: Pending = []
        while pieces:
            origin = pieces.bit_length() - 1
            pieces ^= BIT64[origin]
            careful = ALL if BIT64[origin] & loose else alert
            best = top + table[origin]
            for by_standing, inner in lines:
                free, ends, _ = by_standing[origin][occupied & inner[origin]]
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


def _king(before: TurnContext, king: int, table: _SquareValues, loose: int, alert: int) -> Scan:  # noqa: ARG001 - all scans have the same signature
    board, own, home = before.board, before.mine, king.bit_length() - 1
    ((by_standing, _),) = LINES[KING]
    pending = [(home, to) for to, bit, _ in by_standing[home][0][1] if not own & bit]
    if board[12]:
        for needed, _, to, empty, _ in CASTLING_MASKS[board[14]]:
            if board[12] & needed and not before.occupied & empty:
                pending.append((home, to))
    return UNKNOWN, 0, pending


SCANS: Final = (_pawns, _pawns, *(_king if kind == KING else _along(LINES[kind]) for kind in range(KNIGHT, QUEEN + 1)))
