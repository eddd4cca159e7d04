"""The state of a table as the club knows it, and the payloads that were refused from each table."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table.games.contract import GameEvent, is_showable
from captains_table.phrases import say
from captains_table.reporting.messages import PlayedMove, Presence, ViewMessage
from captains_table.table.model.view import Phase

LAST: Final = 8
MOST_WORDS: Final = 240
MOST_NAMES: Final = 1200
NOBODY: Final = ""
"""The user name under which refused payloads are counted that belong to no table, or to one too many to count."""


@dataclass(frozen=True, slots=True)
class SeatGlance:
    """The summary of one seat in a table's view.

    Attributes:
        tallies: the player's tallies, such as scores, by the tally's name.
        on_turn: whether the player may act now.
        seconds_left: the time left on the player's clock; `None` if there is no clock.
        bid: the player's bid in an auction; 0 if there is none.
    """

    tallies: Mapping[str, int]
    on_turn: bool = False
    seconds_left: int | None = None
    bid: int = 0


@dataclass(frozen=True, slots=True)
class Glance:
    """A small summary of a table's view, kept in memory for every table. A whole view is decoded only when needed.

    Attributes:
        phase: the phase of the table's match.
        heading: the stage of the match in words, such as its turn.
        seats: the seats in their order.
        latest_events: the game events of the last action.
        is_throwing: whether dice are tumbling.
    """

    phase: Phase
    heading: str
    seats: tuple[SeatGlance, ...]
    latest_events: tuple[GameEvent, ...]
    is_throwing: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table, as the club knows it from the table's payloads.

    Attributes:
        user: its user name at the broker, which identifies it.
        board: its number in the club; 0 if it has none.
        title: its name, never empty; with its user name if it is `doubled`.
        said_board, said_title: the number and name that it proposes itself; 0 and empty if there are none.
        doubled: whether it is shown with its user name, because it proposes a number or name that another table has.
        is_muted: whether the arbiter decided that nothing of it is taken in.
        presence: whether it is online; `None` before its first status.
        away_since_s: since when the table is away, in Unix seconds of the server's clock. Normally, this is the
            arrival of the message that says so. For a table that was silent after the server's reconnection to the
            broker, it is the time when the server lost the connection. `None` while the table is online, and if the
            table went away before the server was connected.
        needs: whether it calls for an arbiter.
        needs_since_s: when its current call came, in Unix seconds of the server's clock; `None` if it does not call,
            and if it called before the server was connected.
        call: the id of its current call; empty if it does not call, or if its program cannot receive answers.
        answered: the id of its last call that the arbiter answered; empty if there is none.
        games: the keys of the games that can be played at it; empty if it has not published them.
        glance: the summary of its view; `None` before its first view.
        match: the seal of the current match, which identifies it; empty while there is none.
        start, moves: how a paired match of chess began, and its moves, as in the table's message.
        pairing: the id of the pairing that is played; empty without a pairing.
        boot: an id that the table's program draws anew at each start.
        n: the number of the latest view, counted since the start of the table's program.
        needs_update: whether this server needs an update, because the table's latest message of some kind has a version
            that is too new for the server.
    """

    user: str
    board: int = 0
    title: str = ""
    said_board: int = 0
    said_title: str = ""
    doubled: bool = False
    is_muted: bool = False
    presence: Presence | None = None
    away_since_s: float | None = None
    needs: bool = False
    needs_since_s: float | None = None
    call: str = ""
    answered: str = ""
    games: tuple[str, ...] = ()
    glance: Glance | None = None
    match: str = ""
    start: str = ""
    moves: tuple[PlayedMove, ...] = ()
    pairing: str = ""
    boot: str = ""
    n: int = 0
    needs_update: bool = False

    @property
    def is_away(self) -> bool:
        """Return whether the table is offline or muted, or has never reported that it is online."""
        return self.presence is not Presence.READY or self.is_muted

    @property
    def numbered(self) -> str:
        """The table's number, with the user name if it is `doubled`; empty if the table has no number."""
        if not self.board:
            return ""
        return f"{self.board} ({self.user})" if self.doubled else str(self.board)

    @property
    def caption(self) -> str:
        """The table's caption: "Table" and its number, or the title of a table without a number."""
        return say("Table {number}", self.numbered) if self.board else self.title

    @property
    def is_at_play(self) -> bool:
        """Return whether a match is being played; a match that is over but still shown is not."""
        return bool(self.match) and self.glance is not None and self.glance.phase is not Phase.OVER


@dataclass(frozen=True, slots=True)
class ViewCounts:
    """How many views of all tables were received since the server started, and how many were missed (`left_out`).

    The number of missed views follows from gaps in the numbers `n` of each table's views.
    """

    views: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A payload that was refused.

    Attributes:
        kind: the kind of message that its topic names.
        words: what was wrong, shortened and without control characters, but not escaped for HTML.
        at_s: the time of arrival in Unix seconds of the server's clock.
    """

    kind: str
    words: str
    at_s: float


@dataclass(slots=True)
class Refusals:
    """The refused payloads of a user: the total count, and the last few, the oldest first.

    `user` is a table's user name, or `NOBODY` for all payloads that belong to no table or to a user beyond the first
    `MOST_NAMES`.
    """

    user: str
    count: int = 0
    last: deque[Refusal] = field(default_factory=lambda: deque(maxlen=LAST))


def glance_at(seen: ViewMessage) -> Glance:
    """Return the summary of a table's view."""
    view = seen.view
    seats = tuple(SeatGlance(seat.tallies, seat.on_turn, seat.seconds_left, seat.bid) for seat in view.seats)
    return Glance(view.phase, view.heading, seats, view.latest_events, bool(view.tumbling))


class RefusedPayloads:
    """Counts the refused payloads of each user, and stores why and when the latest ones were refused."""

    def __init__(self) -> None:
        self._counts: dict[str, Refusals] = {}

    def add(self, user: str, kind: str, words: str, at_s: float) -> None:
        """Count a refused payload of a user, and store the reason.

        Once `MOST_NAMES` users are known, the payloads of all further users are counted together as those of `NOBODY`.
        """
        known = user if user in self._counts or len(self._counts) < MOST_NAMES else NOBODY
        found = self._counts.setdefault(known, Refusals(known))
        found.count += 1
        found.last.append(Refusal(kind, _tame(words), at_s))

    def counts(self) -> Sequence[Refusals]:
        """Return the refused payloads of each user who has any, sorted by user name."""
        return [found for _, found in sorted(self._counts.items())]


def _tame(words: str) -> str:
    """Return a text with each unprintable character replaced by a dot, shortened to `MOST_WORDS` characters.

    The text may quote a payload, which can contain anything.
    """
    printable = "".join(letter if is_showable(letter) else "·" for letter in words[: MOST_WORDS + 1])
    return printable if len(printable) <= MOST_WORDS else f"{printable[: MOST_WORDS - 1]}…"
