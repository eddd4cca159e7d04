"""Files of a club that are made where they are not there, and never over one that is."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from captains_table.storage.copies import part_beside, place, sync
from captains_table.storage.whole_files import write_whole

FOR_ALL: Final = 0o644


def write_again(path: Path, text: str) -> None:
    """Put a text in the place of a file, which stays its owner's: the broker's, where an administrator writes.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    owner = path.stat()
    write_whole(path, text, keeps_mode=True)
    os.chown(path, owner.st_uid, owner.st_gid)


class Files:
    """Makes files; `made` are those that were not there."""

    def __init__(self) -> None:
        self.made: list[Path] = []

    def keep_or_make(self, path: Path, make: Callable[[], str], *, private: bool) -> str:
        """Return the text of a file, made where it is not there: whole, durable, and if private its owner's alone.

        Raises:
            OSError, UnicodeDecodeError: it cannot be read or made.
        """
        with contextlib.suppress(FileNotFoundError):
            return path.read_text(encoding="utf-8")
        text = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with part_beside(path) as part:
            part.write_text(text, encoding="utf-8")
            if not private:
                part.chmod(FOR_ALL)
            sync(part)
            place(part, path)
        self.made.append(path)
        return text
