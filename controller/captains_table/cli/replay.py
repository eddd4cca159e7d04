"""The command `replay`: plays recorded tapes, without hardware and with a virtual clock."""

import argparse
import sys
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command


def add(commands: Commands) -> None:
    """Add `replay` to the parser's commands."""
    replay = add_command(commands, "replay", replay_command, "captains-table replay a.tape b.tape")
    replay.add_argument("tapes", nargs="+", type=Path, metavar="TAPE")


def replay_command(arguments: argparse.Namespace) -> int:
    """Play tapes with no hardware and a virtual clock."""
    from captains_table.runtime.tape_player import replay_files

    return replay_files(arguments.tapes, sys.stdout, sys.stderr)
