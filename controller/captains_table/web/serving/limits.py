"""How much the page gives away at once, as the configuration says it."""

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

MOST_CONNECTIONS: Final = 900  # with the table's own files that is under 1,024, more than which select() cannot follow
RETRY_AFTER_S: Final = 10
Count = Annotated[int, Meta(ge=1, le=MOST_CONNECTIONS, description=f"a whole number from 1 to {MOST_CONNECTIONS}")]
Seconds = Annotated[float, Meta(gt=0, le=86_400, description="seconds, more than 0 and at most 86400")]


@dataclass(frozen=True, slots=True)
class Limits:
    """What guests may take of the page.

    Attributes:
        connections: how many connections are open at once, for all guests together.
        share: how many of them one address may have (IPv4, or an IPv6 network of 64 bits), or one key.
        streams: how many of them follow the table by an event stream.
        request_s: within how many seconds a request must have come in whole.
        idle_s: after how many seconds a connection is closed on which nothing is asked, or nothing taken off.
    """

    connections: Count = 200
    share: Count = 20
    streams: Count = 100
    request_s: Seconds = 10.0
    idle_s: Seconds = 60.0


def checked_proxy(written: str) -> str:
    """Return an address or a network of proxies as it is compared; raises ValueError with a sentence."""
    try:
        return str(ipaddress.ip_network(written) if "/" in written else ipaddress.ip_address(written))
    except ValueError:
        raise ValueError(
            f'{written!r}: expected an address or a network, such as "192.168.1.2" or "10.1.0.0/24"'
        ) from None
