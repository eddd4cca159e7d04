"""Exports a match of Captain's Chess as PGN, with the moves in standard algebraic notation for a board of nine files.

The variant and its pieces are called as in the definition for Fairy-Stockfish: the tag Variant is `captainschess`, a
crowned bishop is `G`, and a crowned rook is `H`. The crowning of a piece is written like a promotion: `Bd8=G`.

Source: docs/rules/captains-chess.md.
"""

from functools import partial
from typing import Final

from captains_table.games.captains_chess.fairy import VARIANT
from captains_table.games.captains_chess.fen import START_POSITION
from captains_table.games.captains_chess.game import CaptainsChess
from captains_table.games.captains_chess.position import FAIRY_LETTERS
from captains_table.games.captains_chess.state import State
from captains_table.games.common.chesslike.pgn import PgnStart, write_pgn


def _start_of(first: State) -> PgnStart:
    return PgnStart(VARIANT, "" if first.position == START_POSITION else first.position.fen(FAIRY_LETTERS))


captains_pgn: Final = partial(write_pgn, CaptainsChess(), start_of=_start_of)
"""Returns a match as PGN; the arguments are those of `write_pgn` after the first."""
