"""What the arbiter's pages need of the events that are held."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from captains_table.club.events.entries import Entry, Made
from captains_table.club.events.event import Event
from captains_table.club.store.event_log import EventHead, Logged, Player
from captains_table.club.store.kept import KeptResult


@dataclass(frozen=True, slots=True)
class HeldEvent:
    """An event with what is known of it beside its rules.

    Attributes:
        head: where it is kept.
        event: as it stands.
        is_being_paired: whether its next round is being paired, and nothing of it changes until that is done.
    """

    head: EventHead
    event: Event
    is_being_paired: bool = False

    @property
    def number(self) -> int:
        """By which it is known."""
        return self.head.number


class EventPort(Protocol):
    """The events as the arbiter's pages see them. All methods are called on the event loop."""

    def players(self) -> Sequence[Player]:
        """Return everybody the club knows, by name."""

    def add_player(self, name: str, rating: int | None) -> Player:
        """Enter a player in the club; raises PlayerKnown."""

    def add_players(self, listed: Sequence[tuple[str, int | None]]) -> None:
        """Enter players with their ratings, all or none; who is known already stays as he is."""

    def change_player(self, number: int, name: str, rating: int | None) -> Player:
        """Set right what a player is called and rated; raises NoSuchPlayer or PlayerKnown."""

    def events(self) -> Sequence[HeldEvent]:
        """Return all events, the latest first."""

    def going_on(self) -> Sequence[HeldEvent]:
        """Return the events that were not ended, and those that were looked at since the server came up.

        It is the same sequence as before while nothing of it has changed.
        """

    def of_evening(self, number: int) -> Sequence[HeldEvent]:
        """Return the events that belong to an evening, in the order in which they were made."""

    def forget(self) -> None:
        """Know nothing any more but what is kept, after an evening was deleted."""

    def event(self, number: int) -> HeldEvent:
        """Return an event; raises NoSuchEvent."""

    def log(self, number: int) -> Sequence[Logged]:
        """Return all that was written of an event, in order; raises NoSuchEvent."""

    def strangers(self, number: int) -> Sequence[KeptResult]:
        """Return results of an event's matches that came from tables they were not given to; none of them counts."""

    def results(self, number: int) -> Mapping[str, KeptResult]:
        """Return the result by which each match of an event counts that was played, by the match's id."""

    def make(self, made: Made) -> int:
        """Make an event and return its number; raises CannotBe."""

    def make_of_report(self, text: str, made: Made) -> int:
        """Make an event of a TRF, its players entered in the club where they are not yet; raises BadReport."""

    def write(self, number: int, *entries: Entry) -> None:
        """Write what happened, all or nothing; raises NoSuchEvent or CannotBe."""

    def enter(self, number: int, player: int) -> None:
        """Let a player of the club take part; raises NoSuchEvent, NoSuchPlayer or CannotBe."""

    async def pair(self, number: int) -> None:
        """Pair the next round, beside the loop: nothing else is written meanwhile. Raises NoSuchEvent or CannotPair."""

    def publish(self, number: int) -> None:
        """Give the matches of the last round to the tables; raises NoSuchEvent or CannotBe."""

    def tables_for(self, number: int) -> Sequence[str]:
        """Return the users of the tables at which an event's game can be played now; raises NoSuchEvent."""
