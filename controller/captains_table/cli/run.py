"""The command `run`: the daemon under a configuration file."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command
from captains_table.cli.serving import add_master, serve

if TYPE_CHECKING:
    from captains_table.runtime.config import Config


def add_run(commands: Commands) -> None:
    """Add `run` to the parser's commands."""
    run = add_command(commands, "run", "run the daemon under a configuration file", "captains-table run table.toml")
    run.add_argument("config", type=Path, help="a TOML file")
    add_master(run)
    run.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")
    run.add_argument("--check", action="store_true", help="only say whether file and profile are in order")
    run.set_defaults(do=run_command)


def run_command(arguments: argparse.Namespace) -> int:
    """Run the daemon under a configuration file."""
    from captains_table.runtime.config import read_config
    from captains_table.runtime.daemon import Opening
    from captains_table.storage.profile_files import load_profile

    config = read_config(arguments.config)
    profile = load_profile(config.profile, config.state_dir)
    if arguments.check:
        print(f"{arguments.config} is in order: {profile.name}, {profile.title}.")
        return 0

    def with_master(config: "Config") -> "Config":
        return replace(config, master=True) if arguments.master else config

    return serve(
        with_master(config),
        Opening(record=arguments.record, reread=lambda: with_master(read_config(arguments.config))),
    )
