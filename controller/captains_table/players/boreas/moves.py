"""Boreas's move generator: loud moves (captures and promotions), quiet moves, and the pieces pinned to the king.

The generated moves are pseudo-legal: the caller must check that the king is safe (`is_safe`), after castling too: in
Chess960 the rook may have shielded its king. `legal_moves` returns the checked moves. The upper bits of a loud move
hold its sort key (`ORDER_AT`), which puts the most valuable victim first, then the least valuable attacker.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from typing import Final

from captains_table.games.captains_chess.position import (
    BISHOP,
    CAPTAIN,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    FILES,
    KNIGHT,
    LAST_RANK,
    PAWN,
    PROMOTED,
    QUEEN,
    ROOK,
)
from captains_table.players.boreas.board import (
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
    BoreasBoard,
)
from captains_table.players.boreas.lines import (
    BETWEEN,
    BIT72,
    NOT_FIRST_FILE,
    NOT_LAST_FILE,
    PAWN_TAKES,
    SLANTED_LINES,
    STRAIGHT_LINES,
    rank_bits,
)
from captains_table.players.boreas.variants import WORTH, WORTH_OF

LAST: Final = (rank_bits(0), rank_bits(LAST_RANK))  # Black's, White's
_LAST_BUT_ONE: Final = (rank_bits(1), rank_bits(LAST_RANK - 1))
_THIRD: Final = (rank_bits(LAST_RANK - 2), rank_bits(2))  # the rank that a pawn's double step passes
# Sort keys in tenths of a pawn: sixteen times the victim's worth, less the attacker's. A king attacks last.
_PRIZE: Final = tuple((worth // 10 * 16) << ORDER_AT for worth in WORTH_OF)
_COST: Final = tuple((worth // 10 if worth else 99) << ORDER_AT for worth in WORTH_OF)
_CROWNING: Final = {kind: ((WORTH[PROMOTED[kind]] - WORTH[kind]) // 10 * 16) << ORDER_AT for kind in (BISHOP, ROOK)}
_PROMOTING: Final = {
    kind: ((WORTH[kind] - WORTH[PAWN]) // 10 * 16) << ORDER_AT for kind in (CAPTAIN, QUEEN, ROOK, BISHOP, KNIGHT)
}
_BASE_ORDER: Final = 100 << ORDER_AT  # more than any cost, so that no move's order is below 0


Reaches = list[tuple[int, int, int]]


def reaches_of(board: BoreasBoard) -> Reaches:
    """Return the kind, the square and the reach of each piece of the side to move, except pawns.

    The reach is a bitboard; it includes the squares of pieces that the piece attacks or protects.
    """
    of, base = board.of, BASES[board.white]
    occupied = board.side[0] | board.side[1]
    found: Reaches = []
    for kind, steps, lines in board.variant.pieces:
        bits = of[base + kind]
        while bits:
            low = bits & -bits
            bits ^= low
            start = low.bit_length() - 1
            reached = steps[start]
            for masks, reaches in lines:
                reached |= reaches[start][occupied & masks[start]]
            found.append((kind, start, reached))
    return found


def loud_moves(board: BoreasBoard, reaches: Reaches) -> list[int]:
    """Return the captures and promotions except lesser promotions, with the sort key in the upper bits."""
    white, squares = board.white, board.squares
    base, foes = BASES[white], board.side[not white]
    crowning, crowned = LAST[white] & ~board.side[white], board.variant.crowned
    found = list[int]()
    for kind, start, reached in reaches:
        ends = reached & foes
        order = _BASE_ORDER - _COST[kind]
        if kind in crowned and reached & crowning:
            stem = start | base + crowned[kind] << BECOMES_AT
            _take(found, squares, reached & crowning, stem, order + _CROWNING[kind])
            ends &= ~crowning
        if ends:
            _take(found, squares, ends, start | base + kind << BECOMES_AT, order)
    _take_by_pawns(found, board)
    return found


def _take(found: list[int], squares: list[int], ends: int, stem: int, order: int) -> None:
    while ends:
        low = ends & -ends
        ends ^= low
        end = low.bit_length() - 1
        taken = squares[end]
        found.append(order + _PRIZE[taken] | taken << TAKEN_AT | end << END_AT | stem)


def _take_by_pawns(found: list[int], board: BoreasBoard) -> None:
    """Append the captures by pawns, including those en passant, and the pawn steps to the last rank."""
    white, squares = board.white, board.squares
    pawn, base = PAWNS[white], BASES[white]
    pawns, foes, last = board.of[pawn], board.side[not white], LAST[white]
    stepped = last & ~(board.side[0] | board.side[1])
    if white:
        ways = (
            (8, (pawns & NOT_FIRST_FILE) << 8 & foes),
            (10, (pawns & NOT_LAST_FILE) << 10 & foes),
            (9, pawns << 9 & stepped),
        )
    else:
        ways = (
            (-8, (pawns & NOT_LAST_FILE) >> 8 & foes),
            (-10, (pawns & NOT_FIRST_FILE) >> 10 & foes),
            (-9, pawns >> 9 & stepped),
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
                stem |= order + _PRIZE[taken]
                found += [stem + _PROMOTING[kind] | base + kind << BECOMES_AT for kind in board.variant.promotions]
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


def quiet_moves(board: BoreasBoard, reaches: Reaches, *, in_check: bool) -> list[int]:
    """Return all other moves: those that neither capture nor promote, and the lesser promotions.

    Castling is included unless the side to move is in check.
    """
    white, base, variant = board.white, BASES[board.white], board.variant
    occupied = board.side[0] | board.side[1]
    vacant, crowned = variant.area ^ occupied, variant.crowned
    uncrowned = vacant & ~LAST[white]
    found = list[int]()
    append = found.append
    for kind, start, reached in reaches:
        ends = reached & (uncrowned if kind in crowned else vacant)
        stem = start | base + kind << BECOMES_AT
        while ends:
            low = ends & -ends
            ends ^= low
            append(stem | low.bit_length() - 1 << END_AT)
    _step_pawns(found, board.of[PAWNS[white]], vacant, white=white)
    if board.rights and not in_check:
        _castle(found, board, occupied)
    if variant.lesser_promotions:
        _promote_to_less(found, board, vacant)
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
    becomes = PAWNS[white] << BECOMES_AT
    for ends, step, stem in ((once & ~LAST[white], ahead, becomes), (twice, 2 * ahead, becomes | DOUBLE_STEP)):
        while ends:
            low = ends & -ends
            ends ^= low  # noqa: PLW2901 - the set is used up
            end = low.bit_length() - 1
            found.append(end - step | end << END_AT | stem)


def _castle(found: list[int], board: BoreasBoard, occupied: int) -> None:
    """Append the castling moves of a king that is not in check and passes and reaches no attacked square (C5)."""
    white = board.white
    for way in board.castlings:
        if way.white != white or not board.rights & way.right or occupied & way.vacant:
            continue
        if not any(board.attacked(square, by_white=not white) for square in way.path):
            found.append(way.king | way.king_to << END_AT | KINGS[white] << BECOMES_AT | CASTLING)


def _promote_to_less(found: list[int], board: BoreasBoard, vacant: int) -> None:
    """Append the lesser promotions of pawns, with and without capture."""
    white, foes = board.white, board.side[not board.white]
    ahead = FILES if white else -FILES
    starts = board.of[PAWNS[white]] & _LAST_BUT_ONE[white]
    while starts:
        low = starts & -starts
        starts ^= low
        start = low.bit_length() - 1
        ends = PAWN_TAKES[white][start] & foes | BIT72[start + ahead] & vacant
        while ends:
            low = ends & -ends
            ends ^= low
            end = low.bit_length() - 1
            stem = start | end << END_AT | board.squares[end] << TAKEN_AT
            found += [stem | BASES[white] + kind << BECOMES_AT for kind in board.variant.lesser_promotions]


def pinned_pieces(board: BoreasBoard) -> int:
    """Return the bitboard of the pieces of the side to move that are pinned to their king.

    A pinned piece is the only piece between its king and an enemy slider.
    """
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


def legal_moves(board: BoreasBoard) -> list[int]:
    """Return all legal moves; the rule that a bare king ends the match is not applied (C6)."""
    in_check = board.in_check
    reaches = reaches_of(board)
    found = [move & MOVE for move in loud_moves(board, reaches)] + quiet_moves(board, reaches, in_check=in_check)
    return [move for move in found if is_safe(board, move)]


def is_safe(board: BoreasBoard, move: int) -> bool:
    """Return whether the mover's king is safe after a move."""
    board.make(move)
    safe = not board.left_in_check
    board.undo()
    return safe
