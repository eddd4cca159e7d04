"""Positions of chess and Chess960: an immutable wrapper of python-chess's board, with FEN, ends and notation.

Source: docs/rules/chess.md G1 to G7.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import chess

from captains_table.games.common.chess_boards import BoardPosition, kind_bitboards
from captains_table.games.common.chesslike.position import PositionEnd
from captains_table.games.contract import Square
from captains_table.phrases import message, say

SEVENTY_FIVE_MOVES: Final = 150  # of both sides together
FIVEFOLD: Final = 5
USUAL_ARRAY: Final = 518  # the number of the usual array among those of Chess960
_WRONG: Final = {
    chess.STATUS_NO_WHITE_KING: say("no white king: expected one"),
    chess.STATUS_NO_BLACK_KING: say("no black king: expected one"),
    chess.STATUS_TOO_MANY_KINGS: say("more than one king of a colour: expected one"),
    chess.STATUS_PAWNS_ON_BACKRANK: say("a pawn stands on the first or last rank: expected none"),
    chess.STATUS_INVALID_EP_SQUARE: say(
        "no pawn can be taken en passant there: expected the square a pawn just passed"
    ),
    chess.STATUS_OPPOSITE_CHECK: say("the king of the side that is not to move could be taken: expected it to move"),
}


class ChessPosition(BoardPosition):
    """A position of chess; every move returns a new position, and the wrapped board never changes."""

    __slots__ = ()

    @classmethod
    def from_fen(cls, fen: str) -> "ChessPosition":
        """Return the position of a FEN; castling rights that do not fit the squares of king and rook are dropped.

        Rooks on other files than a and h, or kings on other files than e, make it a position of Chess960.

        Raises:
            ValueError: the text is not a FEN, or a match cannot start from this position.
        """
        board = chess.Board(fen, chess960=True)
        board.castling_rights = board.clean_castling_rights()
        status = board.status()
        for flag, words in _WRONG.items():
            if status & flag:
                raise ValueError(words)
        return cls(_orthodox_if_usual(board))

    @classmethod
    def of_array(cls, number: int) -> "ChessPosition":
        """Return the starting position of a number of Chess960, from 0 to 959 (G3)."""
        return cls(_orthodox_if_usual(chess.Board.from_chess960_pos(number)))

    def without(self, square: Square) -> "ChessPosition":
        """Return the position without the piece on a square, which no rook may castle from any more."""
        board = self.board()
        board.remove_piece_at(chess.square(*square))
        board.castling_rights = board.clean_castling_rights()
        return ChessPosition(board)

    @property
    def key(self) -> Hashable:
        """What positions must have in common to count as repeated (G6)."""
        return self._key

    @cached_property
    def _key(self) -> Hashable:
        board = self._board
        passed = board.ep_square if board.has_legal_en_passant() else None
        white = board.occupied_co[chess.WHITE]
        return (*kind_bitboards(board), white, board.turn, board.clean_castling_rights(), passed)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ChessPosition)
            and self._key == other._key
            and (self.quiet, self.number) == (other.quiet, other.number)
        )

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"ChessPosition({self.fen()!r})"

    @property
    def number(self) -> int:
        """The number of the full move, counted as in FEN."""
        return self._board.fullmove_number

    @property
    def quiet(self) -> int:
        """The number of moves of both sides since the last capture or pawn move (G6)."""
        return self._board.halfmove_clock

    @property
    def is_960(self) -> bool:
        """Whether king or rooks castle from other squares than in orthodox chess (G4)."""
        return self._board.chess960

    @cached_property
    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        return self._board.is_check()

    @cached_property
    def moves(self) -> Mapping[str, chess.Move]:
        """The legal moves, keyed by id (G2)."""
        return {self.id_of(move): move for move in self._board.legal_moves}

    # --- ends -------------------------------------------------------------------------------------------------------

    def ending(self, times_seen: int) -> PositionEnd | None:
        """Return the end of the match by this position (G5, G7); `None` if the match goes on."""
        if not self.moves:
            if self.in_check:
                return PositionEnd(self.white, message("{loser} is mated"))
            return PositionEnd(None, say("stalemate"))
        if self._board.is_insufficient_material():
            return PositionEnd(None, say("nobody has the pieces to mate"))
        if self.quiet >= SEVENTY_FIVE_MOVES:
            return PositionEnd(None, say("seventy-five moves without capture or pawn move"))
        if times_seen >= FIVEFOLD:
            return PositionEnd(None, say("the same position for the {count}th time", FIVEFOLD))
        return None

    def can_win_on_time(self, *, white: bool) -> bool:
        """Return whether a side has the pieces to mate, so that it wins if the other side's time is up (G8)."""
        return not self._board.has_insufficient_material(white)

    # --- moves ------------------------------------------------------------------------------------------------------

    def illegal_for_check(self) -> Sequence[chess.Move]:
        """Return the moves that only the safety of the king makes illegal."""
        legal = set(self._board.legal_moves)
        pseudo = [*self._board.generate_pseudo_legal_moves(), *self._ways_to_castle()]
        return [move for move in dict.fromkeys(pseudo) if move not in legal]

    def _ways_to_castle(self) -> Iterator[chess.Move]:
        """Yield the castling moves whose way is vacant, attacked or not."""
        board = self._board
        rank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
        king = (board.kings & board.occupied_co[board.turn]).bit_length() - 1
        first = chess.square(0, chess.square_rank(king))
        for rook in chess.scan_reversed(board.clean_castling_rights() & rank):
            is_short = rook > king
            king_to, rook_to = first + (6 if is_short else 2), first + (5 if is_short else 3)
            way = chess.between(king, king_to) | chess.between(rook, rook_to)
            way |= chess.BB_SQUARES[king_to] | chess.BB_SQUARES[rook_to]
            if not way & board.occupied & ~(chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]):
                yield chess.Move(king, rook if board.chess960 else king_to)

    def id_of(self, move: chess.Move) -> str:
        """Return a move's id, such as e2e4, e7e8q, e1g1 (castling), or f1h1 (castling in Chess960) (G2)."""
        return self._board.uci(move)

    def san(self, move: chess.Move) -> str:
        """Return a legal move in standard algebraic notation, such as e4, Nbd2, exd8=Q+ or O-O#."""
        return self._board.san(move)

    def gained(self, move: chess.Move) -> str:
        """Return the FEN letter of the piece that a pawn becomes; empty if the move promotes none."""
        return "" if move.promotion is None else chess.Piece(move.promotion, self.white).symbol()

    def takes_undefended(self, id_: str) -> bool:
        """Return whether a legal move captures a piece, and no legal answer captures on the same square."""
        move, board = self.moves[id_], self._board
        answers = self.play(move).moves.values()
        return board.is_capture(move) and all(answer.to_square != move.to_square for answer in answers)

    def fen(self) -> str:
        """Return the position as FEN; the castling letters are those of X-FEN."""
        return self._board.fen()


def _orthodox_if_usual(board: chess.Board) -> chess.Board:
    """Return the board, no longer of Chess960 if kings and rooks that may castle stand where they do in chess."""
    rights = board.castling_rights
    kings = ((chess.WHITE, chess.BB_RANK_1, chess.E1), (chess.BLACK, chess.BB_RANK_8, chess.E8))
    strays = any(rights & rank and board.king(colour) != usual for colour, rank, usual in kings)
    board.chess960 = strays or bool(rights & ~chess.BB_CORNERS)
    return board
