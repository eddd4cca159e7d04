"""What the club's pages and its events need of the club: tables, what is kept of evenings, the arbiter's word."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from captains_table.club.intake.table_state import Refusals, TableState, Taken
from captains_table.club.store.store import (
    Correction,
    Evening,
    KeptResult,
    NoSuchEvening as NoSuchEvening,
    NoSuchResult as NoSuchResult,
)
from captains_table.reporting.messages import Ending, Pairings
from captains_table.table.model.view import View


class BadCorrection(ValueError):
    """A match cannot have ended so; the message says what was expected."""


class NoSuchCall(LookupError):
    """A table does not call for the arbiter, or not any more by this call."""


class NoSuchTable(LookupError):
    """No table of this name has said anything here."""


@dataclass(frozen=True, slots=True)
class Line:
    """The club's line to its broker.

    Attributes:
        is_up: whether it stands.
        since_s: since when it does, or does not, in Unix seconds of the server's clock.
        words: why it does not; empty while it does.
    """

    is_up: bool
    since_s: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """What changed since the last time; whatever happened twice meanwhile stands here once.

    Attributes:
        tables: the users of the tables whose state or view is another.
        results: whether anything kept is another: results, corrections, proofs, evenings.
        refusals: whether something was refused.
        line: whether the line to the broker came up or went down.
    """

    tables: frozenset[str] = frozenset()
    results: bool = False
    refusals: bool = False
    line: bool = False


class Kept(Protocol):
    """What the club keeps of its evenings, read: the store's file, or a list."""

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[KeptResult]:
        """Return the results of an evening, or of all, in the order of receipt; only those after a receipt."""

    def result(self, match: str) -> KeptResult:
        """Return the result of the match with this seal; raises NoSuchResult."""

    def result_of_pairing(self, pairing: str, user: str) -> KeptResult | None:
        """Return the result that a table told of a pairing; of several the one received last, `None` while none is.

        Any table may name any pairing: only that of the table it was published to counts.
        """

    def corrections(self, evening: int | None = None) -> Sequence[Correction]:
        """Return what the arbiter set right in an evening, or in all, oldest first."""

    def evenings(self) -> Sequence[Evening]:
        """Return all evenings that are kept, the latest first."""


class ClubPort(Protocol):
    """The club as its pages see it. All methods are called on the event loop."""

    @property
    def title(self) -> str:
        """What the club is called."""

    @property
    def kept(self) -> Kept:
        """What it keeps of its evenings."""

    def now_s(self) -> float:
        """Return the time by the server's clock, in Unix seconds: what all times here are held against."""

    def tables(self) -> Sequence[TableState]:
        """Return all tables that are known, by board number, those without one last, by name."""

    def table(self, user: str) -> TableState:
        """Return one table; raises NoSuchTable."""

    def view(self, user: str) -> View | None:
        """Return what is to be seen at a table, `None` while it has shown nothing; raises NoSuchTable.

        What was asked for lately stays read; of the other tables only the payload is kept.
        """

    def tell_of_tables(self, tell: Callable[[TableState], None]) -> None:
        """From now on tell somebody of each table that is another, at once and every time; he is to be quick."""

    def changes(self) -> AsyncGenerator[Changed, None]:
        """Yield at once, with all tables, and then whenever something changed; end when the server stops.

        Whoever is slow is told less often, of all that changed meanwhile.
        """

    def taken(self) -> Taken:
        """Return how many views were taken since the server came up."""

    def line(self) -> Line:
        """Return how the line to the broker is."""

    def expiring(self) -> Sequence[str]:
        """Return a sentence for each certificate of the broker's that will not be good for much longer."""

    def export(self, match: str) -> bytes:
        """Return the export that came with a result, as JSON; empty where there came none. Raises NoSuchResult."""

    def kept_version(self) -> int:
        """Return a number that is another after anything that is kept became another."""

    def correct(self, match: str, ending: Ending | None, why: str) -> Correction:
        """Set right how a match ended, and log it; raises NoSuchResult, or BadCorrection where it cannot be."""

    def begin_evening(self, title: str) -> Evening:
        """Begin an evening, and end the one that goes on."""

    def delete_evening(self, number: int) -> None:
        """Delete an evening wholly, with all that is kept of it; raises NoSuchEvening."""

    def shown_large(self) -> str:
        """Return the user of the table that the arbiter has shown large; empty where he leaves it to the wall."""

    def show_large(self, user: str) -> None:
        """Have the wall show a table large from now on, over restarts too; empty: the wall chooses."""

    def answer(self, user: str, call: str) -> None:
        """Let a table end its call for an arbiter; raises NoSuchTable, or NoSuchCall where it calls by no such one."""

    def refusals(self) -> Sequence[Refusals]:
        """Return what was refused, of every table of which something was, by user."""

    def publish(self, user: str, pairings: Pairings) -> None:
        """Let a table offer these matches and no others; told again whenever the line comes up. Raises BadUser."""
