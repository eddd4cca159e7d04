"""The MQTT messages between tables and their club: their topics, and a class for each kind of JSON payload.

Source: docs/club-protocol.md. Every payload has a version (`v`). A program refuses a payload with a newer version, and
reports that the program must be updated. Unknown fields are ignored, so that fields may be added to a version. Names
have at most 64 characters and no control characters. Payloads that are too large or malformed are refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Raw, Struct

from captains_table.phrases import as_english
from captains_table.reporting.table_view import MOST_SEATS, NAME_LIMIT, TableView

ROOT: Final = "captains-table"
USER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""The user name of a table on the broker; no character in it is special in topics or topic filters."""
ANY_USER: Final = "+"
"""MQTT's wildcard in place of a user: the topics of all tables."""
SERVER_USER: Final = "club"
DISPLAY_USER: Final = "display"
RESERVED_USERS: Final = frozenset({SERVER_USER, DISPLAY_USER})
"""Users of the broker that are not tables: the club's server, and read-only users such as Home Assistant."""
VERSION: Final = 1
LARGEST: Final = 1 << 20
"""The maximum size of a payload in bytes; brokers have such a limit too."""
LONGEST_SETTING: Final = 4096
MOST_OPTIONS: Final = 64
MOST_PAIRINGS: Final = 64
UNSEEN: Final = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
"""The characters that names must not contain, as part of a regular expression's character set.

These are control characters, line breaks, and marks of the text direction."""
Name = Annotated[str, Meta(max_length=NAME_LIMIT, pattern=rf"^[^{UNSEEN}]*\Z")]
Setting = Annotated[str, Meta(max_length=LONGEST_SETTING, pattern=rf"^[^{UNSEEN}]*\Z")]
"""The value of an option, which may be longer than a name: it may be a position, or a player's own piece design."""
MatchOptions = Annotated[Mapping[Name, Setting], Meta(max_length=MOST_OPTIONS)]
MOST_MOVES: Final = 1200
"""More moves than a match of chess can have by the rules on time and repetition as they are played."""
Seal = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
NaturalNumber = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
Revision = Annotated[int, Meta(ge=1, le=(1 << 31) - 1)]


class BadUser(ValueError):
    """A name cannot be a table's user name at the broker; the message says what was expected."""


class FromTable(StrEnum):
    """The kinds of messages that a table publishes, in topics that only the table writes."""

    VIEW = "view"  # retained: the current view
    STATUS = "status"  # retained, and the last will: whether the table is online
    NEEDS = "needs"  # retained: whether the arbiter is called
    RESULT = "result"  # how a match ended, published again until acknowledged


class FromClub(StrEnum):
    """The kinds of messages that the club's server sends to one table, in topics that only the server writes."""

    ACKNOWLEDGED = "acknowledged"  # a result is stored
    PAIRINGS = "pairings"  # retained: the matches to play at this table


REPORTS: Final = frozenset(map(str, FromTable))

ORDERS: Final = frozenset(map(str, FromClub))


@dataclass(frozen=True, slots=True)
class Topic:
    """A parsed topic of one table: its user and the kind of message."""

    user: str
    kind: FromTable | FromClub

    def __str__(self) -> str:
        below = f"club/{self.kind}" if isinstance(self.kind, FromClub) else str(self.kind)
        return f"{ROOT}/{self.user}/{below}"


def checked_user(name: str) -> str:
    """Return a table's user name unchanged; raises BadUser if it is invalid or reserved for another user."""
    if USER.fullmatch(name) is None:
        raise BadUser(
            f"{name!r} cannot be a table's user: expected 1 to 32 small letters, digits and hyphens, such as table-3"
        )
    if name in RESERVED_USERS:
        raise BadUser(f"{name!r} is another user of the club's broker: expected a table's own, such as table-3")
    return name


def read_topic(topic: str) -> Topic | None:
    """Parse a topic; return `None` if it is neither a table's message nor a message of the club to a table."""
    match topic.split("/"):
        case [root, user, kind] if root == ROOT and USER.fullmatch(user) and kind in REPORTS:
            return Topic(user, FromTable(kind))
        case [root, user, "club", kind] if root == ROOT and USER.fullmatch(user) and kind in ORDERS:
            return Topic(user, FromClub(kind))
    return None


def discovery_topic(user: str) -> str:
    """Return the topic for a table's Home Assistant discovery payload, which is retained."""
    return f"homeassistant/device/{ROOT}/{user}/config"


def subscribed_topics(user: str) -> tuple[str, ...]:
    """Return the topics that a table subscribes to: the club's messages to it."""
    return tuple(str(Topic(user, kind)) for kind in FromClub)


class BadPayload(ValueError):
    """A payload does not fit its topic; the message says what was wrong, where, and what was expected."""


class NewerMessage(BadPayload):
    """A payload has a newer version than this program knows; this program needs an update."""


class Presence(StrEnum):
    """Whether a table is online, in the terms of Homie's `$state`."""

    READY = "ready"
    DISCONNECTED = "disconnected"  # it disconnected normally
    LOST = "lost"  # its last will


class Status(Struct, frozen=True, kw_only=True):
    """The presence of a table, and what can be played at it.

    Attributes:
        state: its presence; the broker publishes `lost` when the connection breaks.
        board: its number in the club; 0 if it has none.
        title: its name for people; empty if it has none.
        program: the version of its program.
        games: the keys of the games that can be played at it.
    """

    v: int = VERSION
    state: Presence
    board: Annotated[int, Meta(ge=0, le=9999)] = 0
    title: Name = ""
    program: Name = ""
    games: Annotated[tuple[Name, ...], Meta(max_length=64)] = ()


class PlayedMove(Struct, frozen=True, array_like=True):
    """A move of a match of chess.

    Attributes:
        id: the move in the notation of UCI, such as `e2e4`.
        at_s: when it was made, in seconds of the table's clock, which has no relation to the time of day.
        clock_s: the seconds that the clock showed after its press; `None` without a clock, and before the press.
    """

    id: Annotated[str, Meta(pattern=r"^[a-h][1-8][a-h][1-8][qrbn]?\Z")]
    at_s: NaturalNumber
    clock_s: NaturalNumber | None = None


class ViewMessage(Struct, frozen=True, kw_only=True):
    """The current view of a table.

    Attributes:
        boot: a random id, new each time the table's program starts.
        n: the number of this view since that start; the highest is the newest, and a gap means that views were skipped.
        match: the commitment of the match's dice, which identifies the match; empty while there is none.
        pairing: the id of the pairing that is played; empty without a pairing.
        view: the view as spectators may see it.
        start: the position from which a paired match of chess began, as FEN; empty for the usual one.
        moves: the moves of a paired match of chess that were not taken back; empty in other games, and from tables of
            earlier programs.
        said: of which messages the texts of the view were made, as in `reporting/said.py`; read only to translate it.
    """

    v: int = VERSION
    boot: Name
    n: NaturalNumber
    match: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""
    pairing: Name = ""
    view: TableView
    start: Annotated[str, Meta(max_length=NAME_LIMIT * 2)] = ""
    moves: Annotated[tuple[PlayedMove, ...], Meta(max_length=MOST_MOVES)] = ()
    said: Raw = Raw(b"[]")


class ArbiterCall(Struct, frozen=True, kw_only=True):
    """A table's report on whether it calls an arbiter.

    Attributes:
        arbiter: whether it calls one.
        since: how many seconds ago the call began, by the table's clock; for display only.
        call: a unique id of this call; empty if there is no call, or the table cannot receive an answer.
    """

    v: int = VERSION
    arbiter: bool
    since: NaturalNumber = 0
    call: Name = ""


class FinalScore(Struct, frozen=True, kw_only=True):
    """The end of a match: the winner's seat (`None` if there is no single winner) and the score of every seat."""

    winner: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None
    scores: Annotated[tuple[int, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class MatchReport(Struct, frozen=True, kw_only=True):
    """A table's report of how a match ended, or that it was abandoned.

    Attributes:
        match: the commitment of its dice, which identifies the match in all messages.
        rev: the revision of this report, from 1; the highest is valid.
        pairing: the id of the club's pairing that the match belongs to; empty without a pairing.
        game: the game's key.
        options: the options of the match.
        seats: the players in seat order; initials if the table does not publish names.
        kinds: the kind of each seat, as in the match's `started` entry; empty if all are people.
        ending: how it ended; `None` if it was abandoned.
        began, ended: when it began and ended, by the table's clock (ISO 8601).
        export: the match in the format `captains-table match 3`, deflated (zlib) and in base64; empty if the table does
            not publish names, the match was abandoned, or the message would be too large.
    """

    v: int = VERSION
    match: Seal
    rev: Revision
    pairing: Name = ""
    game: Name
    options: MatchOptions = {}
    seats: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    kinds: Annotated[tuple[Name, ...], Meta(max_length=MOST_SEATS)] = ()
    ending: FinalScore | None
    began: Name = ""
    ended: Name = ""
    export: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if the number of kinds or scores does not fit the seats, or if the winner has no seat."""
        seats = len(self.seats)
        if len(self.kinds) not in {0, seats}:
            raise ValueError(f"{len(self.kinds)} kinds of {seats} seats")
        if self.ending is not None and len(self.ending.scores) != seats:
            raise ValueError(f"{len(self.ending.scores)} scores of {seats} seats")
        if self.ending is not None and self.ending.winner not in {None, *range(seats)}:
            raise ValueError(f"seat {self.ending.winner} won: there are {seats}")


class Acknowledged(Struct, frozen=True, kw_only=True):
    """The club has stored this revision of a match's result, or a higher one."""

    v: int = VERSION
    match: Seal
    rev: Revision


class Pairing(Struct, frozen=True, kw_only=True):
    """A match that is scheduled at a table.

    Attributes:
        id: identifies the pairing in the result.
        heading: the title that the lobby shows ("Round 2").
        game: the game's key.
        options: the options to play it with.
        seats: the players in seat order.
    """

    id: Name
    heading: Name
    game: Name
    options: MatchOptions = {}
    seats: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class Pairings(Struct, frozen=True, kw_only=True):
    """All matches that are scheduled at a table now; they replace those of earlier messages.

    Attributes:
        pairings: the scheduled matches.
        answered: the id of the table's arbiter call that was answered last; empty if there is none.
    """

    v: int = VERSION
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=MOST_PAIRINGS)] = ()
    answered: Name = ""


Message = Status | ViewMessage | ArbiterCall | MatchReport | Acknowledged | Pairings

CLASSES: Final[Mapping[FromTable | FromClub, type[Message]]] = {
    FromTable.STATUS: Status,
    FromTable.VIEW: ViewMessage,
    FromTable.NEEDS: ArbiterCall,
    FromTable.RESULT: MatchReport,
    FromClub.ACKNOWLEDGED: Acknowledged,
    FromClub.PAIRINGS: Pairings,
}


class _Version(Struct, frozen=True):
    v: int


_VERSION = msgspec.json.Decoder(_Version)

_DECODERS = {kind: msgspec.json.Decoder(found) for kind, found in CLASSES.items()}


def encode(message: Message) -> bytes:
    """Encode a message as a JSON payload."""
    return msgspec.json.encode(message, enc_hook=as_english)


def decode(kind: FromTable | FromClub, payload: bytes) -> Message:
    """Decode a payload as a message of this kind.

    Raises:
        NewerMessage: the payload has a newer version.
        BadPayload: the payload is invalid for another reason.
    """
    if len(payload) > LARGEST:
        raise BadPayload(f"{len(payload):,} bytes are too many: expected at most {LARGEST:,}")
    try:
        version = _VERSION.decode(payload).v
        if version > VERSION:
            raise NewerMessage(f"version {version} of '{kind}' is newer than this program: expected at most {VERSION}")
        if version < 1:
            raise BadPayload(f"version {version} of '{kind}': expected 1 to {VERSION}")
        message: Message = _DECODERS[kind].decode(payload)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadPayload(f"a '{kind}' cannot be read: {error}") from error
    except RecursionError as error:
        raise BadPayload(f"a '{kind}' cannot be read: it is nested too deeply") from error
    return message
