"""Which game a board has room for. A smaller game is played in the corner of a1."""

from typing import Any

from captains_table.games.contract import BadOption, Game, Shape


class BoardTooSmall(BadOption):
    """A game needs more squares than the board has."""


def misfit(game: Game[Any], board: Shape | None) -> str | None:
    """Return in a sentence why a game cannot be played on a board, `None` if it can.

    Args:
        game: the game.
        board: the switches there are; `None` where the board takes the shape of the game.
    """
    needed = game.shape
    if needed is None or board is None or (needed.files <= board.files and needed.ranks <= board.ranks):
        return None
    return f"{game.title} needs a board of {needed}: this one has {board}"


def check_fits(game: Game[Any], board: Shape | None) -> None:
    """Raise BoardTooSmall if a game cannot be played on a board."""
    words = misfit(game, board)
    if words is not None:
        raise BoardTooSmall(words)
