"""Distributions that bring a game, written into a folder as an installer would lay them."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from captains_table.cli.main import main

TOSS = (Path(__file__).parent / "toss.py").read_text(encoding="utf-8")


def install(folder: Path, distribution: str, files: Mapping[str, str], **points: str) -> None:
    """Lay a distribution into a folder of the path.

    Args:
        folder: where packages are looked for.
        distribution: its name.
        files: its modules and other files, path -> text.
        points: its entry points in `captains_table.games`, name -> what is loaded.
    """
    info = folder / f"{distribution.replace('-', '_')}-0.3.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 0.3\n", encoding="utf-8")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[captains_table.games]", *lines, ""]), encoding="utf-8")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def run_with(folder: str, words: Sequence[str]) -> int:
    """Run the command with a folder on the path, in a process that was started without it."""
    sys.path.insert(0, folder)
    return main(list(words))
