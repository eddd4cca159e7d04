"""An event loop on which time may pass at once: nobody waits for a button that is held."""

import asyncio
from typing import Final

TURNS: Final = 3
"""What became due is called in one turn of the loop, what that asks for in the next."""


class LeapingLoop(asyncio.SelectorEventLoop):
    """A loop that leaps.

    Attributes:
        ahead_s: by how many seconds it is ahead of the world's time.
    """

    ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_s


async def leap(seconds: float) -> None:
    """Let time pass on the running loop, and everything happen that is due."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    while seconds > 0:
        step = min(seconds, 0.25)
        loop.ahead_s += step
        seconds -= step
        for _ in range(TURNS):
            await asyncio.sleep(0)
