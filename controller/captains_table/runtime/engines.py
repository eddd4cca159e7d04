"""The UCI engines of a table: found or configured, examined, and offered as computer players at their levels.

Debian's Stockfish is found where it is installed, without starting it: what it reports about itself is remembered when
it first plays. A configured engine is examined in each of its games once; its facts are kept in a file until the
program or its configuration changes.

The number of a level means the same strength for every engine, because journals contain it: an engine offers the levels
that it can limit itself to. The engine of the configuration's `[table] engine` has its own five levels.

Source: docs/operations.md, "Engines".
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from captains_table import catalog
from captains_table.catalog import STOCKFISH
from captains_table.games.contract import LONGEST_NAME, BadOption, check_names
from captains_table.phrases import say
from captains_table.players.boreas.opponents import ENGINE
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.runtime.uci_engine import BadEngine, EngineLevel, EnginePlayer, EngineProgram, SlowEngine, UciEngine
from captains_table.storage.files import write_whole

ENGINES: Final = "engines.json"
"""The file in the table's state folder that keeps what engines reported about themselves."""
GAMES_FOLDER: Final = "/usr/games"  # where Debian installs Stockfish, and where a service's PATH does not lead
LEVELS: Final[Mapping[int, EngineLevel]] = {
    1: EngineLevel("Elo 500", 3_000, 500, bare_nodes=100),
    2: EngineLevel("Elo 1000", 3_000, 1000, bare_nodes=200),
    3: EngineLevel("Elo 1350", 3_000, 1350, bare_nodes=500),
    4: EngineLevel("Elo 1500", 5_000, 1500, bare_nodes=1_000),
    5: EngineLevel("Elo 1750", 10_000, 1750, bare_nodes=2_000),
    6: EngineLevel("Elo 2000", 20_000, 2000, bare_nodes=5_000),
    7: EngineLevel("Elo 2300", 50_000, 2300, bare_nodes=20_000),
    8: EngineLevel("Elo 2600", 100_000, 2600, bare_nodes=50_000),
    9: EngineLevel(say("all it can"), 200_000),
}
USUAL_LEVEL: Final = 3
BARE_LEVELS: Final = {number: say("{count} positions a move", f"{LEVELS[number].bare_nodes:,}") for number in (1, 5)}
"""The weaker levels of an engine that cannot limit its strength, in words; the strongest is that of all engines."""
USUAL_ELO: Final = (1350, 2850)
"""The range of Elo of the found engine as long as it has not reported its own: that of Stockfish 15.1."""
TABLE_LEVELS: Final[Mapping[int, EngineLevel]] = {
    1: EngineLevel("Elo 500", 3_000, 500),
    2: EngineLevel("Elo 1000", 3_000, 1000),
    3: EngineLevel("Elo 1500", 3_000, 1500),
    4: EngineLevel("Elo 2000", 3_000, 2000),
    5: EngineLevel(say("all it can"), 100_000),
}
"""The levels of the engine of `[table] engine`, which many journals contain."""


class EngineFacts(Struct, frozen=True):
    """What is known about an engine since it was examined or first played.

    Attributes:
        name: the name that it reported.
        elo: the least and the highest Elo to which it can limit itself; `None` if it cannot limit its strength.
        refused: why it does not play a game, by the game's key.
    """

    name: str
    elo: tuple[int, int] | None
    refused: Mapping[str, str] = {}


class KnownEngine(Struct, frozen=True):
    """A line of the file of facts: an engine, when its file was changed last, the file's size, and the facts."""

    program: EngineProgram
    stamp: tuple[int, int]
    facts: EngineFacts


class FactFile:
    """The file that keeps the facts about engines; an unreadable file counts as empty, and writing may fail.

    Args:
        path: the file; `None` to keep nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def find(self, program: EngineProgram) -> EngineFacts | None:
        """Return the facts about an engine; `None` if it is unknown, or was changed since."""
        known = self._read().get(program.key)
        is_same = known is not None and known.program == program and known.stamp == _stamp(program)
        return known.facts if known is not None and is_same else None

    def keep(self, program: EngineProgram, facts: EngineFacts) -> None:
        """Keep the facts about an engine in place of earlier ones, for the table's user alone."""
        stamp = _stamp(program)
        if self._path is None or stamp is None or self.find(program) == facts:
            return
        known = {**self._read(), program.key: KnownEngine(program, stamp, facts)}
        with suppress(OSError):
            write_whole(self._path, msgspec.json.encode(known).decode())

    def _read(self) -> dict[str, KnownEngine]:
        if self._path is None:
            return {}
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, KnownEngine])
        except (OSError, msgspec.MsgspecError):
            return {}


def _stamp(program: EngineProgram) -> tuple[int, int] | None:
    """Return when an engine's file was changed last, and its size; `None` if there is no such file."""
    try:
        found = os.stat(shutil.which(program.path) or program.path)  # noqa: PTH116 - a word that is looked for on PATH
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def find_stockfish() -> EngineProgram | None:
    """Return Stockfish, for the games that are no variants, if it is on PATH or where Debian installs games.

    The program is not started.
    """
    path = shutil.which(STOCKFISH) or shutil.which(STOCKFISH, path=GAMES_FOLDER)
    games = tuple(key for key, dialect in catalog.dialects().items() if not dialect.variant)
    return EngineProgram(STOCKFISH.capitalize(), path, games=games) if path and games else None


def check_programs(programs: Sequence[EngineProgram]) -> None:
    """Raise ValueError if an engine's name gives no key of a computer player, or one that is taken."""
    taken = {ENGINE: "the engine of [table] engine", **catalog.own_computers()}
    for program in programs:
        try:
            check_names([program.name], range(1, 2))
        except BadOption as error:
            raise ValueError(f"name = {error}") from error
        if not program.key[:1].isalpha():
            raise ValueError(f"name = {program.name!r}: expected a name that begins with a letter from A to Z")
        if program.key in taken:
            raise ValueError(f"name = {program.name!r}: expected another one, {program.key} is {taken[program.key]}")
        taken[program.key] = program.name


# --- examining ------------------------------------------------------------------------------------------------------


def examine(program: EngineProgram) -> EngineFacts:
    """Try an engine in each of its games, and return the facts about it.

    This takes a second for each game, and more than a minute for an engine that is slow to start. No event loop may run
    in the calling thread.

    Raises:
        SlowEngine: the engine did not start in time.
        BadEngine: the engine plays none of its games.
    """
    refused, elo, name = dict[str, str](), None, ""
    for game in playable_games(program):
        try:
            with closing(UciEngine(program, catalog.dialects()[game])) as engine:
                name, elo = engine.name, engine.elo_range
        except SlowEngine:
            raise
        except BadEngine as error:
            refused[game] = str(error)
    if not name:
        raise BadEngine("; ".join(dict.fromkeys(refused.values())) or f"{program.path}: there is no game for engines")
    return EngineFacts(name, elo, refused)


# --- offering -------------------------------------------------------------------------------------------------------


def playable_games(program: EngineProgram, facts: EngineFacts | None = None) -> list[str]:
    """Return the keys of the games that an engine plays, as far as that is known: those that were not refused."""
    refused = {} if facts is None else facts.refused
    return [key for key in program.games or catalog.dialects() if key in catalog.dialects() and key not in refused]


def levels_of(program: EngineProgram, facts: EngineFacts | None) -> dict[int, EngineLevel]:
    """Return the levels at which an engine is offered; all levels for an engine that was not examined yet."""
    if program.key == ENGINE:
        return dict(TABLE_LEVELS)
    if facts is not None and facts.elo is None:
        few = {number: replace(LEVELS[number], words=words) for number, words in BARE_LEVELS.items()}
        return {**few, max(LEVELS): LEVELS[max(LEVELS)]}
    if facts is None or facts.elo is None:
        least, most = USUAL_ELO if program.key == STOCKFISH else (0, max(USUAL_ELO))
    else:
        least, most = facts.elo
    return {number: level for number, level in LEVELS.items() if level.elo is None or least <= level.elo <= most}


def offer_engine(program: EngineProgram, facts: EngineFacts | None) -> None:
    """Offer an engine as a computer player of its games, and withdraw it from the others.

    Args:
        program: the engine.
        facts: what is known about it; `None` to offer it in all its games until it is examined.
    """
    is_found = program.key == STOCKFISH and program.name == STOCKFISH.capitalize()
    title = program.name if facts is None or not is_found else facts.name[:LONGEST_NAME].strip()
    playable, levels = playable_games(program, facts), levels_of(program, facts)
    for game in catalog.dialects():
        if game in playable:
            catalog.add_opponent(game, engine_opponent(program, game, EnginePlayer(program), levels, title))
        else:
            catalog.remove_opponent(game, program.key)


def seat_engine(program: EngineProgram, player: EnginePlayer) -> None:
    """Add an engine to its games at every level that a journal may contain, for the process that thinks."""
    for game in playable_games(program):
        levels = TABLE_LEVELS if program.key == ENGINE else LEVELS
        catalog.add_opponent(game, engine_opponent(program, game, player, levels))


def engine_opponent(
    program: EngineProgram, game: str, player: EnginePlayer, levels: Mapping[int, EngineLevel], title: str = ""
) -> Opponent:
    """Return an engine as a computer player of one game.

    Args:
        program: the engine.
        game: the game's key.
        player: asks the engine; the engine is started at the first move, and plays all its seats.
        levels: the levels that it offers.
        title: its name for players; empty for that of the configuration.
    """
    dialect = catalog.dialects()[game]

    def make(level: int, means: Means) -> Strategy:
        errs = levels[level]
        sober = replace(errs, elo=None)
        return dialect.strategy(
            lambda state: player.judge(dialect, state, errs, means.think_s),
            lambda state: player.judge(dialect, state, sober, means.think_s),
        )

    words = {number: level.words for number, level in levels.items()}
    usual = 2 if program.key == ENGINE else USUAL_LEVEL if USUAL_LEVEL in levels else min(levels)
    return Opponent(program.key, title or program.name, make, words, usual=usual)
