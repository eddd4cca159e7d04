"""Has rounds paired beside the event loop, each in a process of its own: meanwhile the wall goes on."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from typing import Final

import msgspec

from captains_table.club.events.entries import Entry, RoundPaired
from captains_table.club.events.may_be_paired import CannotPair
from captains_table.club.pairing.messages import Paired, ToPair

LONGEST_S: Final = 1800.0
"""Far more than a few hundred players take on a slow computer."""
COMMAND: Final = (sys.executable, "-m", "captains_table.club.pairing.worker")


async def pair_beside(entries: Sequence[Entry], prefix: str) -> RoundPaired:
    """Return the next round of an event.

    Args:
        entries: all that was written of the event.
        prefix: what the ids of its matches begin with.

    Raises:
        CannotPair: there is none, or it could not be worked out; the message says why.
    """
    process = await asyncio.create_subprocess_exec(*COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(LONGEST_S):
            said, _ = await process.communicate(msgspec.json.encode(ToPair(tuple(entries), prefix)))
        answer = msgspec.json.decode(said, type=Paired)
    except TimeoutError:
        raise CannotPair(f"it could not be worked out within {LONGEST_S / 60:.0f} minutes who meets whom") from None
    except msgspec.DecodeError:
        raise CannotPair(f"pairing failed (exit code {process.returncode}): nothing was changed, try again") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if answer.round is None:
        raise CannotPair(answer.why)
    return answer.round
