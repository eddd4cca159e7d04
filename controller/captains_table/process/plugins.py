"""Games that other packages bring, found once, at start: entry points of the group `captains_table.games`.

Each entry point gives a `catalog.GameEntry`. One that cannot be used is left out, with a sentence that names its
distribution, what was wrong and what was expected; the table is there for the other games.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.contract import Game
from captains_table.games.registry import KeyTaken

GROUP: Final = "captains_table.games"
FORM: Final = re.compile("[a-z][a-z0-9]*")
ICON: Final = re.compile("[.#]{5}( [.#]{5}){6}")


class BadPlugin(ValueError):  # noqa: N818 - named by its condition
    """A plug-in cannot be used: what was wrong, and what was expected."""


@dataclass(frozen=True, slots=True)
class Plugins:
    """What came of looking for plug-ins.

    Attributes:
        installed: each game that was added, in words, with its distribution.
        left_out: a sentence about each plug-in that was left out.
    """

    installed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@cache
def install_plugins() -> Plugins:
    """Add the game of every plug-in to the catalog; whoever asks again is told the same and nothing is added twice."""
    return add_plugins(entry_points(group=GROUP))


def add_plugins(points: Iterable[EntryPoint]) -> Plugins:
    """Add the games of these entry points to the catalog."""
    installed, left_out = [], []
    for point in sorted(points, key=lambda point: (_distribution(point), point.name)):
        try:
            entry = game_entry(point)
            catalog.add(entry)
        except (BadPlugin, KeyTaken) as error:
            left_out.append(f"plug-in {point.name!r} of {_distribution(point)} is left out: {error}")
        else:
            installed.append(f"{entry.game.key} ({entry.game.title}) of {_distribution(point)}")
    return Plugins(tuple(installed), tuple(left_out))


def _distribution(point: EntryPoint) -> str:
    return "an unnamed distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def game_entry(point: EntryPoint) -> GameEntry:
    """Return what an entry point gives; raises BadPlugin."""
    expected = "expected a captains_table.catalog.GameEntry there"
    try:
        entry = point.load()
    except (Exception, SystemExit) as error:
        raise BadPlugin(f"{point.value} cannot be loaded ({_words(error)}): {expected}") from error
    if not isinstance(entry, GameEntry):
        raise BadPlugin(f"{point.value} is {type(entry).__name__} {entry!r:.60}: {expected}")
    _check_game(entry.game)
    _check_rest(entry)
    return entry


def _check_game(game: object) -> None:
    """Raise BadPlugin unless these are rules that a match can be begun with."""
    if not isinstance(game, Game):
        raise BadPlugin(f"game is {game!r:.60}: expected an instance of a class that inherits from Game")
    names = tuple(f"Player {number}" for number in range(1, game.seats.start + 1))
    try:
        state = game.start(names, {})
        hash(state)
        for shown in (game.turn, game.names, game.score, game.tallies, game.heading, game.pieces, game.dice):
            shown(state)
    except Exception as error:
        expected = f"expected a match of {', '.join(names)} without options"
        raise BadPlugin(f"no match can be begun ({_words(error)}): {expected}") from error


def _check_rest(entry: GameEntry) -> None:
    for form in entry.exports:
        if not FORM.fullmatch(form) or form == "json":
            raise BadPlugin(f"exports has {form!r}: expected a file's ending in lower case, and not json")
    for tally, icon in entry.tally_icons.items():
        if not ICON.fullmatch(icon):
            raise BadPlugin(f"tally_icons has {icon!r:.60} for {tally!r}: expected seven rows of five dots, # or .")
    for name in ("adviser", "odds", "optimum_alone"):
        value = getattr(entry, name)
        if value is not None and not callable(value):
            raise BadPlugin(f"{name} is {value!r:.60}: expected a function or None")
    if entry.rules_page is not None:
        try:
            entry.rules_page.read()
        except (OSError, ImportError, UnicodeDecodeError) as error:
            page = f"{entry.rules_page.package}/{entry.rules_page.file}"
            raise BadPlugin(f"rules_page {page} cannot be read ({_words(error)}): expected a file of HTML") from error


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip().rstrip(":").replace("\n", " ")
