"""Squares of a board, and what a game says beside its turns: what happened, dice, pieces, sheets, outcomes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Square(NamedTuple):
    """A square as zero-based file and rank, printed a1 ... i8."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"


def parse_square(name: str) -> Square:
    """Return the square of a name such as `e4`.

    Raises:
        ValueError: the name is not a letter followed by a number.
    """
    if len(name) < 2 or not "a" <= name[0] <= "z" or not name[1:].isdecimal() or name[1] == "0":  # noqa: PLR2004
        raise ValueError(f"{name!r} is not a square: expected a letter and a number, such as e4")
    return Square(ord(name[0]) - ord("a"), int(name[1:]) - 1)


@dataclass(frozen=True, slots=True)
class Shape:
    """How many files and ranks of switches a game needs."""

    files: int
    ranks: int

    def __str__(self) -> str:
        return f"{self.files} files and {self.ranks} ranks"

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.file < self.files and 0 <= square.rank < self.ranks

    def square_at(self, number: int) -> Square:
        """Return the square of a number that counts rank by rank from a1, from 0."""
        rank, file = divmod(number, self.files)
        return Square(file, rank)

    def squares(self) -> list[Square]:
        """Return every square, rank by rank from a1."""
        return [Square(file, rank) for rank in range(self.ranks) for file in range(self.files)]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies: its face (`None`: not thrown), how it is drawn, held or not, throws left.

    `extra` marks dice that are only there for a moment, such as the Genie's.
    """

    face: int | None
    kind: str = "pips"  # or "roman"
    held: bool = False
    throws_left: int = 0
    extra: bool = False


class Thing(StrEnum):
    """Something that a square has beside its piece; what it is called."""

    RING = "ring"
    WHITE_CROWN = "white crown"
    BLACK_CROWN = "black crown"
    HALF_PRICE = "half price"
    LEVELLED_UP = "levelled up"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a seat's player is: a square, or a word such as `prison`; and what he wears."""

    place: str = ""
    wears: tuple[Thing, ...] = ()

    @property
    def words(self) -> str:
        """The place, and what is worn there."""
        return ", ".join((self.place, *self.wears))


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that waits for a die with this face, and the die (1-based) that stands in it; `None`: it is empty."""

    name: str
    face: int
    die: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the dice of a turn, or of a throw for the start, came to: those that counted (1-based), and in words."""

    dice: tuple[int, ...] = ()
    words: str = ""


class RowKind(StrEnum):
    """How a row of a score sheet is drawn."""

    BOX = "box"  # to be filled
    NOTE = "note"  # counts, but is no box
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Prospect:
    """What would be written into an open cell with the dice as they lie.

    Attributes:
        seat: whose cell it is.
        words: what would be written, or be done for it: "25", "throw for it".
        id: the option that fills it now; empty where none does.
        column: which of that seat's cells it is, from 0, where each seat has several.
    """

    seat: int
    words: str
    id: str = ""
    column: int = 0


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the score sheet.

    Attributes:
        title: what it is called.
        cells: a cell for each seat in words, empty where nothing is written yet. Where every seat has several columns
            a row has a cell for each of them, seat by seat, or one a seat that stands for them all.
        kind: how it is drawn.
        prospects: what whoever is on turn would get here, in each open cell, where the dice lie.
    """

    title: str
    cells: tuple[str, ...]
    kind: RowKind = RowKind.BOX
    prospects: tuple[Prospect, ...] = ()


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What keeps a piece where it stands: a clause without a full stop, and whether it is the dice."""

    words: str
    by_dice: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that only the dice, or the king's safety, forbid: the board after it, and the reason in words."""

    id: str
    label: str
    reason: str
    pieces: Mapping[Square, str]


# --- what happened: for displays, lights, sounds and the log, and for the audit of the points -----------------------


class EventKind(StrEnum):
    """What kind of thing happened; lights, sounds, marks and the page's colours go by it."""

    # points
    SCORE = "score"  # points that need no finer name
    LEGEND = "legend"
    CARGO = "cargo"
    TREASURE = "treasure"
    STRIKE = "strike"
    SALE = "sale"
    SETTLEMENT = "settlement"  # a round was won
    NEST = "nest"
    BILGE = "bilge"
    SCUTTLE = "scuttle"
    BLIMEY = "blimey"
    SMOOTH_SAILING = "smooth-sailing"
    BONUS = "bonus"
    HORNSWAGGLE = "hornswaggle"
    GOLD = "gold"
    INCOME = "income"  # gold of a new turn
    RING = "ring"
    PRICE = "price"  # gold that was paid
    RAID = "raid"
    POT = "pot"
    RANK = "rank"
    # on the board
    CAPTURE = "capture"
    KING = "king"  # a king was taken
    CHECK = "check"
    PROMOTION = "promotion"
    ENTRY = "entry"
    GENIE = "genie"
    CROWN = "crown"  # a crown changed hands, or was left behind
    # between the players
    PENALTY = "penalty"  # points that a player agreed to lose
    OFFER = "offer"
    REFUSED = "refused"
    CURSE = "curse"
    DAVY_JONES = "davy-jones"
    CARD = "card"  # was got, or given
    CORRECTION = "correction"  # a game master set something right
    # how a match goes
    ORDER = "order"  # who begins
    PLAY_OFF = "play-off"
    ROUND = "round"  # a round began, or ended without a winner
    MATCH = "match"  # the match is over
    NOTE = "note"  # worth a line, and nothing more


MASTER: Final = "master"
"""In the place of a rule's number: a game master did it."""

TURNING_POINTS: Final = frozenset({EventKind.ROUND, EventKind.MATCH})
"""After these the board is another: what was moved before is no last move any more."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that just scored or changed the match.

    Attributes:
        kind: what it was.
        seat: whose it is: who gets the points; `None` where it is everybody's alike.
        points: what it adds to that seat's score; may be negative.
        words: what the log says.
        square: where it happened, if it has a place.
        payer: the seat whose score falls by as much, as in a sale; `None` where nobody pays.
        rule: the number of the rule that it comes from, such as `T7`, where the game says so; `MASTER` where no rule
            but a game master brought it about.
    """

    kind: EventKind
    seat: int | None
    points: int
    words: str
    square: Square | None = None
    payer: int | None = None
    rule: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.kind, EventKind):
            raise TypeError(f"a game event of kind {self.kind!r}: expected a member of EventKind")


def points_of(events: Iterable[GameEvent], seats: int) -> tuple[int, ...]:
    """Return what events add to each seat's score, all together."""
    points = [0] * seats
    for event in events:
        for seat in range(seats) if event.seat is None else (event.seat,):
            points[seat] += event.points
        if event.payer is not None:
            points[event.payer] -= event.points
    return tuple(points)
