"""Aether's position: bitboards as the side to move sees them, and a move generator that returns new boards.

An `AetherBoard` is an immutable tuple: pawns, knights, bishops, rooks, king and queens of the side to move, those of
the other side, castling rights, the en passant square as a bitboard, and whether White is to move. The class of a piece
is its value in Legend (L8): 1 pawn, 2 knight, 3 bishop, 4 rook, 5 king, 6 queen.

The module also reads positions from FEN, writes moves as UCI text, and finds the attackers of both kings.

Source: docs/rules/legend.md L8 - L12.
"""

from typing import Final

from captains_table.players.legend.aether.bits import (
    ALL,
    ANTIDIAGONAL_INNER,
    ANTIDIAGONALS,
    BIT64,
    DIAGONAL_INNER,
    DIAGONALS,
    FILE_INNER,
    FILES,
    KING_TARGETS,
    KNIGHT_TARGETS,
    NOT_A,
    NOT_H,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    RANK_INNER,
    RANKS,
    SidePieces,
    attack_set,
    name_of_square,
)

AetherBoard = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]
AetherMove = tuple[
    int, int, int, AetherBoard
]  # class, from, to (plus 64 for each kind of promotion), the board after the move

PAWN, KNIGHT, BISHOP, ROOK, KING, QUEEN = range(1, 7)
AETHER_LETTERS: Final = " pnbrkq"
PROMOTIONS: Final = (0, KNIGHT, BISHOP, ROOK, QUEEN)  # by the promotion's offset of the target square, divided by 64
WHITE_SHORT, WHITE_LONG, BLACK_SHORT, BLACK_LONG = 1, 2, 4, 8
_CORNERS = {0: WHITE_LONG, 7: WHITE_SHORT, 4: 3, 56: BLACK_LONG, 63: BLACK_SHORT, 60: 12}
# castling rights left after a move from or to a square
KEPT: Final = tuple(15 & ~_CORNERS.get(square, 0) for square in range(64))
# right, king from, king to, squares that must be empty, the rook's two squares; Black's, White's
CASTLING_MASKS: Final = (
    ((BLACK_SHORT, 60, 62, 0x60 << 56, 0xA0 << 56), (BLACK_LONG, 60, 58, 0x0E << 56, 0x09 << 56)),
    ((WHITE_SHORT, 4, 6, 0x60, 0xA0), (WHITE_LONG, 4, 2, 0x0E, 0x09)),
)


def board_of(fen: str) -> AetherBoard:
    """Return the board of a valid FEN."""
    placed, turn, castling, en_passant, *_ = fen.split()
    sets = dict.fromkeys("PNBRKQpnbrkq", 0)
    for row, line in enumerate(placed.split("/")):
        file = 0
        for letter in line:
            if letter == "~":
                continue
            if letter.isdecimal():
                file += int(letter)
            else:
                sets[letter] |= BIT64[8 * (7 - row) + file]
                file += 1
    white = int(turn == "w")
    own, other = ("PNBRKQ", "pnbrkq") if white else ("pnbrkq", "PNBRKQ")
    rights = _rights(castling, sets)
    passed = 0 if en_passant == "-" else BIT64["abcdefgh".index(en_passant[0]) + 8 * (int(en_passant[1]) - 1)]
    p, n, b, r, k, q = (sets[letter] for letter in own)
    xp, xn, xb, xr, xk, xq = (sets[letter] for letter in other)
    return (p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, passed, white)


def _rights(castling: str, sets: dict[str, int]) -> int:
    """Return the castling rights of a FEN, without those whose king or rook is not on its square."""
    rights = 0
    for letter, right, king, rook, side in (
        ("K", WHITE_SHORT, 4, 7, "KR"),
        ("Q", WHITE_LONG, 4, 0, "KR"),
        ("k", BLACK_SHORT, 60, 63, "kr"),
        ("q", BLACK_LONG, 60, 56, "kr"),
    ):
        if letter in castling and sets[side[0]] & BIT64[king] and sets[side[1]] & BIT64[rook]:
            rights |= right
    return rights


def passed_turn(board: AetherBoard) -> AetherBoard:
    """Return the board after a turn without a move, in which a right to capture en passant lapses (L10)."""
    p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, _, white = board
    return (xp, xn, xb, xr, xk, xq, p, n, b, r, k, q, rights, 0, 1 - white)


def moves_of(board: AetherBoard) -> list[AetherMove]:
    """Return every move that a Legend die of 6 permits, ordered by the class of the piece.

    These are the moves of chess without regard to check (L10, L11). The target of a promotion is encoded as the
    square's number plus 64 for a knight, 128 for a bishop, 192 for a rook, or 256 for a queen.
    """
    p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, passed, white = board
    own = p | n | b | r | k | q
    others = xp | xn | xb | xr | xk | xq
    occupied = own | others
    other = 1 - white
    moves: list[AetherMove] = []
    add = moves.append

    prey = others | passed
    if white:
        single = p << 8 & ~occupied & ALL
        double = (single & RANK_3) << 8 & ~occupied
        left, right = (p & NOT_A) << 7 & prey, (p & NOT_H) << 9 & prey
        ahead, by_left, by_right, last = 8, 7, 9, RANK_8
    else:
        single = p >> 8 & ~occupied
        double = (single & RANK_6) >> 8 & ~occupied
        left, right = (p & NOT_A) >> 9 & prey, (p & NOT_H) >> 7 & prey
        ahead, by_left, by_right, last = -8, -9, -7, RANK_1
    if (single | left | right) & last:
        for targets, step in ((single, ahead), (left, by_left), (right, by_right)):
            _add_promotions(board, moves, targets & last, step)
        single &= ~last
        left &= ~last
        right &= ~last
    while single:
        to = single.bit_length() - 1
        bit = BIT64[to]
        single ^= bit
        origin = to - ahead
        moved = p ^ (BIT64[origin] | bit)
        add((1, origin, to, (xp, xn, xb, xr, xk, xq, moved, n, b, r, k, q, rights, 0, other)))
    while double:
        to = double.bit_length() - 1
        bit = BIT64[to]
        double ^= bit
        origin = to - 2 * ahead
        moved = p ^ (BIT64[origin] | bit)
        add((1, origin, to, (xp, xn, xb, xr, xk, xq, moved, n, b, r, k, q, rights, BIT64[to - ahead], other)))
    for targets, step in ((left, by_left), (right, by_right)):
        while targets:
            to = targets.bit_length() - 1
            bit = BIT64[to]
            targets ^= bit  # noqa: PLW2901 - the set is used up
            o = ~bit if bit != passed else ~BIT64[to - ahead]
            moved = p ^ (BIT64[to - step] | bit)
            made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, moved, n, b, r, k, q, rights & KEPT[to], 0, other)
            add((1, to - step, to, made))

    pieces = n
    while pieces:
        origin = pieces.bit_length() - 1
        pieces ^= BIT64[origin]
        for to, bit, both in KNIGHT_TARGETS[origin]:
            if not occupied & bit:
                add((2, origin, to, (xp, xn, xb, xr, xk, xq, p, n ^ both, b, r, k, q, rights, 0, other)))
            elif others & bit:
                o, held = ~bit, rights & KEPT[to]
                made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, p, n ^ both, b, r, k, q, held, 0, other)
                add((2, origin, to, made))
    pieces = b
    while pieces:
        origin = pieces.bit_length() - 1
        pieces ^= BIT64[origin]
        for free, ends, _ in (
            DIAGONALS[origin][occupied & DIAGONAL_INNER[origin]],
            ANTIDIAGONALS[origin][occupied & ANTIDIAGONAL_INNER[origin]],
        ):
            for to, _, both in free:
                add((3, origin, to, (xp, xn, xb, xr, xk, xq, p, n, b ^ both, r, k, q, rights, 0, other)))
            for to, bit, both in ends:
                if not own & bit:
                    o, held = ~bit, rights & KEPT[to]
                    made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, p, n, b ^ both, r, k, q, held, 0, other)
                    add((3, origin, to, made))
    pieces = r
    while pieces:
        origin = pieces.bit_length() - 1
        pieces ^= BIT64[origin]
        kept = rights & KEPT[origin]
        for free, ends, _ in (
            RANKS[origin][occupied & RANK_INNER[origin]],
            FILES[origin][occupied & FILE_INNER[origin]],
        ):
            for to, _, both in free:
                add((4, origin, to, (xp, xn, xb, xr, xk, xq, p, n, b, r ^ both, k, q, kept, 0, other)))
            for to, bit, both in ends:
                if not own & bit:
                    o, held = ~bit, kept & KEPT[to]
                    made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, p, n, b, r ^ both, k, q, held, 0, other)
                    add((4, origin, to, made))
    if k:
        origin = k.bit_length() - 1
        kept = rights & KEPT[origin]
        for to, bit, _ in KING_TARGETS[origin]:
            if not occupied & bit:
                add((5, origin, to, (xp, xn, xb, xr, xk, xq, p, n, b, r, bit, q, kept, 0, other)))
            elif others & bit:
                o = ~bit
                made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, p, n, b, r, bit, q, kept & KEPT[to], 0, other)
                add((5, origin, to, made))
        if rights:
            for needed, _, to, empty, rook in CASTLING_MASKS[white]:
                if rights & needed and not occupied & empty:
                    add((5, origin, to, (xp, xn, xb, xr, xk, xq, p, n, b, r ^ rook, BIT64[to], q, kept, 0, other)))
    pieces = q
    while pieces:
        origin = pieces.bit_length() - 1
        pieces ^= BIT64[origin]
        for free, ends, _ in (
            RANKS[origin][occupied & RANK_INNER[origin]],
            FILES[origin][occupied & FILE_INNER[origin]],
            DIAGONALS[origin][occupied & DIAGONAL_INNER[origin]],
            ANTIDIAGONALS[origin][occupied & ANTIDIAGONAL_INNER[origin]],
        ):
            for to, _, both in free:
                add((6, origin, to, (xp, xn, xb, xr, xk, xq, p, n, b, r, k, q ^ both, rights, 0, other)))
            for to, bit, both in ends:
                if not own & bit:
                    o, held = ~bit, rights & KEPT[to]
                    made = (xp & o, xn & o, xb & o, xr & o, xk & o, xq & o, p, n, b, r, k, q ^ both, held, 0, other)
                    add((6, origin, to, made))
    return moves


def _add_promotions(board: AetherBoard, moves: list[AetherMove], targets: int, step: int) -> None:
    p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, _, white = board
    for to in range(64):
        bit = BIT64[to]
        if not targets & bit:
            continue
        keep, left = ~bit, p ^ BIT64[to - step]
        theirs = (xp & keep, xn & keep, xb & keep, xr & keep, xk & keep, xq & keep)
        rest = (rights & KEPT[to], 0, 1 - white)
        for number, (bn, bb, br, bq) in enumerate(
            ((bit, 0, 0, 0), (0, bit, 0, 0), (0, 0, bit, 0), (0, 0, 0, bit)), start=1
        ):
            moves.append((1, to - step, to + 64 * number, (*theirs, left, n | bn, b | bb, r | br, k, q | bq, *rest)))


def without(pieces: SidePieces, taken: int) -> SidePieces:
    """Return a side's pieces without those on the captured squares."""
    p, n, b, r, k, q = pieces
    return p & ~taken, n & ~taken, b & ~taken, r & ~taken, k & ~taken, q & ~taken


def _all_of(pieces: SidePieces) -> int:
    p, n, b, r, k, q = pieces
    return p | n | b | r | k | q


def attackers(board: AetherBoard) -> int:
    """Return the mask of the squares from which the side to move attacks the other king; 0 if that king is gone."""
    if not board[10]:
        return 0
    return attack_set(board[10].bit_length() - 1, occupied_of(board), board[0:6], board[14])


def attackers_of_mover(board: AetherBoard) -> int:
    """Return the bitboard of the pieces that attack the king of the side to move; 0 if that king is gone."""
    if not board[4]:
        return 0
    return attack_set(board[4].bit_length() - 1, occupied_of(board), board[6:12], 1 - board[14])


def occupied_of(board: AetherBoard) -> int:
    """Return the bitboard of the occupied squares."""
    return _all_of(board[0:6]) | _all_of(board[6:12])


def uci_of(origin: int, to: int) -> str:
    """Return a move as UCI text; `to` is encoded as in `moves_of`."""
    return name_of_square(origin) + name_of_square(to & 63) + " nbrq"[to >> 6].strip()
