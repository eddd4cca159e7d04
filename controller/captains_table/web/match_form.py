"""The form for a new match: who plays, and how its fields become names and options.

A player's row has two fields of one name, a person's name and who plays; a computer is sent as `aether:3`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from captains_table import catalog
from captains_table.games.common.board_sizes import misfit
from captains_table.games.common.sitter import NoSuchOpponent, Sitter
from captains_table.games.contract import Choice, Game, GameOption, Shape, check_names, proposals, settled
from captains_table.games.registry import GAMES
from captains_table.table.lobby.match_setup import Start
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.seating import names_of
from captains_table.web.problems import Problem

MAX_OPTION = 200
PLAYERS = "players"  # how many fields the page is to show: of its address, never of what is sent
PAIRING: Final = "pairing"  # the one field of a form that begins what the club wants to be played
NO_OPTION = re.compile("game|name[0-9]+")
NOBODY_YET: Final = "Sailor"  # whoever plays a computer at a table that knows nobody
ORDINALS: Final = ("First player", "Second player")


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer at one of its levels, as a form offers it.

    Attributes:
        value: what is sent.
        words: what is read.
        brief: the same beside its name.
        is_usual: whether it is the level proposed.
    """

    value: str
    words: str
    brief: str
    is_usual: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row: its number and title, a person's name, or the computer that plays (empty: a person)."""

    number: int
    title: str
    name: str
    computer: str


def computers(key: str) -> dict[str, list[Computer]]:
    """Return the computers of a game at their levels, by their titles."""
    return {
        each.title: [
            Computer(
                value=str(Sitter(each.key, level)),
                words=f"{each.title}: {words} (level {level})",
                brief=f"level {level}: {words}",
                is_usual=level == each.usual,
            )
            for level, words in each.levels.items()
        ]
        for each in catalog.opponents_of(key).values()
    }


def rows(given: Mapping[str, str], game: Game[Any]) -> list[Row]:
    """Return the rows of all who can play, filled in as they were."""
    found = []
    for number in range(1, game.seats.stop):
        title = ORDINALS[number - 1] if number <= len(ORDINALS) else f"Player {number}"
        words = given.get(f"name{number}", "")
        sitter = _sitter(words, game.key)
        found.append(Row(number, title, words, "") if sitter is None else Row(number, title, "", str(sitter)))
    return found


def _sitter(words: str, key: str) -> Sitter | None:
    """Return the computer that a field asks for, if there is such a one; what is wrong is said once it is sent."""
    try:
        return catalog.seated_at(key, words)
    except NoSuchOpponent:
        return None


def shown_names(start: Start) -> tuple[str, ...]:
    """Return who is to play, computers by the names they sit as; raises NoSuchOpponent."""
    kinds = catalog.kinds_of(start.game, start.names)
    return names_of(MatchStarted(start.game, start.names, {}, "", kinds))


def against_computer(game: Game[Any], known_names: Sequence[str]) -> tuple[str, Start] | None:
    """Return a computer's title and the match in which somebody alone plays it as most do; None where none plays.

    Args:
        game: the game.
        known_names: everybody who has played here, whoever played last first.
    """
    opponent = next(iter(catalog.opponents_of(game.key).values()), None)
    if opponent is None:
        return None
    name = next(iter(known_names), NOBODY_YET)
    sitter = str(Sitter(opponent.key, opponent.usual))
    return opponent.title, Start(game.key, (name, sitter), settled(game.options, proposals(game.options)))


def shelves(
    game: Game[Any], given: Mapping[str, str], kept: Callable[[str], Sequence[Choice]]
) -> dict[str, dict[str, Sequence[Choice]]]:
    """Return what a form offers of each option with a collection, by the option's name and a title.

    Args:
        game: the game.
        given: what the options are now.
        kept: returns what the table keeps of a collection.
    """
    options = [option for option in game.options if option.collection]
    found = {collection: kept(collection) for collection in {option.collection for option in options}}
    return {option.name: _shelves(option, given[option.name], found[option.collection]) for option in options}


def _shelves(option: GameOption, value: str, kept: Sequence[Choice]) -> dict[str, Sequence[Choice]]:
    """Return choices by their title: the usual, what is kept, what comes with the game.

    A value that is none of them stands by the usual, which have no title.
    """
    usual = [choice for choice in option.choices if choice.value == option.default]
    others = [choice for choice in option.choices if choice.value != option.default]
    is_known = any(value in choice for choice in (*option.choices, *kept))
    written = [] if is_known else [Choice(value, value)]
    return {"": [*usual, *written], "Kept here": kept, "Of the game": others}


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


def at_once(known_names: Sequence[str], board_shape: Shape | None) -> tuple[str, Start] | None:
    """Return a computer's title and the match somebody alone may begin by one press, of the first game that fits.

    Args:
        known_names: everybody who has played here, whoever played last first.
        board_shape: the shape of a real board; `None` where the board takes the shape of the game.
    """
    games = (game for game in GAMES.values() if misfit(game, board_shape) is None)
    return next((found for game in games if (found := against_computer(game, known_names))), None)


def read_names(fields: Mapping[str, str], game: Game[Any]) -> tuple[str, ...]:
    """Return who plays in seat order, empty fields left out; raises BadOption."""
    given = (" ".join(fields.get(f"name{number}", "").split()) for number in range(1, game.seats.stop))
    names = tuple(name for name in given if name)
    check_names(shown_names(Start(game.key, names)), game.seats)
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
