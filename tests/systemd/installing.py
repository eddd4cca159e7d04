"""`make install` as a person calls it, and a Python that spares it the network."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.tools import program

ROOT = Path(__file__).parents[2]
PROGRAM = "opt/captains-table/lib"
CONFIG = "etc/captains-table/config.toml"
JOURNAL = "var/lib/captains-table/journal.sqlite3"
COMMAND = "usr/local/bin/captains-table"
FETCHED = f"{PROGRAM}/captains_table/new_module.py"
"""The one file that is laid down where nothing is fetched."""
BASE_PYTHON = str(Path(sys.base_prefix) / "bin" / "python3")
NASTY = """O'Hara's "new" table & co. | 50% #1 $HOME ${x} $(id) `id` *?[x] {a,b} ~ \\n\\1 \\ ; -x=(é)"""
"""A name with all characters that make or a shell reads."""
BUILD = "my build.toml"


def called(
    *words: str | Path, cwd: str | Path = ROOT, env: Mapping[str, str] | None = None, timeout_s: float = PATIENCE_S
) -> subprocess.CompletedProcess[str]:
    """Call a program that ends by itself; return what it said and its exit code."""
    command = list(map(str, words))
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=timeout_s)


def make(
    target: str, destdir: Path | str, python: Path | str = BASE_PYTHON, profile: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run make with these variables, as a person gives them who quotes them."""
    given = {"DESTDIR": destdir, "SYSTEM_PYTHON": python, "PROFILE": profile} | variables
    words = [f"{name}={value}" for name, value in given.items() if value or name == "DESTDIR"]
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return called("make", "--no-print-directory", target, *words, env=ours, timeout_s=5 * PATIENCE_S)


def made(
    target: str, destdir: Path | str, python: Path | str = BASE_PYTHON, profile: str = "", **variables: str
) -> str:
    """Return what make says that does what it is told."""
    done = make(target, destdir, python, profile, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(
    target: str, destdir: Path | str, python: Path | str = BASE_PYTHON, profile: str = "", **variables: str
) -> str:
    """Return why make refuses what it is told."""
    refused = make(target, destdir, python, profile, **variables)
    assert refused.returncode != 0
    return refused.stderr


def analyze(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Return what `systemd-analyze` says of a unit."""
    return called(program("systemd-analyze"), *words)


def laid_down(destdir: Path) -> set[str]:
    """Return every file of a folder, the program's as one."""
    files = {str(path.relative_to(destdir)) for path in destdir.rglob("*") if not path.is_dir()}
    return {PROGRAM if file.startswith(f"{PROGRAM}/") else file for file in files}


def listed(document: str) -> set[str]:
    """Return what a document lists under "What is laid down"."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    section = text.partition("### What is laid down")[2].partition("\n#")[0]
    return {path.strip("/") for path in re.findall(r"^\| `(/[^`]+)`", section, re.MULTILINE)}


def wanted(destdir: Path) -> str:
    """Return what was to be fetched, with its extras."""
    return asked_of_pip(destdir)[0]


def asked_of_pip(destdir: Path) -> tuple[str, str]:
    """Return what was to be fetched, and pip's constraints with its words."""
    what, how = (destdir / FETCHED).read_text(encoding="utf-8").splitlines()
    return what, how


def python_with(path: Path, cases: str) -> Path:
    """Return a Python that does something else for some command lines, given as cases of a shell."""
    script = f'#!/bin/sh\ncase "$*" in\n{cases}\n*) exec {BASE_PYTHON} "$@" ;;\nesac\n'
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    return path


def python_that_fetches_nothing(folder: Path) -> Path:
    """Return a Python whose pip lays down one file instead of the packages, and for an engine's sources a few lines.

    It is asked often: what would be yes anyhow, and what has nothing to compile, takes no start of a real one.
    """
    return python_with(
        folder / "python that fetches nothing",
        r"""*"version_info < (3, 11)"* | *maxsize* | "-m compileall "*) ;;
"-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip install "*"--target "*)
    how="#${PIP_CONSTRAINT:-} $*"
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/captains_table" && printf '#%s\n%s\n' "$3" "$how" >"$2/captains_table/new_module.py" ;;
"-m pip download "*"--dest "*)
    while [ "$1" != --dest ]; do shift; done
    mkdir -p "$2/pyffish-0/src" && cd "$2/pyffish-0/src"
    echo '#error "a module of Python is not wanted"' | tee pyffish.cpp >ffishjs.cpp
    echo 'extern "C" const char *const name; const char *const name = "an engine";' >"name.cpp"
    echo 'extern "C" const char *const name; extern "C" int puts(const char *); int main() { puts(name); }' >main.cpp
    cd "$2" && tar -czf pyffish-0.tar.gz pyffish-0 && rm -r pyffish-0 ;;""",
    )


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
    for read in ("installing.sh", "config.toml"):
        shutil.copy(ROOT / "systemd" / read, script.parent)
    return script
