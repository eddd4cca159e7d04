"""Runs OpenSCAD, for the dimensions of a case, its parts and its pictures."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

SCAD: Final = Path(__file__).with_name("table.scad")
LONG_ENOUGH_S: Final = 1200


class OpenScadError(Exception):
    """Raised when OpenSCAD is missing or failed; the message contains its output."""


def openscad(definitions: Sequence[str], out: Path, *more: str, screen: bool = False) -> str:
    """Run OpenSCAD on the case, and return its standard error.

    Args:
        definitions: OpenSCAD definitions such as `files=9`.
        out: the output file; its suffix selects the format.
        more: further options.
        screen: whether it needs a screen, as for pictures; it then gets a virtual one (Debian's xvfb).

    Raises:
        OpenScadError: OpenSCAD is not installed, or failed.
    """
    words = [word for definition in definitions for word in ("-D", definition)]
    screened = [_found("xvfb-run"), "-a"] if screen else []
    command = [*screened, _found("openscad"), *more, *words, "-o", str(out), str(SCAD)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH_S)  # noqa: S603
    if done.returncode != 0 or "WARNING" in done.stderr:
        raise OpenScadError(f"{' '.join(command)}\n{done.stderr}")
    return done.stderr


def extent_of(stl: Path) -> list[float]:
    """Return width, depth and height of a part from a text STL file."""
    lines = stl.read_text(encoding="utf-8").splitlines()
    vertices = [tuple(map(float, line.split()[1:])) for line in lines if line.lstrip().startswith("vertex")]
    return [max(axis) - min(axis) for axis in zip(*vertices, strict=True)]


def numbers(definitions: Sequence[str], scratch: Path) -> dict[str, Any]:
    """Return the dimensions that a build's drawings need, by name.

    Raises:
        OpenScadError: OpenSCAD rejected these definitions.
    """
    out = scratch / "numbers.echo"
    openscad([*definitions, 'part="numbers"'], out)
    echoed = out.read_text(encoding="utf-8")
    if "ERROR" in echoed or "WARNING" in echoed:  # with an echo file OpenSCAD's exit code is 0 even after errors
        raise OpenScadError(echoed)
    return {name: json.loads(value) for name, value in re.findall(r"^ECHO: (\w+) = (.*)$", echoed, re.MULTILINE)}


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise OpenScadError(f"{program} is not installed: on Debian, apt-get install openscad xvfb")
    return path
