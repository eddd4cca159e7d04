"""Positions and legal moves of Captain's Chess; a position is immutable, and every move returns a new position.

The movements and attack tables of the pieces and the ways to castle are constants here. A position also tells checks,
ends and the key for repetitions. It gives moves their ids and their notations, and writes itself as FEN.

Rules: docs/rules/captains-chess.md C1 to C7.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from captains_table.games.common.chesslike.position import PositionEnd
from captains_table.games.common.movement import DIAGONAL, KNIGHTLY, ORTHOGONAL, VACANT, Attacks, Movement, Reach
from captains_table.games.contract import Shape, Square
from captains_table.phrases import message

BOARD_9X8: Final = Shape(9, 8)
FILES: Final = BOARD_9X8.files
SQUARES: Final = FILES * BOARD_9X8.ranks
LAST_RANK: Final = BOARD_9X8.ranks - 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, CAPTAIN, CROWNED_BISHOP, CROWNED_ROOK, KING = range(1, 10)
BLACK: Final = 9  # a black piece's code is the white one's plus this
PIECE_KINDS: Final = ("P", "N", "B", "R", "Q", "C", "+B", "+R", "K")
PIECE_LETTERS: Final = ("", *PIECE_KINDS, *(kind.lower() for kind in PIECE_KINDS))
CODES: Final = {letter: code for code, letter in enumerate(PIECE_LETTERS) if code != VACANT}
OWN: Final = (frozenset(range(1 + BLACK, 1 + 2 * BLACK)), frozenset(range(1, 1 + BLACK)))  # Black's, White's
MOVEMENTS: Final = {
    KNIGHT: Movement(leaps=KNIGHTLY),
    BISHOP: Movement(rides=DIAGONAL),
    ROOK: Movement(rides=ORTHOGONAL),
    QUEEN: Movement(rides=DIAGONAL | ORTHOGONAL),
    CAPTAIN: Movement(leaps=KNIGHTLY | ORTHOGONAL),  # C2
    CROWNED_BISHOP: Movement(leaps=ORTHOGONAL, rides=DIAGONAL),  # C4
    CROWNED_ROOK: Movement(leaps=DIAGONAL, rides=ORTHOGONAL),
    KING: Movement(leaps=DIAGONAL | ORTHOGONAL),
}
_PAWN_TAKES: Final = Movement(leaps=frozenset({(-1, 1), (1, 1)}))
_TAKES: Final = {PAWN: _PAWN_TAKES, **MOVEMENTS}
ATTACKS: Final = (  # by Black, by White
    Attacks.of(BOARD_9X8, {code + BLACK: movement.mirrored() for code, movement in _TAKES.items()}),
    Attacks.of(BOARD_9X8, _TAKES),
)
CROWNED: Final = {  # C4
    BISHOP: CROWNED_BISHOP,
    ROOK: CROWNED_ROOK,
    BISHOP + BLACK: CROWNED_BISHOP + BLACK,
    ROOK + BLACK: CROWNED_ROOK + BLACK,
}
PROMOTED: Final = {PAWN: CAPTAIN, PAWN + BLACK: CAPTAIN + BLACK, **CROWNED}  # C3, C4
NO_SQUARE: Final = -1
SLIDE: Final = 3  # squares that a king moves when castling (C5)
RIGHT_LETTERS: Final = "KQkq"
FAIRY_LETTERS: Final = {"+B": "G", "+R": "H"}  # Fairy-Stockfish and PGN need single letters
_SQUARES: Final = tuple(BOARD_9X8.squares())
_PAWNS: Final = frozenset({PAWN, PAWN + BLACK})
_KINGS: Final = frozenset({KING, KING + BLACK})
LAST_RANK_OF: Final = (range(FILES), range(SQUARES - FILES, SQUARES))  # Black's, White's
ROOKS: Final = (ROOK + BLACK, ROOK)


def _reaches() -> tuple[Reach, ...]:
    """Return the move tables of each piece code.

    The tables of a pawn contain only its captures; those of the code `VACANT` are empty.
    """
    white = [Reach(BOARD_9X8, movement) for _, movement in sorted(_TAKES.items())]
    black = [Reach(BOARD_9X8, movement.mirrored()) for _, movement in sorted(_TAKES.items())]
    return (Reach(BOARD_9X8, Movement()), *white, *black)


REACHES: Final = _reaches()


def rank_index(square: int) -> int:
    """Return a square's rank, zero-based."""
    return square // FILES


def square_name_9x8(square: int) -> str:
    """Return a square's name, such as `e4`."""
    return str(BOARD_9X8.square_at(square))


class Castling(NamedTuple):
    """One way to castle (C5): the bit in the castling rights, the castling side, and the squares of king and rook."""

    right: int
    white: bool
    king: tuple[int, ...]  # all squares from the king's start to its end
    rook: int
    rook_to: int
    between: tuple[int, ...]  # squares that must be vacant


def _castlings() -> tuple[Castling, ...]:
    ways = []
    for right, (white, rook, step) in enumerate([(True, 8, 1), (True, 0, -1), (False, 8, 1), (False, 0, -1)]):
        base = 0 if white else SQUARES - FILES
        king = tuple(base + 4 + step * squares for squares in range(SLIDE + 1))
        between = tuple(range(king[0] + step, base + rook, step))
        ways.append(Castling(1 << right, white, king, base + rook, king[-1] - step, between))
    return tuple(ways)


CASTLINGS: Final = _castlings()

_BY_KING: Final = {(way.king[0], way.king[-1]): way for way in CASTLINGS}


def _remaining_rights() -> tuple[int, ...]:
    """Return, for each square, a mask of the castling rights that remain after a move from or to this square."""
    masks = [0b1111] * SQUARES
    for way in CASTLINGS:
        for square in (way.king[0], way.rook):
            masks[square] &= ~way.right
    return tuple(masks)


_REMAINING_RIGHTS: Final = _remaining_rights()


class CaptainsMove(NamedTuple):
    """A move: the start square, the end square, and the code of the piece on the end square afterwards.

    For castling, the squares and the piece are those of the king.
    """

    start: int
    end: int
    becomes: int


class CaptainsPosition:
    """A position of Captain's Chess.

    Attributes:
        board: the piece code of each square, an index into `PIECE_LETTERS`.
        white: whether White is to move.
        rights: castling rights as bits, in the order of FEN.
        passed: the square where a pawn may be captured en passant now; `NO_SQUARE` if there is no such square.
        quiet: the number of moves of both sides since the last capture, pawn move or promotion (C7).
        number: the number of the full move, counted as in FEN.
    """

    __slots__ = ("__dict__", "board", "number", "passed", "quiet", "rights", "white")

    def __init__(self, board: bytes, rights: int, passed: int, quiet: int, number: int, *, white: bool) -> None:
        self.board = board
        self.white = white
        self.rights = rights
        self.passed = passed
        self.quiet = quiet
        self.number = number

    @property
    def key(self) -> tuple[bytes, bool, int, int]:
        """What positions must have in common to count as repeated (C7).

        These are the board, the side to move, the castling rights, and the square for a capture en passant.
        """
        return self.board, self.white, self.rights, self.passed

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, CaptainsPosition)
            and self.key == other.key
            and (self.quiet, self.number) == (other.quiet, other.number)
        )

    def __hash__(self) -> int:
        return hash(self.key)

    # --- moves ------------------------------------------------------------------------------------------------------

    def generate(self) -> list[CaptainsMove]:
        """Return all legal moves, even if the match is over by a bare king (C6)."""
        board, white = self.board, self.white
        king = board.index(KING if white else KING + BLACK)
        foes = ATTACKS[not white]
        checked = foes.hit(board, king)
        moves = self._steps_of_king(king)
        if not checked:
            moves += self._castle()
        shields = None if checked else foes.shields(board, king)  # in check every move must be tested
        for move in self._of_others():
            start, end, _ = move
            doubtful = shields is None or start in shields or (end == self.passed and board[start] in _PAWNS)
            if not doubtful or not foes.hit(self._moved(move), king):
                moves.append(move)
        return moves

    def illegal_for_check(self) -> list[CaptainsMove]:
        """Return the moves that only the safety of the king makes illegal."""
        legal = set(self.generate())
        king = self.board.index(KING if self.white else KING + BLACK)
        code = self.board[king]
        steps = [CaptainsMove(king, end, code) for end in REACHES[code].targets(self.board, king, OWN[self.white])]
        slides = [CaptainsMove(way.king[0], way.king[-1], code) for way in CASTLINGS if self._may_slide(way)]
        return [move for move in (*steps, *slides, *self._of_others()) if move not in legal]

    def _steps_of_king(self, king: int) -> list[CaptainsMove]:
        board, foes = self.board, ATTACKS[not self.white]
        code = board[king]
        without = bytearray(board)
        without[king] = 0
        ends = REACHES[code].targets(board, king, OWN[self.white])
        return [CaptainsMove(king, end, code) for end in ends if not foes.hit(without, end)]

    def _may_slide(self, way: Castling) -> bool:
        has_right = way.white == self.white and bool(self.rights & way.right)
        return has_right and not any(self.board[square] for square in way.between)

    def _castle(self) -> list[CaptainsMove]:
        """Return the legal castling moves (C5); the caller must know that the king is not in check."""
        if not self.rights:
            return []
        board, foes = self.board, ATTACKS[not self.white]
        return [
            CaptainsMove(way.king[0], way.king[-1], board[way.king[0]])
            for way in CASTLINGS
            if self._may_slide(way) and not any(foes.hit(board, square) for square in way.king[1:])
        ]

    def _of_others(self) -> list[CaptainsMove]:
        """Return the pseudo-legal moves of all pieces except the king; some of them may leave the king in check."""
        board, own = self.board, OWN[self.white]
        last = LAST_RANK_OF[self.white]
        moves = []
        for start, code in enumerate(board):
            if code not in own or code in _KINGS:
                continue
            ends = self._pawn_ends(start, code) if code in _PAWNS else REACHES[code].targets(board, start, own)
            if code in PROMOTED:
                moves += [CaptainsMove(start, end, PROMOTED[code] if end in last else code) for end in ends]
            else:
                moves += [CaptainsMove(start, end, code) for end in ends]
        return moves

    def _pawn_ends(self, start: int, code: int) -> list[int]:
        board = self.board
        ahead, first = (FILES, 1) if self.white else (-FILES, 6)
        foes = OWN[not self.white]
        ends = [end for end in REACHES[code].steps[start] if board[end] in foes or end == self.passed]
        if not board[start + ahead]:
            ends.append(start + ahead)
            if rank_index(start) == first and not board[start + 2 * ahead]:
                ends.append(start + 2 * ahead)
        return ends

    def _moved(self, move: CaptainsMove) -> bytearray:
        """Return the board after a move."""
        start, end, becomes = move
        board = bytearray(self.board)
        code = board[start]
        board[start] = 0
        board[end] = becomes
        if code in _PAWNS:
            if end == self.passed:
                board[end - FILES if self.white else end + FILES] = 0
        elif code in _KINGS and (start, end) in _BY_KING and abs(end - start) == SLIDE:
            way = _BY_KING[start, end]
            board[way.rook_to] = board[way.rook]
            board[way.rook] = 0
        return board

    def play(self, move: CaptainsMove) -> "CaptainsPosition":
        """Return the position after a move, which must be legal."""
        start, end, becomes = move
        board = self.board
        code = board[start]
        white = not self.white
        number = self.number + white
        quiet = 0 if board[end] or code in _PAWNS or becomes != code else self.quiet + 1
        rights = self.rights and self.rights & _REMAINING_RIGHTS[start] & _REMAINING_RIGHTS[end]
        after = CaptainsPosition(bytes(self._moved(move)), rights, NO_SQUARE, quiet, number, white=white)
        if code in _PAWNS and abs(end - start) == 2 * FILES:
            after.passed = after.takeable((start + end) // 2)
        return after

    def takes_undefended(self, id_: str) -> bool:
        """Return whether a legal move captures a piece, and no legal answer captures on the same square."""
        move = self.moves[id_]
        if not self.board[move.end] and not (self.board[move.start] in _PAWNS and move.end == self.passed):
            return False
        return all(answer.end != move.end for answer in self.play(move).moves.values())

    def takeable(self, passed: int) -> int:
        """Return `passed` if a pawn that has just passed this square can be captured en passant, else `NO_SQUARE`.

        Only a legal capture counts, so that positions with the same legal moves are equal.
        """
        pawn, hits = PAWN if self.white else PAWN + BLACK, REACHES[PAWN + BLACK if self.white else PAWN].steps[passed]
        starts = [start for start in hits if self.board[start] == pawn]
        if not starts:
            return NO_SQUARE
        king = self.board.index(KING if self.white else KING + BLACK)
        trial = CaptainsPosition(self.board, self.rights, passed, 0, 1, white=self.white)
        for start in starts:
            if not ATTACKS[not self.white].hit(trial._moved(CaptainsMove(start, passed, pawn)), king):
                return passed
        return NO_SQUARE

    # --- properties and texts ---------------------------------------------------------------------------------------

    @cached_property
    def moves(self) -> dict[str, CaptainsMove]:
        """The legal moves, keyed by id; empty if a king is bare (C6)."""
        return {} if self.bare else {self.id_of(move): move for move in self.generate()}

    @cached_property
    def bare(self) -> Sequence[bool]:
        """The colours (True is White) that have only their king left (C6)."""
        return [colour for colour in (False, True) if sum(code in OWN[colour] for code in self.board) == 1]

    def ending(self, times_seen: int) -> PositionEnd | None:  # noqa: ARG002 - repetitions only give a claim
        """Return the end of the match by this position (C6); `None` if the match goes on."""
        if self.bare:
            return PositionEnd(
                self.white if self.white in self.bare else not self.white, message("{loser} has a bare king")
            )
        if self.moves:
            return None
        if self.in_check:
            return PositionEnd(self.white, message("{loser} is mated"))
        return PositionEnd(self.white, message("{loser} has no move"))

    def can_win_on_time(self, *, white: bool) -> bool:  # noqa: ARG002 - there is no draw by material (C7)
        return True

    @property
    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        king = self.board.index(KING if self.white else KING + BLACK)
        return ATTACKS[not self.white].hit(self.board, king)

    def pieces(self) -> Mapping[Square, str]:
        """Return the pieces as FEN letters, keyed by square; `+` marks a crowned piece."""
        return self._pieces

    @cached_property
    def _pieces(self) -> Mapping[Square, str]:
        return {square: PIECE_LETTERS[code] for square, code in zip(_SQUARES, self.board, strict=True) if code}

    def id_of(self, move: CaptainsMove) -> str:
        """Return a move's id, such as e2e4, a7a8c (promotion to a captain), f6d8+ (crowning), or e1h1 (castling)."""
        start, end, becomes = move
        code = self.board[start]
        suffix = "" if becomes == code else "c" if code in _PAWNS else "+"
        return f"{square_name_9x8(start)}{square_name_9x8(end)}{suffix}"

    def label(self, move: CaptainsMove) -> str:
        """Return a move in a notation that fits the small display, such as Cf1-g3, e4xd5, a7-a8=C, Bf6-d8=+B or O-O."""
        start, end, becomes = move
        code = self.board[start]
        if code in _KINGS and abs(end - start) == SLIDE:
            return "O-O" if end > start else "O-O-O"
        letter = "" if code in _PAWNS else PIECE_LETTERS[code].upper()
        takes = self.board[end] or (code in _PAWNS and end == self.passed)
        crown = "" if becomes == code else f"={PIECE_LETTERS[becomes].upper()}"
        return f"{letter}{square_name_9x8(start)}{'x' if takes else '-'}{square_name_9x8(end)}{crown}"

    def gained(self, move: CaptainsMove) -> str:
        """Return the FEN letter of the captain or crowned piece that a move makes; empty if it makes none."""
        return "" if move.becomes == self.board[move.start] else PIECE_LETTERS[move.becomes]

    def san(self, move: CaptainsMove) -> str:
        """Return a legal move in standard algebraic notation, such as e4, Cxf3, Nbd2, a8=C, Bd8=G+ or O-O#."""
        after = self.play(move)
        mark = "" if not after.in_check else "+" if after.moves else "#"
        label = self.label(move)
        if label.startswith("O"):
            return label + mark
        taken, (code, _, crown) = "x" if "x" in label else "", label.partition("=")
        start, end = square_name_9x8(move.start), square_name_9x8(move.end)
        letter = code[: code.index(start)]
        promoted = f"={FAIRY_LETTERS.get(crown, crown)}" if crown else ""
        if not letter:
            return f"{start[0] + taken if taken else ''}{end}{promoted}{mark}"
        return f"{FAIRY_LETTERS.get(letter, letter)}{self._disambiguation(move)}{taken}{end}{promoted}{mark}"

    def _disambiguation(self, move: CaptainsMove) -> str:
        """Return the part of the start square that a move's notation needs: nothing, the file, the rank, or both.

        This part distinguishes the move from moves of other pieces of the same kind to the same square.
        """
        same = [
            square_name_9x8(other.start)
            for other in self.moves.values()
            if other.end == move.end and other.start != move.start
            and self.board[other.start] == self.board[move.start]
        ]  # fmt: skip
        here = square_name_9x8(move.start)
        if not same:
            return ""
        if all(name[0] != here[0] for name in same):
            return here[0]
        return here[1:] if all(name[1:] != here[1:] for name in same) else here

    def fen(self, letters: Mapping[str, str] | None = None) -> str:
        """Return the position as FEN.

        Args:
            letters: the letters that another program uses for some of White's pieces, keyed by the letters used here;
                Black has the same letters in lower case. By default, all letters are those used here.
        """
        rows = []
        for rank in reversed(range(BOARD_9X8.ranks)):
            codes = self.board[rank * FILES : (rank + 1) * FILES]
            row = "".join(_letter(code, letters or {}) if code else "1" for code in codes)
            rows.append(re.sub("1+", lambda vacant: str(len(vacant[0])), row))
        rights = "".join(
            letter for letter, way in zip(RIGHT_LETTERS, CASTLINGS, strict=True) if self.rights & way.right
        )
        passed = "-" if self.passed == NO_SQUARE else square_name_9x8(self.passed)
        return f"{'/'.join(rows)} {'w' if self.white else 'b'} {rights or '-'} {passed} {self.quiet} {self.number}"


def _letter(code: int, letters: Mapping[str, str]) -> str:
    own = PIECE_LETTERS[code]
    other = letters.get(own.upper(), own.upper())
    return other if own.isupper() else other.lower()
