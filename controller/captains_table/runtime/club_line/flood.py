"""How much may come in: more than that in a while is a flood, and nobody reads on."""

from typing import Final

MOST: Final = 200
"""Messages in a while: a club says a few to a table in an evening, and two when a line begins."""
WHILE_S: Final = 10.0


class Flood(RuntimeError):
    """The broker says more than anybody has to say to a table."""


class FloodGate:
    """Counts what comes in, in a while after the other."""

    def __init__(self) -> None:
        self._began_s = 0.0
        self._count = 0

    def pass_through(self, now_s: float) -> None:
        """Count a message; raises Flood."""
        if now_s - self._began_s >= WHILE_S:
            self._began_s, self._count = now_s, 0
        self._count += 1
        if self._count > MOST:
            raise Flood(f"more than {MOST} messages in {WHILE_S:g} s")
