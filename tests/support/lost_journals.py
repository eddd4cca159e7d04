"""Ways in which a journal loses its place under a table: deleted, moved, or replaced by another file."""

import shutil
from pathlib import Path

from tests.support.journals import journal_with


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def delete_it(path: Path) -> None:
    path.unlink()


def delete_it_with_its_log(path: Path) -> None:
    path.unlink()
    log_of(path).unlink()


def delete_everything(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_the_directory(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace_it(path: Path) -> None:
    journal_with(path.with_name("other"), "Grace").replace(path)


def replace_it_by_its_own_copy(path: Path) -> None:
    """Put a copy in a file's place, the same to the byte."""
    shutil.copy(path, path.with_name("other"))
    path.with_name("other").replace(path)


MOVED, REPLACED = "was moved or deleted", "was replaced by another file"
LOSSES = [
    *((lose, MOVED) for lose in (delete_it, delete_it_with_its_log, delete_everything, move_the_directory)),
    *((lose, REPLACED) for lose in (replace_it, replace_it_by_its_own_copy)),
]
"""Each way, and what the table says of it."""
