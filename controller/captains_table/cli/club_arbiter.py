"""The command `club arbiter`: the arbiters who log in at a club's pages by name and password."""

import argparse
import sys
from contextlib import closing, contextmanager
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from captains_table.cli.arguments import Commands, add_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from captains_table.club.store.arbiters import Arbiters

INSTALLED: Final = Path("/etc/captains-table-club/config.toml")


class NoPassword(ValueError):
    """No password was given, or two different ones."""


def add(commands: Commands) -> None:
    """Add `club arbiter` to the parser's commands."""
    parser = add_command(
        commands,
        "club arbiter",
        list_arbiters_command,
        "captains-table club arbiter add Anne",
        "captains-table club arbiter password Anne <password.txt",
        "captains-table club arbiter revoke-token --config my-club/config.toml",
    )
    parser.set_defaults(config=INSTALLED)
    doing = parser.add_subparsers(title="what to do", metavar="add | list | remove | password | revoke-token")
    for word, do in (
        ("add", add_arbiter_command),
        ("list", list_arbiters_command),
        ("remove", remove_command),
        ("password", password_command),
        ("revoke-token", revoke_command),
    ):
        deed = add_command(doing, word, do, f"captains-table club arbiter {word}")
        deed.add_argument(
            "--config", type=Path, metavar="FILE", default=INSTALLED, help=f"the club server's settings ({INSTALLED})"
        )
        if word in {"add", "remove", "password"}:
            deed.add_argument("name", metavar="NAME", help="the arbiter's name")


def list_arbiters_command(arguments: argparse.Namespace) -> int:
    """The arbiters who log in at a club's pages by name and password.

    Without a further word the command lists them.
    """
    with _arbiters(arguments) as arbiters:
        names = arbiters.names()
    print("\n".join(names) if names else "There is no arbiter yet: captains-table club arbiter add NAME")
    return 0


def add_arbiter_command(arguments: argparse.Namespace) -> int:
    """Add an arbiter; the password is asked for twice, or read from standard input."""
    with _arbiters(arguments) as arbiters:
        arbiters.add(arguments.name, _new_password())
    print(f"{arguments.name} can log in now.")
    return 0


def remove_command(arguments: argparse.Namespace) -> int:
    """Remove an arbiter and end the arbiter's sessions; the logs keep the name."""
    with _arbiters(arguments) as arbiters:
        arbiters.remove(arguments.name)
    print(f"{arguments.name} cannot log in any more.")
    return 0


def password_command(arguments: argparse.Namespace) -> int:
    """Change an arbiter's password and end the arbiter's sessions."""
    with _arbiters(arguments) as arbiters:
        arbiters.change_password(arguments.name, _new_password())
    print(f"{arguments.name} logs in by the new password from now on.")
    return 0


def revoke_command(arguments: argparse.Namespace) -> int:
    """Revoke the club's token for ever; arbiters then log in by name and password only."""
    with _arbiters(arguments) as arbiters:
        arbiters.revoke_token()
    print("The token opens nothing any more.")
    return 0


@contextmanager
def _arbiters(arguments: argparse.Namespace) -> "Iterator[Arbiters]":
    """Yield the arbiters of a club, whose server may run; root acts as the owner of the club's folder meanwhile."""
    from functools import partial

    from captains_table.club.config import parse_club_config
    from captains_table.club.store.arbiters import Arbiters
    from captains_table.club.store.store import Store
    from captains_table.storage.configuration import read_config_file
    from captains_table.storage.ownership import as_owner, as_reader

    with as_reader(arguments.config) as file:
        config = read_config_file(file, partial(parse_club_config, folder=arguments.config.parent))
    with as_owner(config.state_dir, state=True) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(Store(folder)) as store:
            yield Arbiters(store.database)


def _new_password() -> str:
    """Return a new password: typed twice at a terminal, else the first line of standard input; raises NoPassword."""
    if not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\r\n")
        if not password:
            raise NoPassword("no password on standard input: expected it as the first line")
        return password
    password = getpass("Password: ")
    if getpass("The same again: ") != password:
        raise NoPassword("these are two different passwords: nothing was changed")
    return password
