"""Attacks on a square, by the sets of one side's pieces."""

from captains_table.players.legend.aether.bits import (
    ANTIDIAGONAL_INNER,
    ANTIDIAGONALS,
    DIAGONAL_INNER,
    DIAGONALS,
    FILE_INNER,
    FILES,
    KING_SET,
    KNIGHT_SET,
    PAWNS_AT,
    RANK_INNER,
    RANKS,
)

Pieces = tuple[int, int, int, int, int, int]  # pawns, knights, bishops, rooks, king, queens of one side


def orthogonal(square: int, occupied: int) -> int:
    """Return what a rook reaches from a square."""
    return RANKS[square][occupied & RANK_INNER[square]][2] | FILES[square][occupied & FILE_INNER[square]][2]


def diagonal(square: int, occupied: int) -> int:
    """Return what a bishop reaches from a square."""
    return (
        DIAGONALS[square][occupied & DIAGONAL_INNER[square]][2]
        | ANTIDIAGONALS[square][occupied & ANTIDIAGONAL_INNER[square]][2]
    )


def attack_set(square: int, occupied: int, pieces: Pieces, white: int) -> int:
    """Return where the pieces of a side stand that attack a square."""
    p, n, b, r, k, q = pieces
    found = (PAWNS_AT[white][square] & p) | (KNIGHT_SET[square] & n) | (KING_SET[square] & k)
    if b | q:
        found |= (
            DIAGONALS[square][occupied & DIAGONAL_INNER[square]][2]
            | ANTIDIAGONALS[square][occupied & ANTIDIAGONAL_INNER[square]][2]
        ) & (b | q)
    if r | q:
        found |= (RANKS[square][occupied & RANK_INNER[square]][2] | FILES[square][occupied & FILE_INNER[square]][2]) & (
            r | q
        )
    return found


def least_class(squares: int, pieces: Pieces) -> int:
    """Return the least class of a side's pieces on some squares, all of them its own; 0 for none."""
    if not squares:
        return 0
    for kind, of_kind in enumerate(pieces, start=1):
        if squares & of_kind:
            return kind
    return 0
