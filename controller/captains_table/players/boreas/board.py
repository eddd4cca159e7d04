"""Boreas's board: a position in bitboards, on which moves are made and undone, with an incremental hash and value.

A move is one integer that holds the start square, the end square, the piece that is on the end square afterwards, the
captured piece, and a flag for special moves. The board also makes null moves, and finds attacks and checks. Matches are
played with each game's own positions (`games/captains_chess/position.py`, `chess.Board`); this board is used only by
Boreas. It is built from a setup, which says which game it is and how one castles in this match.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.captains_chess.position import (
    BISHOP,
    BLACK,
    CAPTAIN,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    FILES,
    KING,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    PIECE_LETTERS,
    QUEEN,
    ROOK,
    ROOKS,
    SQUARES,
    square_name_9x8,
)
from captains_table.players.boreas.lines import (
    BIT72,
    KNIGHT_LEAPS,
    PAWN_TAKES,
    SLANTED,
    SLANTED_LINES,
    SLANTED_STEPS,
    STRAIGHT,
    STRAIGHT_LINES,
    STRAIGHT_STEPS,
    reach,
)
from captains_table.players.boreas.variants import BoreasSetup, CastlingWay

# A move's fields, in bits: 7 start, 7 end, 5 piece afterwards, 5 captured piece, 2 flag; above them the sort key.
END_AT: Final = 7
BECOMES_AT: Final = 14
TAKEN_AT: Final = 19
KIND_AT: Final = 24
ORDER_AT: Final = 27
SQUARE: Final = 127
CODE: Final = 31
MOVE: Final = (1 << ORDER_AT) - 1
EN_PASSANT: Final = 1 << KIND_AT
CASTLING: Final = 2 << KIND_AT
DOUBLE_STEP: Final = 3 << KIND_AT
NO_MOVE: Final = 0

PAWNS: Final = (PAWN + BLACK, PAWN)  # Black's, White's: tables by side are indexed by `white`
KINGS: Final = (KING + BLACK, KING)
BASES: Final = (BLACK, 0)


def _splitmix64(number: int) -> int:
    """Return a pseudo-random number of 60 bits that depends only on the given number (splitmix64)."""
    mixed = number * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ mixed >> 31) >> 4  # 60 bits: two of Python's digits


KEYS: Final = tuple(tuple(_splitmix64(1 + code * SQUARES + square) for square in range(SQUARES)) for code in range(19))
PASSED_KEYS: Final = tuple(_splitmix64(5000 + square) for square in range(SQUARES))
RIGHTS_KEYS: Final = tuple(_splitmix64(6000 + rights) for rights in range(16))
WHITE_KEY: Final = _splitmix64(7000)


def _rights_left(castlings: Sequence[CastlingWay]) -> tuple[int, ...]:
    """Return, for each square, a mask of the castling rights that remain after a move from or to this square."""
    kept = [0b1111] * SQUARES
    for way in castlings:
        for square in (way.king, way.rook):
            kept[square] &= ~way.right
    return tuple(kept)


def key_of(squares: Sequence[int], rights: int, passed: int, *, white: bool) -> int:
    """Return the Zobrist hash of a position."""
    key = RIGHTS_KEYS[rights] ^ (WHITE_KEY if white else 0)
    for square, code in enumerate(squares):
        if code:
            key ^= KEYS[code][square]
    return key if passed == NO_SQUARE else key ^ PASSED_KEYS[passed]


class BoreasBoard:
    """A position on which moves are made and undone.

    Attributes:
        variant: the game.
        castlings: the match's ways to castle.
        squares: the piece code on each square.
        of: for each piece code, the bitboard of the squares with that piece.
        side: two bitboards: the squares of Black's pieces, then those of White's.
        white: whether White is to move.
        rights: the rights to castle, in the game's encoding.
        passed: the square on which a pawn may be captured en passant; `NO_SQUARE` if there is none.
        quiet: the plies since the last capture, pawn move, promotion or null move.
        key: the Zobrist hash.
        value: the packed piece-square value of all pieces, from White's view.
        line: the hashes of the earlier positions, for finding repetitions.
    """

    __slots__ = (
        "_rights_left",
        "_undone",
        "_values",
        "castlings",
        "key",
        "line",
        "of",
        "passed",
        "quiet",
        "rights",
        "side",
        "squares",
        "value",
        "variant",
        "white",
    )

    def __init__(self, setup: BoreasSetup) -> None:
        self.variant = setup.variant
        self.castlings = setup.castlings
        self._values = setup.variant.values
        self._rights_left = _rights_left(setup.castlings)
        self.squares = list(setup.squares)
        self.of = [0] * len(PIECE_LETTERS)
        self.side = [0, 0]
        self.value = 0
        for square, code in enumerate(setup.squares):
            if code:
                self.of[code] |= BIT72[square]
                self.side[code <= BLACK] |= BIT72[square]
                self.value += self._values[code][square]
        self.white = setup.white
        self.rights = setup.rights
        self.passed = setup.passed
        self.quiet = setup.quiet
        self.key = key_of(setup.squares, setup.rights, setup.passed, white=setup.white)
        self.line = list[int]()
        self._undone = list[tuple[int, int, int, int, int, int, int]]()

    def id_of(self, move: int) -> str:
        """Return the id of a move in the game's notation; call this before the move is made."""
        start, end, becomes = move & SQUARE, move >> END_AT & SQUARE, move >> BECOMES_AT & CODE
        if move & DOUBLE_STEP == CASTLING:
            end = self._castling_to(end).named
        promoted = "" if becomes == self.squares[start] else PIECE_LETTERS[becomes][0].lower()  # + if it was crowned
        return f"{square_name_9x8(start)}{square_name_9x8(end)}{promoted}"

    # --- moves ------------------------------------------------------------------------------------------------------

    def make(self, move: int) -> None:
        """Make a pseudo-legal move; the caller checks whether the move leaves the mover's own king attacked."""
        start, end = move & SQUARE, move >> END_AT & SQUARE
        becomes, taken = move >> BECOMES_AT & CODE, move >> TAKEN_AT & CODE
        squares, of, side, white, values = self.squares, self.of, self.side, self.white, self._values
        code, key = squares[start], self.key
        self.line.append(key)
        self._undone.append((move, code, self.rights, self.passed, self.quiet, key, self.value))
        here, there = BIT72[start], BIT72[end]
        key ^= KEYS[code][start] ^ KEYS[becomes][end] ^ WHITE_KEY
        value = self.value - values[code][start] + values[becomes][end]
        if self.passed >= 0:
            key ^= PASSED_KEYS[self.passed]
            self.passed = NO_SQUARE
        if taken:
            at = end
            if move & DOUBLE_STEP == EN_PASSANT:
                at = end - FILES if white else end + FILES
                squares[at] = 0
            of[taken] ^= BIT72[at]
            side[not white] ^= BIT72[at]
            key ^= KEYS[taken][at]
            value -= values[taken][at]
            self.quiet = 0
        elif becomes != code or code == PAWNS[white]:
            self.quiet = 0
        else:
            self.quiet += 1
        squares[start] = 0
        squares[end] = becomes
        of[code] ^= here
        of[becomes] ^= there
        side[white] ^= here ^ there
        if self.rights:
            rights = self.rights & self._rights_left[start] & self._rights_left[end]
            key ^= RIGHTS_KEYS[self.rights] ^ RIGHTS_KEYS[rights]
            self.rights = rights
        self.white = not white
        self.key, self.value = key, value
        if move >= CASTLING:
            if move < DOUBLE_STEP:
                self._castle(self._castling_to(end))
            else:
                self._set_en_passant((start + end) // 2)

    def _castling_to(self, king_to: int) -> CastlingWay:
        return next(way for way in self.castlings if way.king_to == king_to)

    def _castle(self, way: CastlingWay) -> None:
        """Put the rook where castling takes it, after the king has moved."""
        rook = ROOKS[way.white]
        self._put(way, king=way.king_to, rook=way.rook_to)
        self._slide(way)
        self.key ^= KEYS[rook][way.rook] ^ KEYS[rook][way.rook_to]
        self.value += self._values[rook][way.rook_to] - self._values[rook][way.rook]

    def _put(self, way: CastlingWay, king: int, rook: int) -> None:
        squares = self.squares
        squares[way.king] = squares[way.rook] = squares[way.king_to] = squares[way.rook_to] = 0
        squares[king], squares[rook] = KINGS[way.white], ROOKS[way.white]

    def _slide(self, way: CastlingWay) -> None:
        both = BIT72[way.rook] ^ BIT72[way.rook_to]  # none if the rook stays
        self.of[ROOKS[way.white]] ^= both
        self.side[way.white] ^= both

    def _set_en_passant(self, passed: int) -> None:
        """Set the en passant square, but only if a legal en passant capture is possible there (C7)."""
        white = self.white
        takers = PAWN_TAKES[not white][passed] & self.of[PAWNS[white]]
        if takers and any(self._is_en_passant_legal(BIT72[start], passed) for start in _squares(takers)):
            self.passed = passed
            self.key ^= PASSED_KEYS[passed]

    def _is_en_passant_legal(self, start: int, passed: int) -> bool:
        """Return whether an en passant capture leaves the capturing side's king safe.

        Args:
            start: the bitboard of the capturing pawn's square.
            passed: the square to which the capturing pawn moves.
        """
        white = self.white
        at = passed - FILES if white else passed + FILES
        pawn, foe = PAWNS[white], PAWNS[not white]
        self._swap(start | BIT72[passed], BIT72[at], pawn, foe)
        safe = not self.attacked(self.of[KINGS[white]].bit_length() - 1, by_white=not white)
        self._swap(start | BIT72[passed], BIT72[at], pawn, foe)
        return safe

    def _swap(self, own: int, foes: int, pawn: int, foe: int) -> None:
        self.of[pawn] ^= own
        self.of[foe] ^= foes
        self.side[self.white] ^= own
        self.side[not self.white] ^= foes

    def undo(self) -> None:
        """Undo the last move or null move."""
        move, code, self.rights, self.passed, self.quiet, key, value = self._undone.pop()
        self.line.pop()
        if not move:
            self.white, self.key = not self.white, key
            return
        start, end = move & SQUARE, move >> END_AT & SQUARE
        becomes, taken = move >> BECOMES_AT & CODE, move >> TAKEN_AT & CODE
        squares, of, side = self.squares, self.of, self.side
        self.white = white = not self.white
        here, there = BIT72[start], BIT72[end]
        squares[end], squares[start] = 0, code
        of[becomes] ^= there
        of[code] ^= here
        side[white] ^= here ^ there
        if taken:
            at = end
            if move & DOUBLE_STEP == EN_PASSANT:
                at = end - FILES if white else end + FILES
            squares[at] = taken
            of[taken] ^= BIT72[at]
            side[not white] ^= BIT72[at]
        elif move & DOUBLE_STEP == CASTLING:
            way = self._castling_to(end)
            self._put(way, king=way.king, rook=way.rook)
            self._slide(way)
        self.key, self.value = key, value

    def make_null(self) -> None:
        """Make a null move: no piece moves, and the other side is to move.

        A null move is illegal in the game; the search uses it for pruning.
        """
        self.line.append(self.key)
        self._undone.append((NO_MOVE, 0, self.rights, self.passed, self.quiet, self.key, self.value))
        self.key ^= WHITE_KEY
        if self.passed >= 0:
            self.key ^= PASSED_KEYS[self.passed]
            self.passed = NO_SQUARE
        self.quiet = 0  # no earlier position counts as repeated after a null move
        self.white = not self.white

    # --- attacks ----------------------------------------------------------------------------------------------------

    def attacked(self, square: int, *, by_white: bool) -> bool:
        """Return whether a side attacks a square."""
        of, base = self.of, BASES[by_white]
        captains, king = of[base + CAPTAIN], of[base + KING]
        crowned_bishops, crowned_rooks = of[base + CROWNED_BISHOP], of[base + CROWNED_ROOK]
        if KNIGHT_LEAPS[square] & (of[base + KNIGHT] | captains):
            return True
        if STRAIGHT_STEPS[square] & (captains | crowned_bishops | king):
            return True
        if SLANTED_STEPS[square] & (crowned_rooks | king) or PAWN_TAKES[not by_white][square] & of[base + PAWN]:
            return True
        queens = of[base + QUEEN]
        straight, slanted = of[base + ROOK] | crowned_rooks | queens, of[base + BISHOP] | crowned_bishops | queens
        occupied = self.side[0] | self.side[1]
        if STRAIGHT_LINES[square] & straight and reach(square, occupied, STRAIGHT) & straight:
            return True
        return bool(SLANTED_LINES[square] & slanted and reach(square, occupied, SLANTED) & slanted)

    @property
    def in_check(self) -> bool:
        """Return whether the king of the side to move is attacked."""
        return self.attacked(self.of[KINGS[self.white]].bit_length() - 1, by_white=not self.white)

    @property
    def left_in_check(self) -> bool:
        """Return whether the side that has just moved left its king attacked, so that its move was illegal."""
        return self.attacked(self.of[KINGS[not self.white]].bit_length() - 1, by_white=self.white)


def _squares(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
