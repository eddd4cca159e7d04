"""Files that are written whole or not at all, whatever happens while they are."""

import secrets
import shutil
from pathlib import Path

from captains_table.storage.copies import sync
from captains_table.storage.private_files import make_private_file


def write_whole(path: Path, text: str, *, keeps_mode: bool = False) -> None:
    """Put a text in the place of a file, durably; it is its owner's alone, or keeps the mode it had.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    path = path.resolve()  # a link goes on leading there
    part = path.with_name(f".{path.name}-{secrets.token_hex(8)}.part")
    make_private_file(part)
    try:
        part.write_text(text, encoding="utf-8")
        if keeps_mode and path.exists():
            shutil.copymode(path, part)
        sync(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync(path.parent)
