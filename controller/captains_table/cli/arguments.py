"""What several commands' arguments share: how a command is added, and where the state is kept."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from captains_table.cli.game_help import Parser

if TYPE_CHECKING:
    from captains_table.storage.journal_file import JournalFile

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - argparse names it no other way
USAGE_ERROR: Final = 2


class NothingPlayed(LookupError):
    """There is no journal."""


def add_command(commands: Commands, name: str, do: Callable[[argparse.Namespace], int], *examples: str) -> Parser:
    """Add a command; its help is the docstring of the function that carries it out, and examples."""
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
    """Add --state; where a command and what it does both take it, the last one given counts."""
    parser.add_argument(
        "--state", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="where the journal is kept"
    )


def state_dir_of(arguments: argparse.Namespace) -> Path:
    """Return where the journal is kept: what --state names, or the user's own folder; raises StateUnusable."""
    from captains_table.runtime.config import default_state_dir
    from captains_table.storage.lock import check_folder

    state: Path = getattr(arguments, "state", None) or default_state_dir()
    check_folder(state)
    return state


def journal_path_of(arguments: argparse.Namespace) -> Path:
    """Return where the journal is, or would be."""
    from captains_table.storage.journal_file import JOURNAL

    return state_dir_of(arguments) / JOURNAL


@contextmanager
def existing_journal(arguments: argparse.Namespace) -> Iterator[Path]:
    """Yield the journal's file, to be used as its folder's owner; raises NothingPlayed."""
    from captains_table.storage.ownership import as_owner

    named = journal_path_of(arguments)
    with as_owner(named.parent, state=True) as folder:
        path = folder / named.name
        if not path.exists():
            raise NothingPlayed(f"no match was played yet: there is no {path}")
        yield path


@contextmanager
def open_journal(arguments: argparse.Namespace) -> "Iterator[JournalFile]":
    """Yield the journal, opened as its folder's owner; raises NothingPlayed."""
    from captains_table.storage.journal_file import JournalFile

    with existing_journal(arguments) as path, closing(JournalFile(path)) as journal:
        yield journal


def options_from_words(words: Sequence[str]) -> Mapping[str, str]:
    """Return options given as KEY=VALUE words; raises ValueError."""
    for word in words:
        if "=" not in word:
            raise ValueError(f"{word!r}: expected an option such as rounds=3")
    return dict(word.split("=", 1) for word in words)
