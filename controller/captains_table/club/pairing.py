"""Rounds paired, each by a worker, while the wall goes on: a hundred players are seconds of work in one piece."""

import sys
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import Entry, RoundPaired
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.process.answering import line_of, work
from captains_table.process.worker import Limits, TookTooLong, Worker, WorkerFailed

COMMAND: Final = (sys.executable, "-m", "captains_table.club.pairing")
LIMITS: Final = Limits(answer_s=1800.0)
"""Far more than a few hundred players take on a slow computer."""


class ToPair(Struct, frozen=True):
    """What the worker is asked: all that was written of an event, and what the ids of its next matches begin with."""

    entries: tuple[Entry, ...]
    prefix: str


class Paired(Struct, frozen=True):
    """What the worker answers: the round; or why there is none, where `round` is `None`."""

    round: RoundPaired | None = None
    why: str = ""


TO_PAIR: Final = msgspec.json.Decoder(ToPair)
PAIRED: Final = msgspec.json.Decoder(Paired)


async def pair_beside(entries: Sequence[Entry], prefix: str) -> RoundPaired:
    """Return the next round of an event.

    Args:
        entries: all that was written of the event.
        prefix: what the ids of its matches begin with.

    Raises:
        CannotPair: there is none, or it could not be worked out; the message says why.
    """
    try:
        answer = await Worker(COMMAND, PAIRED.decode, LIMITS).ask_once(line_of(ToPair(tuple(entries), prefix)))
    except TookTooLong:
        raise CannotPair(
            f"it could not be worked out within {LIMITS.answer_s / 60:.0f} minutes who meets whom"
        ) from None
    except WorkerFailed as error:
        raise CannotPair(f"pairing failed (its process {error}): nothing was changed, try again") from error
    if answer.round is None:
        raise CannotPair(answer.why)
    return answer.round


def _answer(line: bytes) -> Paired:
    asked = TO_PAIR.decode(line)
    try:
        return Paired(next_round(event_of(asked.entries), asked.prefix))
    except CannotPair as error:
        return Paired(why=str(error))


if __name__ == "__main__":
    work(_answer)
