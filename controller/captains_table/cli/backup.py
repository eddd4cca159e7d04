"""The commands `backup` and `restore`: copy all matches into one file, even while a table runs, and restore a copy."""

import argparse
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command, add_state, existing_journal, journal_path_of


def add(commands: Commands) -> None:
    """Add `backup` and `restore` to the parser's commands."""
    backing_up = add_command(
        commands,
        "backup",
        backup_command,
        "captains-table backup evening.sqlite3",
        "captains-table backup /media/stick/evening.sqlite3 --state /var/lib/captains-table",
    )
    backing_up.add_argument("file", type=Path, metavar="FILE", help="the copy; it must not be there yet")
    add_state(backing_up)
    restoring = add_command(
        commands,
        "restore",
        restore_command,
        "captains-table restore evening.sqlite3",
        "captains-table restore /media/stick/evening.sqlite3 --state /var/lib/captains-table",
    )
    restoring.add_argument("file", type=Path, metavar="FILE", help="what `captains-table backup` wrote; it stays")
    add_state(restoring)


def backup_command(arguments: argparse.Namespace) -> int:
    """Copy all matches into one file, also while a table runs."""
    from captains_table.storage.backup import back_up

    path = journal_path_of(arguments)
    with existing_journal(arguments):
        pass  # raises NothingPlayed if there is no journal
    matches = back_up(path, arguments.file)
    print(f"{arguments.file} is a copy of {path}. Matches in it: {matches}.")
    return 0


def restore_command(arguments: argparse.Namespace) -> int:
    """Put a backup in the journal's place, while no table runs; the journal that was there is kept beside it."""
    from datetime import UTC, datetime

    from captains_table.storage.backup import restore_journal

    path = journal_path_of(arguments)
    restored = restore_journal(path, arguments.file, datetime.now(tz=UTC).astimezone())
    print(f"{path} is a copy of {arguments.file} now. Matches in it: {restored.matches}.")
    if restored.kept is not None:
        print(f"The journal that was there is kept as {restored.kept}.")
    return 0
