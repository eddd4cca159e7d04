"""The values with which a game describes itself to displays: its board, dice, score sheet, forbidden moves and events.

Board and dice include the marks on squares, the tokens of players, places for dice, and the result of a turn. The
events also carry the changes of the score, which `points_of` adds up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from captains_table.phrases import listed, noun, say


class Square(NamedTuple):
    """A square, given by its file and rank, which count from 0; `str` gives its name, such as `e4`."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"


def parse_square(name: str) -> Square:
    """Return the square that has a name such as `e4`.

    Raises:
        ValueError: the name is not a small letter followed by a number from 1.
    """
    if len(name) < 2 or not "a" <= name[0] <= "z" or not name[1:].isdecimal() or name[1] == "0":  # noqa: PLR2004
        raise ValueError(f"{name!r} is not a square: expected a letter and a number, such as e4")
    return Square(ord(name[0]) - ord("a"), int(name[1:]) - 1)


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a game's board in files and ranks."""

    files: int
    ranks: int

    def __str__(self) -> str:
        return say("{files} files and {ranks} ranks", self.files, self.ranks)

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.file < self.files and 0 <= square.rank < self.ranks

    def square(self, name: str) -> Square:
        """Return the square that has a name; raises ValueError if the board has no such square."""
        square = parse_square(name)
        if square not in self:
            raise ValueError(f"{name} is no square of a board of {self}")
        return square

    def turned(self, square: Square) -> Square:
        """Return the square that a square becomes if the board is turned round."""
        return Square(self.files - 1 - square.file, self.ranks - 1 - square.rank)

    def square_at(self, number: int) -> Square:
        """Return the square that has a number; squares are numbered from 0, rank by rank from a1."""
        rank, file = divmod(number, self.files)
        return Square(file, rank)

    def squares(self) -> list[Square]:
        """Return every square, rank by rank from a1."""
        return [Square(file, rank) for rank in range(self.ranks) for file in range(self.files)]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies on the table.

    Attributes:
        face: the face that is up; `None` if the die has not been thrown yet.
        kind: how the faces are drawn: `pips` or `roman` (numerals).
        held: whether the die stays while others are thrown again.
        throws_left: how often the die may still be thrown in this turn.
        extra: whether the die is in play only briefly, as the Genie's dice in Legend are.
    """

    face: int | None
    kind: str = "pips"  # or "roman"
    held: bool = False
    throws_left: int = 0
    extra: bool = False


class Thing(StrEnum):
    """A mark that a square can carry in addition to its piece; its value is the name that displays show."""

    RING = "ring"
    WHITE_CROWN = "white crown"
    BLACK_CROWN = "black crown"
    HALF_PRICE = "half price"
    LEVELLED_UP = "levelled up"

    @property
    def words(self) -> str:
        """The name as a message."""
        return _THING_WORDS[self]


_THING_WORDS: Final[Mapping[str, str]] = {
    words: words
    for words in (noun("ring"), noun("white crown"), noun("black crown"), say("half price"), say("levelled up"))
}


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where the token of a seat's player is, in a game whose players are pieces.

    Attributes:
        place: the name of the token's square, or a word such as `prison`.
        wears: the marks of the things that the player wears, such as a crown.
    """

    place: str = ""
    wears: tuple[Thing, ...] = ()

    @property
    def words(self) -> str:
        """The place and the names of the marks as one text, separated by commas."""
        return listed((self.place, *(thing.words for thing in self.wears)), ",")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a die that shows a certain face, such as a berth in Ship, Captain and Crew.

    Attributes:
        name: the name that displays show.
        face: the face that a die needs.
        die: the number, from 1, of the die in the place; `None` while the place is empty.
        fixed: whether the die stays in the place until the turn ends. If not, displays leave it in the row of dice.
    """

    name: str
    face: int
    die: int | None = None
    fixed: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a turn, or of a throw to decide who begins.

    Attributes:
        dice: the numbers, from 1, of the dice that counted; may be empty.
        words: the result in words.
        slots: the places that certain dice filled, as in `Game.slots`; empty in games without such places.
    """

    dice: tuple[int, ...] = ()
    words: str = ""
    slots: tuple[Slot, ...] = ()


class Meaning(NamedTuple):
    """What something that displays show means.

    Attributes:
        words: one sentence for a player who does not know the rules.
        rule: the number of the rule behind it, such as `T7`; empty if no rule of a game is.
    """

    words: str
    rule: str = ""


class RowKind(StrEnum):
    """The kind of a score sheet's row; displays draw each kind differently."""

    BOX = "box"  # the player fills it
    NOTE = "note"  # counts, but is not filled by a choice
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Prospect:
    """The preview of an open cell of a score sheet: the score that the dice on the table would give in it.

    Attributes:
        seat: the seat that the cell belongs to.
        words: the score, such as "25", or what must be done before the score is known, such as "throw for it".
        id: the id of the option that fills the cell now; empty if no option does.
        column: the seat's column, from 0, in games with several columns for each seat.
    """

    seat: int
    words: str
    id: str = ""
    column: int = 0


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the score sheet.

    Attributes:
        title: the row's name.
        cells: the text of each seat's cell; empty while nothing is written in the cell. If each seat has several
            columns, a row has either a cell for every column, seat by seat, or one cell for each seat.
        kind: the row's kind, which decides how it is drawn.
        prospects: previews of the open cells of the player on turn; empty while no dice lie on the table.
    """

    title: str
    cells: tuple[str, ...]
    kind: RowKind = RowKind.BOX
    prospects: tuple[Prospect, ...] = ()


@dataclass(frozen=True, slots=True)
class Hindrance:
    """The reason why a piece cannot be moved now.

    Attributes:
        words: the reason, a clause without a full stop.
        by_dice: whether the dice are the reason.
    """

    words: str
    by_dice: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that would be legal if the dice, or the safety of the mover's king, did not forbid it.

    Attributes:
        id: the id that the option would have.
        label: the move in words.
        reason: why it is forbidden.
        pieces: the board after the move.
    """

    id: str
    label: str
    reason: str
    pieces: Mapping[Square, str]


# --- game events: for displays, lights, sounds and the log, and for checking the points -----------------------------


class EventKind(StrEnum):
    """The kind of a game event; it decides which light, sound, mark and colour announce it."""

    # points
    SCORE = "score"  # points of no more specific kind
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
    KING = "king"  # a king was captured
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
    CARD = "card"  # a card was received, or given up
    CORRECTION = "correction"  # a game master corrected something
    # the course of a match
    ORDER = "order"  # who begins
    PLAY_OFF = "play-off"
    ROUND = "round"  # a round began, or ended without a winner
    MATCH = "match"  # the match is over
    NOTE = "note"  # only worth a line in the log


MASTER: Final = "master"
"""The value of `GameEvent.rule` for an event that a game master caused."""

TURNING_POINTS: Final = frozenset({EventKind.ROUND, EventKind.MATCH})
"""Events after which the board is set up anew, so that the last move is no longer marked."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that happened in an action: points, a capture, an offer, the end of a round.

    Attributes:
        kind: the event's kind.
        seat: the seat that the event concerns and that gets the points; `None` if every seat gets them.
        points: the change of the score; may be negative.
        words: the line in the log.
        square: the square where it happened; `None` if it did not happen on a square.
        payer: the seat that loses the same points, as in a sale; `None` if nobody pays.
        rule: the number of the rule behind it, such as `T7`; `MASTER` if a game master caused it; may be empty.
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
    """Return the sum of the events' points for each seat, less the points that the seat pays.

    An event without a seat gives its points to every seat.
    """
    points = [0] * seats
    for event in events:
        for seat in range(seats) if event.seat is None else (event.seat,):
            points[seat] += event.points
        if event.payer is not None:
            points[event.payer] -= event.points
    return tuple(points)
