"""A large-board UCI engine that plays Captain's Chess in place of a person; Fairy-Stockfish is one (`make fairy`).

It is spoken to directly: the libraries that speak UCI know no board of nine files. The variant is defined for it by
what the rules are played by here (`games/captains_chess/fairy.py`).

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
from captains_table.games.captains_chess.fen import START, parse_fen
from captains_table.games.captains_chess.state import Options, State
from captains_table.players.captains_chess.opponents import ENGINE, Judged, answering
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.process.worker import Limits, TookTooLong, Worker, WorkerFailed, log

HELLO_S: Final = 15.0
HASH_MB: Final = "4"  # what 100,000 positions need: a Pi has little
ANSWER_S: Final = 60.0  # for a number of positions, on the slowest of machines
SPARE_S: Final = 10.0  # beyond the time it is given
QUIT_S: Final = 1.0
LIMITS: Final = Limits(quiet_s=math.inf, starting_s=math.inf)  # each question has its own
MATE: Final = 30_000
DEBIAN: Final = "Debian's build of fairy-stockfish dies on 9x8 positions"
REMEDY: Final = "'make fairy' builds one that plays them, and says where it is"
# The whole array, on which a build may die; and one move only, on the file that other boards lack.
TRIALS: Final = (START, parse_fen("k8/9/9/9/9/7p1/7P1/8K w - - 0 1"))


class BadEngine(RuntimeError):
    """An engine cannot be played against; the sentence says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well an engine is to play.

    Attributes:
        words: what that is like.
        nodes: positions it may look at for an answer.
        elo: the strength it is told to keep to, by its own measure; `None` for all it can.
    """

    words: str
    nodes: int
    elo: int | None = None


LEVELS: Final[Mapping[int, Level]] = {
    1: Level("Elo 500", 3_000, 500),
    2: Level("Elo 1000", 3_000, 1000),
    3: Level("Elo 1500", 3_000, 1500),
    4: Level("Elo 2000", 3_000, 2000),
    5: Level("all it can", 100_000),
}


def engine_opponent(path: Path, say: Callable[[str], None] = log) -> Opponent:
    """Return an engine as somebody to play against; it is started when it is first asked for a move, and only once.

    Args:
        path: the program.
        say: is told in a sentence when it died or hung and was started again; by default the log.
    """
    player = EnginePlayer(path, say)

    def make(level: int, means: Means) -> Strategy:
        errs = LEVELS[level]
        sober = replace(errs, elo=None)
        return answering(
            lambda state: player.judge(state, errs, means.think_s),
            lambda state: player.judge(state, sober, means.think_s),
        )

    levels = {number: level.words for number, level in LEVELS.items()}
    return Opponent(ENGINE, "Engine", make, levels, usual=2)


def try_engine(path: Path) -> str:
    """Start an engine, let it make a move on nine files, end it, and return the name it gives itself.

    Raises:
        BadEngine: it cannot be played against.
    """
    with ThreadPoolExecutor(1) as beside:  # an engine is asked by a loop of its own, and here one may run
        return beside.submit(_name_of, path).result()


def _name_of(path: Path) -> str:
    with closing(UciEngine(path)) as engine:
        return engine.name


class EnginePlayer:
    """One who asks an engine for moves: starts it when it is needed, and again when it died or hung."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._engine: UciEngine | None = None

    def judge(self, state: State, level: Level, think_s: float | None = None) -> Judged:
        """Return the engine's move at a level, and what it holds the position for.

        Raises:
            BadEngine: it cannot be started, answers what is no move, or died or hung twice at the same position.
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
        """Let the engine end, if it runs."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _asked(self, state: State, level: Level, think_s: float | None) -> Judged:
        if self._engine is None:
            self._engine = UciEngine(self._path)
        self._engine.keep_to(level.elo)
        judged = self._engine.best(state, level.nodes, think_s)
        if judged.move not in state.position.moves:
            self.close()
            raise BadEngine(f"{self._path} answered {judged.move!r} at {position_line(state)!r}: expected a move")
        return judged


class UciEngine:
    """A running engine that has shown that it plays Captain's Chess; it ends when this is closed or forgotten.

    Attributes:
        name: what it calls itself.

    Raises:
        BadEngine: it does not.
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
        """Send it lines."""
        self._worker.send("".join(f"{line}\n" for line in lines).encode())

    def read_until(self, word: str, within_s: float) -> list[str]:
        """Return the lines it says up to the one that begins with a word, that one included; raises WorkerFailed."""
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
        """Return what it says to a line, up to the line that begins with a word; raises WorkerFailed."""
        self.send(line)
        return self.read_until(word, within_s)

    def keep_to(self, elo: int | None) -> None:
        """Let it play no better than this, by its own measure; `None`: as well as it can."""
        if elo == self._elo or "UCI_LimitStrength" not in self._offered:
            return
        self._elo = elo
        self._set("UCI_LimitStrength", "false" if elo is None else "true")
        if elo is not None:
            self._set("UCI_Elo", str(self._within("UCI_Elo", elo)))

    def best(self, state: State, nodes: int, think_s: float | None = None) -> Judged:
        """Return the move it makes, and its value; raises WorkerFailed.

        Args:
            state: where the match stands; what may come again is told too.
            nodes: how many positions it may look at.
            think_s: for how long it thinks at most.
        """
        go, within_s = f"go nodes {nodes}", ANSWER_S
        if think_s is not None:
            go, within_s = f"{go} movetime {max(1, round(think_s * 1000))}", think_s + SPARE_S
        self.send(position_line(state), go)
        lines = self.read_until("bestmove", within_s)
        return Judged([*lines[-1].split(), ""][1], _value(lines))

    def _greet(self) -> tuple[str, Mapping[str, str]]:
        """Return its name, and the options it offers by name, each as it tells of it."""
        try:
            self._runner.run(self._worker.start())
            lines = self.ask("uci", "uciok", HELLO_S)
        except WorkerFailed as error:
            raise BadEngine(f"{self._path} {error}: expected a UCI engine; {REMEDY}") from error
        names = [line.removeprefix("id name ") for line in lines if line.startswith("id name ")]
        told = [re.match(r"option name (.+?) type (.*)", line) for line in lines]
        return (names or [self._path.name])[0], {match[1]: match[2] for match in told if match}

    def _define(self) -> None:
        """Tell it the variant."""
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
        """Set an option, if it has that one."""
        if name in self._offered:
            self.send(f"setoption name {name} value {value}")

    def _within(self, name: str, value: int) -> int:
        """Return a value brought within the bounds of an option."""
        bounds = dict(re.findall(r"\b(min|max) (-?\d+)", self._offered.get(name, "")))
        return min(max(value, int(bounds.get("min", value))), int(bounds.get("max", value)))

    def _try_nine_files(self) -> None:
        for position in TRIALS:
            state = State(Options(position), ("White", "Black"), position)
            try:
                found = self.best(state, nodes=100)
            except WorkerFailed as error:
                guess = "" if isinstance(error, TookTooLong) else f". {DEBIAN}"
                told = f"{self._path} ({self.name}) {error} at its first position"
                raise BadEngine(f"{told}{guess}: {REMEDY}") from error
            if found.move not in position.moves:
                raise BadEngine(
                    f"{self._path} ({self.name}) answered {found.move!r} to {position_line(state)!r}: "
                    f"expected one of {', '.join(position.moves)}; {REMEDY}"
                )


def _text(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def _end(runner: asyncio.Runner, worker: Worker[str]) -> None:
    """Let an engine end, and leave nothing of it behind."""
    runner.run(worker.shut_down(b"quit\n", QUIT_S))
    runner.close()


def _value(lines: Sequence[str]) -> int:
    """Return what an engine held a position for at last, in hundredths of a pawn; 0 where it did not say."""
    told = [match for line in lines if (match := re.search(r"\bscore (cp|mate) (-?\d+)", line))]
    if not told:
        return 0
    unit, number = told[-1].groups()
    if unit == "cp":
        return int(number)
    return MATE - int(number) if not number.startswith("-") and number != "0" else -MATE - int(number)
