"""Helpers that several commands share: add a command, find the state directory, open the journal, read options."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from captains_table.cli.game_help import Parser

if TYPE_CHECKING:
    from captains_table.storage.journal_file import JournalFile

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - argparse has no public name for it
USAGE_ERROR: Final = 2


class NothingPlayed(LookupError):
    """There is no journal, since no match was played yet."""


def add_command(commands: Commands, name: str, do: Callable[[argparse.Namespace], int], *examples: str) -> Parser:
    """Add a command; its help is the first line of the docstring of `do`, followed by the examples."""
    what = (do.__doc__ or "").partition("\n")[0]
    parser = commands.add_parser(
        name,
        help=f"{what[:1].lower()}{what[1:].removesuffix('.')}",
        description=what,
        epilog="\n".join(["examples:", *(line if line.startswith("{") else f"  {line}" for line in examples)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(do=do)
    return parser


def add_state(parser: argparse.ArgumentParser) -> None:
    """Add --state; if it is given to both a command and its subcommand, the last value counts."""
    parser.add_argument(
        "--state", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="where the journal is kept"
    )


def state_dir_of(arguments: argparse.Namespace) -> Path:
    """Return the state directory: the value of --state, or the user's default folder; raises StateUnusable."""
    from captains_table.runtime.config import default_state_dir
    from captains_table.storage.lock import check_folder

    state: Path = getattr(arguments, "state", None) or default_state_dir()
    check_folder(state)
    return state


def journal_path_of(arguments: argparse.Namespace) -> Path:
    """Return the path of the journal, which need not exist."""
    from captains_table.storage.journal_file import JOURNAL

    return state_dir_of(arguments) / JOURNAL


@contextmanager
def existing_journal(arguments: argparse.Namespace) -> Iterator[Path]:
    """Yield the path of the journal; when run as root, act as the owner of its folder during the `with` block.

    Raises:
        NothingPlayed: there is no journal.
    """
    from captains_table.storage.ownership import as_owner

    named = journal_path_of(arguments)
    with as_owner(named.parent, state=True) as folder:
        path = folder / named.name
        if not path.exists():
            raise NothingPlayed(f"no match was played yet: there is no {path}")
        yield path


@contextmanager
def open_journal(arguments: argparse.Namespace) -> "Iterator[JournalFile]":
    """Yield the open journal; when run as root, act as the owner of the journal's folder during the `with` block.

    Raises:
        NothingPlayed: there is no journal.
    """
    from captains_table.storage.journal_file import JournalFile

    with existing_journal(arguments) as path, closing(JournalFile(path)) as journal:
        yield journal


def options_from_words(words: Sequence[str]) -> Mapping[str, str]:
    """Return options given as KEY=VALUE words; raises ValueError if a word has no `=`."""
    for word in words:
        if "=" not in word:
            raise ValueError(f"{word!r}: expected an option such as rounds=3")
    return dict(word.split("=", 1) for word in words)
