"""Exports a match of chess as PGN; Chess960 has the tag Variant, and other starts than the usual one have a FEN."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from captains_table.games.chess.game import Chess
from captains_table.games.chess.position import USUAL_ARRAY, ChessPosition
from captains_table.games.chess.state import State
from captains_table.games.common.chesslike.pgn import PgnStart, write_pgn

USUAL_POSITION: Final = ChessPosition.of_array(USUAL_ARRAY)


def start_of(first: State) -> PgnStart:
    """Return how a match began, given its state before the first move."""
    position = first.position
    return PgnStart("Chess960" if position.is_960 else "", "" if position == USUAL_POSITION else position.fen())


chess_pgn: Final = partial(write_pgn, Chess(), start_of=start_of)
"""Returns a match as PGN; the arguments are those of `write_pgn` after the first."""

BOOK_MOVES: Final = 40  # of both sides together: no named line is longer


def book_moves(state: State) -> Sequence[str]:
    """Return the first moves that led to a state in standard algebraic notation.

    The result is empty if the match did not begin with the usual array.
    """
    line: list[State] = [state]
    while (before := line[-1].before) is not None:
        line.append(before)
    if line.pop().position != USUAL_POSITION:
        return ()
    plies = [(each.before.position, each.last_id) for each in reversed(line) if each.before is not None]
    return [position.san(position.moves[id_]) for position, id_ in plies[:BOOK_MOVES]]
