"""The command `boot`: writes the settings that a build needs into the Pi's config.txt, after confirmation."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from captains_table.cli.arguments import Commands, add_command

FILES: Final = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
NOT_WRITTEN: Final = 1
REBOOT: Final = "The Pi takes it up when it starts again: sudo reboot"


def add(commands: Commands) -> None:
    """Add `boot` to the parser's commands."""
    boot = add_command(
        commands,
        "boot",
        boot_command,
        "sudo captains-table boot pico-8x8",
        "sudo captains-table boot gpio-9x8 --yes",
    )
    boot.add_argument("profile", help="the name of a build (an unknown one lists them), or a profile's file")
    boot.add_argument("--file", type=Path, help=f"the Pi's configuration ({FILES[0]})")
    boot.add_argument("--yes", action="store_true", help="write it without asking")


def boot_command(arguments: argparse.Namespace) -> int:
    """Bring the Pi's config.txt to what a build needs, once you say yes."""
    from captains_table.hardware.wiring.boot import boot_lines, with_boot_lines
    from captains_table.storage.files import diff_lines, read_as_it_is, replace_keeping_a_copy
    from captains_table.storage.profile_files import load_profile

    profile = load_profile(arguments.profile)
    lines = boot_lines(profile)
    path = arguments.file or next((file for file in FILES if file.exists()), None)
    if path is None:
        return _nowhere(profile.name, lines)
    old = read_as_it_is(path)
    new = with_boot_lines(old, lines)
    if new == old:
        print(f"{path} has what {profile.name} needs.")
        return 0
    print(f"{path} is to be changed for {profile.name}:")
    for line in diff_lines(path, old, new):
        print(f"    {line}")
    if not (arguments.yes or _agreed()):
        file = [] if arguments.file is None else ["--file", str(arguments.file)]
        command = shlex.join(["sudo", "captains-table", "boot", arguments.profile, *file, "--yes"])
        print(f"Nothing was written. To write it: {command}")
        return NOT_WRITTEN
    print(f"Written; {path} as it was is kept as {replace_keeping_a_copy(path, new)}.")
    print(REBOOT)
    return 0


def _nowhere(name: str, lines: Sequence[str]) -> int:
    if not lines:
        return 0
    print(f"There is no {FILES[0]} here. On a Raspberry Pi, {name} needs in it:")
    for line in lines:
        print(f"    {line}")
    return NOT_WRITTEN


def _agreed() -> bool:
    """Return whether the user confirms the change; False without a terminal, where nobody can confirm."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input("Write it? [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False
