"""The form for a new match: how its fields become names and options."""

import re
from collections.abc import Mapping
from typing import Any

from captains_table.games.contract import Game, check_names, proposals, settled
from captains_table.games.registry import GAMES
from captains_table.web.problems import Problem

MAX_OPTION = 200
PLAYERS = "players"  # how many fields the page is to show: of its address, never of what is sent
NO_OPTION = re.compile("game|name[0-9]+")


def chosen_game(key: str) -> Game[Any]:
    """Return the game a form is about; raises Problem."""
    if key not in GAMES:
        raise Problem(400, f"There is no game {key!r}: expected one of {', '.join(GAMES)}.")
    return GAMES[key]


def fields_shown(given: Mapping[str, str], game: Game[Any]) -> int:
    """Return how many players the form has fields for: as many as were asked for, or named, or as play it mostly."""
    most = game.seats.stop - 1
    named = [number for number in range(1, most + 1) if given.get(f"name{number}", "").strip()]
    usual = max(2, game.seats.start, *named, 0)
    asked = given.get(PLAYERS, "")
    wanted = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= len(str(most)) else usual
    return min(most, max(wanted, game.seats.start))


def proposed(given: Mapping[str, str], game: Game[Any]) -> dict[str, str]:
    """Return what the form's fields hold: what was given, else what is proposed, else the default."""
    usual = {option.name: option.default for option in game.options} | proposals(game.options)
    return usual | dict(given)


def read_names(fields: Mapping[str, str], seats: range) -> tuple[str, ...]:
    """Return the players' names in seat order, empty ones left out; raises BadOption."""
    given = (" ".join(fields.get(f"name{number}", "").split()) for number in range(1, seats.stop))
    names = tuple(name for name in given if name)
    check_names(names, seats)
    return names


def read_options(fields: Mapping[str, str], game: Game[Any]) -> dict[str, str]:
    """Return the options that differ from a game's defaults, unknown ones too: the game says so; raises Problem."""
    given = {key: value.strip() for key, value in fields.items() if not NO_OPTION.fullmatch(key)}
    options = settled(game.options, {key: value for key, value in given.items() if value})
    for key, value in options.items():
        if not (key + value).isprintable() or len(key + value) > MAX_OPTION:
            raise Problem(
                400, f"The option {key[:MAX_OPTION]!r} cannot be read: expected at most {MAX_OPTION} characters."
            )
    return options
