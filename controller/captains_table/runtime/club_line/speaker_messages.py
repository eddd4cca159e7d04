"""The messages between a table and its speaker, the process that is connected to the broker; each is a line of JSON.

Connections to the broker are numbered, so that messages that were meant for an earlier connection are recognised.
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
        password_file: the path of the file with the user's password; empty: no password.
        ca: the path of the certificate of the authority that signed the broker's certificate; empty: no encryption.
        status: the payload of the status `ready`; the speaker derives the payloads of the two other states from it.
        discovery: the payload for Home Assistant's discovery.
    """

    host: str
    port: int
    user: str
    password_file: str
    ca: str
    status: Raw
    discovery: Raw


class Publish(Struct, frozen=True, tag="say"):
    """A request to publish a payload on a connection.

    Attributes:
        line: the number of the connection; the speaker ignores the request if that connection is lost.
        kind: `view`, `needs` (a call for an arbiter) or `result`.
        payload: the payload.
    """

    line: int
    kind: str
    payload: Raw


class EndSpeaker(Struct, frozen=True, tag="end"):
    """A request to publish that the table leaves, and to end the speaker."""


ToSpeaker = SpeakerSetup | Publish | EndSpeaker


class BrokerConnected(Struct, frozen=True, tag="linked"):
    """The speaker has a new connection to the broker and has published only the discovery and status payloads.

    `line` is the number of the connection.
    """

    line: int


class BrokerDisconnected(Struct, frozen=True, tag="lost"):
    """There is no connection to the club's broker; `why` is the reason in words."""

    why: str


class Published(Struct, frozen=True, tag="told"):
    """The broker has received the latest message of one kind, so that the next message of this kind may be sent."""

    line: int
    kind: str


class ResultAcknowledged(Struct, frozen=True, tag="kept"):
    """The club has acknowledged revision `rev` of a match's result.

    `match` identifies the match: it is the commitment to the seed of the match's dice.
    """

    match: str
    rev: int


class PairingsChanged(Struct, frozen=True, tag="paired"):
    """The club's pairings for this table have changed."""

    pairings: Pairings


class ServerPresent(Struct, frozen=True, tag="present"):
    """The club's server is running: it has just sent its pairings."""


class UnusableMessages(Struct, frozen=True, tag="refused"):
    """The club has sent unusable messages.

    Attributes:
        count: their number since the speaker started.
        why: the error of the last one, in words.
        newer: whether the last one is in a version of the messages that is newer than this program.
    """

    count: int
    why: str
    newer: bool


class ConnectionImpossible(Struct, frozen=True, tag="unusable"):
    """No connection is possible until somebody corrects a problem; `why` is the problem in words."""

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
