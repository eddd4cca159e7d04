"""Positions of Legend and the moves that the game permits: an immutable wrapper of python-chess's board.

Captures, labels of moves, strikes, FEN, the Genie's hop and the entry of a bought-back piece are here too.

Source: docs/rules/legend.md L8 - L12, L14, L15, L17, L19.
"""

from collections.abc import Iterator
from functools import cached_property, reduce
from operator import or_

import chess

from captains_table.games.common.chess_boards import BoardPosition
from captains_table.games.contract import Square
from captains_table.phrases import message, say

PIECE_VALUES = {chess.PAWN: 1, chess.KNIGHT: 2, chess.BISHOP: 3, chess.ROOK: 4, chess.KING: 5, chess.QUEEN: 6}
CASTLING_DIE = PIECE_VALUES[chess.KING]
TOP_DIE = 6

ChessColour = chess.Color


class LegendPosition(BoardPosition):
    """A position of Legend; every move returns a new position.

    The wrapped board never changes, except that its castling rights are removed while `generate` runs.
    """

    __slots__ = ("_moves",)

    def __init__(self, board: chess.Board) -> None:
        super().__init__(board)
        self._moves: dict[int, dict[str, chess.Move]] = {}

    @classmethod
    def from_fen(cls, fen: str) -> "LegendPosition":
        """Return the position of a FEN; castling rights that do not fit the squares of king and rook are dropped.

        Raises:
            ValueError: the text is not a FEN, or a round cannot start from this position.
        """
        board = chess.Board(fen)
        board.castling_rights = board.clean_castling_rights()
        for colour, words in (
            (chess.WHITE, message("{count} white kings: expected one")),
            (chess.BLACK, message("{count} black kings: expected one")),
        ):
            kings = len(board.pieces(chess.KING, colour))
            if kings != 1:
                raise ValueError(say(words, count=kings))
        if board.status() & chess.STATUS_INVALID_EP_SQUARE:
            raise ValueError(say("no pawn can be taken en passant there"))
        if board.pawns & chess.BB_BACKRANKS:
            raise ValueError(say("a pawn stands on the first or last rank"))
        return cls(board)

    def _key(self) -> tuple[object, ...]:
        board = self._board
        others = board.occupied_co[chess.WHITE], board.promoted, board.turn, board.castling_rights, board.ep_square
        return (*_kinds(board), *others)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, LegendPosition) and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Position({self.fen()!r})"

    def fen(self) -> str:
        """Return the position as FEN."""
        return self._board.fen(en_passant="fen")

    # --- chess moves ------------------------------------------------------------------------------------------------

    def moves(self, die: int) -> dict[str, chess.Move]:
        """Return the moves that a face of the Legend die permits, keyed by their ids in UCI notation (L8, L10, L11)."""
        if die not in self._moves:
            self._moves[die] = {move.uci(): move for move in self.generate(die)}
        return self._moves[die]

    def generate(self, die: int) -> Iterator[chess.Move]:
        """Yield the moves that a face of the Legend die permits; as in all rules of Legend, check does not matter."""
        board = self._board
        permitted = reduce(or_, _kinds(board)[:die], chess.BB_EMPTY)
        rights, board.castling_rights = board.castling_rights, chess.BB_EMPTY  # else castling is tested for check
        try:
            yield from board.generate_pseudo_legal_moves(from_mask=permitted)
        finally:
            board.castling_rights = rights
        if die >= CASTLING_DIE:
            yield from self._castling()

    def _castling(self) -> Iterator[chess.Move]:
        board = self._board
        rank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
        rooks = board.clean_castling_rights() & rank
        if not rooks:
            return
        king = chess.E1 if board.turn == chess.WHITE else chess.E8
        for rook in chess.scan_reversed(rooks):
            if not chess.between(king, rook) & board.occupied:
                yield chess.Move(king, king + 2 if rook > king else king - 2)

    def pass_turn(self) -> "LegendPosition":
        """Return the position after a turn without a move; the right to capture en passant lapses (L10)."""
        return self.play(chess.Move.null())

    def value_of(self, move: chess.Move) -> int:
        """Return the value of the piece that a move moves (L8).

        Raises:
            ValueError: the move's start square is vacant.
        """
        kind = self._board.piece_type_at(move.from_square)
        if kind is None:
            raise ValueError(f"no piece stands on {chess.square_name(move.from_square)}")
        return PIECE_VALUES[kind]

    def captured(self, move: chess.Move) -> tuple[int, bool] | None:
        """Return the kind of piece that a move captures and whether it is a promoted pawn; `None` without a capture."""
        board = self._board
        if board.is_en_passant(move):
            return chess.PAWN, False
        if board.is_castling(move):
            return None
        kind = board.piece_type_at(move.to_square)
        return None if kind is None else (kind, bool(board.promoted & chess.BB_SQUARES[move.to_square]))

    def takes_undefended(self, id_: str) -> bool:
        """Return whether a move captures a piece, and no opposing piece then attacks its square, whatever the die.

        The result is `False` for ids of no chess move, such as that of an entry.
        """
        move, opponent = self.moves(TOP_DIE).get(id_), not self._board.turn
        if move is None or self.captured(move) is None:
            return False
        return not self.play(move).board().is_attacked_by(opponent, move.to_square)

    def is_castling(self, move: chess.Move) -> bool:
        """Return whether a move castles."""
        return self._board.is_castling(move)

    def reaches_seventh(self, move: chess.Move) -> bool:
        """Return whether a move brings a pawn to its seventh rank, where it finds a hidden treasure (L14)."""
        board = self._board
        seventh = 6 if board.turn == chess.WHITE else 1
        is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
        return is_pawn and chess.square_rank(move.to_square) == seventh

    # --- changes that are no chess moves ----------------------------------------------------------------------------

    def vacant(self, square: Square) -> bool:
        """Return whether no piece stands on a square."""
        return not self._board.occupied & chess.BB_SQUARES[chess.square(*square)]

    def hop(self, to: Square) -> "LegendPosition":
        """Return the position after the Genie carried the king of the side to move to a square (L19).

        That side may not castle any more.

        Raises:
            ValueError: the king of the side to move is not on the board.
        """
        king = self._board.king(self.white)
        if king is None:
            raise ValueError("the king is not on the board")
        board = self._board.copy(stack=False)
        board.remove_piece_at(king)
        back_rank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
        board.castling_rights &= ~back_rank
        return self._with_piece(board, chess.KING, to)

    def enter(self, kind: int, to: Square) -> "LegendPosition":
        """Return the position after the side to move has put a bought-back piece on a vacant square (L15)."""
        board = self._board.copy(stack=False)
        board.castling_rights &= ~chess.BB_SQUARES[chess.square(*to)]  # a re-entered rook cannot castle (L17)
        return self._with_piece(board, kind, to)

    @staticmethod
    def _with_piece(board: chess.Board, kind: int, to: Square) -> "LegendPosition":
        board.set_piece_at(chess.square(*to), chess.Piece(kind, board.turn))
        board.push(chess.Move.null())  # updates side to move, counters and en passant
        board.clear_stack()
        return LegendPosition(board)

    # --- attacks ----------------------------------------------------------------------------------------------------

    def attackers_of_king(self, king_colour: ChessColour) -> chess.Bitboard:
        """Return the bitboard of the squares from which a king is attacked; empty if the king is off the board."""
        king = self._board.king(king_colour)
        return chess.BB_EMPTY if king is None else self._board.attackers_mask(not king_colour, king)


def _kinds(board: chess.Board) -> tuple[chess.Bitboard, ...]:
    """Return a bitboard for each kind of piece, in the order of the kinds' values, 1 to 6."""
    return board.pawns, board.knights, board.bishops, board.rooks, board.kings, board.queens


def strikes(before: LegendPosition, after: LegendPosition, striker: ChessColour) -> bool:
    """Return whether the move that led from one position to the other strikes the king (L12).

    The move strikes if a piece of `striker` now attacks the enemy king from a square, and no piece attacked the king
    from that square before.
    """
    return bool(after.attackers_of_king(not striker) & ~before.attackers_of_king(not striker))


LEGEND_START = LegendPosition(chess.Board())
