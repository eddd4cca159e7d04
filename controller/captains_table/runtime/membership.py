"""A table's place in its club, if it belongs to one: without a club nothing is offered, told, or asked for."""

from captains_table.runtime.club_line.member import ClubMember
from captains_table.table.lobby.match_setup import ClubState, Paired


class Membership:
    """What the table's matches have to do with a club, whether there is one or not."""

    def __init__(self) -> None:
        self._club: ClubMember | None = None

    def join(self, club: ClubMember) -> None:
        """Belong to a club from now on."""
        self._club = club

    def state(self) -> ClubState | None:
        """Return what the table's own menu has to know; `None` without a club."""
        return None if self._club is None else self._club.state()

    def offered(self, over: int | None) -> tuple[Paired, ...]:
        """Return the matches that the club wants to be played here.

        Args:
            over: number of the match whose result is seen, though its end may not be written yet.

        Raises:
            JournalUnreadable: it cannot be read which of them were begun.
        """
        return () if self._club is None else self._club.offered(over)

    def kept_pairing(self, pairing: str) -> str | None:
        """Return what is kept of a match about the pairing it is, empty for any other; `None` without a club."""
        return None if self._club is None else pairing

    @property
    def calls_arbiter(self) -> bool | None:
        """Whether an arbiter is called; `None` without a club."""
        return None if self._club is None else self._club.calls_arbiter

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask for an arbiter, or for none any more."""
        if self._club is not None:
            self._club.call_arbiter(wanted=wanted)

    def match_ended(self, number: int) -> None:
        """Have the result of a match told whose end is written."""
        if self._club is not None:
            self._club.match_ended(number)

    def give_up(self, number: int) -> None:
        """Have told that a match was left for good."""
        if self._club is not None:
            self._club.give_up(number)
