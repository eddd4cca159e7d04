"""Makes a bare board's prompt name a missing file as a Pico does; this port has the numbers of another system."""

import builtins
import os
import sys

MISSING = 44


def named(real):
    """Return a function that says ENOENT where the real one says only a number."""

    def call(*arguments):
        try:
            return real(*arguments)
        except OSError as error:
            if error.errno == MISSING:
                raise OSError("ENOENT") from None
            raise

    return call


class files:
    """The module `os`, with a `stat` that says ENOENT."""

    stat = staticmethod(named(os.stat))


for name in dir(os):
    if name != "stat" and not name.startswith("__"):
        setattr(files, name, getattr(os, name))
sys.modules["os"] = files
open = named(builtins.open)  # noqa: A001 - what is typed at the prompt uses it
