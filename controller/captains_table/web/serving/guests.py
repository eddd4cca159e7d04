"""Who is at the page: everybody is counted, and what is beyond the limits is turned away.

Whoever calls from the table's own machine is at home: the kiosk, a browser or a script at the table itself. Beyond the
limits there is a reserve for it alone, and where that is used up its own oldest connection gives way to its newest. So
guests can neither keep it out nor push it out, and it is never refused.
"""

from enum import Enum, auto
from typing import Final, Protocol

from captains_table.web.serving.limits import Limits

RESERVE: Final = 16  # connections for the table's own machine: two browsers and some scripts
STREAM_RESERVE: Final = 8
LOOPBACK_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})


def is_home(peer: str, own: str) -> bool:
    """Return whether a call comes from this machine: from loopback's usual address, or from the address it calls.

    A program on this machine that calls for guests, such as a proxy, may call from another address of loopback
    (127.0.0.2): it is counted as they are.
    """
    peer, own = (address.removeprefix("::ffff:") for address in (peer, own))
    return peer in LOOPBACK_ADDRESSES or peer == own


class Standing(Enum):
    """What a connection is about."""

    IDLE = auto()
    READING = auto()
    ANSWERING = auto()
    LEAVING = auto()


class Caller(Protocol):
    """A connection as it is counted."""

    at_home: bool
    standing: Standing
    since: float

    def cut(self) -> None:
        """End the connection at once."""


class Watcher(Protocol):
    """An event stream as it is counted."""

    def dismiss(self) -> None:
        """End the stream."""


class Guests:
    """All connections and event streams of a page.

    Attributes:
        limits: how many there may be; may be changed at any time and holds for whoever comes next.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._callers: dict[Caller, None] = {}
        self._watchers: dict[Watcher, bool] = {}  # whether they are at home, in the order they came
        self._closed = False

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._callers)

    @property
    def streams(self) -> int:
        """How many event streams are open."""
        return len(self._watchers)

    def admit(self, caller: Caller) -> bool:
        """Count a connection; return False, and do not, where there is no room for it."""
        limit = self.limits.connections
        if not caller.at_home and len(self._callers) >= limit:
            return False
        if len(self._callers) >= limit + RESERVE:
            self._cut_one([each for each in self._callers if each.at_home])
        self._callers[caller] = None
        return True

    def leave(self, caller: Caller) -> None:
        """Count a connection no more."""
        self._callers.pop(caller, None)

    def make_room(self) -> None:
        """Cut a connection, a guest's if there is one: the machine can open no more."""
        guests = [each for each in self._callers if not each.at_home]
        self._cut_one(guests or list(self._callers))

    def _cut_one(self, callers: list[Caller]) -> None:
        """Cut whoever has waited longest; one that is being answered comes last."""
        if callers:
            caller = min(callers, key=lambda each: (each.standing is Standing.ANSWERING, each.since))
            self.leave(caller)
            caller.cut()

    def admit_stream(self, watcher: Watcher, *, at_home: bool) -> bool:
        """Count an event stream; return False, and do not, where there is no room for it."""
        limit = self.limits.streams
        if not at_home and len(self._watchers) >= limit:
            return False
        if len(self._watchers) >= limit + STREAM_RESERVE:
            self._dismiss_oldest_at_home()
        self._watchers[watcher] = at_home
        if self._closed:
            watcher.dismiss()
        return True

    def leave_stream(self, watcher: Watcher) -> None:
        """Count an event stream no more."""
        self._watchers.pop(watcher, None)

    def close(self) -> None:
        """End every event stream, also those that are yet to come: the page closes."""
        self._closed = True
        for watcher in self._watchers:
            watcher.dismiss()

    def _dismiss_oldest_at_home(self) -> None:
        oldest = next((watcher for watcher, at_home in self._watchers.items() if at_home), None)
        if oldest is not None:
            self.leave_stream(oldest)
            oldest.dismiss()
