"""The table's end of its club line: exchanges messages with the speaker, a process that holds the connection.

Nothing here blocks the table's event loop. For each kind of message, the next message is sent only when the speaker has
confirmed the last one. Outdated views are skipped. Results are sent again until the club acknowledges them, and the
speaker is restarted if it ends. The connection also keeps the call for an arbiter, the latest pairings, and the faults
that the table shows.
"""

import asyncio
import random
import secrets
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import msgspec
from msgspec import Raw

from captains_table.devices.ports import JournalUnwritable
from captains_table.phrases import message, say, several
from captains_table.process.system_clock import current_wall_time
from captains_table.process.worker import Backoff, Worker, WorkerFailed
from captains_table.process.worker_side import encode_line
from captains_table.reporting.messages import LARGEST, ArbiterCall, FromTable, Pairings, ViewMessage, encode
from captains_table.runtime.club_line import speaker_messages
from captains_table.storage.club_ledger import ClubLedger, Unacknowledged
from captains_table.table.model.match import Match
from captains_table.table.model.view import View

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.club_line.speaker")
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
STEADY_S: Final = 60.0
SENT_AGAIN_S: Final = 30.0
"""The least seconds until unacknowledged results are sent again: a full broker drops messages not yet fetched."""
OUT_OF_REACH_S: Final = 30.0
"""Seconds without a connection until the table shows a fault."""
ENDING_S: Final = 2.0
NEEDS_UPDATE: Final = say("This table needs an update: the club speaks a newer version")


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table's present state: its view, and the current match and its number, both `None` without a match."""

    view: View
    match: Match | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class TableCallbacks:
    """What the membership of a club needs from the table: callbacks, an id and a command.

    Attributes:
        showing: returns the table's present state.
        on_change: is called when the club's pairings, the faults, or the state of the call for an arbiter have changed.
        on_failure: is called when the journal cannot be written.
        now: returns the date and time, ISO 8601.
        chance: returns a random number from 0 to 1.
        boot: an id of this start of the program.
        command: the command that starts the speaker.
    """

    showing: Callable[[], TableNow]
    on_change: Callable[[], None]
    on_failure: Callable[[JournalUnwritable], None]
    now: Callable[[], str] = current_wall_time
    chance: Callable[[], float] = random.random
    boot: str = field(default_factory=partial(secrets.token_hex, 8))
    command: Sequence[str] = COMMAND


class ClubConnection:
    """The table's side of the connection to its club; a separate process, the speaker, connects to the MQTT broker.

    Args:
        setup: the first message to the speaker: the broker's address and the first payloads.
        around: the callbacks to the rest of the table's program.
        ledger: the results for the club, and which of them the club has acknowledged.
        seen: returns the present view as a message; this class sets the message's number.

    Attributes:
        pairings: the latest pairings that the club sent for this table.
    """

    def __init__(
        self,
        setup: speaker_messages.SpeakerSetup,
        around: TableCallbacks,
        ledger: ClubLedger,
        seen: Callable[[], ViewMessage],
    ) -> None:
        self._setup = setup
        self._around = around
        self._ledger = ledger
        self._seen = seen
        self._speaker = Worker(around.command, speaker_messages.FROM_SPEAKER.decode)
        self._loop = asyncio.get_running_loop()
        self._line: int | None = None  # the number of the present connection
        self._free: set[str] = set()  # the kinds of which the speaker accepts a message now
        self._due: deque[Unacknowledged] = deque()  # results to send on this connection
        self._unacknowledged: dict[str, Unacknowledged] = {}
        self._sent_view: bytes = b""
        self._sent_needs: ArbiterCall | None = None
        self._number = 0
        self._called_s: float | None = None  # when an arbiter was called, by the loop's clock
        self._call = ""  # the id of the call for an arbiter; empty without one
        self._calls = 0
        self._again: asyncio.TimerHandle | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._out_of_reach = ""
        self._unusable = ""
        self._refused: speaker_messages.UnusableMessages | None = None
        self.pairings = Pairings()
        self._why_no_line = ""
        self._running: asyncio.Task[None] | None = None
        self._is_closing = False

    # --- for the table ----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the speaker process, which connects to the broker; from now on, send everything that changes."""
        self._remember()
        self._disconnected("")
        self._running = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Tell the club that the table leaves, and end the process that holds the connection to the broker."""
        for timer in (self._again, self._patience):
            if timer is not None:
                timer.cancel()
        if self._running is None:
            return
        self._is_closing = True
        await self._speaker.shut_down(encode_line(speaker_messages.EndSpeaker()), ENDING_S)
        self._running.cancel()
        await asyncio.wait([self._running])
        self._speaker.close()

    def look(self) -> None:
        """Send what has changed, if the speaker process can take it now; do nothing without a connection."""
        if self._line is None:
            return
        if FromTable.VIEW in self._free:
            self._send_view()
        if FromTable.NEEDS in self._free:
            self._send_needs()
        if FromTable.RESULT in self._free and self._due:
            self._say(FromTable.RESULT, self._due.popleft().payload)

    def results_changed(self) -> None:
        """Send all unacknowledged results of the ledger, after one was added."""
        self._remember()
        self._due = deque(self._unacknowledged.values())
        self.look()

    @property
    def calls_arbiter(self) -> bool:
        """Whether the table is calling for an arbiter."""
        return self._called_s is not None

    def call_arbiter(self, *, wanted: bool) -> None:
        """Call for an arbiter, or withdraw the call; do nothing if the state is as wanted already."""
        if wanted != self.calls_arbiter:
            self._called_s = self._loop.time() if wanted else None
            self._calls += wanted
            self._call = f"{self._seen().boot} {self._calls}" if wanted else ""
            self.look()
            self._around.on_change()

    def faults(self) -> tuple[str, ...]:
        """Return the faults of the connection to the club, as sentences."""
        return tuple(words for words in (self._unusable or self._out_of_reach, _words_of(self._refused)) if words)

    # --- sending ----------------------------------------------------------------------------------------------------

    def _send_view(self) -> None:
        seen = self._seen()
        payload = encode(seen)
        if payload == self._sent_view:
            return
        self._sent_view = payload
        self._number += 1
        self._say(FromTable.VIEW, encode(msgspec.structs.replace(seen, n=self._number)))

    def _send_needs(self) -> None:
        since = 0 if self._called_s is None else int(self._loop.time() - self._called_s)
        needs = ArbiterCall(arbiter=self.calls_arbiter, since=since, call=self._call)
        if self._sent_needs is None or self._sent_needs.call != needs.call:
            self._sent_needs = needs
            self._say(FromTable.NEEDS, encode(needs))

    def _say(self, kind: FromTable, payload: bytes) -> None:
        if self._line is not None and len(payload) <= LARGEST:
            self._free.discard(kind)
            self._send(speaker_messages.Publish(self._line, kind, Raw(payload)))

    def _send(self, message: speaker_messages.ToSpeaker) -> None:
        self._speaker.send(encode_line(message))

    def _remember(self) -> None:
        self._unacknowledged = {each.seal: each for each in self._ledger.unacknowledged()}

    def _send_again(self) -> None:
        """Send all unacknowledged results again, unless results are already waiting to be sent.

        This method calls itself again after a random delay.
        """
        if not self._due:
            self._due = deque(self._unacknowledged.values())
        if self._again is not None:
            self._again.cancel()
        self._again = self._loop.call_later(SENT_AGAIN_S * (1 + self._around.chance()), self._send_again)
        self.look()

    # --- receiving --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Keep the process that talks to the club running, and handle its messages.

        If the process ends, start it again. The delay before each restart increases.
        """
        backoff = Backoff(FIRST_PAUSE_S, LONGEST_PAUSE_S, STEADY_S, self._around.chance)
        while True:
            try:
                await self._speaker.start()
                self._send(self._setup)
                while True:
                    self._take(await self._speaker.receive())
            except WorkerFailed as error:
                self._speaker.kill()
                if self._is_closing:
                    return
                self._disconnected(f"its process {error}")
            await backoff.pause()

    def _take(self, message: speaker_messages.FromSpeaker) -> None:
        match message:
            case speaker_messages.BrokerConnected(line):
                self._connected(line)
            case speaker_messages.BrokerDisconnected(why):
                self._disconnected(why)
            case speaker_messages.Published(line, kind) if line == self._line:
                self._free.add(kind)
                self.look()
            case speaker_messages.ResultAcknowledged(seal, rev):
                self._acknowledged(seal, rev)
            case speaker_messages.PairingsChanged(pairings) if pairings != self.pairings:
                self.pairings = pairings
                if pairings.answered and pairings.answered == self._call:
                    self.call_arbiter(wanted=False)
                self._around.on_change()
            case speaker_messages.ServerPresent() if self._line is not None:
                self._due.clear()  # it may have been away, and have missed earlier results
                self._send_again()
            case speaker_messages.UnusableMessages() as refused:
                self._refused = refused
                self._around.on_change()
            case speaker_messages.ConnectionImpossible(why):
                self._unusable = say("The club: {problem}", why)
                self._around.on_change()

    def _connected(self, line: int) -> None:
        """Handle a new connection: send everything again, because earlier messages may be lost."""
        self._line = line
        self._free = {FromTable.VIEW, FromTable.NEEDS, FromTable.RESULT}
        self._sent_view, self._sent_needs = b"", None
        self._due = deque()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if self._out_of_reach or self._unusable:
            self._out_of_reach = self._unusable = ""
            self._around.on_change()
        self._send_again()

    def _disconnected(self, why: str) -> None:
        """Note that the connection is lost; the table shows a fault if the connection stays lost for OUT_OF_REACH_S."""
        self._line, self._free = None, set()
        if self._again is not None:
            self._again.cancel()
            self._again = None
        if self._patience is None and not self._out_of_reach:
            self._patience = self._loop.call_later(OUT_OF_REACH_S, self._say_out_of_reach)
        self._why_no_line = why

    def _say_out_of_reach(self) -> None:
        self._patience = None
        self._out_of_reach = say("The club's broker is out of reach: results are kept until it is back")
        if self._why_no_line:
            words = message("The club's broker is out of reach ({error}): results are kept until it is back")
            self._out_of_reach = say(words, error=self._why_no_line)
        self._around.on_change()

    def _acknowledged(self, seal: str, rev: int) -> None:
        """Record the club's acknowledgement of a result, unless it is about an older revision or an unknown result."""
        result = self._unacknowledged.get(seal)
        if result is None or rev < result.rev:
            return
        del self._unacknowledged[seal]
        self._due = deque(each for each in self._due if each.seal != seal)
        try:
            self._ledger.acknowledge(seal, result.rev)
        except JournalUnwritable as error:
            self._around.on_failure(error)


def _words_of(refused: speaker_messages.UnusableMessages | None) -> str:
    """Return a sentence about the club's unusable messages; empty if there are none."""
    if refused is None or refused.newer:
        return "" if refused is None else NEEDS_UPDATE
    return several(
        refused.count,
        "The club sent {n} message that cannot be used, the last one: {why}",
        "The club sent {n} messages that cannot be used, the last one: {why}",
        refused.why,
    )
