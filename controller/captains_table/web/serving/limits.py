"""How much the page gives away at once, as the configuration says it."""

from dataclasses import dataclass
from typing import Final

MOST_CONNECTIONS: Final = 900  # with the table's own files that is under 1,024, more than which select() cannot follow
RETRY_AFTER_S: Final = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """What all guests together may take of the page.

    Attributes:
        connections: how many connections are open at once.
        streams: how many of them follow the table by an event stream.
        request_s: within how many seconds a request must have come in whole.
        idle_s: after how many seconds a connection is closed on which nothing is asked, or nothing taken off.
    """

    connections: int = 200
    streams: int = 100
    request_s: float = 10.0
    idle_s: float = 60.0
