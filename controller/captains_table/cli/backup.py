"""The command `backup`: a copy of all matches, also while a table runs."""

import argparse
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command, add_state, existing_journal, journal_path_of


def add_backup(commands: Commands) -> None:
    """Add `backup` to the parser's commands."""
    backup = add_command(
        commands,
        "backup",
        "copy all matches into one file, also while a table runs",
        "captains-table backup evening.sqlite3",
        "captains-table backup /media/stick/evening.sqlite3 --state /var/lib/captains-table",
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy; it must not be there yet")
    add_state(backup)
    backup.set_defaults(do=backup_command)


def backup_command(arguments: argparse.Namespace) -> int:
    """Copy the journal."""
    from captains_table.storage.backup import back_up

    path = journal_path_of(arguments)
    with existing_journal(arguments):
        pass  # or it says that nothing was played yet
    matches = back_up(path, arguments.file)
    print(f"{arguments.file} is a copy of {path}. Matches in it: {matches}.")
    return 0
