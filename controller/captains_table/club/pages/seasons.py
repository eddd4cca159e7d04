"""Which matches a page is about: all that the club keeps, of a year, of chosen evenings, or only those proven."""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar, cast
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from captains_table.club.port import ClubPort
from captains_table.club.season.proving import remembered_names
from captains_table.club.season.season import SeasonMatch, Word, season_of
from captains_table.club.store.store import Evening, KeptResult, Proof
from captains_table.web.problems import Problem

MOST_DIGITS: Final = 9
MOST_WORKED_OUT: Final = 32

T = TypeVar("T")
_WORDS: Final = {
    Proof.NONE: Word.TOLD,
    Proof.PENDING: Word.PENDING,
    Proof.PROVEN: Word.PROVEN,
    Proof.FAILED: Word.FAILED,
}


def match_of(result: KeptResult) -> SeasonMatch:
    """Return a result as a season remembers it."""
    outcome, proven = result.outcome, result.remembered
    return SeasonMatch(
        seal=outcome.match,
        rev=outcome.rev,
        evening=result.evening,
        user=result.user,
        game=outcome.game,
        names=remembered_names(outcome.seats, outcome.kinds) if proven is None else proven.names,
        options=outcome.options if proven is None else proven.options,
        ending=result.ending,
        began=outcome.began,
        word=_WORDS[result.proof] if result.correction is None else Word.ARBITER,
        proven=proven,
    )


def year_of(evening: Evening) -> int:
    """Return the year in which an evening began, by this machine's clock."""
    return datetime.fromtimestamp(evening.began_s, UTC).astimezone().year


def day_of(evening: Evening) -> str:
    """Return the day on which an evening began, by this machine's clock."""
    return f"{datetime.fromtimestamp(evening.began_s, UTC).astimezone():%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which evenings are looked at.

    Attributes:
        year: those of one year; `None`: of all.
        evenings: these and no others, by number; empty: all of the year.
        only_proven: whether what rests on somebody's word alone is left out.
    """

    year: int | None = None
    evenings: tuple[int, ...] = ()
    only_proven: bool = False

    @property
    def query(self) -> str:
        """The choice as an address has it, empty for the usual one."""
        parts = [("year", str(self.year))] if self.year is not None else []
        parts += [("evening", str(number)) for number in self.evenings]
        parts += [("proven", "1")] if self.only_proven else []
        return urlencode(parts)


class Seasons:
    """What the club keeps, as seasons.

    It is read anew only after something changed, an evening at a time, so that the loop never waits for years of
    matches; what takes longer is worked out beside the loop, and kept until something changes.

    Args:
        club: whose matches they are.
    """

    def __init__(self, club: ClubPort) -> None:
        self._club = club
        self._version = -1
        self._matches: tuple[SeasonMatch, ...] = ()
        self._worked_out: dict[tuple[int, Hashable], object] = {}

    def years(self) -> list[int]:
        """Return the years in which there were evenings, the latest first."""
        return sorted({year_of(evening) for evening in self._club.kept.evenings()}, reverse=True)

    def read(self, query: QueryParams) -> Choice:
        """Return the choice of an address; raises Problem."""
        year = query.get("year")
        choice = Choice(
            None if not year else _number(year, "year"),
            tuple(sorted({_number(text, "evening") for text in query.getlist("evening")})),
            query.get("proven") == "1",
        )
        known = {evening.number for evening in self._club.kept.evenings()}
        if not known.issuperset(choice.evenings):
            raise Problem(404, "There is no such evening: expected one of those on the page of evenings.")
        return choice

    async def season(self, choice: Choice) -> tuple[SeasonMatch, ...]:
        """Return the matches of a choice."""
        matches = await self._all()
        chosen = {
            evening.number
            for evening in self._club.kept.evenings()
            if (choice.year is None or year_of(evening) == choice.year)
            and (not choice.evenings or evening.number in choice.evenings)
        }
        return await asyncio.to_thread(season_of, matches, chosen, only_proven=choice.only_proven)

    async def counts(self) -> Counter[int]:
        """Return how many results each evening has, by its number."""
        return Counter(match.evening for match in await self._all())

    async def worked_out(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what a piece of work comes to, done beside the loop; as it was done before, if nothing changed since.

        Args:
            key: says all that it depends on beside what the club keeps.
            work: does it; it may not ask the club.
        """
        version = self._club.kept_version()
        known = self._worked_out.get((version, key))
        if known is None:
            known = await asyncio.to_thread(work)
            self._worked_out = {each: done for each, done in self._worked_out.items() if each[0] == version}
            while len(self._worked_out) >= MOST_WORKED_OUT:
                del self._worked_out[next(iter(self._worked_out))]
            self._worked_out[version, key] = known
        return cast("T", known)

    async def _all(self) -> tuple[SeasonMatch, ...]:
        version = self._club.kept_version()
        if self._version != version:
            matches: list[SeasonMatch] = []
            for evening in self._club.kept.evenings():
                matches += map(match_of, self._club.kept.results(evening.number))
                await asyncio.sleep(0)
            self._matches, self._version = tuple(matches), version
        return self._matches

    def title(self, choice: Choice) -> str:
        """Return what a choice is called."""
        titles = [evening.title for evening in self._club.kept.evenings() if evening.number in choice.evenings]
        words = ", ".join(reversed(titles)) or ("All years" if choice.year is None else str(choice.year))
        return f"{words}, only what is proven" if choice.only_proven else words


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Problem(400, f"The {what} cannot be read: expected a number.")
    return int(text)
