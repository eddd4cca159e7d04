"""What the host's end of the link reports: small plain values, in the order in which they happened.

`at_ms` is the host's clock, never running backwards and never in the future, with the pace the board saw: of a burst
that came late it lies in the past. `board_ms` is the board's own clock. Indexes of switches are `rank * files + file`.
"""

from dataclasses import dataclass

from .from_board import Hello


@dataclass(frozen=True, slots=True)
class Connected:
    """A board presented itself, for the first time or again; what it did meanwhile follows."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class BoardReset:
    """The board started anew since it was last heard, in silence or not."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The board fell silent, or its device is gone."""


@dataclass(frozen=True, slots=True)
class VersionMismatch:
    """The board speaks another version of the link; the sentence says which side to update."""

    sentence: str


@dataclass(frozen=True, slots=True)
class OrderLost:
    """So many changes were dropped before they were reported; the whole board follows, and the presses it counted."""

    changes: int


@dataclass(frozen=True, slots=True)
class SwitchesRead:
    """These switches are closed: the whole board after a connection, a reset or lost order; later changes follow."""

    closed: frozenset[int]
    at_ms: int


@dataclass(frozen=True, slots=True)
class SwitchReported:
    """A switch closed or opened; the board has debounced it."""

    index: int
    closed: bool
    at_ms: int
    board_ms: int


@dataclass(frozen=True, slots=True)
class ButtonReported:
    """A button, by its name, went down or came up; down and up alternate."""

    button: str
    down: bool
    at_ms: int
    board_ms: int


@dataclass(frozen=True, slots=True)
class EncoderReported:
    """The encoder was turned so many steps, to the right if positive."""

    steps: int
    at_ms: int
    board_ms: int


@dataclass(frozen=True, slots=True)
class LightsShown:
    """The board shows the frame that `HostEnd.show` gave this number."""

    number: int


LinkEvent = (
    Connected
    | BoardReset
    | Lost
    | VersionMismatch
    | OrderLost
    | SwitchesRead
    | SwitchReported
    | ButtonReported
    | EncoderReported
    | LightsShown
)
