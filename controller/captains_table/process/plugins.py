"""Loads games of other packages (plug-ins) once, at start, from the entry points `captains_table.games`.

Each entry point provides a `catalog.GameEntry`. A plug-in that cannot be used is left out, with a sentence that names
its distribution, what was wrong and what was expected; the table works with the other games.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.registry import KeyTaken
from captains_table.process.plugin_entry import BadField, CommandCheck, error_words, read_entry, short_repr

GROUP: Final = "captains_table.games"


class BadPlugin(ValueError):
    """A plug-in cannot be used; the message says what was wrong and what was expected."""


@dataclass(frozen=True, slots=True)
class Plugins:
    """The result of the search for plug-ins.

    Attributes:
        installed: the key, title and distribution of each added game, in words.
        left_out: a sentence about each plug-in that was left out.
    """

    installed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


_found: list[Plugins] = []


def accept_any_command(command: str) -> str:  # noqa: ARG001 - only the command's help shows examples
    """Accept any command by returning an empty text, which means that the command has no error."""
    return ""


def install_plugins(takes: CommandCheck = accept_any_command) -> Plugins:
    """Add the game of every plug-in to the catalog on the first call; later calls return the result of the first.

    A call during the first one, made by a plug-in that is being loaded, returns an empty result.

    Args:
        takes: checks an example command of a game's help; returns what is wrong with the command, or an empty text.
    """
    if not _found:
        _found.append(Plugins())  # the result for nested calls during loading
        _found[0] = add_plugins(entry_points(group=GROUP), takes)
    return _found[0]


def add_plugins(points: Iterable[EntryPoint], takes: CommandCheck = accept_any_command) -> Plugins:
    """Add the games of entry points to the catalog; return which games were added and which were left out."""
    installed, left_out = [], []
    for point in sorted(points, key=lambda point: (_distribution(point), point.name)):
        try:
            entry = game_entry(point, takes)
            catalog.add_game(entry)
        except (BadPlugin, KeyTaken) as error:
            left_out.append(f"plug-in {point.name!r} of {_distribution(point)} is left out: {error}")
        else:
            installed.append(f"{entry.game.key} ({entry.game.title}) of {_distribution(point)}")
    return Plugins(tuple(installed), tuple(left_out))


def _distribution(point: EntryPoint) -> str:
    return "an unnamed distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def game_entry(point: EntryPoint, takes: CommandCheck = accept_any_command) -> GameEntry:
    """Load a plug-in's entry point, and return a checked copy of the game's catalog entry.

    Args:
        point: the entry point; the object that it names must be a `GameEntry`.
        takes: checks an example command of the game's help; returns what is wrong with it, or an empty text.

    Raises:
        BadPlugin: the entry point cannot be loaded, or the entry cannot be used.
    """
    expected = "expected a captains_table.catalog.GameEntry there"
    try:
        entry = point.load()
    except (Exception, SystemExit) as error:
        raise BadPlugin(f"{point.value} cannot be loaded ({error_words(error)}): {expected}") from error
    if not issubclass(type(entry), GameEntry):
        raise BadPlugin(f"{point.value} is {type(entry).__name__} {short_repr(entry)}: {expected}")
    try:
        return read_entry(entry, takes)
    except BadField as error:
        raise BadPlugin(str(error)) from error
