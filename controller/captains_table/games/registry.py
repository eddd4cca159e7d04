"""The games this table knows."""

from typing import Any

from captains_table.games.contract import Game
from captains_table.games.legend import Legend
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.swashbuckle import Swashbuckle

GAMES: dict[str, Game[Any]] = {game.key: game for game in (Legend(), ShipCaptainCrew(), Swashbuckle())}


class UnknownGame(LookupError):  # noqa: N818 - named by its condition
    """No game has this key."""


def game_by_key(key: str) -> Game[Any]:
    """Return the game with this key; raises UnknownGame."""
    try:
        return GAMES[key]
    except KeyError:
        raise UnknownGame(f"unknown game {key!r}: expected one of {', '.join(sorted(GAMES))}") from None
