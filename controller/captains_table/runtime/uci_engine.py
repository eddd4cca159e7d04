"""Lets a large-board UCI engine, such as Fairy-Stockfish (`make fairy`), play Captain's Chess.

The engine is a computer opponent with five levels. It is tested on nine files before it plays, and restarted if it
crashes or hangs. The UCI protocol is implemented here, because libraries for it know no board of nine files. The engine
learns the variant from the same definitions by which the rules are played here (`games/captains_chess/fairy.py`).

Source: docs/operations.md, "An engine for Captain's Chess".
"""

import asyncio
import math
import re
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from captains_table.games.captains_chess.fairy import VARIANT, position_line, variant_ini
from captains_table.games.captains_chess.fen import START_POSITION, parse_fen
from captains_table.games.captains_chess.state import CaptainsOptions, State
from captains_table.players.boreas.opponents import ENGINE, JudgedMove, strategy_by_judges
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.process.worker import TookTooLong, Worker, WorkerFailed, WorkerLimits, log_worker

HELLO_S: Final = 15.0
HASH_MB: Final = "4"  # enough for 100,000 positions: a Pi has little memory
ANSWER_S: Final = 60.0  # for a limited number of positions, on the slowest machine
SPARE_S: Final = 10.0  # beyond the engine's thinking time
QUIT_S: Final = 1.0
LIMITS: Final = WorkerLimits(quiet_s=math.inf, starting_s=math.inf)  # each question has its own limit
MATE: Final = 30_000
DEBIAN: Final = "Debian's build of fairy-stockfish dies on 9x8 positions"
REMEDY: Final = "'make fairy' builds one that plays them, and says where it is"
# The opening position, on which some builds crash; and a position with one move only, on the ninth file.
TRIALS: Final = (START_POSITION, parse_fen("k8/9/9/9/9/7p1/7P1/8K w - - 0 1"))


class BadEngine(RuntimeError):
    """An engine does not work; the message names the engine, the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A playing strength of an engine.

    Attributes:
        words: its description for players.
        nodes: the number of positions that the engine may search for an answer.
        elo: the strength to which the engine limits itself, on the engine's own Elo scale; `None`: no limit.
    """

    words: str
    nodes: int
    elo: int | None = None


LEVELS: Final[Mapping[int, EngineLevel]] = {
    1: EngineLevel("Elo 500", 3_000, 500),
    2: EngineLevel("Elo 1000", 3_000, 1000),
    3: EngineLevel("Elo 1500", 3_000, 1500),
    4: EngineLevel("Elo 2000", 3_000, 2000),
    5: EngineLevel("all it can", 100_000),
}


def engine_opponent(path: Path, say: Callable[[str], None] = log_worker) -> Opponent:
    """Return an engine as a computer opponent; one process, started at the first move, plays for all its seats.

    Args:
        path: the engine's program.
        say: is called with a sentence when the engine crashed or hung and is started again; by default logs the
            sentence.
    """
    player = EnginePlayer(path, say)

    def make(level: int, means: Means) -> Strategy:
        errs = LEVELS[level]
        sober = replace(errs, elo=None)
        return strategy_by_judges(
            lambda state: player.judge(state, errs, means.think_s),
            lambda state: player.judge(state, sober, means.think_s),
        )

    levels = {number: level.words for number, level in LEVELS.items()}
    return Opponent(ENGINE, "Engine", make, levels, usual=2)


def try_engine(path: Path) -> str:
    """Test an engine: start it, let it make a move on nine files, end it, and return the name it reports.

    Raises:
        BadEngine: the engine does not work.
    """
    with ThreadPoolExecutor(1) as thread:  # an engine has an event loop of its own, and one may run in this thread
        return thread.submit(_name_of, path).result()


def _name_of(path: Path) -> str:
    with closing(UciEngine(path)) as engine:
        return engine.name


class EnginePlayer:
    """Asks an engine for moves; starts it when it is needed, and restarts it once after a crash or hang."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._engine: UciEngine | None = None

    def judge(self, state: State, level: EngineLevel, think_s: float | None = None) -> JudgedMove:
        """Return the engine's move at a level, and its evaluation of the position.

        Raises:
            BadEngine: the engine cannot be started, answered an illegal move, or failed twice at this position.
        """
        try:
            return self._asked(state, level, think_s)
        except WorkerFailed as error:
            self.close()
            self._say(f"the engine {self._path} {error}; it is started again")
        try:
            return self._asked(state, level, think_s)
        except WorkerFailed as error:
            self.close()
            raise BadEngine(f"{self._path} {error}, twice, at {position_line(state)!r}: expected a move") from error

    def close(self) -> None:
        """End the engine if it is running."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _asked(self, state: State, level: EngineLevel, think_s: float | None) -> JudgedMove:
        if self._engine is None:
            self._engine = UciEngine(self._path)
        self._engine.keep_to(level.elo)
        judged = self._engine.best(state, level.nodes, think_s)
        if judged.move not in state.position.moves:
            self.close()
            raise BadEngine(f"{self._path} answered {judged.move!r} at {position_line(state)!r}: expected a move")
        return judged


class UciEngine:
    """A running engine that has been tested on Captain's Chess; it ends when this object is closed or collected.

    Attributes:
        name: the name that the engine reports, or its file's name if it reports none.
        close: ends the engine.

    Raises:
        BadEngine: the engine does not play Captain's Chess.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._elo: int | None = None
        self._runner = asyncio.Runner()
        self._worker = Worker([str(path)], _text, LIMITS, is_foreign=True)
        self.close = weakref.finalize(self, _end, self._runner, self._worker)
        try:
            self.name, self._offered = self._greet()
            self._define()
            self._try_nine_files()
        except BaseException:
            self.close()
            raise

    def send(self, *lines: str) -> None:
        """Send lines to the engine."""
        self._worker.send("".join(f"{line}\n" for line in lines).encode())

    def read_until(self, word: str, within_s: float) -> list[str]:
        """Return the engine's next lines, up to and including the one whose first word is `word`.

        Raises WorkerFailed if that line does not come within `within_s` seconds, or if the engine ends.
        """
        return self._runner.run(self._lines_until(word, within_s))

    async def _lines_until(self, word: str, within_s: float) -> list[str]:
        lines = list[str]()
        try:
            async with asyncio.timeout(within_s):
                while not lines or lines[-1].split(maxsplit=1)[:1] != [word]:
                    lines.append(await self._worker.receive())
        except TimeoutError:
            raise TookTooLong(f"said no {word!r} within {within_s:g} s") from None
        return lines

    def ask(self, line: str, word: str, within_s: float) -> list[str]:
        """Send a line and return the answer's lines, up to the one whose first word is `word`; raises WorkerFailed."""
        self.send(line)
        return self.read_until(word, within_s)

    def keep_to(self, elo: int | None) -> None:
        """Limit the engine's strength on the engine's own Elo scale, if it can do that; `None`: no limit."""
        if elo == self._elo or "UCI_LimitStrength" not in self._offered:
            return
        self._elo = elo
        self._set("UCI_LimitStrength", "false" if elo is None else "true")
        if elo is not None:
            self._set("UCI_Elo", str(self._within("UCI_Elo", elo)))

    def best(self, state: State, nodes: int, think_s: float | None = None) -> JudgedMove:
        """Return the engine's best move, and its evaluation; raises WorkerFailed.

        Args:
            state: the state of the match; earlier positions are sent too, so that the engine sees repetitions.
            nodes: how many positions the engine may search.
            think_s: the most seconds to think; `None`: only `nodes` limits the search.
        """
        go, within_s = f"go nodes {nodes}", ANSWER_S
        if think_s is not None:
            go, within_s = f"{go} movetime {max(1, round(think_s * 1000))}", think_s + SPARE_S
        self.send(position_line(state), go)
        lines = self.read_until("bestmove", within_s)
        return JudgedMove([*lines[-1].split(), ""][1], _value(lines))

    def _greet(self) -> tuple[str, Mapping[str, str]]:
        """Start the engine; return its name, and a mapping from each option's name to the option's declaration.

        Raises BadEngine if the program does not answer as a UCI engine.
        """
        try:
            self._runner.run(self._worker.start())
            lines = self.ask("uci", "uciok", HELLO_S)
        except WorkerFailed as error:
            raise BadEngine(f"{self._path} {error}: expected a UCI engine; {REMEDY}") from error
        names = [line.removeprefix("id name ") for line in lines if line.startswith("id name ")]
        options = [re.match(r"option name (.+?) type (.*)", line) for line in lines]
        return (names or [self._path.name])[0], {match[1]: match[2] for match in options if match}

    def _define(self) -> None:
        """Define the variant Captain's Chess for the engine; raises BadEngine if the engine cannot learn it."""
        known = f" var {VARIANT} " in f"{self._offered.get('UCI_Variant', '')} "
        if "UCI_Variant" not in self._offered or not (known or "VariantPath" in self._offered):
            raise BadEngine(f"{self._path} ({self.name}) plays no variants that can be defined for it: {REMEDY}")
        with tempfile.NamedTemporaryFile("w", suffix=".ini", encoding="utf-8") as definition:
            definition.write(variant_ini())
            definition.flush()
            settings = {"Threads": "1", "Hash": HASH_MB, "Use NNUE": "false"}
            settings |= {"VariantPath": definition.name, "UCI_Variant": VARIANT}
            try:
                for name, value in settings.items():
                    self._set(name, value)
                self.ask("isready", "readyok", HELLO_S)
            except WorkerFailed as error:
                raise BadEngine(f"{self._path} ({self.name}) {error} when it was told the variant: {REMEDY}") from error

    def _set(self, name: str, value: str) -> None:
        """Set an option, if the engine has it."""
        if name in self._offered:
            self.send(f"setoption name {name} value {value}")

    def _within(self, name: str, value: int) -> int:
        """Return a value clamped to the bounds that the engine declares for an option."""
        bounds = dict(re.findall(r"\b(min|max) (-?\d+)", self._offered.get(name, "")))
        return min(max(value, int(bounds.get("min", value))), int(bounds.get("max", value)))

    def _try_nine_files(self) -> None:
        for position in TRIALS:
            state = State(CaptainsOptions(position), ("White", "Black"), position)
            try:
                found = self.best(state, nodes=100)
            except WorkerFailed as error:
                guess = "" if isinstance(error, TookTooLong) else f". {DEBIAN}"
                failure = f"{self._path} ({self.name}) {error} at its first position"
                raise BadEngine(f"{failure}{guess}: {REMEDY}") from error
            if found.move not in position.moves:
                raise BadEngine(
                    f"{self._path} ({self.name}) answered {found.move!r} to {position_line(state)!r}: "
                    f"expected one of {', '.join(position.moves)}; {REMEDY}"
                )


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
    scores = [match for line in lines if (match := re.search(r"\bscore (cp|mate) (-?\d+)", line))]
    if not scores:
        return 0
    unit, number = scores[-1].groups()
    if unit == "cp":
        return int(number)
    return MATE - int(number) if not number.startswith("-") and number != "0" else -MATE - int(number)
