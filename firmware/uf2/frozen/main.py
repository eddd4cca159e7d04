"""The start of a Pico that got MicroPython and firmware as one file: whatever was put on it last is what runs.

A new file takes away the firmware that `make flash` put on the board before it; `make flash` after it adds its own.
"""

import os
import sys

from uf2_build import BUILD

MARK = "uf2"
FLASHED = ("main.py", "firmware", "captains_table")
FOLDER = 0x4000


def is_new() -> bool:
    """Tell whether this file has not run on this board before."""
    try:
        with open(MARK) as mark:
            ran = mark.read()
    except OSError:
        ran = ""
    return ran != str(BUILD)


def take_away(path: str) -> None:
    """Take away a file, or a folder with all in it; nothing there is no error."""
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
    """Run what was put on the board last."""
    if is_new():
        for path in FLASHED:
            take_away(path)
        with open(MARK, "w") as mark:  # last: a start that was cut short is begun again
            mark.write(BUILD)
    if "main.py" in os.listdir():
        __import__("main")
    else:
        sys.path.insert(0, ".frozen")  # nothing of a flashing that was cut short
        __import__("firmware.main")


start()
