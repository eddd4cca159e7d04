"""A table on the wall: what a tile shows of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.words import time_of_day
from captains_table.games.contract import GameEvent
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import LogLine, Phase, View, first_shown
from captains_table.web.cards import card_of, main_tally, standing_of
from captains_table.web.scene import Scene
from captains_table.web.svg.board_svg import miniature_svg

MOST_SEATS: Final = 16
"""Players that a tile is given; of these the browser shows as many as there is room for, and counts the others."""
LOG_LINES: Final = 6
LONGEST: Final = 200
"""Characters of anything that a table says; there is no room for more on a tile."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player on a tile: the rank once it is over, what he is called, what he has, the time he has left."""

    number: int
    name: str
    computer: str
    score: str
    clock: str
    is_low: bool
    on_turn: bool
    is_winner: bool
    bid: int


@dataclass(frozen=True)
class Tile:
    """A table as it is shown on the wall.

    Attributes:
        table: what is known of it.
        view: what is to be seen there; `None` while it showed nothing.
        large: whether there is room for all that is said of it.
        round: what is played there in an event; empty for any other match.
        waiting: what is to be played there next, where nothing is played.
    """

    table: TableState
    view: View | None
    large: bool = False
    round: str = ""
    waiting: str = ""

    @property
    def name(self) -> str:
        """What the table is called: its number, else its title."""
        return f"Table {self.table.board}" if self.table.board else self.title

    @property
    def title(self) -> str:
        """Its title, which is never empty."""
        return cut(self.table.title) or self.table.user

    @cached_property
    def _match(self) -> View:
        """The view of the match; empty if none is played."""
        return View() if self.view is None or self.view.phase is Phase.IDLE else self.view

    @property
    def is_played(self) -> bool:
        """Whether there is a match to be seen."""
        return self._match.phase is not Phase.IDLE

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._match.phase is Phase.OVER

    @property
    def classes(self) -> str:
        """How it stands, for the style sheet."""
        found = {
            "large": self.large,
            "needs": self.table.needs,
            "away": self.table.is_away,
            "update": self.table.needs_update,
            "over": self.is_over,
            "free": not self.is_played,
            "with-board": bool(self.board),
        }
        return " ".join(name for name, holds in found.items() if holds)

    @cached_property
    def board(self) -> str:
        """The board as a small picture; empty where the game has none."""
        match = self._match
        return "" if match.shape is None else miniature_svg(match.shape, match.pieces, match.marks, match.things)

    @cached_property
    def dice(self) -> Sequence[dict[str, Any]]:
        """The dice, or the throw that is still to be seen."""
        return Scene(self._match, watches=True).dice() if self.is_played and not self.is_over else ()

    @property
    def game(self) -> str:
        """The game's name, without what it is made of ("Legend ~ Ship, Captain, Crew")."""
        return cut(self._match.title.partition(" ~ ")[0])

    @property
    def heading(self) -> str:
        """Where in the match it is, and, where there is room, in which round of an event."""
        return " · ".join(filter(None, (self.round if self.large else "", cut(self._match.heading))))

    @property
    def words(self) -> str:
        """How the match ended, or what is waited for; on a small tile of an event after the round."""
        return " · ".join(filter(None, ("" if self.large else self.round, self._said)))

    @cached_property
    def _said(self) -> str:
        if not self.is_played:
            return f"Next: {self.waiting}" if self.waiting else "Nobody plays here"
        card = card_of(self._match)
        if card is not None and card.is_final:
            return cut(card.headline)
        return cut(next(iter(self._match.prompt), ""))

    @cached_property
    def seats(self) -> Sequence[SeatLine]:
        """Who plays: of a crowd those around whoever is to act, or the best at the end."""
        standing = standing_of(self._match)
        first = 0 if self.is_over else first_shown(self._match.seat, len(standing), MOST_SEATS)
        return [self._seat(seat, rank) for seat, rank in standing[first : first + MOST_SEATS]]

    @property
    def beyond(self) -> int:
        """How many more play than those."""
        return len(self._match.seats) - len(self.seats)

    @property
    def news(self) -> Sequence[GameEvent]:
        """What the last action scored."""
        return self._match.latest_events[:3]

    @property
    def log(self) -> Sequence[LogLine]:
        """The last lines of the log, the newest first."""
        return self._match.log[: -LOG_LINES - 1 : -1]

    @property
    def label(self) -> str:
        """The table in words, as a screen reader says it."""
        players = ", ".join(f"{seat.name} {seat.score}".rstrip() for seat in self.seats)
        more = f" and {self.beyond} more" if self.beyond else ""
        states = {
            "needs an arbiter": self.table.needs,
            f"away {self.since_away}".rstrip(): self.table.is_away,
            "needs an update": self.table.needs_update,
        }
        said = [self.name, self.game, self.heading, f"{players}{more}", self.words]
        return ". ".join(filter(None, (*(words for words, holds in states.items() if holds), *said)))

    @property
    def since_away(self) -> str:
        """Since when it is away, in words; empty where that is not known."""
        away = time_of_day(self.table.away_since_s)
        return f"since {away}" if away else ""

    def _seat(self, number: int, rank: int | None) -> SeatLine:
        seat = self._match.seats[number]
        score = seat.tallies.get(main_tally(list(seat.tallies)))
        left = seat.seconds_left
        return SeatLine(
            number=rank or number + 1,
            name=cut(seat.called),
            computer=cut(seat.played_by),
            score="" if score is None else str(score),
            clock="" if left is None else clock_face(left),
            is_low=left is not None and left <= 30,  # noqa: PLR2004 - seconds
            on_turn=seat.on_turn,
            is_winner=self.is_over and rank == 1,
            bid=seat.bid,
        )


def cut(words: str) -> str:
    """Return words, those that are too many cut."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
