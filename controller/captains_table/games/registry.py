"""The registry of the installed games: finds a game's rules and its computer players' levels by the game's key.

It also writes a computer player's name as all displays show it, with the level in words: *Aether (casual)*.

The registry is empty until the package `catalog` is imported; that package fills it, and holds everything else about a
game. The games of plug-ins are added at start. Packages that must not import the catalog look games up here; the
commands, the page or a test must import the catalog first.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent, free_name
from captains_table.games.contract import Game, did_you_mean
from captains_table.phrases import Phrase, PhrasePart, computed, listed, say, with_spaces

GAMES: dict[str, Game[Any]] = {}
COMPUTERS: dict[str, dict[str, Mapping[int, str]]] = {}
"""The levels of the computer players in words, by game key and computer key."""
_RECORDED: Final = re.compile(r"(.* )?(\S+) \(level ([0-9]{1,9})\)")


class UnknownGame(LookupError):
    """No game with this key is registered."""


class KeyTaken(ValueError):
    """A game with this key is already registered."""


def register(game: Game[Any], computers: Mapping[str, Mapping[int, str]]) -> None:
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
        if not GAMES:
            raise UnknownGame(f"unknown game {key!r}: expected captains_table.catalog to be imported first") from None
        known, meant = listed(sorted(GAMES), ","), did_you_mean(key, GAMES)
        words = say("unknown game {key}: expected one of {games}{did_you_mean}", repr(key), known, meant)
        raise UnknownGame(words) from None


def is_computer(game: str, words: str) -> bool:
    """Return whether a seat's name, such as `aether:3`, is that of a computer player of a game."""
    key, _, level = words.partition(":")
    levels = COMPUTERS.get(game, {}).get(key, ())
    return level in map(str, levels)


def computer_name(computer: ComputerSeat, game: str = "", called: str = "") -> str:
    """Return a computer player's name on displays, with its level in words, such as *Aether (casual)*.

    Args:
        computer: the computer player and its level.
        game: the key of the game that it plays; empty to look it up among all games.
        called: the name of its seat, if that differs from the computer's title.
    """
    level = level_words(computer, game)
    return say("{computer} ({level})", called or computer.title, level)


def level_words(computer: ComputerSeat, game: str = "") -> str:
    """Return a computer player's level in words, such as *casual*; the arguments are those of `computer_name`."""
    known = (each[computer.level] for each in _levels(computer.key, game) if computer.level in each)
    return next(known, None) or say("level {level}", computer.level)


def display_names(names: Iterable[str], game: str = "") -> tuple[str, ...]:
    """Return the names of a match's players as displays show them, given the names in records.

    A computer player's name in records, *Aether (level 3)*, and its notation, `aether:3`, become *Aether (casual)*; a
    rank before the name stays. If several have the same title, they have numbers as at the table: *Aether 2 (strong)*.

    Args:
        names: the players of one match, or a single player.
        game: the key of the game; empty to look up computer players among all games.
    """
    shown = list(names)
    computers = {place: found for place, name in enumerate(shown) if (found := _computer(name, game))}
    taken = {name for place, name in enumerate(shown) if place not in computers}
    for place, (ranks, computer) in computers.items():
        called = free_name(computer.title, taken)
        taken.add(called)
        shown[place] = computed(with_spaces, *ranks, computer_name(computer, game, called))
    return tuple(shown)


def _computer(name: str, game: str) -> tuple[list[PhrasePart], ComputerSeat] | None:
    """Return the ranks before a computer player's name, and the computer player; `None` if the name is a person's."""
    *ranks, own = name.parts.values() if isinstance(name, Phrase) and name.compute is with_spaces else (name,)
    name = str(own)
    found = _RECORDED.fullmatch(name)
    with suppress(NoSuchOpponent):
        computer = ComputerSeat.parsed(name) if found is None else ComputerSeat(found[2].lower(), int(found[3]))
        rank = "" if found is None else found[1] or ""
        return ([*ranks, rank[:-1]], computer) if any(_levels(computer.key, game)) else None
    return None


def _levels(computer: str, game: str) -> list[Mapping[int, str]]:
    """Return the levels of a computer player in words, by game; an empty game stands for all games."""
    return [known.get(computer, {}) for key, known in COMPUTERS.items() if game in {"", key}]


def not_installed(key: str) -> str:
    """Return the message for a match whose game is not installed (its plug-in was removed)."""
    return say("{game}: this game is not installed", key)
