"""`make install` as somebody calls it, and a Python that spares it the network."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
PROGRAM = "opt/captains-table/lib"
CONFIG = "etc/captains-table/config.toml"
WANTED = "wanted.txt"
"""Beside the one file of a program that was not fetched: what was to be fetched, with its extras."""
HOW = "how.txt"
"""Next to it: pip's constraints, and the words that it was given."""
BASE_PYTHON = str(Path(sys.base_prefix) / "bin" / "python3")


def make(
    target: str,
    destdir: Path | str,
    python: Path | str = BASE_PYTHON,
    wheels: Path | None = None,
    profile: str = "",
    engine: str = "",
    club: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run make with these variables, as they are given by somebody who quotes them."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    if wheels is not None:
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels.as_uri()}
    variables = {"DESTDIR": destdir, "SYSTEM_PYTHON": python, "PROFILE": profile, "ENGINE": engine}
    variables |= club or {}
    return subprocess.run(
        [
            "make",
            "--no-print-directory",
            target,
            *(f"{name}={value}" for name, value in variables.items() if value or name == "DESTDIR"),
        ],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * PATIENCE_S,
    )


def laid_down(destdir: Path) -> set[str]:
    """Return every file of a folder, the program's as one."""
    files = {str(path.relative_to(destdir)) for path in destdir.rglob("*") if not path.is_dir()}
    return {PROGRAM if file.startswith(f"{PROGRAM}/") else file for file in files}


def python_that_fetches_nothing(folder: Path) -> Path:
    """Return a Python whose pip lays down one file instead of the packages, and for an engine's sources a few lines."""
    python = folder / "python that fetches nothing"
    python.write_text(
        f"""#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip install "*"--target "*)
    how="${{PIP_CONSTRAINT:-}} $*"
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/captains_table" && touch "$2/captains_table/new_module.py"
    echo "$how" >"$2/captains_table/{HOW}"
    echo "$3" >"$2/captains_table/{WANTED}" ;;
"-m pip download "*"--dest "*)
    while [ "$1" != --dest ]; do shift; done
    mkdir -p "$2/pyffish-0/src" && cd "$2/pyffish-0/src"
    echo '#error "a module of Python is not wanted"' | tee pyffish.cpp >ffishjs.cpp
    echo 'extern "C" const char *const name; const char *const name = "an engine";' >"name.cpp"
    echo 'extern "C" const char *const name; extern "C" int puts(const char *); int main() {{ puts(name); }}' >main.cpp
    cd "$2" && tar -czf pyffish-0.tar.gz pyffish-0 && rm -r pyffish-0 ;;
*) exec {BASE_PYTHON} "$@" ;;
esac
""",
        encoding="utf-8",
    )
    python.chmod(0o755)
    return python


def write_script(folder: Path, name: str, words: str) -> Path:
    """Write an installation's script to a folder as `systemd/NAME`, with other words for the part that does something.

    Its functions stay, what it is told, and what it reads of the folder it lies in.
    """
    script = folder / "systemd" / name
    script.parent.mkdir(exist_ok=True)
    text = (ROOT / "systemd" / name).read_text(encoding="utf-8")
    functions, case, _ = text.rpartition('\ncase "${1:-}" in\ninstall)')
    assert case
    script.write_text(f"{functions}\n{words}\n", encoding="utf-8")
    shutil.copy(ROOT / "systemd" / "installing.sh", script.parent)
    return script
