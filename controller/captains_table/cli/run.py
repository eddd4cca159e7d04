"""The command `run`: runs the daemon with a configuration file, or only checks the file, profile and UCI engines."""

import argparse
import os
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command
from captains_table.cli.serving import add_master, serve_table

if TYPE_CHECKING:
    from captains_table.runtime.config import TableConfig


def add(commands: Commands) -> None:
    """Add `run` to the parser's commands."""
    run = add_command(commands, "run", run_command, "captains-table run table.toml")
    run.add_argument("config", type=Path, help="a TOML file")
    add_master(run)
    run.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")
    run.add_argument("--check", action="store_true", help="only say whether file, profile and engines are in order")


def _check_engines(file: Path, config: "TableConfig") -> None:
    """Check the configured engines by letting each make a move; when run as root, only check that they exist.

    Raises:
        BadConfig: an engine is missing, or cannot play one of its games.
    """
    from captains_table.players.boreas.opponents import ENGINE
    from captains_table.runtime.engines import examine
    from captains_table.runtime.uci_engine import BadEngine
    from captains_table.storage.configuration import BadConfig

    for program in config.programs:
        key = "[table]: engine" if program.key == ENGINE else f"[[engine]] {program.name}: path"
        named = f"{file}: {key} = {program.path!r}"
        if which(program.path) is None:
            raise BadConfig(f"{named}: there is no such program: expected the path of a UCI engine that may be run")
        if is_root():  # root does not run somebody else's program
            continue
        try:
            facts = examine(program)
        except BadEngine as error:
            raise BadConfig(f"{named}: {error}") from error
        for game in program.games:
            if game in facts.refused:
                raise BadConfig(f"{named}: {facts.refused[game]}")


def run_command(arguments: argparse.Namespace) -> int:
    """Run the daemon under a configuration file.

    With --check, only check the file, the profile and the engines.
    """
    from msgspec import structs

    from captains_table.daemon import StartOptions
    from captains_table.runtime.config import read_table_config
    from captains_table.storage.profile_files import load_profile

    config = read_table_config(arguments.config)
    profile = load_profile(config.profile, config.state_dir)
    if arguments.check:
        _check_engines(arguments.config, config)
        print(f"{arguments.config} is in order: {profile.name}, {profile.title}.")
        return 0

    def with_master(config: "TableConfig") -> "TableConfig":
        return structs.replace(config, master=True) if arguments.master else config

    return serve_table(
        with_master(config),
        StartOptions(record=arguments.record, reread=lambda: with_master(read_table_config(arguments.config))),
    )


def is_root() -> bool:
    """Return whether this process runs as root; a root process must not start foreign programs."""
    return os.geteuid() == 0
