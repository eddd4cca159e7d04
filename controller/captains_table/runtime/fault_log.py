"""What is broken of board and devices, as lines of the log: each when it has lasted, and when it is over."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

LASTING_S: Final = 1.0  # what is over sooner is nobody's affair, as a board that has not been read yet


class FaultLog:
    """Writes each fault once, however often it is looked at.

    Args:
        write: takes a line.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._written: tuple[str, ...] = ()

    def look(self, faults: Sequence[str]) -> None:
        """Write what is new among the faults there are now, and what was there before and is over."""
        for fault in dict.fromkeys(faults):
            if fault not in self._written:
                self._write(fault)
        for fault in self._written:
            if fault not in faults:
                self._write(f"Over: {fault}")
        self._written = tuple(dict.fromkeys(faults))

    async def follow(self, changes: AsyncIterator[None], faults: Callable[[], Sequence[str]]) -> None:
        """Look whenever something changed, a little later, until nothing changes any more."""
        with contextlib.suppress(OSError):  # nobody reads what is printed any more
            async for _ in changes:
                await asyncio.sleep(LASTING_S)
                self.look(faults())
