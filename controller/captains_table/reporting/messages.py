"""What a table and its club say to each other: JSON whose fields are those of a class, by the topics of docs/club.md.

Every payload begins with its version. A newer one is not guessed at: the program that reads it says that it needs an
update. Fields that are not known are left alone, so that a version may grow. Names are at most 64 characters and have
no control characters; what is longer, larger or of another form is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from captains_table.reporting.table_view import LONGEST_NAME, MOST_SEATS, TableView

ROOT: Final = "captains-table"
USER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""How a table's user is called on the broker: nothing that a topic or a pattern of the broker reads otherwise."""
ANY: Final = "+"
"""In place of a user: the topics of all tables."""
SERVER_USER: Final = "club"
DISPLAY_USER: Final = "display"
RESERVED_USERS: Final = frozenset({SERVER_USER, DISPLAY_USER})
"""Users of the broker that are no tables: the club's server, and who only looks on, as Home Assistant does."""
VERSION: Final = 1
LARGEST: Final = 1 << 20
"""Bytes of a payload; brokers have such a limit too."""
LONGEST_SETTING: Final = 4096
MOST_OPTIONS: Final = 64
MOST_PAIRINGS: Final = 64
UNSEEN: Final = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
"""Control characters: those that end a line, and those that let letters run the other way."""
Name = Annotated[str, Meta(max_length=LONGEST_NAME, pattern=rf"^[^{UNSEEN}]*\Z")]
Setting = Annotated[str, Meta(max_length=LONGEST_SETTING, pattern=rf"^[^{UNSEEN}]*\Z")]
"""What an option is set to: a position, or a piece of a player's own, is longer than a name."""
Options = Annotated[Mapping[Name, Setting], Meta(max_length=MOST_OPTIONS)]
Seal = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Count = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
Revision = Annotated[int, Meta(ge=1, le=(1 << 31) - 1)]


class BadUser(ValueError):
    """A table cannot be called so on a broker; the message says what was expected."""


class Report(StrEnum):
    """What a table says of itself: it alone writes these topics."""

    VIEW = "view"  # retained: what is to be seen now
    STATUS = "status"  # retained, and the last will: whether the table is there
    NEEDS = "needs"  # retained: whether somebody is asked to come
    RESULT = "result"  # how a match ended, told again until it is acknowledged


class Order(StrEnum):
    """What the club tells one table: the club's server alone writes these topics, below `club`."""

    ACKNOWLEDGED = "acknowledged"  # a result is kept
    PAIRINGS = "pairings"  # retained: which matches are to be played at this table


REPORTS: Final = frozenset(map(str, Report))

ORDERS: Final = frozenset(map(str, Order))


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of one table, taken apart."""

    user: str
    kind: Report | Order

    def __str__(self) -> str:
        below = f"club/{self.kind}" if isinstance(self.kind, Order) else str(self.kind)
        return f"{ROOT}/{self.user}/{below}"


def checked_user(name: str) -> str:
    """Return a user's name if it may be one; raises BadUser."""
    if USER.fullmatch(name) is None:
        raise BadUser(
            f"{name!r} cannot be a table's user: expected 1 to 32 small letters, digits and hyphens, such as table-3"
        )
    if name in RESERVED_USERS:
        raise BadUser(f"{name!r} is another user of the club's broker: expected a table's own, such as table-3")
    return name


def read_topic(topic: str) -> Topic | None:
    """Return a topic taken apart, `None` where it is none of ours."""
    match topic.split("/"):
        case [root, user, kind] if root == ROOT and USER.fullmatch(user) and kind in REPORTS:
            return Topic(user, Report(kind))
        case [root, user, "club", kind] if root == ROOT and USER.fullmatch(user) and kind in ORDERS:
            return Topic(user, Order(kind))
    return None


def discovery_topic(user: str) -> str:
    """Return where a table tells Home Assistant, in one retained payload, what there is to see of it."""
    return f"homeassistant/device/{ROOT}/{user}/config"


def orders_to(user: str) -> tuple[str, ...]:
    """Return what a table subscribes to."""
    return tuple(str(Topic(user, kind)) for kind in Order)


class BadMessage(ValueError):
    """A payload is not what belongs on its topic; the message says what was wrong, where, and what was expected."""


class NewerMessage(BadMessage):
    """A payload is of a newer version: whoever reads it needs an update."""


class Presence(StrEnum):
    """Whether a table is there, in the words of Homie's `$state`."""

    READY = "ready"
    DISCONNECTED = "disconnected"  # it left in order
    LOST = "lost"  # its last will


class Status(Struct, frozen=True, kw_only=True):
    """Whether a table is there.

    Attributes:
        state: that; `lost` is said by the broker in the table's place.
        board: its number in the club, 0 if it has none.
        title: what it is called.
        program: the version of its program.
        games: the keys of the games that can be played at it.
    """

    v: int = VERSION
    state: Presence
    board: Annotated[int, Meta(ge=0, le=9999)] = 0
    title: Name = ""
    program: Name = ""
    games: Annotated[tuple[Name, ...], Meta(max_length=64)] = ()


class Seen(Struct, frozen=True, kw_only=True):
    """What is to be seen at a table now.

    Attributes:
        boot: drawn anew each time the table's program starts.
        n: the number of this view since then; the highest is the newest, and a gap means that views in between were
            left out.
        match: the match's seal, empty while there is none.
        pairing: the id of the pairing that is played, empty for any other match.
        view: what displays show.
    """

    v: int = VERSION
    boot: Name
    n: Count
    match: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""
    pairing: Name = ""
    view: TableView


class Needs(Struct, frozen=True, kw_only=True):
    """Whether a table asks for somebody to come.

    Attributes:
        arbiter: that.
        since: for how many seconds, by the table's clock; only for people.
        call: tells this call from all others; empty while there is none, and of a table that knows of no answers.
    """

    v: int = VERSION
    arbiter: bool
    since: Count = 0
    call: Name = ""


class Ending(Struct, frozen=True, kw_only=True):
    """How a match ended: the winner's seat (`None` when shared or nobody's) and every seat's score."""

    winner: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None
    scores: Annotated[tuple[int, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class Outcome(Struct, frozen=True, kw_only=True):
    """The result of a match, or that it was left.

    Attributes:
        match: its seal: the same match is known by it, whatever is said of it later.
        rev: the revision of what is said of it, from 1; the highest holds.
        pairing: the id of the pairing it was, empty for any other match.
        game: the game's key.
        options: what it was played with.
        seats: the players, in seat order; initials where the table tells no names.
        kinds: the kind of each seat, as its `started` declares it; empty: all of them people.
        ending: how it ended; `None`: it was left for good.
        began, ended: when, by the table's clock, ISO 8601; only for people.
        export: the match as `captains-table match 3`, deflated (zlib) and in base64; empty where names are not told.
    """

    v: int = VERSION
    match: Seal
    rev: Revision
    pairing: Name = ""
    game: Name
    options: Options = {}
    seats: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    kinds: Annotated[tuple[Name, ...], Meta(max_length=MOST_SEATS)] = ()
    ending: Ending | None
    began: Name = ""
    ended: Name = ""
    export: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError where seats do not fit each other."""
        seats = len(self.seats)
        if len(self.kinds) not in {0, seats}:
            raise ValueError(f"{len(self.kinds)} kinds of {seats} seats")
        if self.ending is not None and len(self.ending.scores) != seats:
            raise ValueError(f"{len(self.ending.scores)} scores of {seats} seats")
        if self.ending is not None and self.ending.winner not in {None, *range(seats)}:
            raise ValueError(f"seat {self.ending.winner} won: there are {seats}")


class Acknowledged(Struct, frozen=True, kw_only=True):
    """The club keeps this revision of a match's result, or a higher one."""

    v: int = VERSION
    match: Seal
    rev: Revision


class Pairing(Struct, frozen=True, kw_only=True):
    """A match that is to be played at a table.

    Attributes:
        id: by which its result is known.
        heading: what the lobby says of it ("Round 2").
        game: the game's key.
        options: what it is played with.
        seats: who sits where.
    """

    id: Name
    heading: Name
    game: Name
    options: Options = {}
    seats: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class Pairings(Struct, frozen=True, kw_only=True):
    """All matches that are to be played at a table now, whatever was said before.

    Attributes:
        pairings: these matches.
        answered: the call for an arbiter that was answered last; empty for none.
    """

    v: int = VERSION
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=MOST_PAIRINGS)] = ()
    answered: Name = ""


Message = Status | Seen | Needs | Outcome | Acknowledged | Pairings

M = TypeVar("M", Status, Seen, Needs, Outcome, Acknowledged, Pairings)

CLASSES: Final[Mapping[Report | Order, type[Message]]] = {
    Report.STATUS: Status,
    Report.VIEW: Seen,
    Report.NEEDS: Needs,
    Report.RESULT: Outcome,
    Order.ACKNOWLEDGED: Acknowledged,
    Order.PAIRINGS: Pairings,
}


class _Version(Struct, frozen=True):
    v: int


_VERSION = msgspec.json.Decoder(_Version)

_DECODERS = {kind: msgspec.json.Decoder(found) for kind, found in CLASSES.items()}


def written(message: Message) -> bytes:
    """Return a message as its payload."""
    return msgspec.json.encode(message)


def read(kind: Report | Order, payload: bytes) -> Message:
    """Return the message of a payload; raises BadMessage, or NewerMessage where its version is not known yet."""
    if len(payload) > LARGEST:
        raise BadMessage(f"{len(payload):,} bytes are too many: expected at most {LARGEST:,}")
    try:
        version = _VERSION.decode(payload).v
        if version > VERSION:
            raise NewerMessage(f"version {version} of '{kind}' is newer than this program: expected at most {VERSION}")
        if version < 1:
            raise BadMessage(f"version {version} of '{kind}': expected 1 to {VERSION}")
        message: Message = _DECODERS[kind].decode(payload)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadMessage(f"a '{kind}' cannot be read: {error}") from error
    except RecursionError as error:
        raise BadMessage(f"a '{kind}' cannot be read: it is nested too deeply") from error
    return message
