"""Has rounds paired beside the event loop, each in a process of its own: meanwhile the wall goes on."""

import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import Entry, RoundPaired
from captains_table.club.pairing.messages import Paired, ToPair
from captains_table.process.asked_once import ask_once

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
    try:
        said, code = await ask_once(COMMAND, msgspec.json.encode(ToPair(tuple(entries), prefix)), LONGEST_S)
    except TimeoutError:
        raise CannotPair(f"it could not be worked out within {LONGEST_S / 60:.0f} minutes who meets whom") from None
    try:
        answer = msgspec.json.decode(said, type=Paired)
    except msgspec.DecodeError:
        raise CannotPair(f"pairing failed (exit code {code}): nothing was changed, try again") from None
    if answer.round is None:
        raise CannotPair(answer.why)
    return answer.round
