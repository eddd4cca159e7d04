"""Checks whether a game fits on a board, and says why not. A smaller game fits: it is played in the corner at a1."""

from typing import Any

from captains_table.games.contract import BadOption, Game, Shape
from captains_table.phrases import say


class BoardTooSmall(BadOption):
    """A game needs more files or ranks than the board has."""


def misfit(game: Game[Any], board: Shape | None) -> str | None:
    """Return a sentence that says why a game does not fit on a board; `None` if it fits or needs no board.

    Args:
        game: the game.
        board: the size of the board; `None` if the board takes the size of the game, as a simulated board does.
    """
    needed = game.shape
    if needed is None or board is None or (needed.files <= board.files and needed.ranks <= board.ranks):
        return None
    found, wanted = str(board), str(needed)
    return say("{game} needs a board of {size}: this one has {found}", game.title, wanted, found)


def check_fits(game: Game[Any], board: Shape | None) -> None:
    """Raise BoardTooSmall if a game does not fit on a board."""
    words = misfit(game, board)
    if words is not None:
        raise BoardTooSmall(words)
