"""Who is at the page: every connection is counted, and what is beyond the limits is turned away.

- A call from the table's own machine is never refused: the kiosk, a browser or a script at the table. Beyond the limits
  there is a reserve for it alone; where that is used up its own oldest connection gives way to its newest.
- An address has a share of the connections. What comes beyond it, or when all are taken, is a newcomer: it stays if its
  first request brings a right key in time, and is turned away otherwise.
- A connection that brought a right key is counted for that key and no longer for its address. It is never refused:
  where there is no room a connection without a key gives way, of the address that has the most.
"""

import ipaddress
import resource
from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final, Protocol

from captains_table.web.serving.limits import Limits

RESERVE: Final = 16  # connections for the table's own machine: two browsers and some scripts
STREAM_RESERVE: Final = 8
NEWCOMERS: Final = 32  # as many as the door can take in before the first of them is read
KEY_S: Final = 2.0  # within which a newcomer must bring a key
LOOPBACK_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})


def is_home(peer: str, own: str) -> bool:
    """Return whether a call comes from this machine: from loopback's usual address, or from the address it calls.

    A program on this machine that calls for guests, such as a proxy, may call from another address of loopback
    (127.0.0.2): it is counted as they are.
    """
    peer, own = plain(peer), plain(own)
    return peer in LOOPBACK_ADDRESSES or peer == own


@lru_cache(1024)
def plain(address: str) -> str:
    """Return an address without a zone, an IPv4 address that is mapped into IPv6 as IPv4."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


@lru_cache(1024)
def block_of(address: str) -> str | None:
    """Return what has a share: the IPv4 address, or the IPv6 network of 64 bits; `None`: it is no address."""
    try:
        found = ipaddress.ip_address(plain(address))
    except ValueError:
        return None
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))  # noqa: PLR2004 - IPv4


class Standing(Enum):
    """What a connection is about; while it is arriving it may have sent a key that is not looked at yet."""

    ARRIVING = auto()
    IDLE = auto()
    READING = auto()
    ANSWERING = auto()
    LEAVING = auto()


class Rank(Enum):
    """What a connection is counted as; the first are cut first where the machine can open no more."""

    NEWCOMER = auto()
    GUEST = auto()
    KEYED = auto()
    HOME = auto()


class Caller(Protocol):
    """A connection as it is counted: `holder` is the address or the key whose share it is part of, "" a proxy's."""

    client: tuple[str, int] | None
    rank: Rank
    holder: str
    standing: Standing
    since: float

    def settle_in(self) -> None:
        """Be given the time that a connection has which may stay."""

    def cut(self) -> None:
        """End the connection at once."""


class Watcher(Protocol):
    """An event stream as it is counted."""

    def dismiss(self) -> None:
        """End the stream."""


def caller_of(scope: MutableMapping[str, Any]) -> Caller | None:
    """Return the connection that a request came by; `None`: it came by none, as in this process."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    return caller


class Guests:
    """All connections and event streams of a page.

    Args:
        limits: how many there may be.
        proxies: addresses and networks of proxies that are believed for whom they ask; this machine's own is anyway.

    Attributes:
        limits: may be changed at any time, and hold for connections that come later.
        proxies: all that are believed.
    """

    def __init__(self, limits: Limits | None = None, proxies: Iterable[str] = ()) -> None:
        self.limits = limits or Limits()
        self.proxies = (*LOOPBACK_ADDRESSES, *proxies)
        self._networks = [ipaddress.ip_network(each) for each in proxies]
        self._callers: dict[Caller, None] = {}  # those that stay
        self._newcomers: dict[Caller, None] = {}
        self._watchers: dict[Watcher, Caller | None] = {}  # in the order they came
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
        """Whether the next connection would push out a newcomer that may still show a key; that passes in a moment."""
        are_arriving = all(each.standing is Standing.ARRIVING for each in self._newcomers)
        return len(self._newcomers) >= NEWCOMERS and are_arriving

    # --- connections ------------------------------------------------------------------------------------------------

    def rank_of(self, peer: str, own: str) -> tuple[Rank, str]:
        """Return how a call from an address to an own one is counted at first: its rank and its holder."""
        if is_home(peer, own):
            return Rank.HOME, plain(peer)
        address = ipaddress.ip_address(plain(peer))
        return Rank.GUEST, "" if any(address in network for network in self._networks) else str(block_of(peer))

    def admit(self, caller: Caller) -> None:
        """Count a connection, as a newcomer where there is no room for a guest."""
        if caller.rank is Rank.HOME:
            if len(self._callers) >= self.limits.connections + RESERVE:
                self._cut_one(self._ranked(Rank.HOME))
        elif self._why_no_room(caller.holder) is not None:
            caller.rank = Rank.NEWCOMER
            if len(self._newcomers) >= NEWCOMERS:
                read = [each for each in self._newcomers if each.standing is not Standing.ARRIVING]
                self._cut_one(self._of_largest_holder(read or list(self._newcomers)))
            self._newcomers[caller] = None
            return
        self._callers[caller] = None

    def recognise(self, caller: Caller, key: str | None, forwarded_for: str | None) -> str | None:
        """Count a connection anew by what its request says; return in a sentence why it may not stay, if so.

        Args:
            caller: the connection.
            key: the right key that the request brought.
            forwarded_for: for whom a proxy asks that is believed; `None`: the connection speaks for itself.
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
            caller.standing = Standing.LEAVING
        return refusal

    def leave(self, caller: Caller) -> None:
        """Count a connection no more."""
        self._callers.pop(caller, None)
        self._newcomers.pop(caller, None)

    def make_room(self) -> None:
        """Cut a connection, one of the table's own machine last: the machine can open no more."""
        self._cut_one(list(self._newcomers) or next(filter(None, map(self._ranked, Rank)), []))

    def _seat(self, caller: Caller, key: str) -> None:
        """Count a connection for a right key; where there is no room one without gives way, or an older one of it."""
        if caller.rank is Rank.KEYED and caller.holder == key:
            return
        self.leave(caller)
        same = [each for each in self._ranked(Rank.KEYED) if each.holder == key]
        if len(same) >= self.limits.share:
            self._cut_one(same)
        elif len(self._callers) >= self.limits.connections:
            self._cut_one(self._of_largest_holder(self._ranked(Rank.GUEST) or self._ranked(Rank.KEYED)))
        self._stay(caller, Rank.KEYED, key)

    def _stay(self, caller: Caller, rank: Rank, holder: str) -> None:
        self._callers[caller] = None
        caller.rank, caller.holder = rank, holder
        caller.settle_in()

    def _why_no_room(self, holder: str) -> str | None:
        if len(self._callers) >= self.limits.connections:
            return f"{len(self._callers)} connections are open, as many as are served here at once"
        held = sum(each.rank is Rank.GUEST and each.holder == holder for each in self._callers)
        if holder and held >= self.limits.share:
            return f"{held} connections are open from {holder}, as many as one address may have"
        return None

    def _ranked(self, rank: Rank) -> list[Caller]:
        return [each for each in self._callers if each.rank is rank]

    def _of_largest_holder(self, callers: list[Caller]) -> list[Caller]:
        """Return those of the holder who has the most connections of any rank."""
        if not callers:
            return []
        held = Counter(each.holder for each in (*self._callers, *self._newcomers))
        largest = max(callers, key=lambda each: held[each.holder]).holder
        return [each for each in callers if each.holder == largest]

    def _cut_one(self, callers: list[Caller]) -> None:
        """Cut the caller that has waited longest; one that is leaving comes first, one that is being answered last."""
        if callers:
            last = {Standing.LEAVING: 0, Standing.ANSWERING: 2}
            caller = min(callers, key=lambda each: (last.get(each.standing, 1), each.since))
            self.leave(caller)
            caller.cut()

    # --- event streams ----------------------------------------------------------------------------------------------

    def admit_stream(self, watcher: Watcher, caller: Caller | None) -> bool:
        """Count an event stream; return False, and do not, where there is no room for it.

        Args:
            watcher: the stream.
            caller: the connection it goes by; `None`: none, as of the table's own machine.
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

    def leave_stream(self, watcher: Watcher) -> None:
        """Count an event stream no more."""
        self._watchers.pop(watcher, None)

    def close(self) -> None:
        """End every event stream, also those that are yet to come: the page closes."""
        self._closed = True
        for watcher in self._watchers:
            watcher.dismiss()

    def _streams_that_give_way(self) -> list[Watcher]:
        """Return the streams without a key of the address that has the most; else those of such a key."""
        for rank in (Rank.GUEST, Rank.KEYED):
            found = {each: by.holder for each, by in self._watchers.items() if by is not None and by.rank is rank}
            if found:
                [(largest, _)] = Counter(found.values()).most_common(1)
                return [each for each, holder in found.items() if holder == largest]
        return []

    def _dismiss_oldest(self, watchers: list[Watcher]) -> None:
        if watchers:
            self.leave_stream(watchers[0])
            watchers[0].dismiss()


OWN: Final = 40  # the journal, the listener, the board's device and the like are some 20; the rest is for the moment


def descriptors_for(connections: int) -> int:
    """Return how many files a process must be able to open that serves so many connections.

    There is room too for newcomers, the reserve of the table's own machine, and the table's own files.
    """
    return connections + NEWCOMERS + RESERVE + OWN


def connections_within_reach(wanted: int) -> int:
    """Return how many connections can be served, as many as wanted if possible; raises the soft limit if need be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _is_short(soft, wanted):
        soft = min(hard, descriptors_for(wanted)) if hard != resource.RLIM_INFINITY else descriptors_for(wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, soft - descriptors_for(0)) if _is_short(soft, wanted) else wanted


def limits_within_reach(wanted: Limits, complain: Callable[[str], None]) -> Limits:
    """Return what guests may take, as much of it as this process may have open; complains where that is less."""
    connections = connections_within_reach(wanted.connections)
    if connections < wanted.connections:
        complain(
            f"this process may not open enough files for [web] connections = {wanted.connections}: "
            f"{connections} are served at once. Expected a limit (ulimit -n) of {descriptors_for(wanted.connections)}."
        )
    return replace(wanted, connections=connections)


def _is_short(soft: int, connections: int) -> bool:
    return soft != resource.RLIM_INFINITY and soft < descriptors_for(connections)
