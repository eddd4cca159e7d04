"""Pairs the next round of an event in a worker process.

Pairing a hundred players on the event loop would block it for seconds.
"""

import asyncio
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
IDLE_S: Final = 600.0
"""How long the process is kept after a pairing; it takes 28 MB of memory, and seconds to start on a slow computer."""


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


class PairingWorker:
    """A worker process that pairs rounds one after the other; it is started when needed, and ends after `IDLE_S`."""

    def __init__(self) -> None:
        self._worker = Worker(COMMAND, PAIRED.decode, LIMITS)
        self._turn = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def pair(self, entries: Sequence[EventEntry], prefix: str) -> RoundPaired:
        """Return the next round of an event.

        Args:
            entries: all entries of the event.
            prefix: the prefix of the ids of the event's matches.

        Raises:
            CannotPair: the round cannot be paired, or the worker failed or took too long; the message says why.
        """
        try:
            async with self._turn:
                answer = await self._ask(encode_line(PairingRequest(tuple(entries), prefix)))
        except TookTooLong:
            raise CannotPair(
                f"it could not be worked out within {LIMITS.answer_s / 60:.0f} minutes who meets whom"
            ) from None
        except WorkerFailed as error:
            raise CannotPair(f"pairing failed (its process {error}): nothing was changed, try again") from error
        if answer.round is None:
            raise CannotPair(answer.why)
        return answer.round

    async def stop(self) -> None:
        """End the process if it runs."""
        if self._idle is not None:
            self._idle.cancel()
        await self._worker.stop()

    async def _ask(self, question: bytes) -> PairingAnswer:
        if self._idle is not None:
            self._idle.cancel()
        try:
            if not self._worker.is_running:
                self._worker.command = COMMAND
                await self._worker.start()
            answer = await self._worker.ask(question)
        except BaseException:  # a late answer would be taken for that of the next round
            await self._worker.stop()
            raise
        self._idle = asyncio.get_running_loop().call_later(IDLE_S, self._worker.kill)
        return answer


def _answer(line: bytes) -> PairingAnswer:
    asked = TO_PAIR.decode(line)
    try:
        return PairingAnswer(next_round(event_of(asked.entries), asked.prefix))
    except CannotPair as error:
        return PairingAnswer(why=str(error))


if __name__ == "__main__":
    run_worker(_answer)
