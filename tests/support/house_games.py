"""The games of the house alone: for what was drawn or listed with them, whatever plug-ins are installed beside."""

from typing import Any, Final

from captains_table.catalog import ENTRIES
from captains_table.games.contract import Game

HOUSE_GAMES: Final[dict[str, Game[Any]]] = {entry.game.key: entry.game for entry in ENTRIES}
