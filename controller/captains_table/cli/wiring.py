"""The command `wiring`: writes the wiring documents of a build, such as the diagram and the parts list."""

import argparse
from pathlib import Path

from captains_table.cli.arguments import Commands, add_command


def add(commands: Commands) -> None:
    """Add `wiring` to the parser's commands."""
    wiring = add_command(
        commands,
        "wiring",
        wiring_command,
        "captains-table wiring pico-8x8",
        "captains-table wiring my-table.toml --out my-table",
    )
    wiring.add_argument("profile", help="the name of a build (an unknown one lists them), or a profile's file")
    wiring.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to write them (here)")


def wiring_command(arguments: argparse.Namespace) -> int:
    """Write the wiring diagram and the parts list of a build."""
    from captains_table.cli.wiring_documents import write_documents
    from captains_table.storage.profile_files import load_profile

    for path in write_documents(load_profile(arguments.profile), arguments.out):
        print(path)
    return 0
