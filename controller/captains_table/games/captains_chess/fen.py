"""Reads FEN of Captain's Chess: nine files, `+` before a crowned piece; the starting position is here too.

Reading checks that a match can start from the position.

Rules: docs/rules/captains-chess.md C1, C4.
"""

import re
from typing import Final

from captains_table.games.captains_chess.position import (
    ATTACKS,
    BLACK,
    BOARD_9X8,
    CASTLINGS,
    CODES,
    FILES,
    KING,
    LAST_RANK_OF,
    NO_SQUARE,
    PAWN,
    RIGHT_LETTERS,
    ROOKS,
    CaptainsPosition,
    square_name_9x8,
)
from captains_table.games.contract import parse_square

START_FEN: Final = "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1"
FIELDS: Final = ("pieces", "side to move", "castling", "en passant", "quiet moves", "move number")
LEAST_FIELDS: Final = 2
MOST_MOVES: Final = 9999
_SIGN: Final = re.compile(r"\d|\+?[A-Za-z]|.", re.DOTALL)


def parse_fen(fen: str) -> CaptainsPosition:
    """Return the position of a FEN; fields after the side to move may be omitted.

    Castling rights that do not fit the squares of king and rook are dropped. The en passant square is dropped if no
    legal move captures the pawn that has just passed it.

    Raises:
        ValueError: the text is not a FEN, or a match cannot start from this position. The message says what was
            expected.
    """
    words = fen.split()
    if not LEAST_FIELDS <= len(words) <= len(FIELDS):
        raise ValueError(f"{len(words)} fields: expected {', '.join(FIELDS)}")
    placed, side, castling, passed, quiet, number = (*words, *("-", "-", "0", "1")[len(words) - LEAST_FIELDS :])
    board = _parse_board(placed)
    if side not in ("w", "b"):
        raise ValueError(f"side to move {side!r}: expected w or b")
    white = side == "w"
    counters = _parse_count(quiet, "quiet moves", 0), _parse_count(number, "move number", 1)
    position = CaptainsPosition(board, _parse_rights(castling, board), NO_SQUARE, *counters, white=white)
    _check_kings(position)
    position.passed = _parse_passed(passed, position)
    return position


def _parse_board(text: str) -> bytes:
    rows = text.split("/")
    if len(rows) != BOARD_9X8.ranks:
        raise ValueError(f"{len(rows)} ranks: expected {BOARD_9X8.ranks}, separated by /")
    board = bytearray()
    for row in reversed(rows):
        before = len(board)
        for sign in _SIGN.findall(row):
            if sign.isdecimal():
                board += bytes(int(sign))
            elif sign in CODES:
                board.append(CODES[sign])
            else:
                raise ValueError(f"{sign!r} in {row!r}: expected one of {' '.join(CODES)} or a digit")
        if len(board) - before != FILES:
            raise ValueError(f"rank {row!r} has {len(board) - before} squares: expected {FILES}")
    for square in (*LAST_RANK_OF[False], *LAST_RANK_OF[True]):
        if board[square] in (PAWN, PAWN + BLACK):
            raise ValueError(f"a pawn stands on {square_name_9x8(square)}: expected none on the first or last rank")
    return bytes(board)


def _parse_count(text: str, what: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text[:9]) <= MOST_MOVES:
        raise ValueError(f"{what} {text[:9]!r}: expected a whole number from {least} to {MOST_MOVES}")
    return int(text)


def _parse_rights(text: str, board: bytes) -> int:
    if text != "-" and (not text or set(text) - set(RIGHT_LETTERS) or len(set(text)) != len(text)):
        raise ValueError(f"castling {text!r}: expected some of {RIGHT_LETTERS}, or -")
    rights = 0
    for letter, way in zip(RIGHT_LETTERS, CASTLINGS, strict=True):
        king = KING if way.white else KING + BLACK
        if letter in text and board[way.king[0]] == king and board[way.rook] == ROOKS[way.white]:
            rights |= way.right
    return rights


def _check_kings(position: CaptainsPosition) -> None:
    for code, colour in ((KING, "white"), (KING + BLACK, "black")):
        if position.board.count(code) != 1:
            raise ValueError(f"{position.board.count(code)} {colour} kings: expected one")
    king = position.board.index(KING + BLACK if position.white else KING)
    if ATTACKS[position.white].hit(position.board, king):
        raise ValueError(f"the king on {square_name_9x8(king)} could be taken: expected his side to move")


def _parse_passed(text: str, position: CaptainsPosition) -> int:
    if text == "-":
        return NO_SQUARE
    square = parse_square(text)
    rank, beyond, pawn = (5, -FILES, PAWN + BLACK) if position.white else (2, FILES, PAWN)
    passed = square.file + square.rank * FILES
    if square not in BOARD_9X8 or square.rank != rank or position.board[passed + beyond] != pawn:
        raise ValueError(f"en passant on {text}: expected the square a pawn has just passed")
    if position.board[passed] or position.board[passed - beyond]:
        raise ValueError(f"en passant on {text}: expected the pawn's way to be vacant")
    return position.takeable(passed)


START_POSITION: Final = parse_fen(START_FEN)
