"""The frozen start module of a Pico flashed with the UF2 file: runs the firmware that was installed last.

At its first run a new UF2 file deletes firmware that `make flash` copied to the board earlier; firmware that
`make flash` copies later takes precedence over the frozen one.
"""

import os
import sys

from uf2_build import BUILD

MARK = "uf2"
FLASHED = ("main.py", "firmware", "captains_table")
FOLDER = 0x4000


def is_new() -> bool:
    """Return whether this UF2 file runs on this board for the first time."""
    try:
        with open(MARK) as mark:
            ran = mark.read()
    except OSError:
        ran = ""
    return ran != str(BUILD)


def take_away(path: str) -> None:
    """Delete a file, or a folder with its content; a missing path is no error."""
    try:
        kind = os.stat(path)[0]
    except OSError:
        return
    if kind & FOLDER:
        for name in os.listdir(path):
            take_away(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)


def start() -> None:
    """Run the firmware that was installed last."""
    if is_new():
        for path in FLASHED:
            take_away(path)
        with open(MARK, "w") as mark:  # last, so that an interrupted start is repeated
            mark.write(BUILD)
    if "main.py" in os.listdir():
        __import__("main")
    else:
        sys.path.insert(0, ".frozen")  # so that leftovers of an interrupted `make flash` are not imported
        __import__("firmware.main")


start()
