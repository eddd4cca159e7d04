"""What is said on the line to the process that pairs: a line of JSON each way."""

from msgspec import Struct

from captains_table.club.events.entries import Entry, RoundPaired


class ToPair(Struct, frozen=True):
    """What is asked: all that was written of an event, and what the ids of its next matches begin with."""

    entries: tuple[Entry, ...]
    prefix: str


class Paired(Struct, frozen=True):
    """What is answered: the round; or why there is none, where `round` is `None`."""

    round: RoundPaired | None = None
    why: str = ""
