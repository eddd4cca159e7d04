"""Four games, whatever others are there: for what was drawn or listed with these."""

from typing import Any, Final

from captains_table.games.contract import Game
from captains_table.games.registry import game_by_key

FOUR: Final = ("legend", "captains-chess", "ship-captain-crew", "swashbuckle")
FOUR_GAMES: Final[dict[str, Game[Any]]] = {key: game_by_key(key) for key in FOUR}
