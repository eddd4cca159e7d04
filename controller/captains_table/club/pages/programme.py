"""Prepares the club's events for the web pages: standings, captions of tables, and the list of an evening's events."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from captains_table.club.event_manager import EventManager, HeldEvent
from captains_table.club.events.standings import placed, present_standings
from captains_table.club.events.table_assignment import offered_pairings
from captains_table.club.store.store import StoreFailed
from captains_table.phrases import say
from captains_table.reporting.messages import Pairing

TOLD_MIN: Final = 30
"""How long the wall says who plays where, in minutes, unless the event has a time limit for absent players."""
LEADERS: Final = 3
"""How many leading players an evening's list of events names for each event."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of standings: the place, the player's name, and the points.

    The place is empty if the player shares the place of the line above.
    """

    rank: str
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """Standings as they are shown next to the tables.

    Attributes:
        title: the event's title.
        heading: the progress of the event, such as its round.
        lines: the lines, the best first.
        address: the path of the event's page; empty if the event has no page.
    """

    title: str
    heading: str
    lines: tuple[StandingsLine, ...]
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event in an evening's list of events: its title, the path of its public page, and its progress in words."""

    title: str
    address: str
    words: str


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """A match of a published round that has not begun: its round in words, its board, its players, and its table.

    `table` is the table's user name; empty if the match is not assigned. `game` is the key of the event's game.
    """

    heading: str
    board: int
    seats: tuple[str, ...]
    table: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class _Notices:
    """Cached captions for the tables on the wall page.

    Attributes:
        of: the events from which the captions were made.
        playing: the round of each pairing in words, by the pairing's id.
        waiting: the pairing that is next at each table, by the table's user name.
        told: the matches without points of each event's last round, if it is published, by their ids; and until when
            (Unix seconds) the wall says who plays them.
    """

    of: Sequence[HeldEvent]
    playing: Mapping[str, str]
    waiting: Mapping[str, Pairing]
    told: Mapping[str, tuple[WaitingMatch, float]]


class Programme:
    """The current events, prepared for the wall and cached until the events change.

    The current events are those that `EventManager.going_on` returns.

    Attributes:
        events: the club's events.
    """

    def __init__(self, events: EventManager) -> None:
        self.events = events
        self._known: Sequence[HeldEvent] = ()
        self._drawn: tuple[HeldEvent, ShownStandings] | None = None
        self._noticed: _Notices | None = None

    def standings(self) -> ShownStandings | None:
        """Return the standings of the latest current event that has a paired round; `None` if no event has one."""
        held = next((held for held in self._going_on() if held.event.rounds), None)
        if held is None:
            return None
        if self._drawn is None or self._drawn[0].event is not held.event:
            self._drawn = held, _shown(held)
        return self._drawn[1]

    def playing(self, pairing: str) -> str:
        """Return the caption of a pairing that is being played ("Round 2"); empty if the pairing is unknown."""
        return self._notices().playing.get(pairing, "")

    def waiting(self, user: str) -> Pairing | None:
        """Return the pairing that a table is to play next; `None` if it has none."""
        return self._notices().waiting.get(user)

    def to_begin(self, begun: Collection[str], now_s: float) -> Sequence[WaitingMatch]:
        """Return the matches of published rounds that have not begun, in the order of events and boards.

        Half an hour after the publication, or after the event's time limit for absent players, the result is empty.

        Args:
            begun: the ids of the pairings that tables show.
            now_s: the time, in Unix seconds.
        """
        told = self._notices().told.items()
        return [match for id_, (match, until_s) in told if id_ not in begun and now_s < until_s]

    def _notices(self) -> _Notices:
        """Return the cached captions for the tables on the wall page.

        The captions are computed again when an event has changed, that is, when `EventManager.going_on` returns a new
        object.
        """
        going_on = self._going_on()
        if self._noticed is None or self._noticed.of is not going_on:
            self._noticed = _notices_of(going_on)
        return self._noticed

    def _going_on(self) -> Sequence[HeldEvent]:
        """Return the current events; while the database cannot be read, the last known events."""
        with suppress(StoreFailed):
            self._known = self.events.going_on()
        return self._known

    def of_evening(self, number: int) -> Sequence[ShownEvent]:
        """Return the events of an evening, in the order in which they were made."""
        return [_shown_event(held) for held in self.events.of_evening(number)]


def _notices_of(going_on: Sequence[HeldEvent]) -> _Notices:
    playing = {
        match.seated.id: say("Round {round}", round_.number)
        for held in going_on
        for round_, match in held.event.matches()
    }
    offers = offered_pairings([held.event for held in going_on])
    waiting = {user: first for user, (first, *_) in offers.items()}
    told = {id_: found for held in reversed(going_on) for id_, found in _told_matches(held)}
    return _Notices(going_on, playing, waiting, told)


def _told_matches(held: HeldEvent) -> Iterator[tuple[str, tuple[WaitingMatch, float]]]:
    event = held.event
    round_ = event.rounds[-1] if event.rounds else None
    if round_ is None or round_.published_s is None:
        return
    until_s = round_.published_s + 60 * (event.made.forfeit_min or TOLD_MIN)
    heading = say("{event}: round {number}", event.made.title, round_.number)
    for match in round_.matches:
        if match.seated.board and not match.reports and match.ruling is None:
            names, table = tuple(map(event.name, match.seated.seats)), match.tables[-1] if match.tables else ""
            yield match.seated.id, (WaitingMatch(heading, match.seated.board, names, table, event.made.game), until_s)


def _shown_event(held: HeldEvent) -> ShownEvent:
    shown, event = _shown(held), held.event
    words, leaders = shown.heading, ", ".join(f"{line.name} {line.points}" for line in shown.lines[:LEADERS])
    if event.rounds and leaders:
        words = say("{heading}: {leaders}", words, leaders)
    return ShownEvent(event.made.title, shown.address, words)


def _shown(held: HeldEvent) -> ShownStandings:
    event = held.event
    lines = tuple(StandingsLine(place, line.name, line.points) for place, line in placed(present_standings(event)))
    heading = say("Round {n} of {m}", len(event.rounds), event.rounds_planned)
    return ShownStandings(event.made.title, heading, lines, f"/events/{held.number}")
