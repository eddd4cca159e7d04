"""Positions of Captain's Chess, of chess and of Chess960 as setups of Boreas's board.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Iterator
from typing import Final

import chess

from captains_table.games.captains_chess.position import CASTLINGS, CODES, FILES, NO_SQUARE, SQUARES, CaptainsPosition
from captains_table.players.boreas.variants import CAPTAINS, CHESS, BoreasSetup, CastlingWay, castling_way

CAPTAINS_WAYS: Final = tuple(
    castling_way(right, (way.king[0], way.king[-1]), (way.rook, way.rook_to), way.king[-1])
    for right, way in enumerate(CASTLINGS)
)


def setup_of_position(position: CaptainsPosition) -> BoreasSetup:
    """Return a position of Captain's Chess as a setup of Boreas's board."""
    return BoreasSetup(
        CAPTAINS, position.board, position.white, position.rights, position.passed, position.quiet, CAPTAINS_WAYS
    )


_CASTLED: Final = ((chess.G1, chess.F1), (chess.C1, chess.D1))  # king and rook, by side


def setup_of_board(board: chess.Board) -> BoreasSetup:
    """Return a position of chess or Chess960 as a setup of Boreas's board."""
    squares = bytearray(SQUARES)
    for square, piece in board.piece_map().items():
        squares[_nine_files(square)] = CODES[piece.symbol()]
    castlings = tuple(_castlings(board))
    rights = sum(way.right for way in castlings)
    passed = _nine_files(board.ep_square) if board.ep_square is not None and board.has_legal_en_passant() else NO_SQUARE
    return BoreasSetup(CHESS, bytes(squares), board.turn, rights, passed, board.halfmove_clock, castlings)


def _castlings(board: chess.Board) -> Iterator[CastlingWay]:
    """Yield the ways to castle to which a side still has the right, each with its rook's start."""
    rights = board.clean_castling_rights()
    for white in chess.COLORS:
        king = board.king(white) or 0  # no right remains without a king
        for rook in chess.scan_forward(rights & (chess.BB_RANK_1 if white else chess.BB_RANK_8)):
            is_long = rook < king
            king_to, rook_to = (square if white else chess.square_mirror(square) for square in _CASTLED[is_long])
            yield castling_way(
                is_long if white else 2 + is_long,
                (_nine_files(king), _nine_files(king_to)),
                (_nine_files(rook), _nine_files(rook_to)),
                _nine_files(rook if board.chess960 else king_to),
            )


def _nine_files(square: chess.Square) -> int:
    return square // 8 * FILES + square % 8
