"""What a table and its speaker, the process that holds the line to the broker, say to each other: a JSON line each way.

Each line to the broker that stands has a number, so that what was meant for an earlier one is told apart.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct

from captains_table.reporting.messages import Pairings


class Setup(Struct, frozen=True, tag="setup"):
    """First of all: where the broker is, and what is told there as soon as a line stands.

    Attributes:
        host, port: the broker's.
        user: as whom.
        password_file: holds the password; empty: there is none.
        ca: the authority's certificate; empty: nothing is encrypted.
        status: the payload of the status `ready`; the other two are the same but for their state.
        discovery: the payload for Home Assistant.
    """

    host: str
    port: int
    user: str
    password_file: str
    ca: str
    status: Raw
    discovery: Raw


class Say(Struct, frozen=True, tag="say"):
    """Publish this on the line of this number: `view`, `needs` or `result`."""

    line: int
    kind: str
    payload: Raw


class End(Struct, frozen=True, tag="end"):
    """Say that the table leaves in order, and end."""


ToSpeaker = Setup | Say | End


class Linked(Struct, frozen=True, tag="linked"):
    """A line stands: nothing was said on it yet but the status."""

    line: int


class Lost(Struct, frozen=True, tag="lost"):
    """There is no line: why, in words."""

    why: str


class Told(Struct, frozen=True, tag="told"):
    """What was to be published is with the broker, and more of its kind may be."""

    line: int
    kind: str


class Kept(Struct, frozen=True, tag="kept"):
    """The club acknowledged a result."""

    match: str
    rev: int


class Paired(Struct, frozen=True, tag="paired"):
    """The matches that are to be played at this table now."""

    pairings: Pairings


class Present(Struct, frozen=True, tag="present"):
    """The club's server is there: it said just now what is to be played."""


class Refused(Struct, frozen=True, tag="refused"):
    """Messages that could not be used: how many so far, what was wrong with the last, and whether it is a newer one."""

    count: int
    why: str
    newer: bool


class Unusable(Struct, frozen=True, tag="unusable"):
    """There will be no line before something is put right: what, in words."""

    why: str


FromSpeaker = Linked | Lost | Told | Kept | Paired | Present | Refused | Unusable

TO_SPEAKER: Final = msgspec.json.Decoder(ToSpeaker)
FROM_SPEAKER: Final = msgspec.json.Decoder(FromSpeaker)
