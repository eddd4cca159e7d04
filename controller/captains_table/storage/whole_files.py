"""Files that are written whole or not at all, whatever happens while they are."""

import shutil
from pathlib import Path

from captains_table.storage.copies import part_beside, sync


def write_whole(path: Path, text: str, *, keeps_mode: bool = False) -> None:
    """Put a text in the place of a file, durably; it is its owner's alone, or keeps the mode it had.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    path = path.resolve()  # a link goes on leading there
    with part_beside(path) as part:
        part.write_text(text, encoding="utf-8")
        if keeps_mode and path.exists():
            shutil.copymode(path, part)
        sync(part)
        part.replace(path)
    sync(path.parent)
