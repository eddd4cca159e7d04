"""The rules this table knows, by key: all that a pure room asks about which games there are.

The catalog, which knows everything else about a game too, fills it when it is imported; a plug-in's game is added at
start. A room that asks here therefore needs no import of the catalog, only somebody above it who has it: the commands,
the page, the tests.
"""

from typing import Any

from captains_table.games.contract import Game, did_you_mean

GAMES: dict[str, Game[Any]] = {}


class UnknownGame(LookupError):  # noqa: N818 - named by its condition
    """No game has this key."""


class KeyTaken(ValueError):  # noqa: N818 - named by its condition
    """Another game has this key."""


def register(game: Game[Any]) -> None:
    """Make a game known; raises KeyTaken."""
    taken = GAMES.get(game.key)
    if taken is not None:
        raise KeyTaken(f"the key {game.key!r} is {taken.title}'s: expected one that no other game has")
    GAMES[game.key] = game


def game_by_key(key: str) -> Game[Any]:
    """Return the game with this key; raises UnknownGame."""
    try:
        return GAMES[key]
    except KeyError:
        known = f"one of {', '.join(sorted(GAMES))}" if GAMES else "captains_table.catalog to be imported first"
        raise UnknownGame(f"unknown game {key!r}: expected {known}{did_you_mean(key, GAMES)}") from None


def not_installed(key: str) -> str:
    """Return what is said of a match whose game this table has not (its plug-in was taken out)."""
    return f"{key}: this game is not installed"
