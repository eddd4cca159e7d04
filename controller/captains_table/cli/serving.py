"""Arguments, configuration and start of a table served to browsers; shared by `play`, `run` and `matches resume`."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from captains_table.cli.arguments import add_state, state_dir_of

if TYPE_CHECKING:
    from captains_table.daemon import StartOptions
    from captains_table.runtime.config import TableConfig


def add_master(parser: argparse.ArgumentParser) -> None:
    """Add the argument that opens the game master's page."""
    parser.add_argument(
        "--master", action="store_true", help="open a page for a game master, at an address that is printed"
    )


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a table that is served to browsers: address, state, thinking time, engines, recording."""
    parser.add_argument("--host", help="address to listen on (127.0.0.1; others ask for the printed token)")
    parser.add_argument("--port", type=int, help="port to listen on (8377, or any free one if that is taken)")
    add_state(parser)
    parser.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="computers think so long at most about an answer; their levels' own limits hold as well",
    )
    parser.add_argument(
        "--engine",
        action="append",
        metavar="PATH",
        help="a UCI engine that plays too, under its file's name; may be given more than once",
    )
    add_master(parser)
    parser.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")


def config_from(arguments: argparse.Namespace, **match: object) -> "TableConfig":
    """Return the table's configuration from the arguments and the values in `match`, such as the game and the players.

    A missing or empty value keeps its default. An error is raised if the thinking time, an engine's path or the
    state directory is unusable.
    """
    from captains_table.runtime.config import TableConfig, checked_engines, engine_at, think_seconds

    values = dict(match)
    think = getattr(arguments, "think", None)
    if think is not None:
        think_seconds(think)
    values |= {key: getattr(arguments, key, None) for key in ("host", "port", "think", "master", "board")}
    values["more_engines"] = checked_engines(tuple(map(engine_at, getattr(arguments, "engine", None) or ())))
    values["state_dir"] = state_dir_of(arguments)
    return TableConfig(**{key: value for key, value in values.items() if value not in (None, (), {})})  # type: ignore[arg-type]


def restart_line(arguments: argparse.Namespace) -> str:
    """Return the command that starts the same table anew for other devices too; it goes on with the last match."""
    words = [sys.argv[0], "play", "--host", "0.0.0.0"]  # noqa: S104 - what the page tells its owner to type
    for name in ("port", "state", "think", "board"):
        value = getattr(arguments, name, None)
        words += [] if value is None else [f"--{name}", str(value)]
    for path in getattr(arguments, "engine", None) or ():
        words += ["--engine", path]
    return shlex.join([*words, "--master"] if arguments.master else words)


def serve_in_browser(
    arguments: argparse.Namespace, *, fresh: bool = False, number: int | None = None, **match: object
) -> int:
    """Run a table in the browser until a signal stops it, and return its exit code.

    Args:
        arguments: the arguments that `add_serving` adds.
        fresh: whether to start a new match even if an earlier one could be resumed.
        number: the number of the match to resume; `None` for the match that was left last, or a new one.
        match: the values of the configuration that say what is played, as in `config_from`.
    """
    from captains_table.daemon import StartOptions

    restart, any_port = restart_line(arguments), arguments.port is None
    opening = StartOptions(number, fresh, arguments.record, any_port=any_port, restart=restart)
    return serve_table(config_from(arguments, **match), opening)


def serve_table(config: "TableConfig", opening: "StartOptions") -> int:
    """Run the daemon until a signal stops it, and return its exit code."""
    from captains_table.daemon import run_daemon

    return run_daemon(config, opening, print_line)


def print_line(line: str) -> None:
    """Print a line and flush it, so that a pipe receives it at once."""
    print(line, flush=True)
