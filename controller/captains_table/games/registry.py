"""The registry of the installed games: finds a game's rules and the levels of its computer players by the game's key.

The registry is empty until the package `catalog` is imported; that package fills it, and holds everything else about a
game. The games of plug-ins are added at start. Packages that must not import the catalog look games up here; the
commands, the page or a test must import the catalog first.
"""

from collections.abc import Collection, Mapping
from typing import Any

from captains_table.games.contract import Game, did_you_mean

GAMES: dict[str, Game[Any]] = {}
COMPUTERS: dict[str, dict[str, Collection[int]]] = {}
"""The levels of the computer players, by game key and computer key."""


class UnknownGame(LookupError):
    """No game with this key is registered."""


class KeyTaken(ValueError):
    """A game with this key is already registered."""


def register(game: Game[Any], computers: Mapping[str, Collection[int]]) -> None:
    """Add a game and the levels of its computer players; raises KeyTaken if a game with its key is registered."""
    taken = GAMES.get(game.key)
    if taken is not None:
        raise KeyTaken(f"the key {game.key!r} is {taken.title}'s: expected one that no other game has")
    GAMES[game.key] = game
    COMPUTERS[game.key] = dict(computers)


def game_by_key(key: str) -> Game[Any]:
    """Return the game with this key; raises UnknownGame if there is none."""
    try:
        return GAMES[key]
    except KeyError:
        known = f"one of {', '.join(sorted(GAMES))}" if GAMES else "captains_table.catalog to be imported first"
        raise UnknownGame(f"unknown game {key!r}: expected {known}{did_you_mean(key, GAMES)}") from None


def is_computer(game: str, words: str) -> bool:
    """Return whether a seat's name, such as `aether:3`, is that of a computer player of a game."""
    key, _, level = words.partition(":")
    levels = COMPUTERS.get(game, {}).get(key, ())
    return level in map(str, levels)


def not_installed(key: str) -> str:
    """Return the message for a match whose game is not installed (its plug-in was removed)."""
    return f"{key}: this game is not installed"
