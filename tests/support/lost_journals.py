"""Ways in which a journal loses its place under a table: deleted, moved, or replaced by another file."""

import shutil
from pathlib import Path

from tests.support.journals import journal_with


def log_of(path: Path) -> Path:
    """Return where a journal's write-ahead log is."""
    return path.with_name(f"{path.name}-wal")


def delete_it(path: Path) -> None:
    """Delete a file."""
    path.unlink()


def delete_it_with_its_log(path: Path) -> None:
    """Delete a journal with its log."""
    path.unlink()
    log_of(path).unlink()


def delete_everything(path: Path) -> None:
    """Delete the whole directory."""
    shutil.rmtree(path.parent)


def move_the_directory(path: Path) -> None:
    """Move the directory away."""
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace_it(path: Path) -> None:
    """Put another journal in the journal's place."""
    journal_with(path.with_name("other"), "Grace").replace(path)


def replace_it_by_its_own_copy(path: Path) -> None:
    """Put a copy in a file's place, the same to the byte."""
    shutil.copy(path, path.with_name("other"))
    path.with_name("other").replace(path)
