"""A text file of somebody else's that is changed: shown as a difference, replaced at one stroke, a copy kept."""

import difflib
import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

AS_IT_IS: Final = {"encoding": "utf-8", "errors": "surrogateescape"}  # what is no UTF-8 stays what it is


def read_as_it_is(path: Path) -> str:
    """Return a file's text, with its own line ends, that `replace_keeping_a_copy` writes back byte by byte."""
    return path.read_bytes().decode(**AS_IT_IS)


def difference(path: Path, old: str, new: str) -> Iterator[str]:
    """Yield what would change in a file, as lines of a unified diff."""
    before, after = old.splitlines(), new.splitlines()
    for line in difflib.unified_diff(before, after, str(path), f"{path} (new)", lineterm=""):
        yield line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def replace_keeping_a_copy(path: Path, new: str) -> Path:
    """Put a text in a file's place and return where the copy of the old one is; raises OSError.

    A power cut leaves one of the two whole. The copy's name has no colon: a boot partition is FAT.
    """
    copy = _free_name(path)
    shutil.copyfile(path, copy)
    shutil.copymode(path, copy)
    made = path.with_name(f"{path.name}.new")
    with made.open("wb") as file:
        file.write(new.encode(**AS_IT_IS))
        file.flush()
        os.fsync(file.fileno())
    shutil.copymode(path, made)
    made.replace(path)
    return copy


def _free_name(path: Path) -> Path:
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    names = (path.with_name(f"{path.name}.before-{now}{more}") for more in ("", *(f".{n}" for n in range(1, 1000))))
    return next(name for name in names if not name.exists())
