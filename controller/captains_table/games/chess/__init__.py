"""Chess and Chess960, on python-chess's board."""

from captains_table.games.chess.game import Chess as Chess
