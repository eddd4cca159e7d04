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


class NoName(ValueError):
    """The command needs an arbiter's name."""


def add(commands: Commands) -> None:
    """Add `club arbiter` to the parser's commands."""
    parser = add_command(
        commands,
        "club arbiter",
        arbiter_command,
        "captains-table club arbiter add Anne",
        "captains-table club arbiter password Anne <password.txt",
        "captains-table club arbiter revoke-token --config my-club/config.toml",
    )
    parser.add_argument(
        "deed",
        choices=("add", "list", "remove", "password", "revoke-token"),
        help="add or remove an arbiter, list all, change a password (typed twice, or read from standard input), or "
        "revoke the club's token for ever",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help="the arbiter's name")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=INSTALLED, help=f"the club server's settings ({INSTALLED})"
    )


def arbiter_command(arguments: argparse.Namespace) -> int:
    """The arbiters who log in at a club's pages by name and password.

    Removing an arbiter or changing the password ends the arbiter's sessions; the logs keep the name.
    """
    name: str = arguments.name
    if not name and arguments.deed in {"add", "remove", "password"}:
        raise NoName(f"whom? Expected captains-table club arbiter {arguments.deed} NAME")
    with _arbiters(arguments) as arbiters:
        match arguments.deed:
            case "add":
                arbiters.add(name, _new_password())
                print(f"{name} can log in now.")
            case "remove":
                arbiters.remove(name)
                print(f"{name} cannot log in any more.")
            case "password":
                arbiters.change_password(name, _new_password())
                print(f"{name} logs in by the new password from now on.")
            case "revoke-token":
                arbiters.revoke_token()
                print("The token opens nothing any more.")
            case _:
                print("\n".join(arbiters.names()) or "There is no arbiter yet: captains-table club arbiter add NAME")
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
