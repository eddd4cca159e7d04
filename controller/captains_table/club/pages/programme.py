"""What the wall shows of the events that are held: standings beside the tables, and what is played where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of standings: the rank, empty where it is shared with the line above; who; and what he has."""

    rank: str
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """Standings as they are shown beside the tables.

    Attributes:
        title: the event's.
        heading: after which round, or whatever else says how far it is.
        lines: the best first.
        address: where the event's page is; empty where it has none.
    """

    title: str
    heading: str
    lines: tuple[StandingsLine, ...]
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event of an evening: what it is called, where everybody's page of it is, and in words how far it is."""

    title: str
    address: str
    words: str


class Programme(Protocol):
    """The events of an evening, as the wall asks for them whenever it is drawn."""

    def standings(self) -> ShownStandings | None:
        """Return what is shown beside the tables; `None` while no event runs."""

    def playing(self, pairing: str) -> str:
        """Return what a pairing is called where it is played ("Round 2"); empty where nothing is known of it."""

    def waiting(self, user: str) -> str:
        """Return what is to be played at a table next ("Round 2: Anne - Bart"); empty where nothing is."""

    def of_evening(self, number: int) -> Sequence[ShownEvent]:
        """Return the events that belong to an evening, in the order in which they were made."""


class NoProgramme:
    """No event is held."""

    def standings(self) -> ShownStandings | None:
        """Return nothing."""
        return None

    def playing(self, pairing: str) -> str:  # noqa: ARG002 - nothing is known of any
        """Return nothing."""
        return ""

    def waiting(self, user: str) -> str:  # noqa: ARG002 - nothing waits anywhere
        """Return nothing."""
        return ""

    def of_evening(self, number: int) -> Sequence[ShownEvent]:  # noqa: ARG002 - in no evening
        """Return nothing."""
        return ()
