"""What is known of a table of the club, frozen: what it said of itself last, and when that arrived."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table.games.contract import GameEvent
from captains_table.reporting.messages import Presence, Seen
from captains_table.table.model.view import Phase

LAST: Final = 8
MOST_WORDS: Final = 240
MOST_NAMES: Final = 1200
NOBODY: Final = ""
"""Under this stands what was refused and belongs to no table."""


@dataclass(frozen=True, slots=True)
class SeatGlance:
    """A seat in a list: the tallies by their names, and whether its player may act now.

    `seconds_left` is what is left on the player's clock, `None` where there is none; `bid` the bid in an auction.
    """

    tallies: Mapping[str, int]
    on_turn: bool = False
    seconds_left: int | None = None
    bid: int = 0


@dataclass(frozen=True, slots=True)
class Glance:
    """What a list of tables needs of a view, and of every table is kept: the view itself is read when it is drawn.

    Attributes:
        phase: where the table stands.
        heading: where in the match it is.
        seats: the players in seat order.
        latest_events: what the last action scored.
        is_throwing: whether dice tumble.
    """

    phase: Phase
    heading: str
    seats: tuple[SeatGlance, ...]
    latest_events: tuple[GameEvent, ...]
    is_throwing: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A table of the club, as the wall knows it.

    Attributes:
        user: how it is called on the broker; it is known by this.
        board: its number in the club, 0 if it has none.
        title: what it is called, never empty.
        presence: whether it is there; `None` while it has not said so.
        away_since_s: since when it is away, by receipt, in Unix seconds of the server's clock; `None` while it is
            there, and where nobody here saw it go.
        needs: whether it asks for an arbiter.
        needs_since_s: when that was received, as above; `None` while it does not ask, and where it asked before the
            server came up.
        call: tells that call from others; empty where it asks for none, or knows of no answers.
        answered: the call that the arbiter answered last.
        games: the keys of the games that can be played at it.
        glance: what a list needs of its view; `None` while it has shown none.
        match: the seal of the match in hand, empty while there is none.
        pairing: the id of the pairing that is played, empty for any other match.
        boot: drawn anew each time the table's program starts.
        n: the number of the view since then.
        needs_update: whether the table said something of a newer version: this club's server needs an update.
    """

    user: str
    board: int = 0
    title: str = ""
    presence: Presence | None = None
    away_since_s: float | None = None
    needs: bool = False
    needs_since_s: float | None = None
    call: str = ""
    answered: str = ""
    games: tuple[str, ...] = ()
    glance: Glance | None = None
    match: str = ""
    pairing: str = ""
    boot: str = ""
    n: int = 0
    needs_update: bool = False

    @property
    def is_away(self) -> bool:
        """Whether it was there and is not now, or never said that it is."""
        return self.presence is not Presence.READY

    @property
    def is_at_play(self) -> bool:
        """Whether a match goes on: one that is over is seen until the next begins."""
        return bool(self.match) and self.glance is not None and self.glance.phase is not Phase.OVER


@dataclass(frozen=True, slots=True)
class Taken:
    """How many views were taken since the server came up, and how many were left out for newer ones: the gaps in n."""

    views: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A payload that was refused.

    Attributes:
        kind: of what topic it was.
        words: what was wrong, without control characters, and short; still to be escaped.
        at_s: when it arrived, in Unix seconds of the server's clock.
    """

    kind: str
    words: str
    at_s: float


@dataclass(slots=True)
class Refusals:
    """What was refused of a table: how many payloads in all, and the last few, oldest first."""

    user: str
    count: int = 0
    last: deque[Refusal] = field(default_factory=lambda: deque(maxlen=LAST))


def glance_at(seen: Seen) -> Glance:
    """Return what a list needs of what is to be seen at a table."""
    view = seen.view
    seats = tuple(SeatGlance(seat.tallies, seat.on_turn, seat.seconds_left, seat.bid) for seat in view.seats)
    return Glance(view.phase, view.heading, seats, view.latest_events, bool(view.tumbling))


class RefusedPayloads:
    """The counts of all tables."""

    def __init__(self) -> None:
        self._counts: dict[str, Refusals] = {}

    def add(self, user: str, kind: str, words: str, at_s: float) -> None:
        """Count a payload that was refused."""
        known = user if user in self._counts or len(self._counts) < MOST_NAMES else NOBODY
        found = self._counts.setdefault(known, Refusals(known))
        found.count += 1
        found.last.append(Refusal(kind, _tame(words), at_s))

    def told(self) -> Sequence[Refusals]:
        """Return the counts, by user."""
        return [found for _, found in sorted(self._counts.items())]


def _tame(words: str) -> str:
    """Return words that may hold parts of a payload short, and without what is no letter of a sentence."""
    printable = "".join(letter if letter.isprintable() else "·" for letter in words[: MOST_WORDS + 1])
    return printable if len(printable) <= MOST_WORDS else f"{printable[: MOST_WORDS - 1]}…"
