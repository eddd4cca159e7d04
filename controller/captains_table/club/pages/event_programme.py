"""The events as the wall shows them: the standings of the one that goes on, and what is played where."""

from collections.abc import Sequence
from typing import Final

from captains_table.club.events.at_tables import open_matches
from captains_table.club.events.event import Event
from captains_table.club.events.standings import Line, shown, standings
from captains_table.club.pages.event_port import EventPort
from captains_table.club.pages.programme import ShownEvent, ShownStandings, StandingsLine

LEADERS: Final = 3
"""So many are named beside an event."""


class EventProgramme:
    """A Programme of the events that are held.

    Args:
        events: the events.
    """

    def __init__(self, events: EventPort) -> None:
        self._events = events
        self._drawn: tuple[Event, ShownStandings] | None = None

    def standings(self) -> ShownStandings | None:
        """Return the standings of the latest event that is played; `None` while none is."""
        held = next((held for held in self._events.going_on() if held.event.rounds), None)
        if held is None:
            return None
        if self._drawn is None or self._drawn[0] is not held.event:
            self._drawn = held.event, _shown(held.event)
        return self._drawn[1]

    def playing(self, pairing: str) -> str:
        """Return which round of what a pairing is; empty where nothing is known of it."""
        for held in self._events.going_on():
            for round_ in held.event.rounds:
                if any(match.seated.id == pairing for match in round_.matches):
                    return f"Round {round_.number}"
        return ""

    def waiting(self, user: str) -> str:
        """Return what is to be played at a table next; empty where nothing is."""
        for held in self._events.going_on():
            for match in open_matches(held.event):
                if match.tables[-1:] == (user,):
                    names = " – ".join(held.event.name(seat) for seat in match.seated.seats)  # noqa: RUF001 - a dash
                    return f"Round {held.event.rounds[-1].number}: {names}"
        return ""

    def of_evening(self, number: int) -> Sequence[ShownEvent]:
        """Return the events that belong to an evening, in the order in which they were made."""
        return [_shown_event(held.number, held.event) for held in self._events.of_evening(number)]


def _shown_event(number: int, event: Event) -> ShownEvent:
    shown = _shown(event)
    leaders = ", ".join(f"{line.name} {line.points}" for line in shown.lines[:LEADERS]) if event.rounds else ""
    return ShownEvent(event.made.title, f"/arbiter/events/{number}", ": ".join(filter(None, (shown.heading, leaders))))


def _shown(event: Event) -> ShownStandings:
    lines, before = [], 0
    for line in standings(event):
        lines.append(_line(line, before))
        before = line.place
    return ShownStandings(event.made.title, f"Round {len(event.rounds)} of {event.rounds_planned}", tuple(lines))


def _line(line: Line, before: int) -> StandingsLine:
    return StandingsLine("" if line.place == before else str(line.place), line.name, shown(line.halves))
