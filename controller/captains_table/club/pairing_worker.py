"""Pairs the next round of an event in a worker process.

Pairing a hundred players on the event loop would block it for seconds.
"""

import sys
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import EventEntry, RoundPaired
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.process.worker import TookTooLong, Worker, WorkerFailed, WorkerLimits
from captains_table.process.worker_side import encode_line, run_worker

COMMAND: Final = (sys.executable, "-m", "captains_table.club.pairing_worker")
LIMITS: Final = WorkerLimits(answer_s=1800.0)
"""Half an hour: far more time than pairing a few hundred players takes on a slow computer."""


class PairingRequest(Struct, frozen=True):
    """The request to the worker: all entries of an event, and the prefix of its matches' ids."""

    entries: tuple[EventEntry, ...]
    prefix: str


class PairingAnswer(Struct, frozen=True):
    """The worker's answer: the paired round, or `None` and the reason (`why`) if the round cannot be paired."""

    round: RoundPaired | None = None
    why: str = ""


TO_PAIR: Final = msgspec.json.Decoder(PairingRequest)
PAIRED: Final = msgspec.json.Decoder(PairingAnswer)


async def pair_in_worker(entries: Sequence[EventEntry], prefix: str) -> RoundPaired:
    """Return the next round of an event, paired by a worker process.

    Args:
        entries: all entries of the event.
        prefix: the prefix of the ids of the event's matches.

    Raises:
        CannotPair: the round cannot be paired, or the worker failed or took too long; the message says why.
    """
    try:
        answer = await Worker(COMMAND, PAIRED.decode, LIMITS).ask_once(
            encode_line(PairingRequest(tuple(entries), prefix))
        )
    except TookTooLong:
        raise CannotPair(
            f"it could not be worked out within {LIMITS.answer_s / 60:.0f} minutes who meets whom"
        ) from None
    except WorkerFailed as error:
        raise CannotPair(f"pairing failed (its process {error}): nothing was changed, try again") from error
    if answer.round is None:
        raise CannotPair(answer.why)
    return answer.round


def _answer(line: bytes) -> PairingAnswer:
    asked = TO_PAIR.decode(line)
    try:
        return PairingAnswer(next_round(event_of(asked.entries), asked.prefix))
    except CannotPair as error:
        return PairingAnswer(why=str(error))


if __name__ == "__main__":
    run_worker(_answer)
