"""The messages between a table and its speaker, the process that is connected to the broker; each is a line of JSON.

Connections to the broker are numbered, so that messages that were meant for an earlier one are recognised.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct

from captains_table.reporting.messages import Pairings


class SpeakerSetup(Struct, frozen=True, tag="setup"):
    """The first message to the speaker: the broker's address, and the payloads to publish on each connection.

    Attributes:
        host, port: the broker's address.
        user: the table's user at the broker.
        password_file: contains the user's password; empty: no password.
        ca: the authority's certificate; empty: no encryption.
        status: the payload of the status `ready`; the payloads of the other two differ only in their state.
        discovery: the payload for Home Assistant.
    """

    host: str
    port: int
    user: str
    password_file: str
    ca: str
    status: Raw
    discovery: Raw


class Publish(Struct, frozen=True, tag="say"):
    """Ask the speaker to publish a payload on the connection of this number; kinds: `view`, `needs`, `result`."""

    line: int
    kind: str
    payload: Raw


class EndSpeaker(Struct, frozen=True, tag="end"):
    """Ask the speaker to publish that the table leaves, and to end."""


ToSpeaker = SpeakerSetup | Publish | EndSpeaker


class BrokerConnected(Struct, frozen=True, tag="linked"):
    """There is a new connection, on which only discovery and status have been published yet."""

    line: int


class BrokerDisconnected(Struct, frozen=True, tag="lost"):
    """There is no connection; says why, in words."""

    why: str


class Published(Struct, frozen=True, tag="told"):
    """The broker has the last message of this kind, and the next one may be sent."""

    line: int
    kind: str


class ResultAcknowledged(Struct, frozen=True, tag="kept"):
    """The club has acknowledged a revision of a match's result."""

    match: str
    rev: int


class PairingsChanged(Struct, frozen=True, tag="paired"):
    """The club's pairings for this table have changed."""

    pairings: Pairings


class ServerPresent(Struct, frozen=True, tag="present"):
    """The club's server is running: it has just sent its pairings."""


class UnusableMessages(Struct, frozen=True, tag="refused"):
    """The club's unusable messages: their number, the last one's error, and whether its version is too new."""

    count: int
    why: str
    newer: bool


class ConnectionImpossible(Struct, frozen=True, tag="unusable"):
    """No connection is possible until somebody corrects a problem; says which, in words."""

    why: str


FromSpeaker = (
    BrokerConnected
    | BrokerDisconnected
    | Published
    | ResultAcknowledged
    | PairingsChanged
    | ServerPresent
    | UnusableMessages
    | ConnectionImpossible
)

TO_SPEAKER: Final = msgspec.json.Decoder(ToSpeaker)
FROM_SPEAKER: Final = msgspec.json.Decoder(FromSpeaker)
