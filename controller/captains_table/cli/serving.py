"""The commands `play` and `run`, a simulated table and one by its configuration; and what serves these, and a match."""

import argparse
import os
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command, add_state, options_from_words, state_dir_of

if TYPE_CHECKING:
    from captains_table.daemon import Opening
    from captains_table.runtime.config import Config


def add(commands: Commands) -> None:
    """Add `play` and `run` to the parser's commands."""
    play = add_command(commands, "play", play_command, "captains-table play --port 9000", "{examples of play}")
    play.add_argument("game", nargs="?", help="{games}; naming a game starts a new match")
    play.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the game's options, such as rounds=1")
    play.add_argument(
        "--players",
        nargs="+",
        metavar="NAME",
        help="in seat order; starts a new match, and without them the table asks",
    )
    add_serving(play)
    running = add_command(commands, "run", run_command, "captains-table run table.toml")
    running.add_argument("config", type=Path, help="a TOML file")
    add_master(running)
    running.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")
    running.add_argument("--check", action="store_true", help="only say whether file, profile and engine are in order")


def add_master(parser: argparse.ArgumentParser) -> None:
    """Add the argument that opens the game master's page."""
    parser.add_argument(
        "--master", action="store_true", help="open a page for a game master, at an address that is printed"
    )


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a table that is served."""
    parser.add_argument("--host", help="address to listen on (127.0.0.1; others ask for the printed token)")
    parser.add_argument("--port", type=int, help="port to listen on (8377, or any free one if that is taken)")
    add_state(parser)
    parser.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="computers think so long at most about an answer; their levels' own limits hold as well",
    )
    add_master(parser)
    parser.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")


def config_from(arguments: argparse.Namespace, **match: object) -> "Config":
    """Return the configuration that the arguments and a match make; what is not given keeps its default."""
    from captains_table.runtime.config import Config, think_seconds

    values = dict(match)
    think = getattr(arguments, "think", None)
    if think is not None:
        think_seconds(think)
    values |= {key: getattr(arguments, key, None) for key in ("host", "port", "think", "master")}
    values["state_dir"] = state_dir_of(arguments)
    return Config(**{key: value for key, value in values.items() if value not in (None, (), {})})  # type: ignore[arg-type]


def serve(config: "Config", opening: "Opening") -> int:
    """Run the daemon until a signal stops it, and return its exit code."""
    from captains_table.daemon import run

    return run(config, opening, say)


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)


def play_command(arguments: argparse.Namespace) -> int:
    """Play at a simulated table in the browser."""
    from captains_table.catalog import DEFAULT_GAME
    from captains_table.daemon import Opening

    words = [word for word in (arguments.game, *arguments.options) if word is not None]
    game = words.pop(0) if words and "=" not in words[0] else None
    options = options_from_words([*words, *(name for name in arguments.players or () if "=" in name)])
    players = tuple(name for name in arguments.players or () if "=" not in name)
    fresh = bool(game or options or players)
    config = config_from(arguments, game=game or (DEFAULT_GAME if fresh else ""), players=players, options=options)
    return serve(config, Opening(fresh=fresh, record=arguments.record, any_port=arguments.port is None))


def _check_engine(file: Path, engine: Path | None) -> None:
    """Let the configured engine make a move; as root, only look whether it is a program.

    Raises:
        BadConfig: it cannot be played against.
    """
    from captains_table.runtime.uci_engine import BadEngine, try_engine
    from captains_table.storage.configuration import BadConfig

    if engine is None:
        return
    named = f"{file}: [table]: engine = {str(engine)!r}"
    if which(engine) is None:
        raise BadConfig(f"{named}: there is no such program: expected the path of a UCI engine that may be run")
    if is_root():  # an engine is somebody else's program
        return
    try:
        try_engine(engine)
    except BadEngine as error:
        raise BadConfig(f"{named}: {error}") from error


def run_command(arguments: argparse.Namespace) -> int:
    """Run the daemon under a configuration file."""
    from msgspec import structs

    from captains_table.daemon import Opening
    from captains_table.runtime.config import read_config
    from captains_table.storage.profile_files import load_profile

    config = read_config(arguments.config)
    profile = load_profile(config.profile, config.state_dir)
    if arguments.check:
        _check_engine(arguments.config, config.engine)
        print(f"{arguments.config} is in order: {profile.name}, {profile.title}.")
        return 0

    def with_master(config: "Config") -> "Config":
        return structs.replace(config, master=True) if arguments.master else config

    return serve(
        with_master(config),
        Opening(record=arguments.record, reread=lambda: with_master(read_config(arguments.config))),
    )


def is_root() -> bool:
    """Return whether this is root, who starts no program of somebody else's."""
    return os.geteuid() == 0
