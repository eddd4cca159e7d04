"""What a table says to its club, as the table's loop has it: the newest view, whether an arbiter is wanted, results.

Nothing waits here for anybody. The speaker is told one thing of a kind at a time, and the next once it has said what
became of that: a view that is newer by then takes the place of those between.
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
from captains_table.process.answering import line_of
from captains_table.process.system_clock import wall_time
from captains_table.process.worker import Backoff, Worker, WorkerFailed
from captains_table.reporting.messages import LARGEST, Needs, Pairings, Report, Seen, written
from captains_table.runtime.club_line import lines
from captains_table.storage.club_ledger import ClubLedger, Unacknowledged
from captains_table.table.model.match import Match
from captains_table.table.model.view import View

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.club_line.speaker")
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
STEADY_S: Final = 60.0
TOLD_AGAIN_S: Final = 30.0
"""After so long what is not acknowledged is told again: a broker that is full loses what the server does not fetch."""
OUT_OF_REACH_S: Final = 30.0
"""After so long without a line it is said at the table."""
ENDING_S: Final = 2.0
NEEDS_UPDATE: Final = "This table needs an update: the club speaks a newer version"


@dataclass(frozen=True, slots=True)
class Showing:
    """A table now: what is to be seen, and the match in hand, if there is one, with its number."""

    view: View
    match: Match | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a member of a club needs of table and machine.

    Attributes:
        showing: returns the table as it is now.
        on_change: is called when pairings, or what is to be said at the table, are others than before.
        on_failure: is called when the journal takes no more.
        now: returns what time it is, ISO 8601.
        chance: returns a share, 0 to 1.
        boot: tells this start of the program from others.
        command: what starts the speaker.
    """

    showing: Callable[[], Showing]
    on_change: Callable[[], None]
    on_failure: Callable[[JournalUnwritable], None]
    now: Callable[[], str] = wall_time
    chance: Callable[[], float] = random.random
    boot: str = field(default_factory=partial(secrets.token_hex, 8))
    command: Sequence[str] = COMMAND


class ClubDesk:
    """A table's side of the line to its club.

    Args:
        setup: where the broker is, and what is told first.
        around: table and machine.
        ledger: the results that are to be told, and what the club keeps of them.
        seen: returns what is to be seen now; its number is set here.

    Attributes:
        pairings: the matches that are to be played at this table, as the club said last.
    """

    def __init__(self, setup: lines.Setup, around: Surroundings, ledger: ClubLedger, seen: Callable[[], Seen]) -> None:
        self._setup = setup
        self._around = around
        self._ledger = ledger
        self._seen = seen
        self._speaker = Worker(around.command, lines.FROM_SPEAKER.decode)
        self._loop = asyncio.get_running_loop()
        self._line: int | None = None  # the number of the line that stands
        self._free: set[str] = set()  # the kinds of which the speaker takes something now
        self._due: deque[Unacknowledged] = deque()  # what is told of results on this line
        self._unacknowledged: dict[str, Unacknowledged] = {}
        self._told_view: bytes = b""
        self._told_needs: Needs | None = None
        self._number = 0
        self._called_s: float | None = None
        self._call = ""  # tells the call for an arbiter from all others; empty while there is none
        self._calls = 0
        self._again: asyncio.TimerHandle | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._out_of_reach = ""
        self._unusable = ""
        self._refused: lines.Refused | None = None
        self.pairings = Pairings()
        self._why_no_line = ""
        self._running: asyncio.Task[None] | None = None
        self._is_closing = False

    # --- what the table does ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Speak to the club from now on."""
        self._remember()
        self._be_patient("")
        self._running = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Say that the table leaves, and speak no more."""
        for timer in (self._again, self._patience):
            if timer is not None:
                timer.cancel()
        if self._running is None:
            return
        self._is_closing = True
        await self._speaker.shut_down(line_of(lines.End()), ENDING_S)
        self._running.cancel()
        await asyncio.wait([self._running])
        self._speaker.close()

    def look(self) -> None:
        """Tell what changed, as far as something may be told now."""
        if self._line is None:
            return
        if Report.VIEW in self._free:
            self._tell_view()
        if Report.NEEDS in self._free:
            self._tell_needs()
        if Report.RESULT in self._free and self._due:
            self._say(Report.RESULT, self._due.popleft().payload)

    def results_changed(self) -> None:
        """Tell what was noted in the ledger."""
        self._remember()
        self._due = deque(self._unacknowledged.values())
        self.look()

    @property
    def calls_arbiter(self) -> bool:
        """Whether the table asks for an arbiter."""
        return self._called_s is not None

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask for an arbiter, or for none any more."""
        if wanted != self.calls_arbiter:
            self._called_s = self._loop.time() if wanted else None
            self._calls += wanted
            self._call = f"{self._seen().boot} {self._calls}" if wanted else ""
            self.look()
            self._around.on_change()

    def faults(self) -> tuple[str, ...]:
        """Return what is wrong between table and club, in sentences."""
        return tuple(words for words in (self._unusable or self._out_of_reach, _words_of(self._refused)) if words)

    # --- telling ----------------------------------------------------------------------------------------------------

    def _tell_view(self) -> None:
        seen = self._seen()
        payload = written(seen)
        if payload == self._told_view:
            return
        self._told_view = payload
        self._number += 1
        self._say(Report.VIEW, written(msgspec.structs.replace(seen, n=self._number)))

    def _tell_needs(self) -> None:
        since = 0 if self._called_s is None else int(self._loop.time() - self._called_s)
        needs = Needs(arbiter=self.calls_arbiter, since=since, call=self._call)
        if self._told_needs is None or self._told_needs.call != needs.call:
            self._told_needs = needs
            self._say(Report.NEEDS, written(needs))

    def _say(self, kind: Report, payload: bytes) -> None:
        if self._line is not None and len(payload) <= LARGEST:
            self._free.discard(kind)
            self._send(lines.Say(self._line, kind, Raw(payload)))

    def _send(self, message: lines.ToSpeaker) -> None:
        self._speaker.send(line_of(message))

    def _remember(self) -> None:
        self._unacknowledged = {each.seal: each for each in self._ledger.unacknowledged()}

    def _tell_again(self) -> None:
        """Tell all results again that are not acknowledged, and look after them from then on."""
        if not self._due:
            self._due = deque(self._unacknowledged.values())
        if self._again is not None:
            self._again.cancel()
        self._again = self._loop.call_later(TOLD_AGAIN_S * (1 + self._around.chance()), self._tell_again)
        self.look()

    # --- listening --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Hold a speaker: one that ends is started again, later and later."""
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
                self._be_patient(f"its process {error}")
            await backoff.pause()

    def _take(self, message: lines.FromSpeaker) -> None:
        match message:
            case lines.Linked(line):
                self._link(line)
            case lines.Lost(why):
                self._be_patient(why)
            case lines.Told(line, kind) if line == self._line:
                self._free.add(kind)
                self.look()
            case lines.Kept(seal, rev):
                self._keep(seal, rev)
            case lines.Paired(pairings) if pairings != self.pairings:
                self.pairings = pairings
                if pairings.answered and pairings.answered == self._call:
                    self.call_arbiter(wanted=False)
                self._around.on_change()
            case lines.Present() if self._line is not None:
                self._due.clear()  # it may have been away, and what it was told before lost
                self._tell_again()
            case lines.Refused() as refused:
                self._refused = refused
                self._around.on_change()
            case lines.Unusable(why):
                self._unusable = f"The club: {why}"
                self._around.on_change()

    def _link(self, line: int) -> None:
        """Tell all anew, as nobody knows what was kept of what was told before."""
        self._line = line
        self._free = {Report.VIEW, Report.NEEDS, Report.RESULT}
        self._told_view, self._told_needs = b"", None
        self._due = deque()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if self._out_of_reach or self._unusable:
            self._out_of_reach = self._unusable = ""
            self._around.on_change()
        self._tell_again()

    def _be_patient(self, why: str) -> None:
        """Have no line any more, and say so once that has lasted."""
        self._line, self._free = None, set()
        if self._again is not None:
            self._again.cancel()
            self._again = None
        if self._patience is None and not self._out_of_reach:
            self._patience = self._loop.call_later(OUT_OF_REACH_S, self._say_out_of_reach)
        self._why_no_line = why

    def _say_out_of_reach(self) -> None:
        self._patience = None
        why = f" ({self._why_no_line})" if self._why_no_line else ""
        self._out_of_reach = f"The club's broker is out of reach{why}: results are kept until it is back"
        self._around.on_change()

    def _keep(self, seal: str, rev: int) -> None:
        """Note what the club acknowledged, if that was told it."""
        kept = self._unacknowledged.get(seal)
        if kept is None or rev < kept.rev:
            return
        del self._unacknowledged[seal]
        self._due = deque(each for each in self._due if each.seal != seal)
        try:
            self._ledger.acknowledge(seal, kept.rev)
        except JournalUnwritable as error:
            self._around.on_failure(error)


def _words_of(refused: lines.Refused | None) -> str:
    """Return in a sentence what could not be used of what the club said; empty where all could."""
    if refused is None or refused.newer:
        return "" if refused is None else NEEDS_UPDATE
    many = "1 message" if refused.count == 1 else f"{refused.count} messages"
    return f"The club sent {many} that cannot be used, the last one: {refused.why}"
