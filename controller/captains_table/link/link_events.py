"""The events that the host's end of the link reports, in the order in which they happened.

`at_ms` is the time of the event on the host's clock, converted from the board's clock, and thus in the past for delayed
events; it never decreases and is never in the future. The index of a switch is `rank * files + file`.
"""

from dataclasses import dataclass

from .from_board import Hello


@dataclass(frozen=True, slots=True)
class Connected:
    """A board connected or reconnected; next come the events that the board logged while it was not connected."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class BoardReset:
    """The board has rebooted since its last message."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The connection was lost: the board is silent, it uses another version of the link, or its port is gone."""


@dataclass(frozen=True, slots=True)
class VersionMismatch:
    """The board uses another version of the link; `sentence` says which side must be updated."""

    sentence: str


@dataclass(frozen=True, slots=True)
class OrderLost:
    """Several changes are not reported one by one, because the board has dropped some of them.

    The next events give the state of all switches, and the presses, releases and encoder
    steps that the board counted meanwhile.
    """


@dataclass(frozen=True, slots=True)
class SwitchesRead:
    """The closed switches of the whole board; later changes follow.

    This event is reported after a connection, a reset or dropped changes, and when the host's own record was wrong.
    """

    closed: frozenset[int]
    at_ms: int


@dataclass(frozen=True, slots=True)
class SwitchReported:
    """A debounced switch closed or opened."""

    index: int
    closed: bool
    at_ms: int


@dataclass(frozen=True, slots=True)
class ButtonReported:
    """The named button was pressed or released; presses and releases alternate."""

    button: str
    down: bool
    at_ms: int


@dataclass(frozen=True, slots=True)
class EncoderReported:
    """The encoder was turned by a number of steps; steps to the right are positive."""

    steps: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class LightsShown:
    """The board shows the light frame with this number; `HostEnd.show` returned the number."""

    number: int


LinkEvent = (
    Connected
    | BoardReset
    | LinkLost
    | VersionMismatch
    | OrderLost
    | SwitchesRead
    | SwitchReported
    | ButtonReported
    | EncoderReported
    | LightsShown
)
