"""The catalog of games: finds a game's rules, computer players, advice, odds and exports by the game's key.

It also adds games and computer players, and tells which computer player a seat's name, such as `aether:3`, denotes.

Each built-in game has a module here that defines its `ENTRY`, and `HOUSE` lists these modules. An entry needs only the
field `game`, which holds the rules; all other fields have defaults. The entries of plug-ins are added at start (see
`process.plugins`). Importing this package fills `games.registry`, where packages that must not import the catalog find
the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib import import_module
from typing import Any, Final

from captains_table.catalog.entry import (
    STOCKFISH as STOCKFISH,
    Example as Example,
    Export as Export,
    GameEntry as GameEntry,
    LessonFile as LessonFile,
    Picture as Picture,
    Remarks as Remarks,
    RulesPage as RulesPage,
    UciDialect as UciDialect,
)
from captains_table.games import registry
from captains_table.games.common.computer_seat import SEPARATOR, ComputerSeat, NoSuchOpponent
from captains_table.games.common.records import RecordRules as RecordRules
from captains_table.games.contract import THROW_AGAIN, Decide, Keep, KeepAsk, Pick, PickAsk, Turn, did_you_mean
from captains_table.phrases import listed, say
from captains_table.players.boreas.opponents import ENGINE
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import Means, Opponent, sitter_of
from captains_table.table.lobby.match_setup import ComputerPlayer
from captains_table.table.model.entries import SeatKind
from captains_table.table.model.view import THINKING, Hint

HOUSE: Final = ("legend", "chess", "captains_chess", "ship_captain_crew", "swashbuckle", "crowns")
"""The modules of the built-in games, in the order in which they are offered."""
ENTRIES: Final[Sequence[GameEntry]] = tuple(import_module(f"{__name__}.{game}").ENTRY for game in HOUSE)
DEFAULT_GAME: Final = ENTRIES[0].game.key

_entries: dict[str, GameEntry] = {}
_added: set[str] = set()  # the keys of computer players that came after their games


class NoOdds(LookupError):
    """No odds are known for a game."""


def add_game(entry: GameEntry) -> None:
    """Add a game to the catalog and the registry; raises KeyTaken if another game has its key."""
    registry.register(entry.game, {key: opponent.levels for key, opponent in entry.opponents.items()})
    _entries[entry.game.key] = entry


for _entry in ENTRIES:
    add_game(_entry)


# --- computers ------------------------------------------------------------------------------------------------------


def opponents_of(key: str) -> Mapping[str, Opponent]:
    """Return the computer players of a game, keyed by their own keys; empty for an unknown game."""
    entry = find_entry(key)
    return {} if entry is None else entry.opponents


def computer_players(entry: GameEntry) -> list[ComputerPlayer]:
    """Return the computer players of a game as the lobby offers them."""
    return [
        ComputerPlayer(each.key, each.title, each.levels, each.usual, each.level_notes)
        for each in entry.opponents.values()
    ]


def add_opponent(key: str, opponent: Opponent) -> None:
    """Add a computer player to a game, for example the engine that the configuration names.

    A computer player with the same key is replaced.

    Raises:
        UnknownGame: no such game is installed.
    """
    entry = entry_of(key)
    _added.add(opponent.key)
    _entries[key] = replace(entry, opponents={**entry.opponents, opponent.key: opponent})
    registry.COMPUTERS[key][opponent.key] = opponent.levels


def remove_opponent(key: str, opponent: str) -> None:
    """Remove a computer player from a game, if the game has it, for example an engine that cannot play the game.

    Raises:
        UnknownGame: no such game is installed.
    """
    entry = entry_of(key)
    others = {name: each for name, each in entry.opponents.items() if name != opponent}
    _entries[key] = replace(entry, opponents=others)
    registry.COMPUTERS[key].pop(opponent, None)


def own_computers() -> Mapping[str, str]:
    """Return the titles of the computer players that came with their games, by key."""
    own = (each for entry in entries() for each in entry.opponents.values() if each.key not in _added)
    return {each.key: each.title for each in own}


def dialects() -> Mapping[str, UciDialect]:
    """Return how the games that UCI engines can play are described to them, by the game's key."""
    return {each.game.key: each.uci for each in entries() if each.uci is not None}


def seated_at(key: str, words: str) -> ComputerSeat | None:
    """Return the computer player that a seat's name, such as `aether:3`, denotes; `None` if the name is a person's.

    Raises:
        NoSuchOpponent: the name misspells one of the game's computer players, names a computer player that the
            game does not have, or names a level that the computer player does not have.
    """
    own = opponents_of(key)
    found = sitter_of(words, own)
    name, separator, level = words.partition(SEPARATOR)
    name = name.strip().lower()
    others = [each.game.title for each in entries() if name in each.opponents]
    if found or not (separator and level.strip().isdecimal() and (others or name in {ENGINE, STOCKFISH})):
        return found
    spans = [
        say("{first} to {last}", str(ComputerSeat(each.key, least)), str(ComputerSeat(each.key, most)))
        for each in own.values()
        for least, most in [(min(each.levels), max(each.levels))]
    ]
    title, meant = entry_of(key).game.title, repr(words)
    has = say("{game} has no computer", title)
    if spans:
        has = say("{game} has {computers}", title, _all_of(spans))
    if not others:
        text = say("{words}: {name} is there where one is installed or configured; {has}", meant, name, has)
    else:
        games = _all_of(others)
        text = say("{words}: {name} plays {games}; {has}", meant, name, games, has)
    raise NoSuchOpponent(text)


def _all_of(words: Sequence[str]) -> str:
    """Return "a and b and c"."""
    return reduce(lambda before, word: listed([before, word]), words)


def kinds_of(key: str, seats: Sequence[str]) -> tuple[SeatKind, ...]:
    """Return `human` or `computer` for each of the seats' names, such as `Anne` and `aether:3`.

    Raises:
        NoSuchOpponent: a name denotes a computer player or a level that the game does not have (see `seated_at`).
    """
    return tuple("human" if seated_at(key, words) is None else "computer" for words in seats)


def seats_of(key: str, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the seats' names; the name of a computer player is spelt as in journals, such as `aether:3`.

    Raises:
        NoSuchOpponent: a name denotes a computer player or a level that the game does not have (see `seated_at`).
    """
    return tuple(words if (sitter := seated_at(key, words)) is None else str(sitter) for words in seats)


# --- lookups --------------------------------------------------------------------------------------------------------


def entries() -> list[GameEntry]:
    """Return every game's entry: first those of the built-in games in the order of `HOUSE`, then those of plug-ins."""
    return list(_entries.values())


def is_of_a_plugin(key: str) -> bool:
    """Return whether a game is not built in, and so must come from a plug-in."""
    return all(key != entry.game.key for entry in ENTRIES)


def find_entry(key: str) -> GameEntry | None:
    """Return a game's entry; `None` if no such game is installed."""
    return _entries.get(key)


def entry_of(key: str) -> GameEntry:
    """Return a game's entry; raises UnknownGame if no such game is installed."""
    return _entries[registry.game_by_key(key).key]


def media_types() -> dict[str, str]:
    """Return the media types of JSON and of all games' export formats, keyed by the format's file extension."""
    forms = {form: export.media_type for entry in entries() for form, export in entry.exports.items()}
    return {"json": "application/json", **forms}


def advises(key: str) -> bool:
    """Return whether a game has an adviser that answers at once (`GameEntry.adviser`)."""
    entry = find_entry(key)
    return entry is not None and entry.adviser is not None


def hint(key: str, state: Any) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return the hint of a game's adviser (`GameEntry.adviser`) for a state.

    `None` if the game has no adviser, or the adviser has no hint. A hint to throw again also names the dice to keep.
    """
    entry = find_entry(key)
    if entry is None or entry.adviser is None or (advice := entry.adviser(state)) is None:
        return None
    if advice.action != Pick(THROW_AGAIN.id):
        return _hint_of(advice)
    after = entry.game.apply(state, advice.action)
    turn = entry.game.turn(after)
    keeps = entry.adviser(after) if isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk) else None
    return replace(_hint_of(advice), dice=None if keeps is None else _hint_of(keeps).dice)


def table_hint(key: str, state: Any) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return the result of `hint`, or THINKING if a search must find a better hint.

    A search is needed if three conditions are met. A move on the board may be made now. The game has an adviser that
    searches (`GameEntry.move_adviser`). The result of `hint` is `None`, or names neither an option nor dice.
    """
    given, entry = hint(key, state), find_entry(key)
    says_what = given is not None and (given.id is not None or given.dice is not None)
    if says_what or entry is None or entry.move_adviser is None or not _asks_for_move(entry.game.turn(state)):
        return given
    return THINKING


def thought_hint(key: str, state: Any, means: Means) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return the hint that the game's move adviser finds by a search of some seconds.

    If the game has no move adviser, or the move adviser has no advice, the result is the same as that of `hint`.
    """
    entry = find_entry(key)
    advice = None if entry is None or entry.move_adviser is None else entry.move_adviser(state, means)
    return hint(key, state) if advice is None else _hint_of(advice)


def _asks_for_move(turn: Turn) -> bool:
    options = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
    return any(option.on_board for option in options)


def _hint_of(advice: Advice) -> Hint:
    id_ = advice.action.id if isinstance(advice.action, Pick) else None
    dice = advice.action.dice if isinstance(advice.action, Keep) else None
    return Hint(advice.words, advice.why, id_, dice)


def odds_lines(key: str) -> list[str]:
    """Return the exact odds of a game's dice as lines of text; raises NoOdds if the game is unknown or has no odds."""
    entry = find_entry(key)
    if entry is None or entry.odds is None:
        known = ", ".join(each.game.key for each in entries() if each.odds is not None)
        meant = did_you_mean(key, known.split(", "))
        raise NoOdds(f"no odds are known for {key!r}: expected one of {known}{meant}")
    return list(entry.odds())


def tally_icons(key: str) -> Mapping[str, str]:
    """Return the icons of a game's tallies, as in `GameEntry.tally_icons`; empty for an unknown game."""
    entry = find_entry(key)
    return {} if entry is None else entry.tally_icons
