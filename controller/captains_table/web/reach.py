"""The addresses by which other devices reach a page, and the host names that the page accepts.

The addresses are read from the system on demand, and watched for changes.
"""

import array
import asyncio
import fcntl
import ipaddress
import re
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from starlette.requests import Request

from captains_table.web.security import LOOPBACK, WILDCARDS, is_loopback

AVAHI: Final = Path("/run/avahi-daemon/socket")
"""Avahi's socket, present while .local names resolve to this machine; it speaks the protocol that nss-mdns uses."""
ANSWER_S: Final = 1.0  # avahi answers at once for a name of this machine
LOOK_S: Final = 2.0
LOOKS_A_NAME: Final = 15  # rounds between look-ups of the name, which avahi gives up if another machine has it
LOOKS_AFTER_A_CHANGE: Final = 5  # rounds after which avahi has published the name on a new network
NAME: Final = re.compile(r"\+ -?\d+ \d+ ([a-z0-9-]{1,63}\.local)\.?\n?", re.IGNORECASE)

_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # for documentation; nothing is sent
_VIRTUAL: Final = re.compile(r"br-[0-9a-f]{12}$|cni|docker|lxc|lxd|podman|virbr")  # for containers of this machine
_LIST_ADDRESSES, _READ_FLAGS = 0x8912, 0x8913  # SIOCGIFCONF and SIOCGIFFLAGS of Linux
_UP, _LOOPBACK, _POINT_TO_POINT, _RUNNING = 0x1, 0x8, 0x10, 0x40
_ENTRY_BYTES: Final = 16 + 8 + 2 * struct.calcsize("P")  # struct ifreq: a name, and a union of the size of struct ifmap
_MOST_ADDRESSES: Final = 128
_IF_INET6: Final = Path("/proc/net/if_inet6")
_UNUSABLE_V6: Final = 0x20 | 0x08 | 0x40  # deprecated, duplicate, or still being checked for duplicates
_GLOBAL_V6: Final = 0


class PageReach:
    """The addresses and host names of a page.

    Args:
        host: the address that the page listens on.
        port: the port that the page listens on.
        names: additional host names of the page.
        scheme: `http` or `https`.
        avahi: the socket of the mDNS daemon that announces this machine's name.
    """

    def __init__(
        self, host: str, port: int, names: Iterable[str] = (), *, scheme: str = "http", avahi: Path = AVAHI
    ) -> None:
        self._host = host.lower()
        self._port = port
        self._names = frozenset(name.lower() for name in names)
        self._scheme = scheme
        self._avahi = avahi
        self._announced: str | None = None

    @property
    def is_private(self) -> bool:
        """Whether the page is reachable from this machine only."""
        return is_loopback(self._host)

    @property
    def own(self) -> str:
        """The page's URL on this machine itself, such as `http://127.0.0.1:8377/`."""
        return self._url({"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host))  # noqa: S104

    def addresses(self) -> tuple[str, ...]:
        """Return the page's current URLs for other devices, the most reliable first.

        The result is empty without a network and for a private page. It is also empty if the page listens on an address
        that this machine does not have at present.
        """
        if self.is_private:
            return ()
        if self._host not in WILDCARDS:
            return (self._url(self._host),) if _is_here(self._host) else ()
        found = self._found()
        names = [self._announced] if found and self._announced is not None else []
        return tuple(self._url(host) for host in (*found, *names))

    def address(self) -> str:
        """Return the most reliable URL for other devices; for a private page, return its URL on this machine.

        If the page is not private, the result is empty while other devices cannot reach the page.
        """
        return self.own if self.is_private else next(iter(self.addresses()), "")

    def hosts(self) -> frozenset[str]:
        """Return the host names that the page accepts now, without ports.

        Unless the page is private, they include the name announced by avahi. That name is safe to accept, because no
        name server of the Internet can rebind a name directly below `.local`.
        """
        if self.is_private:
            return LOOPBACK | {self._host} | self._names
        name = socket.gethostname().lower()
        announced = {self._announced} if self._announced is not None else set()
        return LOOPBACK | {name, _local(name)} | announced | ({self._host} - WILDCARDS) | self._names

    def ask_name(self) -> None:
        """Ask avahi under which name it announces this machine, and store the name.

        Connecting, sending and receiving may take ANSWER_S seconds each. For a private page, or if avahi is not
        running, no name is stored. If avahi gives no usable answer, the host name with the ending `.local` is stored.
        """
        if self.is_private or not self._avahi.exists():
            self._announced = None
            return
        answers = (_name_of(address, self._avahi) for address in self._found()[:1])
        self._announced = next(answers, None) or _local(socket.gethostname().lower())

    async def watch(self, changed: Callable[[], None]) -> None:
        """Watch the page's addresses until cancelled; call `changed` once at the start and after each change.

        Return at once for a private page.
        """
        last: tuple[str, ...] | None = None
        looks = wanted = 0
        while not self.is_private:
            now = self.addresses()
            wanted = LOOKS_AFTER_A_CHANGE if now != last else max(wanted - 1, 0)
            if wanted or looks % LOOKS_A_NAME == 0:
                await asyncio.to_thread(self.ask_name)
                now = self.addresses()
            if now != last:
                last = now
                changed()
            looks += 1
            await asyncio.sleep(LOOK_S)

    def is_asked_at_home(self, request: Request) -> bool:
        """Return whether a request used a loopback name or address, on a page that other devices can reach too."""
        return is_loopback(request.url.hostname or "localhost") and not self.is_private

    def base(self, request: Request) -> str:
        """Return the base URL of links for other devices.

        Normally this is the URL by which the request reached the page. Other devices cannot use a loopback URL. If
        other devices can reach the page, a loopback URL is replaced by `address()`, which is empty without a network.
        """
        return (
            self.address() if self.is_asked_at_home(request) else f"{request.url.scheme}://{request.headers['host']}/"
        )

    def _found(self) -> list[str]:
        """Return this machine's addresses that other devices can reach, the most reliable first.

        They are IPv6 addresses if the page listens on an IPv6 address, and IPv4 addresses otherwise.
        """
        if ":" in self._host:
            return list(dict.fromkeys([*_way_out(socket.AF_INET6), *_addresses_v6()]))
        way_out = _way_out(socket.AF_INET)
        worse = dict(_addresses_v4())
        return sorted(worse, key=lambda address: (worse[address], address not in way_out))

    def _url(self, host: str) -> str:
        return f"{self._scheme}://{f'[{host}]' if ':' in host else host}:{self._port}/"


def _local(name: str) -> str:
    return f"{name.partition('.')[0]}.local"


def _is_here(host: str) -> bool:
    """Return whether an address belongs to this machine now; True for a host name."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET  # noqa: PLR2004
    except ValueError:
        return True
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def _way_out(family: socket.AddressFamily) -> list[str]:
    """Return a list with the source address of this machine's default route; empty without a default route."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE[family], 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _addresses_v4() -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Yield the address of each connected interface with two flags.

    The flags say whether the interface is point-to-point, and whether the address is link-local. An address with a set
    flag ranks lower, because a tunnel is reachable from one machine only, and a link-local address from the same
    network only. Loopback interfaces and those for containers are left out. On other systems than Linux, yield only the
    source address of the default route, without flags.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        room = array.array("B", bytes(_MOST_ADDRESSES * _ENTRY_BYTES))
        try:
            answer = fcntl.ioctl(probe, _LIST_ADDRESSES, struct.pack("iP", len(room), room.buffer_info()[0]))
        except OSError:  # not Linux
            yield from ((address, ()) for address in _way_out(socket.AF_INET))
            return
        for at in range(0, struct.unpack("iP", answer)[0], _ENTRY_BYTES):
            entry = room[at : at + _ENTRY_BYTES].tobytes()
            name = entry[:16].partition(b"\0")[0].partition(b":")[0]  # eth0:1 is a further address of eth0
            try:
                (flags,) = struct.unpack_from("H", fcntl.ioctl(probe, _READ_FLAGS, struct.pack("16s24x", name)), 16)
            except OSError:
                continue  # the interface has just disappeared
            address = socket.inet_ntoa(entry[20:24])
            is_connected = flags & (_UP | _LOOPBACK | _RUNNING) == _UP | _RUNNING
            if is_connected and not _VIRTUAL.match(name.decode(errors="replace")):
                yield address, (bool(flags & _POINT_TO_POINT), ipaddress.ip_address(address).is_link_local)


def _addresses_v6() -> Iterator[str]:
    try:
        lines = _IF_INET6.read_text(encoding="ascii").splitlines()
    except OSError:
        return
    for digits, _, _, scope, flags, name in (line.split() for line in lines):
        if int(scope, 16) == _GLOBAL_V6 and not int(flags, 16) & _UNUSABLE_V6 and not _VIRTUAL.match(name):
            yield str(ipaddress.IPv6Address(bytes.fromhex(digits)))


def _name_of(address: str, avahi: Path) -> str | None:
    """Return the name that avahi announces for an address of this machine; `None` without a usable answer."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWER_S)
        try:
            line.connect(str(avahi))
            line.sendall(f"RESOLVE-ADDRESS {address}\n".encode("ascii"))
            answer = line.recv(300)
        except OSError:
            return None
    found = NAME.fullmatch(answer.decode("ascii", "replace"))
    return None if found is None else found[1].lower()
