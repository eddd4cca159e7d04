"""Computes the values that the template of a table's tile on the wall shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.words import time_of_day
from captains_table.games.contract import GameEvent
from captains_table.phrases import computed, computes, listed, say, with_stops
from captains_table.reporting.messages import Pairing
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import LogLine, Phase, View, first_shown
from captains_table.web.cards import card_of, main_tally, name_forms, standing_of
from captains_table.web.scene import Scene
from captains_table.web.svg.board_svg import miniature_svg

MOST_SEATS: Final = 16
"""How many players a tile gets at most; the browser shows as many as there is room for, and counts the others."""
LOG_LINES: Final = 6
NOT_LISTENED_TO: Final = say("The arbiter does not listen to this table")
LONGEST: Final = 200
"""How many characters of any text from a table are shown; a tile has no room for more."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player on a tile.

    Attributes:
        number: the seat's number, from 1; after the match, the rank.
        name: the player's name.
        computer: the words after the name that say which computer plays the seat; empty for a person.
        score: the main tally; empty if there is none.
        clock: the time left; empty if there is no clock.
        time_note: the seconds of delay that run, or else the stage of the clock; empty if there is neither.
        is_low: whether at most 30 seconds are left.
        on_turn: whether the player may act now.
        is_winner: whether the match is over and the player is first.
        bid: the player's bid in an auction; 0 if there is none.
    """

    number: int
    name: str
    computer: str
    score: str
    clock: str
    time_note: str
    is_low: bool
    on_turn: bool
    is_winner: bool
    bid: int


@dataclass(frozen=True)
class Tile:
    """A table as it is shown on the wall.

    Attributes:
        table: its state.
        view: its latest view; `None` if there is none.
        large: whether there is room for all details.
        round: the round of an event to which the match belongs, in words; empty if it belongs to no event.
        waiting: the pairing that is to be played next at the table; `None` if there is none.
    """

    table: TableState
    view: View | None
    large: bool = False
    round: str = ""
    waiting: Pairing | None = None

    @cached_property
    def _match(self) -> View:
        """The view of the match that the table shows; an empty view if it shows none."""
        return View() if self.view is None or self.view.phase is Phase.IDLE else self.view

    @property
    def is_played(self) -> bool:
        """Whether the table shows a match, which may have ended."""
        return self._match.phase is not Phase.IDLE

    @property
    def is_over(self) -> bool:
        """Whether the table shows a match that has ended."""
        return self._match.phase is Phase.OVER

    @property
    def classes(self) -> str:
        """The CSS classes for the table's state."""
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
        """The board as a small SVG picture; empty without a match, or if the game has no board."""
        match = self._match
        return "" if match.shape is None else miniature_svg(match.shape, match.pieces, match.marks, match.things)

    @cached_property
    def dice(self) -> Sequence[dict[str, Any]]:
        """The dice as the template needs them, or the throw still being shown; empty before and after a match."""
        return Scene(self._match, watches=True).dice() if self.is_played and not self.is_over else ()

    @property
    def game(self) -> str:
        """The game's short name, such as "Legend" of "Legend ~ Ship, Captain, Crew"; empty if no match is shown."""
        return cut(self._match.title.partition(" ~ ")[0]) if self.is_played else ""

    @property
    def heading(self) -> str:
        """The stage of the match; on a large tile, the round of the event to which the match belongs comes first.

        If another table has the same number or name, the table's user name stands before all. On a small tile, a match
        that has ended is only "over".
        """
        user, round_ = self.table.user if self.table.doubled else "", self.round if self.large else ""
        stage = say("over") if self.is_over and not self.large else cut(self._match.heading)
        return computed(_dotted, user, round_, stage)

    @property
    def words(self) -> str:
        """The line of words on the tile: the prompt of the match, or how the match ended.

        Without a match, the line states the next pairing, or that nobody plays. On a small tile, the round of the
        event to which the match belongs comes first.
        """
        return computed(_dotted, "" if self.large else self.round, self._said)

    @cached_property
    def _said(self) -> str:
        if self.table.is_muted:
            return NOT_LISTENED_TO
        if not self.is_played:
            return self._next_forms[0] if self._next_forms else say("Nobody plays here")
        card = card_of(self._match)
        if card is not None and card.is_final:
            return cut(card.headline)
        return cut(next(iter(self._match.prompt), ""))

    @cached_property
    def word_forms(self) -> Sequence[str]:
        """The line of words, whole and in shorter forms: without the round, then with shortened names.

        The shortest form of a prompt is empty, because the player on turn is marked in any case.
        """
        if not self.is_played:
            return self._next_forms or (self._said,)
        names = [seat.called for seat in self._match.seats]
        levels = zip(*name_forms(names), strict=True)
        named = [computed(_renamed, self._said, *names, *level) for level in levels]
        return list(dict.fromkeys([self.words, self._said, *named, *([] if self.is_over else [""])]))

    @cached_property
    def _next_forms(self) -> Sequence[str]:
        """The next pairing in words, whole and in shorter forms; empty if there is none, or the table is muted."""
        if self.waiting is None or self.table.is_muted:
            return ()
        whole, *shorter = (" – ".join(names) for names in zip(*name_forms(self.waiting.seats), strict=True))  # noqa: RUF001 - a dash
        heading = say("{heading}: {names}", self.waiting.heading, whole)
        return [*(say("Next: {match}", match) for match in (heading, whole)), whole, *shorter]

    @cached_property
    def seats(self) -> Sequence[SeatLine]:
        """The players on the tile, at most `MOST_SEATS`.

        If the match has more players, the tile shows the player on turn and the seats around it. After the end of the
        match, it shows the best players.
        """
        standing = standing_of(self._match)
        first = 0 if self.is_over else first_shown(self._match.seat, len(standing), MOST_SEATS)
        return [self._seat(seat, rank) for seat, rank in standing[first : first + MOST_SEATS]]

    @property
    def beyond(self) -> int:
        """The number of players in the match who are not shown on the tile."""
        return len(self._match.seats) - len(self.seats)

    @property
    def news(self) -> Sequence[GameEvent]:
        """The first three game events of the last action."""
        return self._match.latest_events[:3]

    @property
    def log(self) -> Sequence[LogLine]:
        """The last `LOG_LINES` lines of the log, the newest first."""
        return self._match.log[: -LOG_LINES - 1 : -1]

    @property
    def label(self) -> str:
        """The description of the table for screen readers."""
        players = listed([f"{seat.name} {seat.score}".rstrip() for seat in self.seats], ",")
        if self.beyond:
            players = say("{names} and {count} more", players, self.beyond)
        since = time_of_day(self.table.away_since_s)
        states = {
            say("needs an arbiter"): self.table.needs,
            say("away since {time}", since) if since else say("away"): self.table.is_away and not self.table.is_muted,
            say("needs an update"): self.table.needs_update,
        }
        said = [self.table.caption, self.game, self.heading, players, self.words]
        return computed(with_stops, *(words for words, holds in states.items() if holds), *filter(None, said))

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
            time_note=seat.time_note,
            is_low=left is not None and left <= 30,  # noqa: PLR2004 - seconds
            on_turn=seat.on_turn,
            is_winner=self.is_over and rank == 1,
            bid=seat.bid,
        )


@computes
def _dotted(*words: str) -> str:
    return " · ".join(filter(None, words))


@computes
def _renamed(words: str, *forms: str) -> str:
    """Return a text in which each name is replaced by its shown form; first come the names, then the forms."""
    shown = dict(zip(forms[: len(forms) // 2], forms[len(forms) // 2 :], strict=True))
    names = "|".join(re.escape(name) for name in sorted(shown, key=len, reverse=True) if name)
    return re.sub(names, lambda found: shown[found[0]], words) if names else words


def cut(words: str) -> str:
    """Return a text, shortened if it is longer than `LONGEST` characters."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
