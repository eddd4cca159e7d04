"""What somebody may do who is not the owner: root may do everything, so tests about modes step down."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def common_directory() -> Iterator[Path]:
    """Yield a directory that everybody may reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def as_an_outsider() -> Iterator[None]:
    """Let this process be nobody for a while, if it is root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
