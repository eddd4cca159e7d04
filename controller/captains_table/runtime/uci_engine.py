"""Speaks UCI with an engine: starts it, sets its options, tries it, asks it for moves, and replaces it if it fails.

What a game needs is in its dialect (`catalog.entry.UciDialect`): the position as a UCI command, the variant's
definition, the legal moves. The UCI protocol is implemented here, because libraries for it know no board of nine files.

An engine is a third-party program: every wait has a limit, every line and answer a largest size, and every move is
compared with the legal ones. Which engines there are, and at which levels they play, is in `engines`.

Source: docs/operations.md, "Engines".
"""

import asyncio
import math
import re
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import Struct

from captains_table.catalog.entry import JudgedMove, UciDialect
from captains_table.games.contract import did_you_mean
from captains_table.phrases import say
from captains_table.process.worker import TookTooLong, Worker, WorkerFailed, WorkerLimits, log_worker

START_S: Final = 60.0  # for an engine that loads a large network on a small machine
SLOW_S: Final = 2.0  # after so long, players are told that it is still starting
THINK_S: Final = 30.0  # then an engine that does not count its positions is stopped
LATE_S: Final = 1.0  # after the time that an engine was given
SPARE_S: Final = 10.0
QUIT_S: Final = 1.0
MOST_BYTES: Final = 1 << 23  # of memory for the lines of an answer
LINE_BYTES: Final = 64  # of memory that a line takes besides its characters
LIMITS: Final = WorkerLimits(quiet_s=math.inf, starting_s=math.inf, line_bytes=1 << 16)  # each wait has its own limit
MATE: Final = 30_000
TRIAL_NODES: Final = 100
SETTINGS: Final[Mapping[str, str]] = {"Threads": "1", "Hash": "4"}
"""The options of every engine, unless the configuration has others: 4 MB are enough for 100,000 positions."""

Tell = Callable[[str], None]


class BadEngine(RuntimeError):
    """An engine does not work; the message names the engine and the reason."""


class SlowEngine(BadEngine):
    """An engine did not start in time; it may do so the next time."""


class IllegalAnswer(WorkerFailed):
    """An engine answered something else than a legal move."""


class EngineProgram(Struct, frozen=True, forbid_unknown_fields=True):
    """A UCI engine as it is configured or found.

    Attributes:
        name: its name for players.
        path: the program.
        arguments: the program's arguments.
        options: the UCI options to set, with their values.
        games: the keys of the games that it plays; empty for those that it can play.
    """

    name: str
    path: str
    arguments: tuple[str, ...] = ()
    options: Mapping[str, str] = {}
    games: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of the computer player: the name in small letters, with hyphens for all but letters and digits."""
        return re.sub("[^a-z0-9]+", "-", self.name.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A playing strength of an engine.

    Attributes:
        words: its description for players.
        nodes: the number of positions that the engine may search for an answer.
        elo: the strength to which the engine limits itself, on the engine's own Elo scale; `None`: no limit.
        bare_nodes: the number of positions for an engine that cannot limit its strength; 0: the same as `nodes`.
    """

    words: str
    nodes: int
    elo: int | None = None
    bare_nodes: int = 0


class EnginePlayer:
    """Asks an engine for moves; starts it when it is needed, and replaces it once if it fails.

    Only one process runs at a time, also if the engine plays several games.

    Args:
        program: the engine.
        tell: is called with a sentence for players when the engine is slow or is restarted, and with an empty text
            when that is over.
        log: is called with a sentence for the log.
        on_start: is called with the engine each time it has started.
    """

    def __init__(
        self,
        program: EngineProgram,
        tell: Tell = log_worker,
        log: Tell = log_worker,
        on_start: "Callable[[UciEngine], None]" = lambda _: None,
    ) -> None:
        self._program = program
        self._tell = tell
        self._log = log
        self._on_start = on_start
        self._engine: UciEngine | None = None

    def judge(
        self,
        dialect: UciDialect,
        state: Any,  # noqa: ANN401 - any game's
        level: EngineLevel,
        think_s: float | None = None,
    ) -> JudgedMove:
        """Return the engine's move in a state at a level, and its evaluation of the position.

        Raises:
            BadEngine: the engine cannot be started or used, or failed twice at this position.
        """
        try:
            return self._asked(dialect, state, level, think_s)
        except WorkerFailed as error:
            self.close()
            self._tell(say("The engine {path} {error}; it is started again", self._program.path, str(error)))
        try:
            return self._asked(dialect, state, level, think_s)
        except WorkerFailed as error:
            self.close()
            self._log(f"the engine {self._program.path} {error} at {dialect.position(state)!r}")
            raise BadEngine(f"{self._program.path} {error}, twice") from error

    def close(self) -> None:
        """End the engine if it is running."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _asked(self, dialect: UciDialect, state: Any, level: EngineLevel, think_s: float | None) -> JudgedMove:  # noqa: ANN401
        if self._engine is None or self._engine.dialect is not dialect:
            self.close()
            self._engine = UciEngine(self._program, dialect, self._tell)
            self._on_start(self._engine)
        return self._engine.best(state, level, think_s)


class UciEngine:
    """A running engine that has been tried in a game; it ends when this object is closed or collected.

    Args:
        program: the engine.
        dialect: the game's dialect.
        tell: see `EnginePlayer`.

    Attributes:
        dialect: the argument of this name.
        name: the name that the engine reports, or that of its program if it reports none.
        close: ends the engine.

    Raises:
        SlowEngine: the engine did not start in time.
        BadEngine: the engine does not play the game, or has no such options.
    """

    def __init__(self, program: EngineProgram, dialect: UciDialect, tell: Tell = lambda _: None) -> None:
        self.dialect = dialect
        self.name = program.name
        self._program = program
        self._tell = tell
        self._was_slow = False
        self._set: dict[str, str] = {}
        self._runner = asyncio.Runner()
        self._worker = Worker([program.path, *program.arguments], _text, LIMITS, is_foreign=True)
        self.close = weakref.finalize(self, _end, self._runner, self._worker)
        self.close.atexit = False  # by then it may be at work in another thread, and it dies with this process
        try:
            self._declared = self._greet()
            self._prepare()
            self._try()
        except BaseException:
            self.close()
            raise

    @property
    def elo_range(self) -> tuple[int, int] | None:
        """The least and the highest Elo to which the engine can limit itself; `None` if it cannot."""
        return _bounds(self._declared.get("UCI_Elo", "")) if "UCI_LimitStrength" in self._declared else None

    # --- lines ------------------------------------------------------------------------------------------------------

    def send(self, *lines: str) -> None:
        """Send lines to the engine."""
        self._worker.send("".join(f"{line}\n" for line in lines).encode())

    def ask(self, line: str, word: str, within_s: float, *, is_start: bool = False) -> list[str]:
        """Send a line, and return the engine's next lines up to and including the one whose first word is `word`.

        Args:
            line: the line to send.
            word: the first word of the last line.
            within_s: the most seconds until that line comes.
            is_start: whether players are told that the engine is still starting if this takes long.

        Raises:
            WorkerFailed: the line does not come in time (TookTooLong), too much comes before it, or the engine ends.
        """
        self.send(line)
        return self._runner.run(self._lines_until(word, within_s, is_start=is_start))

    async def _lines_until(self, word: str, within_s: float, *, is_start: bool) -> list[str]:
        lines, left = list[str](), MOST_BYTES

        def weigh(line: str = "") -> None:
            nonlocal left
            left -= len(line) + LINE_BYTES
            if left < 0:
                raise WorkerFailed(f"says too much: more than {MOST_BYTES >> 20} MB without {word!r}")

        late = asyncio.get_running_loop().call_later(SLOW_S, self._tell_slow) if is_start else None
        try:
            async with asyncio.timeout(within_s):
                while not lines or lines[-1].split(maxsplit=1)[:1] != [word]:
                    lines.append(await self._worker.receive(on_life=weigh))  # an empty line is one too
                    weigh(lines[-1])
        except TimeoutError:
            raise TookTooLong(f"said no {word!r} within {within_s:g} s") from None
        finally:
            if late is not None:
                late.cancel()
        return lines

    def _tell_slow(self) -> None:
        if not self._was_slow:
            self._was_slow = True
            self._tell(say("The engine {path} is still starting", self._program.path))

    # --- starting ---------------------------------------------------------------------------------------------------

    def _greet(self) -> Mapping[str, str]:
        """Start the engine; return a mapping from each option's name to its declaration; raises BadEngine."""
        try:
            self._runner.run(self._worker.start())
            lines = self.ask("uci", "uciok", START_S, is_start=True)
        except WorkerFailed as error:
            kind = SlowEngine if isinstance(error, TookTooLong) else BadEngine
            raise kind(f"{self._program.path} {error}: expected a UCI engine; {self.dialect.remedy}") from error
        names = [line.removeprefix("id name ").strip() for line in lines if line.startswith("id name ")]
        self.name = names[0] if names and names[0] else self._program.path.rpartition("/")[2]
        options = [re.match(r"option name (.+?) type (.*)", line) for line in lines]
        return {match[1]: match[2] for match in options if match}

    @property
    def _called(self) -> str:
        return f"{self._program.path} ({self.name})"

    def _prepare(self) -> None:
        """Set the engine's options, and define the game's variant; raises BadEngine."""
        for option, value in SETTINGS.items():
            self._set_declared(option, value)
        for option, value in self._program.options.items():
            try:
                self._set_declared(*checked_option(self._declared, option, value))
            except ValueError as error:
                raise BadEngine(f"{self._called}: {error}") from error
        try:
            if self.dialect.variant:
                self._define(self.dialect.definition)
            self.ask("isready", "readyok", START_S, is_start=True)
        except WorkerFailed as error:
            kind = SlowEngine if isinstance(error, TookTooLong) else BadEngine
            raise kind(f"{self._called} {error} when its options were set: {self.dialect.remedy}") from error
        if self._was_slow:
            self._tell("")

    def _define(self, definition: Callable[[], str] | None) -> None:
        """Define the game's variant for the engine; raises BadEngine if it cannot learn it, and WorkerFailed."""
        variant = self.dialect.variant
        known = f" var {variant} " in f"{self._declared.get('UCI_Variant', '')} "
        can_learn = definition is not None and "VariantPath" in self._declared
        if "UCI_Variant" not in self._declared or not (known or can_learn):
            raise BadEngine(f"{self._called} plays no variants that can be defined for it: {self.dialect.remedy}")
        with tempfile.NamedTemporaryFile("w", suffix=".ini", encoding="utf-8") as file:
            file.write("" if definition is None else definition())
            file.flush()
            self._set_declared("VariantPath", file.name)
            self._set_declared("UCI_Variant", variant)
            self.ask("isready", "readyok", START_S, is_start=True)

    def _set_declared(self, name: str, value: str) -> None:
        """Set an option, if the engine has it and it has another value."""
        if name in self._declared and self._set.get(name) != value:
            self._set[name] = value
            self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")

    def _try(self) -> None:
        """Let the engine find a move in each of the game's trials; raises BadEngine."""
        for state in self.dialect.trials():
            try:
                self.best(state, EngineLevel("", TRIAL_NODES))
            except WorkerFailed as error:
                has_crashed = not isinstance(error, TookTooLong | IllegalAnswer)
                guess = f". {self.dialect.crash_guess}" if self.dialect.crash_guess and has_crashed else ""
                words = f"{self._called} {error}, when it was tried at {self.dialect.position(state)!r}{guess}"
                kind = SlowEngine if isinstance(error, TookTooLong) else BadEngine
                raise kind(f"{words}: {self.dialect.remedy}") from error

    # --- thinking ---------------------------------------------------------------------------------------------------

    def keep_to(self, elo: int | None) -> None:
        """Limit the engine's strength on the engine's own Elo scale, if it can do that; `None`: no limit."""
        if self.elo_range is not None:
            self._set_declared("UCI_LimitStrength", "false" if elo is None else "true")
        if self.elo_range is not None and elo is not None:
            least, most = self.elo_range
            self._set_declared("UCI_Elo", str(min(max(elo, least), most)))

    def best(self, state: Any, level: EngineLevel, think_s: float | None = None) -> JudgedMove:  # noqa: ANN401 - any game's
        """Return the engine's best move, and its evaluation.

        Args:
            state: the state of the match; earlier positions are sent too, so that the engine sees repetitions.
            level: the playing strength.
            think_s: the most seconds to think; `None`: only the level limits the search.

        Raises:
            WorkerFailed: the engine fails, or its answer is no legal move.
            BadEngine: the engine lacks an option that the state needs.
        """
        self.keep_to(level.elo)
        for option, value in self.dialect.settings(state).items():
            if option not in self._declared and value != "false":
                raise BadEngine(f"{self._called} cannot play this: it has no option {option}")
            self._set_declared(option, value)
        self.send(self.dialect.position(state))
        self.ask("isready", "readyok", SPARE_S)  # what was said before belongs to nothing that was asked
        nodes = level.nodes if self.elo_range is not None or not level.bare_nodes else level.bare_nodes
        lines = self._think(nodes, think_s)
        move = [*lines[-1].split(), ""][1]
        if move not in self.dialect.moves(state):
            raise IllegalAnswer(f"answered {move[:20]!r}, which is no legal move")
        return JudgedMove(move, _value(lines), _line(lines, move))

    def _think(self, nodes: int, think_s: float | None) -> list[str]:
        """Return the lines about a search; stop the search if it takes too long; raises WorkerFailed."""
        go, within_s = f"go nodes {nodes}", THINK_S
        if think_s is not None:
            go, within_s = f"{go} movetime {max(1, round(think_s * 1000))}", think_s + LATE_S
        try:
            return self.ask(go, "bestmove", within_s)
        except TookTooLong:
            pass
        try:
            return self.ask("stop", "bestmove", SPARE_S)
        except TookTooLong:
            raise TookTooLong(f"gave no answer within {within_s + SPARE_S:g} s") from None


def checked_option(declared: Mapping[str, str], name: str, value: str) -> tuple[str, str]:
    """Return an option's name as the engine writes it, and the value; raises ValueError if the engine has no such.

    Args:
        declared: the engine's declarations by the options' names, such as `spin default 16 min 1 max 1024`.
        name: the option's name, in small or capital letters.
        value: its value.
    """
    spelt = {each.lower(): each for each in declared}
    found = spelt.get(name.lower())
    if found is None:
        raise ValueError(
            f"it has no option {name!r}: expected one of {', '.join(declared)}{did_you_mean(name, declared)}"
        )
    kind = declared[found].split(maxsplit=1)[0]
    bounds, choices = _bounds(declared[found]), re.split(r"(?:^| )var ", declared[found])[1:]
    if kind == "spin" and (not re.fullmatch(r"-?\d+", value) or (bounds and not bounds[0] <= int(value) <= bounds[1])):
        expected = "a whole number" if bounds is None else f"a whole number from {bounds[0]} to {bounds[1]}"
        raise ValueError(f"its option {found} = {value!r}: expected {expected}")
    if kind == "check" and value not in {"true", "false"}:
        raise ValueError(f"its option {found} = {value!r}: expected true or false")
    if kind == "combo" and value not in choices:
        raise ValueError(f"its option {found} = {value!r}: expected one of {', '.join(choices)}")
    return found, value


def _bounds(declaration: str) -> tuple[int, int] | None:
    """Return the least and the largest value of an option of type spin; `None` if none are declared."""
    found = dict(re.findall(r"\b(min|max) (-?\d{1,18})", declaration))
    return (int(found["min"]), int(found["max"])) if found.keys() == {"min", "max"} else None


def _text(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def _end(runner: asyncio.Runner, worker: Worker[str]) -> None:
    """End an engine's process and its event loop."""
    runner.run(worker.shut_down(b"quit\n", QUIT_S))
    runner.close()


def _value(lines: Sequence[str]) -> int:
    """Return an engine's last evaluation for the side to move, in hundredths of a pawn; 0 if the engine gave none.

    A mate in n moves counts as MATE - n; being mated in n moves counts as n - MATE.
    """
    scores = [match for line in lines if (match := re.search(r"\bscore (cp|mate) (-?\d{1,9})", line))]
    if not scores:
        return 0
    unit, number = scores[-1].groups()
    if unit == "cp":
        return int(number)
    return MATE - int(number) if not number.startswith("-") and number != "0" else -MATE - int(number)


def _line(lines: Sequence[str], move: str) -> tuple[str, ...]:
    """Return the moves that an engine expects, the chosen one first; that alone if its last line begins otherwise."""
    told = [match[1].split() for line in lines if (match := re.search(r"\bpv ((?:\S+ ?)+)$", line))]
    return tuple(told[-1]) if told and told[-1][0] == move else (move,)
