"""A search from where a match stands, and how much of a clock's time a move may take.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Callable
from typing import Final

from captains_table.games.captains_chess.state import State
from captains_table.games.contract import TimeControl
from captains_table.players.captains_chess.boreas.board import Board, key_of
from captains_table.players.captains_chess.boreas.search import Limit, Search

MOVES_AHEAD: Final = 45  # a move takes this part of what is left
OF_INCREMENT: Final = 0.7  # and this part of what it is given anew: the rest is for hands and for the press
LEAST_S: Final = 0.05
_SECOND_MS: Final = 1000


def search_of(state: State, limit: Limit, seconds: Callable[[], float]) -> tuple[Board, Search]:
    """Return a board with a match's position, and a search from there that knows what may come again (C7)."""
    board = Board(state.position)
    before = [key_of(squares, rights, passed, white=white) for squares, white, rights, passed in state.past]
    return board, Search(board, before, limit, seconds)


def share_s(control: TimeControl, number: int) -> float:
    """Return how long a move may be thought about on a clock of which nobody says what is left.

    Each move before is taken to have used its share, so that all moves together never take more than there is.

    Args:
        control: on how much time the match is played.
        number: the move's number.
    """
    left_s = control.base_ms / _SECOND_MS * (1 - 1 / MOVES_AHEAD) ** number
    return max(LEAST_S, left_s / MOVES_AHEAD + OF_INCREMENT * control.increment_ms / _SECOND_MS)
