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
from captains_table.phrases import message, say

START_FEN: Final = "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1"
LEAST_FIELDS: Final = 2
MOST_FIELDS: Final = 6
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
    if not LEAST_FIELDS <= len(words) <= MOST_FIELDS:
        fields = message("{n} fields: expected pieces, side to move, castling, en passant, quiet moves, move number")
        raise ValueError(say(fields, n=len(words)))
    placed, side, castling, passed, quiet, number = (*words, *("-", "-", "0", "1")[len(words) - LEAST_FIELDS :])
    board = _parse_board(placed)
    if side not in ("w", "b"):
        raise ValueError(say("side to move {side}: expected w or b", repr(side)))
    white = side == "w"
    counters = (
        _parse_count(quiet, message("quiet moves {number}: expected a whole number from {least} to {most}"), 0),
        _parse_count(number, message("move number {number}: expected a whole number from {least} to {most}"), 1),
    )
    position = CaptainsPosition(board, _parse_rights(castling, board), NO_SQUARE, *counters, white=white)
    _check_kings(position)
    position.passed = _parse_passed(passed, position)
    return position


def _parse_board(text: str) -> bytes:
    rows = text.split("/")
    if len(rows) != BOARD_9X8.ranks:
        raise ValueError(say("{n} ranks: expected {ranks}, separated by /", len(rows), BOARD_9X8.ranks))
    board = bytearray()
    for row in reversed(rows):
        before = len(board)
        for sign in _SIGN.findall(row):
            if sign.isdecimal():
                board += bytes(int(sign))
            elif sign in CODES:
                board.append(CODES[sign])
            else:
                words = message("{sign} in {rank}: expected one of {letters} or a digit")
                raise ValueError(say(words, sign=repr(sign), rank=repr(row), letters=" ".join(CODES)))
        if len(board) - before != FILES:
            words = message("rank {rank} has {count} squares: expected {files}")
            raise ValueError(say(words, rank=repr(row), count=len(board) - before, files=FILES))
    for square in (*LAST_RANK_OF[False], *LAST_RANK_OF[True]):
        if board[square] in (PAWN, PAWN + BLACK):
            words = message("a pawn stands on {square}: expected none on the first or last rank")
            raise ValueError(say(words, square=square_name_9x8(square)))
    return bytes(board)


def _parse_count(text: str, wrong: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text[:9]) <= MOST_MOVES:
        raise ValueError(say(wrong, number=repr(text[:9]), least=least, most=MOST_MOVES))
    return int(text)


def _parse_rights(text: str, board: bytes) -> int:
    if text != "-" and (not text or set(text) - set(RIGHT_LETTERS) or len(set(text)) != len(text)):
        raise ValueError(say("castling {rights}: expected some of {letters}, or -", repr(text), RIGHT_LETTERS))
    rights = 0
    for letter, way in zip(RIGHT_LETTERS, CASTLINGS, strict=True):
        king = KING if way.white else KING + BLACK
        if letter in text and board[way.king[0]] == king and board[way.rook] == ROOKS[way.white]:
            rights |= way.right
    return rights


def _check_kings(position: CaptainsPosition) -> None:
    for code, words in (
        (KING, message("{count} white kings: expected one")),
        (KING + BLACK, message("{count} black kings: expected one")),
    ):
        if position.board.count(code) != 1:
            raise ValueError(say(words, count=position.board.count(code)))
    king = position.board.index(KING + BLACK if position.white else KING)
    if ATTACKS[position.white].hit(position.board, king):
        words = message("the king on {square} could be taken: expected his side to move")
        raise ValueError(say(words, square=square_name_9x8(king)))


def _parse_passed(text: str, position: CaptainsPosition) -> int:
    if text == "-":
        return NO_SQUARE
    square = parse_square(text)
    rank, beyond, pawn = (5, -FILES, PAWN + BLACK) if position.white else (2, FILES, PAWN)
    passed = square.file + square.rank * FILES
    if square not in BOARD_9X8 or square.rank != rank or position.board[passed + beyond] != pawn:
        raise ValueError(say("en passant on {square}: expected the square a pawn has just passed", text))
    if position.board[passed] or position.board[passed - beyond]:
        raise ValueError(say("en passant on {square}: expected the pawn's way to be vacant", text))
    return position.takeable(passed)


START_POSITION: Final = parse_fen(START_FEN)
