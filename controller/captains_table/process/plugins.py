"""Loads games of other packages (plug-ins) once, at start, from the entry points `captains_table.games`.

Each entry point provides a `catalog.GameEntry`. A plug-in that cannot be used is left out, with a sentence that names
its distribution, what was wrong and what was expected; the table works with the other games. An entry's fields are
checked by type, then some of them are tried out, and a copy is used that contains only plain values, so that it cannot
change or fail when it is read again.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from captains_table import catalog
from captains_table.catalog import GameEntry, computer_players
from captains_table.games.contract import (
    LONGEST_NAME,
    BadGame,
    BadOption,
    Game,
    GameOption,
    Meaning,
    Shape,
    check_names,
)
from captains_table.games.contract.game import check_declarations
from captains_table.games.registry import KeyTaken
from captains_table.players.common.opponents import Opponent
from captains_table.table.lobby.match_screens import CHANGE, option_list, who_plays
from captains_table.table.lobby.match_setup import LobbyContext, MatchSetup

GROUP: Final = "captains_table.games"
MOST_ITEMS: Final = 1000
LONGEST_TEXT: Final = 10_000
LONGEST_TITLE: Final = 100
LONGEST_SENTENCE: Final = 120
MOST_MINUTES: Final = 6000
LARGEST: Final = 10**9
MOST_SEATS: Final = 100
MOST_FILES: Final = 26
MOST_LEVELS: Final = 100
FORM: Final = re.compile("[a-z][a-z0-9]*")
MEDIA_TYPE: Final = re.compile(r"[\w.+-]+/[\w.+-]+(; ?[\w-]+=[\w.-]+)*", re.ASCII)
ICON: Final = re.compile("[.#]{5}( [.#]{5}){6}")
OPPONENT: Final = re.compile("[a-z][a-z0-9_-]*")

CommandCheck = Callable[[str], str]
"""Returns what is wrong with a command in an example; an empty text if nothing is."""


class BadPlugin(ValueError):
    """A plug-in or a field of its entry cannot be used; the message says what was wrong and what was expected."""


def bad_field(field: str, value: object, expected: str) -> BadPlugin:
    """Return the error that reports a wrong value of a field."""
    return BadPlugin(f"{field} is {short_repr(value)}: expected {expected}")


def short_repr(value: object) -> str:
    """Return the first 60 characters of a value's `repr`, as one line; if `repr` fails, words that name its type."""
    try:
        return single_line(f"{value!r:.60}")
    except Exception:  # noqa: BLE001 - the words of an error must not be another error
        return f"a value of type {type(value).__name__}"


def error_words(error: BaseException) -> str:
    """Return an exception's type and message as one line; if its `str` fails, only the type."""
    try:
        return single_line(f"{type(error).__name__}: {error}".strip().rstrip(":"))
    except Exception:  # noqa: BLE001 - as above
        return type(error).__name__


def single_line(words: str) -> str:
    """Return a text as one line that can be encoded as UTF-8."""
    return " ".join(words.encode("utf-8", "backslashreplace").decode().split())


def read_entry(entry: GameEntry, takes: CommandCheck) -> GameEntry:
    """Return a copy of an entry that contains only plain values.

    Args:
        entry: the plug-in's entry.
        takes: returns what is wrong with an example's command; an empty text if the command is right.

    Raises:
        BadPlugin: a field cannot be used.
    """
    read: GameEntry = _guarded("the entry", entry, lambda: _as_fields(entry, GameEntry, ""))
    for name, check in CHECKS.items():
        _guarded(name, getattr(read, name), partial(check, read))
    for example in read.examples:
        wrong = takes(example.command)
        if not example.command.split() or wrong:
            raise bad_field(
                "examples", example.command, f"what may follow `captains-table` ({wrong or 'nothing does'})"
            )
    return read


def _guarded(field: str, value: object, read: Callable[[], Any]) -> Any:  # noqa: ANN401 - the result of `read`
    """Return the result of `read`; raises BadPlugin if `read` raises any exception or SystemExit."""
    try:
        return read()
    except BadPlugin:
        raise
    except (BadGame, BadOption) as error:
        raise BadPlugin(f"{field}: {error_words(error).partition(': ')[2]}") from error
    except (Exception, SystemExit) as error:
        raise bad_field(field, value, f"what can be read, but reading it raises {error_words(error)}") from error


# --- by type --------------------------------------------------------------------------------------------------------


def _read(value: object, hint: Any, field: str) -> Any:  # noqa: ANN401 - of whatever type is declared
    """Return a copy of a value as plain values of the declared type; raises BadPlugin."""
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin in {Union, UnionType}:
        declared = next(each for each in arguments if each is not NoneType)
        return None if value is None else _read(value, declared, field)
    if origin is Callable:
        return _as_function(value, arguments[0], field)
    if origin is Mapping:
        return _as_mapping(value, arguments, field)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return tuple(_read(each, of, field) for each, of in zip(_items(value, field), arguments, strict=True))
    if origin in {tuple, Sequence, Collection}:
        items = (_read(each, arguments[0], field) for each in _items(value, field))
        return frozenset(items) if origin is Collection else tuple(items)
    return PLAIN[hint](value, field) if hint in PLAIN else _as_fields(value, hint, field)


def _as_fields(value: object, kind: type, field: str) -> Any:  # noqa: ANN401 - of that kind
    """Return a copy of a dataclass or named tuple, made field by field; raises BadPlugin."""
    if not isinstance(value, kind):
        raise bad_field(field, value, f"an instance of {kind.__name__}")
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else hints
    inside = f"{field}." if field else ""

    def read(name: str) -> object:
        here = f"{inside}{name}"
        return _read(_guarded(here, None, lambda: getattr(value, name)), hints[name], here)

    return kind(**{name: read(name) for name in names})


def _as_function(value: object, parameters: Sequence[object], field: str) -> object:
    expected = f"a function of {len(parameters)} argument{'' if len(parameters) == 1 else 's'}"
    if not callable(value):
        raise bad_field(field, value, expected)
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # some C functions have no signature
        return value
    try:
        signature.bind(*parameters)
    except TypeError as error:
        raise bad_field(field, value, expected) from error
    return value


def _as_mapping(value: object, arguments: Sequence[Any], field: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise bad_field(field, value, "a mapping")
    pairs = list(islice(value.items(), MOST_ITEMS + 1))
    if len(pairs) > MOST_ITEMS:
        raise bad_field(field, value, f"at most {MOST_ITEMS} entries")
    of_key, of_item = arguments
    return {
        _read(key, of_key, f"a key of {field}"): _read(item, of_item, f"{field}[{short_repr(key)}]")
        for key, item in pairs
    }


def _items(value: object, field: str) -> Sequence[object]:
    if not isinstance(value, Sequence | AbstractSet) or isinstance(value, str | bytes):
        raise bad_field(field, value, "a sequence")
    items = list(islice(value, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise bad_field(field, value, f"at most {MOST_ITEMS} items")
    return items


def _as_text(value: object, field: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or single_line(value) != " ".join(value.split()):
        raise bad_field(field, value, f"a text of at most {LONGEST_TEXT} characters")
    return str.__str__(value)


def _as_number(value: object, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
        raise bad_field(field, value, f"a whole number from {-LARGEST} to {LARGEST}")
    return int(value)


def _as_switch(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise bad_field(field, value, "True or False")
    return value


def _as_game(value: object, field: str) -> Game[Any]:
    if not isinstance(value, Game):
        raise bad_field(field, value, "an instance of a class that inherits from Game")
    return value


PLAIN: Final[Mapping[Any, Callable[[object, str], object]]] = {
    str: _as_text,
    int: _as_number,
    bool: _as_switch,
    Game[Any]: _as_game,
}


# --- by use ---------------------------------------------------------------------------------------------------------


def _check_game(entry: GameEntry) -> None:
    game = entry.game
    check_declarations(game)
    for field, words, longest in (("game.key", game.key, LONGEST_NAME), ("game.title", game.title, LONGEST_TITLE)):
        if len(words) > longest:
            raise bad_field(field, words, f"at most {longest} characters")
    if game.seats.stop - 1 > MOST_SEATS:
        raise bad_field("game.seats", game.seats, f"at most {MOST_SEATS} players")
    if game.shape is not None:
        shape = _as_fields(game.shape, Shape, "game.shape")
        if not (1 <= shape.files <= MOST_FILES and 1 <= shape.ranks <= MOST_FILES):
            raise bad_field("game.shape", game.shape, f"1 to {MOST_FILES} files and ranks")
    meanings = _read(game.meanings, Mapping[str, Meaning], "game.meanings")
    if _read(game.cards, Mapping[str, str], "game.cards").keys() - meanings.keys():
        raise bad_field("game.cards", game.cards, "titles, each with a key of game.meanings")
    for number, option in enumerate(game.options):
        _check_option(_as_fields(option, GameOption, f"game.options[{number}]"), game)
    names = tuple(f"Player {number}" for number in range(1, game.seats.start + 1))
    try:
        state = game.start(names, {})
        hash(state)
        for asked in (game.turn, game.names, game.score, game.tallies, game.heading, game.pieces, game.dice):
            asked(state)
    except Exception as error:
        expected = f"rules by which a match of {', '.join(names)} begins without options"
        raise bad_field("game", game, f"{expected}, but no match can be begun ({error_words(error)})") from error


def _check_option(option: GameOption, game: Game[Any]) -> None:
    field = f"game.options, {option.name!r},"
    if not option.name or option.name != option.name.strip() or "=" in option.name or not option.name.isprintable():
        raise bad_field(f"{field} name", option.name, "what may stand before = in name=value")
    if option.bounds is not None and not 0 <= option.bounds[0] <= option.bounds[1]:
        raise bad_field(f"{field} bounds", option.bounds, "the least and the largest whole number")
    if not 0 <= option.seat < game.seats.stop:
        raise bad_field(f"{field} seat", option.seat, f"a seat from 1 to {game.seats.stop - 1}, or 0")
    for name in ("default", "proposed"):
        value = getattr(option, name)
        if value and not option.is_free and not option.of_players and not option.allows(value):
            raise bad_field(f"{field} {name}", value, option.expected())


def _check_lobby(entry: GameEntry) -> None:
    """Check that the lobby can build all screens for a new match of the game, by building them."""
    game = entry.game
    context = LobbyContext({game.key: game}, _NothingPlayed(), rivals={game.key: computer_players(entry)})
    who_plays(context, game, {})
    count = max(game.seats.start, *(option.seat for option in game.options), 1)
    setup = MatchSetup(context, game, count, tuple(f"Player {number}" for number in range(1, count + 1)))
    for line in option_list(setup).lines:
        if line.option.id.startswith(CHANGE):
            line.chosen()


class _NothingPlayed:
    """An index without matches and players, for a trial of the lobby's screens with the plug-in's game."""

    def names(self) -> Sequence[str]:
        return ()

    def against(self) -> Mapping[str, str]:
        return {}

    def waiting(self) -> Mapping[int, str]:
        return {}

    def unfinished(self) -> Sequence[Any]:
        return ()


def _check_opponents(entry: GameEntry) -> None:
    for key, opponent in entry.opponents.items():
        _check_opponent(key, opponent)
    _check_lobby(entry)


def _check_opponent(key: str, opponent: Opponent) -> None:
    field = f"opponents[{short_repr(key)}]"
    if key != opponent.key or not OPPONENT.fullmatch(key) or len(key) > LONGEST_NAME:
        raise bad_field(f"{field}.key", opponent.key, f"the key it stands under, {short_repr(key)}, in small letters")
    check_names([opponent.title], range(1, 2))
    if not opponent.levels or not all(0 <= level < MOST_LEVELS for level in opponent.levels):
        raise bad_field(f"{field}.levels", opponent.levels, f"words by level, each a number below {MOST_LEVELS}")
    if opponent.usual not in opponent.levels:
        raise bad_field(f"{field}.usual", opponent.usual, f"one of its levels {', '.join(map(str, opponent.levels))}")


def _check_players(names: Iterable[str], field: str) -> None:
    for name in names:
        if not name.strip() or name != name.strip() or not name.isprintable() or "," in name:
            raise bad_field(f"a key of {field}", name, "a player's name without commas")


def _check_exports(entry: GameEntry) -> None:
    for form, export in entry.exports.items():
        if not FORM.fullmatch(form) or form == "json":
            raise bad_field("a key of exports", form, "a file's ending in lower case, and not json")
        if not MEDIA_TYPE.fullmatch(export.media_type):
            raise bad_field(f"exports[{form!r}].media_type", export.media_type, "one such as text/plain")


def _check_icons(entry: GameEntry) -> None:
    for tally, icon in entry.tally_icons.items():
        if not ICON.fullmatch(icon):
            raise bad_field(f"tally_icons[{short_repr(tally)}]", icon, "seven rows of five dots, # or .")


def _check_sentence(entry: GameEntry) -> None:
    if len(entry.sentence) > LONGEST_SENTENCE:
        raise bad_field("sentence", entry.sentence, f"at most {LONGEST_SENTENCE} characters")


def _check_minutes(entry: GameEntry) -> None:
    if not 0 <= entry.minutes <= MOST_MINUTES:
        raise bad_field("minutes", entry.minutes, f"0 to {MOST_MINUTES}")


def _check_picture(entry: GameEntry) -> None:
    if entry.picture is not None and "<svg" not in entry.picture.read():
        raise bad_field("picture", entry.picture, "a file with an SVG picture")


CHECKS: Final[Mapping[str, Callable[[GameEntry], object]]] = {
    "game": _check_game,
    "opponents": _check_opponents,
    "strategies": lambda entry: _check_players(entry.strategies, "strategies"),
    "bidders": lambda entry: _check_players(entry.bidders, "bidders"),
    "exports": _check_exports,
    "tally_icons": _check_icons,
    "sentence": _check_sentence,
    "minutes": _check_minutes,
    "picture": _check_picture,
    "rules_page": lambda entry: entry.rules_page and entry.rules_page.read(),
    "luck_is_known": lambda entry: entry.luck_is_known({}),
    "seats_move_on": lambda entry: entry.seats_move_on({}),
    "records": lambda entry: (entry.records.counts_turns({}), entry.records.ranks({})),
}
"""Checks of fields whose type is right: each uses its field as the lobby, the help or the rules page will."""


# --- loading --------------------------------------------------------------------------------------------------------


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
    return read_entry(entry, takes)
