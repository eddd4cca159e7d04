"""The command `engine`: lets other programs ask the computer player Aether for decisions, one JSON object per line."""

import argparse
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Final

from captains_table.cli.arguments import Commands, add_command

if TYPE_CHECKING:
    from captains_table.players.legend.aether.thinking import Thinker

GAME: Final = "legend"
LONGEST_LINE: Final = 65_536  # bytes
LONGEST_THINK_S: Final = 3600.0
INTERRUPTED: Final = 130


class NoSuchEngine(ValueError):
    """There is no engine for the requested game, level or thinking time."""


def add(commands: Commands) -> None:
    """Add `engine` to the parser's commands."""
    engine = add_command(
        commands,
        "engine",
        engine_command,
        "captains-table engine legend --level 6",
        "captains-table engine legend --level 6 --think 2",
    )
    engine.add_argument("game", help=f"{GAME}: no other game has one yet")
    engine.add_argument("--level", type=int, default=6, metavar="N", help="how well it plays, from 0 to 6 (6)")
    engine.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="think so long at most about a line, next to the level's limit",
    )


def engine_command(arguments: argparse.Namespace) -> int:
    """Answer other programs: one JSON object a line asks, one answers (docs/engine.md)."""
    thinker = _thinker(arguments.game, arguments.level, arguments.think)
    try:
        for line in _lines(sys.stdin.buffer):
            sys.stdout.buffer.write(_answer(thinker, line))
            sys.stdout.buffer.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _thinker(game: str, level: int, think_s: float | None) -> "Thinker":
    import random

    from captains_table.players.common.opponents import Means
    from captains_table.players.legend.aether.opponent import LEVELS
    from captains_table.players.legend.aether.thinking import thinker_of

    if game != GAME:
        raise NoSuchEngine(f"there is no engine of {game!r}: expected {GAME}")
    if level not in LEVELS:
        raise NoSuchEngine(f"--level {level}: expected a level from {min(LEVELS)} to {max(LEVELS)}")
    if think_s is not None and not 0 < think_s <= LONGEST_THINK_S:
        raise NoSuchEngine(f"--think {think_s:g}: expected more than 0 seconds, and {LONGEST_THINK_S:g} at most")
    below = random.Random(0).randrange  # noqa: S311 - a level's deliberate errors are repeatable
    return thinker_of(LEVELS[level], Means(below, time.monotonic, think_s))


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; a line of more than 65,536 bytes is cut to that size and becomes a bad request."""
    while line := source.readline(LONGEST_LINE):
        rest = line
        while len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE)
        yield line


def _answer(thinker: "Thinker", line: bytes) -> bytes:
    from captains_table.players.legend.aether.engine_lines import BadRequest, answer_line, error_line, read_request

    began = time.monotonic()
    try:
        situation = read_request(line)
    except BadRequest as error:
        return error_line(error)
    thinker.begin()
    found = thinker.decide(situation)
    return answer_line(found, round((time.monotonic() - began) * 1000))
