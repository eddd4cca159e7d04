"""Aether's own position: twelve sets of squares seen from whoever is to move, and the moves as the boards they lead to.

A `Board` is a plain tuple, made anew by each move: pawns, knights, bishops, rooks, king and queens of whoever is to
move, the same of the other, castling rights, the square where a pawn can be taken en passant as a set, and whether
White is to move. Its classes are the values of Legend (L8): 1 pawn, 2 knight, 3 bishop, 4 rook, 5 king, 6 queen.

Source: docs/rules/legend.md L8 - L12.
"""

from typing import Final, cast

from captains_table.players.legend.aether.bits import BIT, LAST_RANKS, LINES, Pieces, attack_set, name_of, pawn_steps

Board = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]
Move = tuple[int, int, int, Board]  # its class, from, to (64 more for each kind of promotion), the board it leads to
_Made = tuple[int, int, int, tuple[int, ...]]  # the same, put together of parts

PAWN, KNIGHT, BISHOP, ROOK, KING, QUEEN = range(1, 7)
LETTERS: Final = " pnbrkq"
PROMOTED: Final = (0, KNIGHT, BISHOP, ROOK, QUEEN)  # by what a promotion adds to its square, in 64s
WHITE_SHORT, WHITE_LONG, BLACK_SHORT, BLACK_LONG = 1, 2, 4, 8
_CORNERS = {0: WHITE_LONG, 7: WHITE_SHORT, 4: 3, 56: BLACK_LONG, 63: BLACK_SHORT, 60: 12}
KEPT: Final = tuple(15 & ~_CORNERS.get(square, 0) for square in range(64))  # rights left once a square was touched
# the right, the king's way, what must be empty, the rook's two squares; for Black, for White
CASTLINGS: Final = (
    ((BLACK_SHORT, 60, 62, 0x60 << 56, 0xA0 << 56), (BLACK_LONG, 60, 58, 0x0E << 56, 0x09 << 56)),
    ((WHITE_SHORT, 4, 6, 0x60, 0xA0), (WHITE_LONG, 4, 2, 0x0E, 0x09)),
)


def board_of(fen: str) -> Board:
    """Return the board of a FEN that is known to be sound."""
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
                sets[letter] |= BIT[8 * (7 - row) + file]
                file += 1
    white = int(turn == "w")
    own, other = ("PNBRKQ", "pnbrkq") if white else ("pnbrkq", "PNBRKQ")
    rights = _rights(castling, sets)
    passed = 0 if en_passant == "-" else BIT["abcdefgh".index(en_passant[0]) + 8 * (int(en_passant[1]) - 1)]
    p, n, b, r, k, q = (sets[letter] for letter in own)
    xp, xn, xb, xr, xk, xq = (sets[letter] for letter in other)
    return (p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, passed, white)


def _rights(castling: str, sets: dict[str, int]) -> int:
    """Return the rights of which king and rook stand where they must."""
    rights = 0
    for letter, right, king, rook, side in (
        ("K", WHITE_SHORT, 4, 7, "KR"),
        ("Q", WHITE_LONG, 4, 0, "KR"),
        ("k", BLACK_SHORT, 60, 63, "kr"),
        ("q", BLACK_LONG, 60, 56, "kr"),
    ):
        if letter in castling and sets[side[0]] & BIT[king] and sets[side[1]] & BIT[rook]:
            rights |= right
    return rights


def passed_turn(board: Board) -> Board:
    """Return the board after a turn without a move: the right to take en passant lapses (L10)."""
    p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, _, white = board
    return (xp, xn, xb, xr, xk, xq, p, n, b, r, k, q, rights, 0, 1 - white)


def moves_of(board: Board) -> list[Move]:
    """Return every move a Legend die of 6 permits, ordered by class: chess without regard to check (L10, L11).

    A promotion's target is the square + 64 for a knight, + 128 for a bishop, + 192 for a rook, + 256 for a queen.
    """
    theirs, rights, white = board[6:12], board[12], board[14]
    occupied, other = occupied_of(board), 1 - white
    mine = occupied & ~_all_of(theirs)
    moves: list[_Made] = []
    add = moves.append
    _add_pawn_moves(board, moves, occupied)
    for kind in range(KNIGHT, QUEEN + 1):
        left = pieces = board[kind - 1]
        before, behind = board[: kind - 1], board[kind:6]
        first = (*theirs, *before)
        while left:
            origin = left.bit_length() - 1
            left ^= BIT[origin]
            kept = rights & KEPT[origin]
            last = (*behind, kept, 0, other)
            for by_standing, inner in LINES[kind]:
                free, ends, _ = by_standing[origin][occupied & inner[origin]]
                for to, _, both in free:
                    add((kind, origin, to, (*first, pieces ^ both, *last)))
                for to, bit, both in ends:
                    if not occupied & bit:
                        add((kind, origin, to, (*first, pieces ^ both, *last)))
                    elif not mine & bit:
                        made = (*without(theirs, bit), *before, pieces ^ both, *behind, kept & KEPT[to], 0, other)
                        add((kind, origin, to, made))
        if kind == KING and rights:
            _add_castlings(board, moves, occupied)
    return cast("list[Move]", moves)


def _add_pawn_moves(board: Board, moves: list[_Made], occupied: int) -> None:
    pawns, pieces, theirs, rights, passed, white = board[0], board[1:6], board[6:12], board[12], board[13], board[14]
    ahead = 8 if white else -8
    steps = pawn_steps(pawns, occupied, _all_of(theirs) | passed, white)
    for targets, step in steps:
        if targets & LAST_RANKS:
            _add_promotions(board, moves, targets & LAST_RANKS, step)
    for targets, step in steps:
        left = targets & ~LAST_RANKS
        while left:
            to = left.bit_length() - 1
            bit = BIT[to]
            left ^= bit
            taken = BIT[to - ahead] if bit == passed else bit & occupied
            others = without(theirs, taken) if taken else theirs
            passing = BIT[to - ahead] if step == 2 * ahead else 0
            moved = pawns ^ (BIT[to - step] | bit)
            moves.append((PAWN, to - step, to, (*others, moved, *pieces, rights & KEPT[to], passing, 1 - white)))


def _add_promotions(board: Board, moves: list[_Made], targets: int, step: int) -> None:
    pawns, pieces, theirs, rights, white = board[0], board[1:6], board[6:12], board[12], board[14]
    for to in range(64):
        bit = BIT[to]
        if targets & bit:
            for number, becomes in enumerate(PROMOTED[1:], start=1):
                own = [pawns ^ BIT[to - step], *pieces]
                own[becomes - 1] |= bit
                made = (*without(theirs, bit), *own, rights & KEPT[to], 0, 1 - white)
                moves.append((PAWN, to - step, to + 64 * number, made))


def _add_castlings(board: Board, moves: list[_Made], occupied: int) -> None:
    p, n, b, r, _, q, *theirs, rights, _, white = board
    for needed, origin, to, empty, rook in CASTLINGS[white]:
        if rights & needed and not occupied & empty:
            made = (*theirs, p, n, b, r ^ rook, BIT[to], q, rights & KEPT[origin], 0, 1 - white)
            moves.append((KING, origin, to, made))


def without(pieces: Pieces, taken: int) -> Pieces:
    """Return the pieces of a side that are left once something was taken."""
    p, n, b, r, k, q = pieces
    return p & ~taken, n & ~taken, b & ~taken, r & ~taken, k & ~taken, q & ~taken


def _all_of(pieces: Pieces) -> int:
    p, n, b, r, k, q = pieces
    return p | n | b | r | k | q


def attackers(board: Board) -> int:
    """Return the squares from which whoever is to move attacks the other's king; none if it was taken."""
    if not board[10]:
        return 0
    return attack_set(board[10].bit_length() - 1, occupied_of(board), board[0:6], board[14])


def attackers_of_mover(board: Board) -> int:
    """Return the squares from which the king of whoever is to move is attacked; none if it was taken."""
    if not board[4]:
        return 0
    return attack_set(board[4].bit_length() - 1, occupied_of(board), board[6:12], 1 - board[14])


def occupied_of(board: Board) -> int:
    """Return the squares on which anything stands."""
    return _all_of(board[0:6]) | _all_of(board[6:12])


def uci_of(origin: int, to: int) -> str:
    """Return a move in UCI."""
    return name_of(origin) + name_of(to & 63) + " nbrq"[to >> 6].strip()


def square_of(name: str) -> int:
    """Return the number of a square that is named such as e4."""
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])
