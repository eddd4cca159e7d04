"""The page's limits on connections and time, and the check of a trusted proxy's address in the configuration."""

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

MOST_CONNECTIONS: Final = 900  # with the table's own files fewer than 1,024, the maximum of select()
RETRY_AFTER_S: Final = 10
ConnectionCount = Annotated[
    int, Meta(ge=1, le=MOST_CONNECTIONS, description=f"a whole number from 1 to {MOST_CONNECTIONS}")
]
Seconds = Annotated[float, Meta(gt=0, le=86_400, description="seconds, more than 0 and at most 86400")]


@dataclass(frozen=True, slots=True)
class PageLimits:
    """The page's limits for guests.

    Attributes:
        connections: how many connections all guests together may have open.
        share: how many of these connections one address (IPv4, or a 64-bit IPv6 network) or one key may have.
        streams: how many event streams may be open.
        request_s: the seconds within which a request must arrive completely.
        idle_s: the seconds after which a connection that sends no request, or does not read its response, is closed.
    """

    connections: ConnectionCount = 200
    share: ConnectionCount = 20
    streams: ConnectionCount = 100
    request_s: Seconds = 10.0
    idle_s: Seconds = 60.0


def checked_proxy(written: str) -> str:
    """Return a proxy's address or network in normal form; raises ValueError if it is invalid."""
    try:
        return str(ipaddress.ip_network(written) if "/" in written else ipaddress.ip_address(written))
    except ValueError:
        raise ValueError(
            f'{written!r}: expected an address or a network, such as "192.168.1.2" or "10.1.0.0/24"'
        ) from None
