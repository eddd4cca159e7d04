"""Connection limits of the page: how connections are counted, and which connection is closed to make room.

- A connection from the table's own machine (the kiosk, a browser or a script at the table) is never refused. These
  connections have a reserve beyond the limits; if the reserve is full, one of them is closed for a new one.
- Each address has a share of the connections. Beyond its share, or when all connections are in use, a new connection is
  a newcomer: it stays if its first request arrives in time and carries a right key, or if there is room by then.
  Otherwise it is refused.
- A connection with a right key counts for that key and no longer for its address. It is never refused. If the key's
  share is used up, another connection of the key is closed. If all connections are in use, a connection of the
  guest address with the most connections is closed; without guests, one of the key with the most.
- A connection from a trusted proxy counts for the client whose request the proxy forwards.
- Event streams have a limit of their own, with a reserve for the table's own machine; see `Guests.admit_stream`.

The module also brings addresses into normal form, and fits the limits to the file descriptors that the process may
open. Without free file descriptors, a connection of the lowest rank is closed.
"""

import ipaddress
import resource
from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final, Protocol

from captains_table.phrases import message, say
from captains_table.web.serving.limits import PageLimits

RESERVE: Final = 16  # connections for the table's own machine: two browsers and some scripts
STREAM_RESERVE: Final = 8
NEWCOMERS: Final = 32  # as many as are accepted at once, before the first of them is read
KEY_S: Final = 2.0  # within which a newcomer must send a key
LOOPBACK_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})


def is_home(peer: str, own: str) -> bool:
    """Return whether a connection comes from this machine: from a usual loopback address or the address it connects to.

    A program on this machine that acts for guests, such as a proxy, may use another loopback address (127.0.0.2); it is
    then counted like a guest.

    Args:
        peer: the client's address.
        own: the address of this machine to which the client connected.
    """
    peer, own = normal_address(peer), normal_address(own)
    return peer in LOOPBACK_ADDRESSES or peer == own


@lru_cache(1024)
def normal_address(address: str) -> str:
    """Return an IP address in normal form; a text that is no IP address is returned unchanged.

    The normal form has no zone. An IPv4 address that is mapped into IPv6 is written as IPv4.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


@lru_cache(1024)
def block_of(address: str) -> str | None:
    """Return the block of addresses that share one limit with this address.

    The block is an IPv4 address alone, or the 64-bit network of an IPv6 address; `None` if the text is no IP address.
    """
    try:
        found = ipaddress.ip_address(normal_address(address))
    except ValueError:
        return None
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))  # noqa: PLR2004 - IPv4


class ConnectionPhase(Enum):
    """The phase of a connection.

    ARRIVING: it is new, or its first request may carry a key that was not checked yet. IDLE: no request has begun.
    READING: a request is arriving. ANSWERING: the response is made or sent. LEAVING: it is refused or closing.
    """

    ARRIVING = auto()
    IDLE = auto()
    READING = auto()
    ANSWERING = auto()
    LEAVING = auto()


class Rank(Enum):
    """The category of a connection, from the lowest to the highest.

    If the process runs out of file descriptors, connections of the lowest category are closed first.

    NEWCOMER: a new connection from another device, while there is no room for it. GUEST: a connection from another
    device, without a valid key. KEYED: a connection with a valid key. HOME: a connection from this machine.
    """

    NEWCOMER = auto()
    GUEST = auto()
    KEYED = auto()
    HOME = auto()


class CountedConnection(Protocol):
    """The interface of a connection that counts towards the limits on open connections.

    Attributes:
        client: the client's address and port.
        rank: the connection's category.
        holder: the address, IPv6 network or key whose limit applies to the connection; "" for a trusted proxy, which
            has no limit of its own.
        standing: the connection's phase.
        since: when the phase began, by the event loop's clock, in seconds.
    """

    client: tuple[str, int] | None
    rank: Rank
    holder: str
    standing: ConnectionPhase
    since: float

    def settle_in(self) -> None:
        """Apply the normal deadlines from now on, instead of those for a new connection."""

    def cut(self) -> None:
        """Close the connection at once."""


class CountedStream(Protocol):
    """The interface of an event stream that counts towards the limits."""

    def dismiss(self) -> None:
        """End the stream."""


def caller_of(scope: MutableMapping[str, Any]) -> CountedConnection | None:
    """Return the connection of a request; `None` if the server does not provide it, as in tests."""
    caller: CountedConnection | None = scope.get("state", {}).get("caller")
    return caller


class Guests:
    """All connections and event streams of a page.

    Args:
        limits: how many connections and streams there may be.
        proxies: addresses and networks of trusted proxies besides this machine.

    Attributes:
        limits: the limits in force; they may be replaced at any time, and new ones apply to later connections.
        proxies: the addresses and networks of all trusted proxies, including this machine's loopback addresses.
    """

    def __init__(self, limits: PageLimits | None = None, proxies: Iterable[str] = ()) -> None:
        self.limits = limits or PageLimits()
        self.proxies = (*LOOPBACK_ADDRESSES, *proxies)
        self._networks = [ipaddress.ip_network(each) for each in proxies]
        self._callers: dict[CountedConnection, None] = {}  # those that may stay
        self._newcomers: dict[CountedConnection, None] = {}
        self._watchers: dict[CountedStream, CountedConnection | None] = {}  # in the order they came
        self._closed = False

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._callers) + len(self._newcomers)

    @property
    def streams(self) -> int:
        """How many event streams are open."""
        return len(self._watchers)

    @property
    def is_crowded(self) -> bool:
        """Whether newcomers (connections beyond the limits) are at their maximum, and no key of theirs was checked yet.

        The next newcomer then replaces an older one. This state never lasts long.
        """
        are_arriving = all(each.standing is ConnectionPhase.ARRIVING for each in self._newcomers)
        return len(self._newcomers) >= NEWCOMERS and are_arriving

    # --- connections ------------------------------------------------------------------------------------------------

    def rank_of(self, peer: str, own: str) -> tuple[Rank, str]:
        """Return a new connection's rank, and the address or network whose limit applies ("" for a trusted proxy).

        Args:
            peer: the client's address.
            own: the address of this machine to which the client connected.
        """
        if is_home(peer, own):
            return Rank.HOME, normal_address(peer)
        address = ipaddress.ip_address(normal_address(peer))
        return Rank.GUEST, "" if any(address in network for network in self._networks) else str(block_of(peer))

    def admit(self, caller: CountedConnection) -> None:
        """Count a new connection, and close an older one if there are too many.

        A connection from another device gets the rank of a newcomer if all places are taken, or if its address has as
        many connections as one address may have. If there are too many newcomers, an older newcomer's connection is
        closed. Connections from this machine have additional places in reserve. If the reserve is used up too, an older
        connection from this machine is closed.
        """
        if caller.rank is Rank.HOME:
            if len(self._callers) >= self.limits.connections + RESERVE:
                self._cut_one(self._ranked(Rank.HOME))
        elif self._why_no_room(caller.holder) is not None:
            caller.rank = Rank.NEWCOMER
            if len(self._newcomers) >= NEWCOMERS:
                read = [each for each in self._newcomers if each.standing is not ConnectionPhase.ARRIVING]
                self._cut_one(self._of_largest_holder(read or list(self._newcomers)))
            self._newcomers[caller] = None
            return
        self._callers[caller] = None

    def recognise(self, caller: CountedConnection, key: str | None, forwarded_for: str | None) -> str | None:
        """Count a connection anew, now that its request is known; return why it may not stay, or `None` if it may.

        Args:
            caller: the connection.
            key: the right key in the request; `None` if the request carries none.
            forwarded_for: the address or network of the client if a trusted proxy forwards its request; `None`: the
                client is connected directly.
        """
        is_gone = caller not in self._callers and caller not in self._newcomers
        if is_gone or (caller.rank is Rank.HOME and forwarded_for is None):
            return None
        if key is not None:
            self._seat(caller, key)
            return None
        holder = caller.holder if forwarded_for is None else forwarded_for
        if caller.rank is not Rank.NEWCOMER and (forwarded_for is None or caller.holder == holder):
            return None
        before = self._newcomers if caller.rank is Rank.NEWCOMER else self._callers
        del before[caller]
        refusal = self._why_no_room(holder)
        if refusal is None:
            self._stay(caller, Rank.GUEST, holder)
        else:
            before[caller] = None
            caller.standing = ConnectionPhase.LEAVING
        return refusal

    def leave(self, caller: CountedConnection) -> None:
        """Stop counting a connection."""
        self._callers.pop(caller, None)
        self._newcomers.pop(caller, None)

    def make_room(self) -> None:
        """Close one connection with the lowest `Rank` in use, because the process is out of file descriptors."""
        self._cut_one(list(self._newcomers) or next(filter(None, map(self._ranked, Rank)), []))

    def _seat(self, caller: CountedConnection, key: str) -> None:
        """Count a connection for a valid key.

        If the key's share is used up, close another connection of the key. Otherwise, if all connections are in use,
        close a connection of the guest address with the most connections. If there are no guests, close a connection of
        the key with the most connections.
        """
        if caller.rank is Rank.KEYED and caller.holder == key:
            return
        self.leave(caller)
        same = [each for each in self._ranked(Rank.KEYED) if each.holder == key]
        if len(same) >= self.limits.share:
            self._cut_one(same)
        elif len(self._callers) >= self.limits.connections:
            self._cut_one(self._of_largest_holder(self._ranked(Rank.GUEST) or self._ranked(Rank.KEYED)))
        self._stay(caller, Rank.KEYED, key)

    def _stay(self, caller: CountedConnection, rank: Rank, holder: str) -> None:
        self._callers[caller] = None
        caller.rank, caller.holder = rank, holder
        caller.settle_in()

    def _why_no_room(self, holder: str) -> str | None:
        if len(self._callers) >= self.limits.connections:
            return say("{count} connections are open, as many as are served here at once", len(self._callers))
        held = sum(each.rank is Rank.GUEST and each.holder == holder for each in self._callers)
        if holder and held >= self.limits.share:
            words = message("{count} connections are open from {holder}, as many as one address may have")
            return say(words, count=held, holder=holder)
        return None

    def _ranked(self, rank: Rank) -> list[CountedConnection]:
        return [each for each in self._callers if each.rank is rank]

    def _of_largest_holder(self, callers: list[CountedConnection]) -> list[CountedConnection]:
        """Return the given connections of one holder: the address, network or key with the most open connections.

        Empty if no connections are given.
        """
        if not callers:
            return []
        held = Counter(each.holder for each in (*self._callers, *self._newcomers))
        largest = max(callers, key=lambda each: held[each.holder]).holder
        return [each for each in callers if each.holder == largest]

    def _cut_one(self, callers: list[CountedConnection]) -> None:
        """Close one of the given connections, if there is any.

        Prefer a connection that is leaving. Close one that is being answered only if there is no other. Among equals,
        close the one that has been in its phase longest.
        """
        if callers:
            last = {ConnectionPhase.LEAVING: 0, ConnectionPhase.ANSWERING: 2}
            caller = min(callers, key=lambda each: (last.get(each.standing, 1), each.since))
            self.leave(caller)
            caller.cut()

    # --- event streams ----------------------------------------------------------------------------------------------

    def admit_stream(self, watcher: CountedStream, caller: CountedConnection | None) -> bool:
        """Count an event stream and return True; return False if the limit is reached and the guest has no key.

        A stream with a right key or from this machine is always admitted. If the limit is reached, a stream with a key
        replaces an older stream. A stream from this machine may use a reserve beyond the limit, and replaces an older
        stream of this machine if the reserve is full. Once the page closes, every new stream is dismissed.

        Args:
            watcher: the stream.
            caller: the stream's connection; with `None`, the stream counts as one from this machine.
        """
        rank, limit = Rank.HOME if caller is None else caller.rank, self.limits.streams
        if len(self._watchers) >= limit:
            if rank is Rank.KEYED:
                self._dismiss_oldest(self._streams_that_give_way())
            elif rank is not Rank.HOME:
                return False
        if len(self._watchers) >= limit + STREAM_RESERVE:
            self._dismiss_oldest([each for each, by in self._watchers.items() if by is None or by.rank is Rank.HOME])
        self._watchers[watcher] = caller
        if self._closed:
            watcher.dismiss()
        return True

    def leave_stream(self, watcher: CountedStream) -> None:
        """Stop counting an event stream."""
        self._watchers.pop(watcher, None)

    def close(self) -> None:
        """Dismiss all event streams, because the page closes; later streams are dismissed at once."""
        self._closed = True
        for watcher in self._watchers:
            watcher.dismiss()

    def _streams_that_give_way(self) -> list[CountedStream]:
        """Return the streams of the guest address with the most streams, the oldest first.

        If no guest has a stream, return the streams of the access key with the most streams. If only this machine has
        streams, return an empty list.
        """
        for rank in (Rank.GUEST, Rank.KEYED):
            found = {each: by.holder for each, by in self._watchers.items() if by is not None and by.rank is rank}
            if found:
                [(largest, _)] = Counter(found.values()).most_common(1)
                return [each for each, holder in found.items() if holder == largest]
        return []

    def _dismiss_oldest(self, watchers: list[CountedStream]) -> None:
        if watchers:
            self.leave_stream(watchers[0])
            watchers[0].dismiss()


OWN: Final = 40  # the journal, the listener, the board's device and others are about 20; the rest is a margin


def descriptors_for(connections: int) -> int:
    """Return how many file descriptors a process needs to serve this many connections.

    The result also covers new connections that have sent nothing yet, connections reserved for the table's own machine,
    and the files that the table opens.
    """
    return connections + NEWCOMERS + RESERVE + OWN


def limits_within_reach(wanted: PageLimits, complain: Callable[[str], None]) -> PageLimits:
    """Return limits that fit the process's file descriptors.

    If needed, raise the process's soft limit on open files, at most to its hard limit.

    Args:
        wanted: the limits from the configuration.
        complain: called with a sentence if the returned limits are lower than the wanted ones.
    """
    needed = descriptors_for(wanted.connections)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    connections = min(wanted.connections, max(1, soft - descriptors_for(0)))
    if connections < wanted.connections:
        complain(
            f"this process may not open enough files for [web] connections = {wanted.connections}: "
            f"{connections} are served at once. Expected a limit (ulimit -n) of {needed}."
        )
    return replace(wanted, connections=connections)
