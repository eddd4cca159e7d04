"""One program a state directory: two tables over one journal would disturb each other's matches."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StateInUse(OSError):  # noqa: N818 - named by its condition
    """Another table works with this state directory."""


class StateUnusable(OSError):  # noqa: N818 - named by its condition
    """The state directory cannot be written."""


def check_folder(directory: Path) -> None:
    """Raise StateUnusable where a file stands in the place of a state directory, or of a folder it would lie in."""
    for folder in (directory, *directory.parents):
        if folder.exists() and not folder.is_dir():
            raise StateUnusable(
                f"{directory} cannot be used to keep matches: {folder} is a file, expected a folder (--state DIR)"
            )


@contextmanager
def sole_use(directory: Path, who: str = "table", named_by: str = "--state") -> Iterator[None]:
    """Keep a state directory to this process; the system lets go of it however the process ends.

    Args:
        directory: that directory.
        who: what works with such a directory.
        named_by: how another is named.

    Raises:
        StateInUse: another process has it.
        StateUnusable: it cannot be made or written.
    """
    check_folder(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = (directory / "lock").open("w", encoding="ascii")
    except OSError as error:
        raise StateUnusable(f"{directory} cannot be used to keep matches: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StateInUse(f"another {who} runs with {directory}: stop it, or name another by {named_by}") from None
        yield
