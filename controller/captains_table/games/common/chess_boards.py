"""What games on python-chess's board share: an immutable wrapper of it, and a move's notation for small displays."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Self

import chess

from captains_table.games.contract import Square

SQUARES_8X8: Final = tuple(Square(square & 7, square >> 3) for square in chess.SQUARES)


class BoardPosition:
    """A position; every move returns a new position.

    Callers never get the wrapped board, which never changes.
    """

    __slots__ = ("__dict__", "_board")

    def __init__(self, board: chess.Board) -> None:
        self._board = board

    def board(self) -> chess.Board:
        """Return a copy of the position as a python-chess board."""
        return self._board.copy(stack=False)

    @property
    def white(self) -> bool:
        """Whether White is to move."""
        return self._board.turn

    def pieces(self) -> Mapping[Square, str]:
        """Return the pieces as FEN letters, keyed by square."""
        return self._pieces

    @cached_property
    def _pieces(self) -> Mapping[Square, str]:
        board, letters = self._board, dict[int, str]()
        black, white = (board.occupied_co[colour] for colour in (chess.BLACK, chess.WHITE))
        for letter, of_kind in zip("pnbrqk", kind_bitboards(board), strict=True):
            letters |= dict.fromkeys(chess.scan_reversed(of_kind & black), letter)
            letters |= dict.fromkeys(chess.scan_reversed(of_kind & white), letter.upper())
        return {SQUARES_8X8[square]: letters[square] for square in chess.scan_reversed(board.occupied)}

    def play(self, move: chess.Move) -> Self:
        """Return the position after a move, which the game must permit."""
        board = self.board()
        board.push(move)
        board.clear_stack()
        return type(self)(board)

    def label(self, move: chess.Move) -> str:
        """Return a move in a notation that fits the small display, such as Ng1-f3, e4xd5, e7-e8=Q or O-O."""
        board = self._board
        if board.is_castling(move):
            return "O-O" if chess.square_file(move.to_square) > chess.square_file(move.from_square) else "O-O-O"
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        letter = "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()
        takes = board.is_en_passant(move) or board.piece_type_at(move.to_square) is not None
        promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
        return f"{letter}{start}{'x' if takes else '-'}{end}{promotion}"


def kind_bitboards(board: chess.Board) -> tuple[chess.Bitboard, ...]:
    """Return a bitboard for each kind of piece, in python-chess's order: pawns to kings."""
    return board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
