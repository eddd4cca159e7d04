"""The command `club`: the server of a club of tables."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command
from captains_table.cli.serving import say


class LacksExtra(RuntimeError):
    """A package that only a club's machine needs is not installed."""


def need_packages(purpose: str, *packages: str) -> None:
    """Raise LacksExtra where a package of the extra `club` is not here, with what it is for and how to install it."""
    missing = [package for package in packages if find_spec(package.replace("-", "_")) is None]
    if missing:
        raise LacksExtra(
            f"{purpose} needs what is not here ({', '.join(missing)}): expected an installation with "
            "`pip install 'captains-table[club]'`, or `make install-club`"
        )


def add_club(commands: Commands) -> None:
    """Add `club` to the parser's commands."""
    club = add_command(
        commands, "club", "many tables on one wall: the server of a club", "captains-table club club.toml"
    )
    club.add_argument("config", type=Path, help="a TOML file")
    club.add_argument("--check", action="store_true", help="only say whether the file is in order")
    club.set_defaults(do=club_command)


def club_command(arguments: argparse.Namespace) -> int:
    """Run the club's server under a configuration file."""
    from captains_table.club.config import read_config

    config = read_config(arguments.config)
    if arguments.check:
        broker = config.way()
        print(f"{arguments.config} is in order: {config.title}, by the broker {broker.host}:{broker.port}.")
        return 0
    need_packages("pairing and rating", "caissify-pairings", "openskill")
    from captains_table.club.server import run

    return run(config, say)
