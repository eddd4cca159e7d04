"""The form for a new match: its rows for players, its choices, and the conversion of its fields into names and options.

A player's row has two fields of the same name: one for a person's name, and one to choose a computer (`aether:3`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from captains_table import catalog
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Choice, Game, GameOption, check_names, is_showable, proposals, settled
from captains_table.games.registry import GAMES
from captains_table.phrases import listed, say
from captains_table.table.lobby.match_setup import Start
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.seating import declared_names
from captains_table.web.problems import Problem

MAX_OPTION = 200
PLAYERS = "players"  # how many player fields to show: a parameter of the form's address only
PAIRING: Final = "pairing"  # the only field of a form that starts a pairing assigned by the club
NO_OPTION = re.compile("game|name[0-9]+")
ORDINALS: Final = (say("First player"), say("Second player"))


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer at one of its levels, as a choice in the form.

    Attributes:
        value: the field's value.
        words: the choice's label.
        brief: the level in words.
        note: how the level plays, a sentence; may be empty.
    """

    value: str
    words: str
    brief: str
    note: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player's row in the form for a match: its number and title, and a person's name or a computer.

    For a person `computer` is empty. For a computer `name` is empty.
    """

    number: int
    title: str
    name: str
    computer: str


def computers(key: str) -> dict[str, list[Computer]]:
    """Map the title of each computer player of a game to its levels, as choices in the form."""
    return {
        each.title: [
            Computer(
                value=str(ComputerSeat(each.key, level)),
                words=say("{computer} ({level})", each.title, words),
                brief=words,
                note=each.level_notes.get(level, ""),
            )
            for level, words in each.levels.items()
        ]
        for each in catalog.opponents_of(key).values()
    }


def player_rows(given: Mapping[str, str], game: Game[Any]) -> list[PlayerRow]:
    """Return a row for each seat that the game allows, filled in from the fields `given`."""
    found = []
    for number in range(1, game.seats.stop):
        title = ORDINALS[number - 1] if number <= len(ORDINALS) else say("Player {number}", number)
        words, computer = given.get(f"name{number}", ""), None
        with suppress(NoSuchOpponent):  # an unknown computer is reported when the form is sent
            computer = catalog.seated_at(game.key, words)
        found.append(PlayerRow(number, title, "" if computer else words, str(computer or "")))
    return found


def shown_names(start: Start) -> tuple[str, ...]:
    """Return the players' names, with each computer's key replaced by its title; raises NoSuchOpponent."""
    kinds = catalog.kinds_of(start.game, start.names)
    return declared_names(MatchStarted(start.game, start.names, {}, "", kinds))


def grouped_choices(
    game: Game[Any], given: Mapping[str, str], stored: Callable[[str], Sequence[Choice]]
) -> dict[str, dict[str, Sequence[Choice]]]:
    """Return the choices of every option that has a collection, grouped under titles.

    A collection holds further choices that the table stores. The result maps each option's name to its groups.

    Args:
        game: the game.
        given: the current values of the options.
        stored: returns the choices in a collection of the table, given the collection's name.
    """
    options = [option for option in game.options if option.collection]
    found = {collection: stored(collection) for collection in {option.collection for option in options}}
    return {option.name: _shelves(option, given[option.name], found[option.collection]) for option in options}


def _shelves(option: GameOption, value: str, stored: Sequence[Choice]) -> dict[str, Sequence[Choice]]:
    """Return an option's choices in three groups, keyed by title: default, saved, and other choices of the game.

    The group of the default has an empty title. If the present value is in none of the groups, it is added to the group
    of the default.
    """
    usual = [choice for choice in option.choices if choice.value == option.default]
    others = [choice for choice in option.choices if choice.value != option.default]
    is_known = any(value in choice for choice in (*option.choices, *stored))
    written = [] if is_known else [Choice(value, value)]
    return {"": [*usual, *written], say("Kept here"): stored, say("Of the game"): others}


def chosen_game(key: str) -> Game[Any]:
    """Return the game with the key that a form gives; raises Problem if there is no such game."""
    if key not in GAMES:
        known = listed(list(GAMES), ",")
        raise Problem(400, say("There is no game {key}: expected one of {known}.", repr(key), known))
    return GAMES[key]


def fields_shown(given: Mapping[str, str], game: Game[Any]) -> int:
    """Return how many player fields to show, within the numbers of players that the game allows.

    The form's address can request a number. Otherwise all fields up to the last one with a name are shown, and at least
    two.
    """
    most = game.seats.stop - 1
    named = [number for number in range(1, most + 1) if given.get(f"name{number}", "").strip()]
    usual = max(2, game.seats.start, *named, 0)
    asked = given.get(PLAYERS, "")
    wanted = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= len(str(most)) else usual
    return min(most, max(wanted, game.seats.start))


def field_values(given: Mapping[str, str], game: Game[Any]) -> dict[str, str]:
    """Return the value of each field: the given one, otherwise the suggested one, otherwise the option's default."""
    usual = {option.name: option.default for option in game.options} | proposals(game.options)
    return usual | dict(given)


def opens_more(given: Mapping[str, str], game: Game[Any], refused: str) -> bool:
    """Return whether the form begins with *More options* open.

    This is so if one of these options was refused, or differs from the value that the form preselects.
    """
    usual = field_values({}, game)
    advanced = [option.name for option in game.options if option.is_advanced]
    return refused in advanced or any(given.get(name, usual[name]) != usual[name] for name in advanced)


def read_names(fields: Mapping[str, str], game: Game[Any]) -> tuple[str, ...]:
    """Return the players' names in seat order, without empty fields; raises BadOption if a match cannot have them."""
    given = (" ".join(fields.get(f"name{number}", "").split()) for number in range(1, game.seats.stop))
    names = tuple(name for name in given if name)
    check_names(shown_names(Start(game.key, names)), game.seats)
    return names


def read_option_fields(fields: Mapping[str, str], game: Game[Any]) -> dict[str, str]:
    """Return the options to store with a match, without default values; raises Problem for an unreadable option.

    Unknown options are returned too, so that the game refuses them.
    """
    given = {key: value.strip() for key, value in fields.items() if not NO_OPTION.fullmatch(key)}
    options = settled(game.options, {key: value for key, value in given.items() if value})
    for key, value in options.items():
        if not is_showable(key + value) or len(key + value) > MAX_OPTION:
            wrong = say(
                "The option {option} cannot be read: expected at most {most} characters.",
                repr(key[:MAX_OPTION]),
                MAX_OPTION,
            )
            raise Problem(400, wrong)
    return options
