"""The rules this table knows, by key: all that a pure room asks about which games there are.

The catalog, which knows everything else about a game too, fills it when it is imported; a plug-in's game is added at
start. A room that asks here therefore needs no import of the catalog, only somebody above it who has it: the commands,
the page, the tests.
"""

from collections.abc import Collection, Mapping
from typing import Any

from captains_table.games.contract import Game, did_you_mean

GAMES: dict[str, Game[Any]] = {}
COMPUTERS: dict[str, dict[str, Collection[int]]] = {}
"""The levels of the computers that play each game, by game and computer."""


class UnknownGame(LookupError):
    """No game has this key."""


class KeyTaken(ValueError):
    """Another game has this key."""


def register(game: Game[Any], computers: Mapping[str, Collection[int]]) -> None:
    """Make a game known, and the levels of the computers that play it; raises KeyTaken."""
    taken = GAMES.get(game.key)
    if taken is not None:
        raise KeyTaken(f"the key {game.key!r} is {taken.title}'s: expected one that no other game has")
    GAMES[game.key] = game
    COMPUTERS[game.key] = dict(computers)


def game_by_key(key: str) -> Game[Any]:
    """Return the game with this key; raises UnknownGame."""
    try:
        return GAMES[key]
    except KeyError:
        known = f"one of {', '.join(sorted(GAMES))}" if GAMES else "captains_table.catalog to be imported first"
        raise UnknownGame(f"unknown game {key!r}: expected {known}{did_you_mean(key, GAMES)}") from None


def is_computer(game: str, words: str) -> bool:
    """Return whether words such as `aether:3` name a computer that plays a game here."""
    key, _, level = words.partition(":")
    levels = COMPUTERS.get(game, {}).get(key, ())
    return level in map(str, levels)


def not_installed(key: str) -> str:
    """Return what is said of a match whose game this table has not (its plug-in was taken out)."""
    return f"{key}: this game is not installed"
