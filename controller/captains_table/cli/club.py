"""The commands `club` and `club init`: run a club's server; make the files that its server, broker and tables need."""

import argparse
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command
from captains_table.cli.serving import print_line

if TYPE_CHECKING:
    from captains_table.club.setting_up.club_folder import ClubSetup, SetupResult


class LacksExtra(RuntimeError):
    """A package is missing; only the machine of a club's server needs it."""


def need_packages(purpose: str, *packages: str) -> None:
    """Raise LacksExtra if a package is not installed; each package belongs to the extra `club`.

    Args:
        purpose: what needs the packages; the message begins with these words.
        packages: the names of the packages.
    """
    missing = [package for package in packages if find_spec(package.replace("-", "_")) is None]
    if missing:
        raise LacksExtra(
            f"{purpose} needs what is not here ({', '.join(missing)}): expected an installation with "
            "`pip install 'captains-table[club]'`, or `make install-club`"
        )


def add(commands: Commands) -> None:
    """Add `club` and `club init` to the parser's commands."""
    club = add_command(commands, "club", club_command, "captains-table club club.toml")
    club.add_argument("config", type=Path, help="a TOML file")
    club.add_argument("--check", action="store_true", help="only say whether the file is in order")
    _add_init(commands)


def _add_init(commands: Commands) -> None:
    parser = add_command(
        commands,
        "club init",
        init_command,
        "captains-table club init my-club --tables 12",
        "captains-table club init my-club --tables 16 --host club.local 192.168.1.20",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the club's files lie, or will")
    parser.add_argument("--tables", type=int, required=True, metavar="N", help="how many tables there are")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the number of the first table (1)")
    parser.add_argument(
        "--host",
        nargs="+",
        metavar="NAME",
        help="names or addresses by which tables reach the broker, the usual one first (its own)",
    )
    parser.add_argument("--port", type=int, default=0, help="the broker's port (8883, or as before)")
    parser.add_argument("--broker", type=Path, metavar="DIR", help="where the broker reads its files (FOLDER/broker)")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", default=Path("state"), help="where evenings are kept (FOLDER/state)"
    )
    parser.add_argument(
        "--table-folder",
        type=PurePosixPath,
        metavar="DIR",
        help="where each table has its password and certificate (/var/lib/captains-table/club)",
    )


def club_command(arguments: argparse.Namespace) -> int:
    """Many tables on one wall: the server of a club.

    Run the server until a signal stops it. With --check, only check the configuration file.
    """
    from captains_table.club.config import read_club_config

    config = read_club_config(arguments.config)
    if arguments.check:
        broker = config.way()
        print(f"{arguments.config} is in order: {config.title}, by the broker {broker.host}:{broker.port}.")
        return 0
    need_packages("pairing and rating", "caissify-pairings", "openskill")
    from captains_table.club.server import run_club_server

    return run_club_server(config, print_line)


def init_command(arguments: argparse.Namespace) -> int:
    """Make what broker, server and tables of a club need: certificates, passwords, settings."""
    need_packages("making certificates", "cryptography")
    from captains_table.club.setting_up.club_folder import lay_out

    _tell(lay_out(_wish(arguments), datetime.now(UTC)))
    return 0


def _wish(arguments: argparse.Namespace) -> "ClubSetup":
    from captains_table.club.setting_up.certificates import checked_host
    from captains_table.club.setting_up.club_folder import TABLE_FOLDER, ClubSetup

    return ClubSetup(
        folder=arguments.folder.absolute(),
        tables=arguments.tables,
        first=arguments.first,
        hosts=tuple(checked_host(host) for host in arguments.host or ()),
        port=arguments.port,
        broker=None if arguments.broker is None else arguments.broker.absolute(),
        state_dir=arguments.state,
        table_folder=arguments.table_folder or TABLE_FOLDER,
    )


def _tell(done: "SetupResult") -> None:
    from captains_table.club.setting_up import names

    wish = done.wish
    if done.made or done.users:
        print(f"Made {len(done.made)} files in {wish.folder}; the broker knows {len(done.users)} more users.")
        print(f"For the broker:  {wish.broker_folder() / names.SETTINGS}, in its conf.d")
        print(f"For each table:  {wish.folder / names.TABLES}/table-N, to be its {wish.table_folder}")
        print(f"For the server:  captains-table club {wish.folder / names.CONFIG}")
    else:
        print(f"All is there already in {wish.folder}.")
    for sentence in done.words:
        print(sentence)
