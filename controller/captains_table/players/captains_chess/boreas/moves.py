"""The moves of a board: the loud ones (captures and promotions), the quiet ones, and which of them expose the king.

Both lists leave the safety of the king to whoever makes the moves, but for castling. A loud move's number begins with
what orders it (`ORDER_AT`): what it takes and gains, the cheaper piece first.

Source: docs/rules/captains-chess.md.
"""

from typing import Final

from captains_table.games.captains_chess.position import (
    BISHOP,
    CAPTAIN,
    CASTLINGS,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    FILES,
    KING,
    KNIGHT,
    LAST_RANK,
    PAWN,
    QUEEN,
    ROOK,
)
from captains_table.players.captains_chess.boreas.board import (
    BASES,
    BECOMES_AT,
    CASTLING,
    DOUBLE_STEP,
    EN_PASSANT,
    END_AT,
    KINGS,
    MOVE,
    ORDER_AT,
    PAWNS,
    TAKEN_AT,
    Board,
)
from captains_table.players.captains_chess.boreas.lines import (
    BETWEEN,
    BIT,
    CAPTAIN_LEAPS,
    FALLING_MASKS,
    FALLING_REACHES,
    FILE_MASKS,
    FILE_REACHES,
    FULL,
    KING_STEPS,
    KNIGHT_LEAPS,
    NO_STEPS,
    NOT_FIRST_FILE,
    NOT_LAST_FILE,
    PAWN_TAKES,
    RANK_MASKS,
    RANK_REACHES,
    RISING_MASKS,
    RISING_REACHES,
    SLANTED_LINES,
    SLANTED_STEPS,
    STRAIGHT_LINES,
    STRAIGHT_STEPS,
    rank_bits,
)
from captains_table.players.captains_chess.boreas.values import WORTH, WORTH_OF

LAST: Final = (rank_bits(0), rank_bits(LAST_RANK))  # Black's, White's
_THIRD: Final = (rank_bits(LAST_RANK - 2), rank_bits(2))  # where a pawn that steps twice passes by
_LEAPERS: Final = ((KNIGHT, KNIGHT_LEAPS), (CAPTAIN, CAPTAIN_LEAPS), (KING, KING_STEPS))
_STRAIGHT: Final = (RANK_MASKS, RANK_REACHES, FILE_MASKS, FILE_REACHES)
_SLANTED: Final = (RISING_MASKS, RISING_REACHES, FALLING_MASKS, FALLING_REACHES)
# kind, what it becomes on the last rank, its lines, its steps
_RIDERS: Final = (
    (BISHOP, CROWNED_BISHOP, _SLANTED, NO_STEPS),
    (ROOK, CROWNED_ROOK, _STRAIGHT, NO_STEPS),
    (CROWNED_BISHOP, CROWNED_BISHOP, _SLANTED, STRAIGHT_STEPS),
    (CROWNED_ROOK, CROWNED_ROOK, _STRAIGHT, SLANTED_STEPS),
)
# What is taken counts sixteen times what takes it, in tenths of a pawn; a king, who is never retaken, comes last.
_PRIZE: Final = tuple((worth // 10 * 16) << ORDER_AT for worth in WORTH_OF)
_COST: Final = tuple((worth // 10 if worth else 99) << ORDER_AT for worth in WORTH_OF)
_CROWNING: Final = {
    kind: ((WORTH[becomes] - WORTH[kind]) // 10 * 16) << ORDER_AT
    for kind, becomes in ((PAWN, CAPTAIN), (BISHOP, CROWNED_BISHOP), (ROOK, CROWNED_ROOK))
}
_BASE_ORDER: Final = 100 << ORDER_AT  # more than any cost, so that no move's order is below 0


def loud_moves(board: Board) -> list[int]:  # noqa: C901 - a call for each piece would cost more than a line
    """Return the captures and promotions, each with its order."""
    white, squares, of = board.white, board.squares, board.of
    base, foes = BASES[white], board.side[not white]
    occupied = board.side[0] | board.side[1]
    found = list[int]()
    for kind, leaps in _LEAPERS:
        bits, code = of[base + kind], base + kind
        while bits:
            low = bits & -bits
            bits ^= low
            start = low.bit_length() - 1
            ends = leaps[start] & foes
            if ends:
                _take(found, squares, ends, start | code << BECOMES_AT, _BASE_ORDER - _COST[code])
    crowning = foes | (LAST[white] & ~occupied)
    for kind, crown, (one_masks, one_reaches, other_masks, other_reaches), steps in _RIDERS:
        bits, code = of[base + kind], base + kind
        targets = foes if kind == crown else crowning
        while bits:
            low = bits & -bits
            bits ^= low
            start = low.bit_length() - 1
            ends = targets & (
                one_reaches[start][occupied & one_masks[start]]
                | other_reaches[start][occupied & other_masks[start]]
                | steps[start]
            )
            if not ends:
                continue
            order = _BASE_ORDER - _COST[code]
            if kind == crown:
                _take(found, squares, ends, start | code << BECOMES_AT, order)
                continue
            last = ends & LAST[white]
            if last:
                _take(found, squares, last, start | base + crown << BECOMES_AT, order + _CROWNING[kind])
                ends ^= last
            _take(found, squares, ends, start | code << BECOMES_AT, order)
    bits, code = of[base + QUEEN], base + QUEEN
    while bits:
        low = bits & -bits
        bits ^= low
        start = low.bit_length() - 1
        ends = foes & _queen_reach(start, occupied)
        if ends:
            _take(found, squares, ends, start | code << BECOMES_AT, _BASE_ORDER - _COST[code])
    _take_by_pawns(found, board, occupied)
    return found


def _take(found: list[int], squares: list[int], ends: int, stem: int, order: int) -> None:
    while ends:
        low = ends & -ends
        ends ^= low
        end = low.bit_length() - 1
        taken = squares[end]
        found.append(order + _PRIZE[taken] | taken << TAKEN_AT | end << END_AT | stem)


def _queen_reach(start: int, occupied: int) -> int:
    return (
        RANK_REACHES[start][occupied & RANK_MASKS[start]]
        | FILE_REACHES[start][occupied & FILE_MASKS[start]]
        | RISING_REACHES[start][occupied & RISING_MASKS[start]]
        | FALLING_REACHES[start][occupied & FALLING_MASKS[start]]
    )


def _take_by_pawns(found: list[int], board: Board, occupied: int) -> None:
    """Add what pawns take, en passant too, and their steps to the last rank."""
    white, squares = board.white, board.squares
    pawn, base = PAWNS[white], BASES[white]
    pawns, foes, last = board.of[pawn], board.side[not white], LAST[white]
    if white:
        ways = (
            (8, (pawns & NOT_FIRST_FILE) << 8 & foes),
            (10, (pawns & NOT_LAST_FILE) << 10 & foes),
            (9, pawns << 9 & last & ~occupied),
        )
    else:
        ways = (
            (-8, (pawns & NOT_LAST_FILE) >> 8 & foes),
            (-10, (pawns & NOT_FIRST_FILE) >> 10 & foes),
            (-9, pawns >> 9 & last & ~occupied),
        )
    order = _BASE_ORDER - _COST[pawn]
    for step, reached in ways:
        ends = reached
        while ends:
            low = ends & -ends
            ends ^= low
            end = low.bit_length() - 1
            taken = squares[end]
            stem = end - step | end << END_AT | taken << TAKEN_AT
            if low & last:
                found.append(order + _PRIZE[taken] + _CROWNING[PAWN] | stem | base + CAPTAIN << BECOMES_AT)
            else:
                found.append(order + _PRIZE[taken] | stem | pawn << BECOMES_AT)
    passed = board.passed
    if passed >= 0:
        starts, foe = PAWN_TAKES[not white][passed] & pawns, PAWNS[not white]
        while starts:
            low = starts & -starts
            starts ^= low
            stem = low.bit_length() - 1 | passed << END_AT | foe << TAKEN_AT | pawn << BECOMES_AT
            found.append(order + _PRIZE[foe] | EN_PASSANT | stem)


def quiet_moves(board: Board, *, in_check: bool) -> list[int]:
    """Return the moves that take nothing and crown nobody, castling among them unless the king is attacked."""
    white, of = board.white, board.of
    base = BASES[white]
    occupied = board.side[0] | board.side[1]
    vacant = FULL ^ occupied
    found = list[int]()
    append = found.append
    for kind, leaps in _LEAPERS:
        bits = of[base + kind]
        becomes = base + kind << BECOMES_AT
        while bits:
            low = bits & -bits
            bits ^= low
            start = low.bit_length() - 1
            ends = leaps[start] & vacant
            stem = start | becomes
            while ends:
                low_end = ends & -ends
                ends ^= low_end
                append(stem | low_end.bit_length() - 1 << END_AT)
    uncrowned = vacant & ~LAST[white]
    for kind, crown, (one_masks, one_reaches, other_masks, other_reaches), steps in _RIDERS:
        bits = of[base + kind]
        becomes = base + kind << BECOMES_AT
        targets = vacant if kind == crown else uncrowned
        while bits:
            low = bits & -bits
            bits ^= low
            start = low.bit_length() - 1
            ends = targets & (
                one_reaches[start][occupied & one_masks[start]]
                | other_reaches[start][occupied & other_masks[start]]
                | steps[start]
            )
            stem = start | becomes
            while ends:
                low_end = ends & -ends
                ends ^= low_end
                append(stem | low_end.bit_length() - 1 << END_AT)
    bits = of[base + QUEEN]
    while bits:
        low = bits & -bits
        bits ^= low
        start = low.bit_length() - 1
        ends = vacant & _queen_reach(start, occupied)
        stem = start | base + QUEEN << BECOMES_AT
        while ends:
            low_end = ends & -ends
            ends ^= low_end
            append(stem | low_end.bit_length() - 1 << END_AT)
    _step_pawns(found, of[PAWNS[white]], vacant, white=white)
    if board.rights and not in_check:
        _castle(found, board, occupied)
    return found


def _step_pawns(found: list[int], pawns: int, vacant: int, *, white: bool) -> None:
    if white:
        ahead = FILES
        once = pawns << FILES & vacant
        twice = (once & _THIRD[1]) << FILES & vacant
    else:
        ahead = -FILES
        once = pawns >> FILES & vacant
        twice = (once & _THIRD[0]) >> FILES & vacant
    once &= ~LAST[white]
    becomes = PAWNS[white] << BECOMES_AT
    while once:
        low = once & -once
        once ^= low
        end = low.bit_length() - 1
        found.append(end - ahead | end << END_AT | becomes)
    while twice:
        low = twice & -twice
        twice ^= low
        end = low.bit_length() - 1
        found.append(end - 2 * ahead | end << END_AT | becomes | DOUBLE_STEP)


def _castle(found: list[int], board: Board, occupied: int) -> None:
    """Add the castlings of a king who is not attacked (C5)."""
    white = board.white
    for way, between in _CASTLINGS:
        if way.white != white or not board.rights & way.right or occupied & between:
            continue
        if not any(board.attacked(square, by_white=not white) for square in way.king[1:]):
            found.append(way.king[0] | way.king[-1] << END_AT | KINGS[white] << BECOMES_AT | CASTLING)


_CASTLINGS: Final = tuple((way, sum(BIT[square] for square in way.between)) for way in CASTLINGS)


def shields(board: Board) -> int:
    """Return the pieces of the side to move that stand alone between their king and a rider."""
    white, of = board.white, board.of
    king, base = of[KINGS[white]].bit_length() - 1, BASES[not white]
    queens = of[base + QUEEN]
    riders = STRAIGHT_LINES[king] & (of[base + ROOK] | of[base + CROWNED_ROOK] | queens)
    riders |= SLANTED_LINES[king] & (of[base + BISHOP] | of[base + CROWNED_BISHOP] | queens)
    if not riders:
        return 0
    occupied, own = board.side[0] | board.side[1], board.side[white]
    between = BETWEEN[king]
    found = 0
    while riders:
        low = riders & -riders
        riders ^= low
        screen = between[low.bit_length() - 1] & occupied
        if screen and not screen & screen - 1:
            found |= screen & own
    return found


def legal_moves(board: Board) -> list[int]:
    """Return all legal moves; whether a king is bare is not looked at (C6)."""
    in_check = board.in_check
    found = [move & MOVE for move in loud_moves(board)] + quiet_moves(board, in_check=in_check)
    return [move for move in found if is_safe(board, move)]


def is_safe(board: Board, move: int) -> bool:
    """Return whether a move leaves its own king safe."""
    board.make(move)
    safe = not board.left_attacked
    board.go_back()
    return safe
