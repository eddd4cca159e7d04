"""The command `restore`: puts a backup in the journal's place."""

import argparse
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command, add_state, journal_path_of


def add_restore(commands: Commands) -> None:
    """Add `restore` to the parser's commands."""
    restore = add_command(
        commands,
        "restore",
        "put a backup in the journal's place, while no table runs; the journal that was there is kept beside it",
        "captains-table restore evening.sqlite3",
        "captains-table restore /media/stick/evening.sqlite3 --state /var/lib/captains-table",
    )
    restore.add_argument("file", type=Path, metavar="FILE", help="what `captains-table backup` wrote; it stays")
    add_state(restore)
    restore.set_defaults(do=restore_command)


def restore_command(arguments: argparse.Namespace) -> int:
    """Put a backup in the journal's place."""
    from datetime import UTC, datetime

    from captains_table.storage.backup import restore

    path = journal_path_of(arguments)
    restored = restore(path, arguments.file, datetime.now(tz=UTC).astimezone())
    print(f"{path} is a copy of {arguments.file} now. Matches in it: {restored.matches}.")
    if restored.kept is not None:
        print(f"The journal that was there is kept as {restored.kept}.")
    return 0
