"""What happened in a match, for displays, lights, sounds and the log, and for the audit of the points."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from captains_table.games.contract.display import Square


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
