"""The command `replay`: tapes, with no hardware and a virtual clock."""

import argparse
import sys
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command


def add_replay(commands: Commands) -> None:
    """Add `replay` to the parser's commands."""
    replay = add_command(
        commands, "replay", "play tapes with no hardware and a virtual clock", "captains-table replay a.tape b.tape"
    )
    replay.add_argument("tapes", nargs="+", type=Path, metavar="TAPE")
    replay.set_defaults(do=replay_command)


def replay_command(arguments: argparse.Namespace) -> int:
    """Play tapes."""
    from captains_table.runtime.tape_player import replay_files

    return replay_files(arguments.tapes, sys.stdout, sys.stderr)
