"""Selects a season's matches from the stored results, and serves the pages of the halls of fame and of players.

Values computed from a season are cached until stored results change. A player's page also shows the player's ratings,
with charts.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar, cast
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from captains_table.club.events.ratings import BEGINNING, RatedMatch, ratings
from captains_table.club.pages.club_pages import ClubPages
from captains_table.club.pages.words import game_title
from captains_table.club.season.hall_of_fame import hall_of_fame, player_season
from captains_table.club.season.proving import remembered_names
from captains_table.club.season.season import ResultSource, SeasonMatch, games_of, season_of
from captains_table.club.service import ClubService
from captains_table.club.store.store import Evening, Proof, StoredResult
from captains_table.games.contract import is_nobodys
from captains_table.phrases import message, say
from captains_table.web.problems import Problem
from captains_table.web.request_reader import LARGEST_NUMBER, whole_number
from captains_table.web.svg.chart_svg import ChartLine, step_chart

MOST_WORKED_OUT: Final = 32
T = TypeVar("T")
WORTH_A_CHART: Final = 2
LONGEST_NAME: Final = 64
MOST_MATCHES: Final = 100
MERE_WIN: Final = 1
"""A score up to this only says who won."""


def season_match_of(result: StoredResult) -> SeasonMatch:
    """Convert a stored result to a match of a season."""
    outcome, proven = result.outcome, result.remembered
    word = ResultSource.TOLD if result.proof is Proof.NONE else ResultSource(result.proof)
    if result.is_held:
        word = ResultSource.OVERLAPS
    if result.correction is not None:
        word = ResultSource.ARBITER
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
        word=word,
        proven=proven,
    )


def year_of(evening: Evening) -> int:
    """Return the year in which an evening began, in this machine's time zone."""
    return datetime.fromtimestamp(evening.began_s, UTC).astimezone().year


def day_of(evening: Evening) -> str:
    """Return the day on which an evening began, in this machine's time zone, such as 2026-11-26."""
    return f"{datetime.fromtimestamp(evening.began_s, UTC).astimezone():%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class SeasonChoice:
    """A page's choice of matches.

    Attributes:
        year: the year of the evenings; `None` for all years.
        evenings: the numbers of the chosen evenings; only those in `year` count. Empty for all evenings of the year.
        only_proven: whether only matches with a proven result are chosen. A result is proven by its export. It is no
            longer proven after the arbiter has corrected it.
    """

    year: int | None = None
    evenings: tuple[int, ...] = ()
    only_proven: bool = False

    @property
    def query(self) -> str:
        """The choice as the query string of a URL; empty for the default choice."""
        parts = [("year", str(self.year))] if self.year is not None else []
        parts += [("evening", str(number)) for number in self.evenings]
        parts += [("proven", "1")] if self.only_proven else []
        return urlencode(parts)


class Seasons:
    """The stored results as seasons, cached until stored results change.

    Results are read evening by evening, so that years of matches do not block the event loop; longer computations run
    in a thread.

    Args:
        club: the club.
    """

    def __init__(self, club: ClubService) -> None:
        self._club = club
        self._version = -1
        self._matches: tuple[SeasonMatch, ...] = ()
        self._cache: dict[tuple[int, Hashable], object] = {}

    def years(self) -> list[int]:
        """Return the years in which there were evenings, the latest first."""
        return sorted({year_of(evening) for evening in self._club.store.evenings()}, reverse=True)

    def read(self, query: QueryParams) -> SeasonChoice:
        """Return the choice in a query string; raises Problem if a number is invalid or an evening does not exist."""
        year = query.get("year")
        choice = SeasonChoice(
            None if not year else _number(year, message("The year cannot be read: expected a number.")),
            tuple(
                sorted(
                    {
                        _number(text, message("The evening cannot be read: expected a number."))
                        for text in query.getlist("evening")
                    }
                )
            ),
            query.get("proven") == "1",
        )
        known = {evening.number for evening in self._club.store.evenings()}
        if not known.issuperset(choice.evenings):
            raise Problem(404, say("There is no such evening: expected one of those on the page of evenings."))
        return choice

    async def season(self, choice: SeasonChoice) -> tuple[SeasonMatch, ...]:
        """Return the season's matches that a choice of year, evenings and proven results selects."""
        matches = await self._all()
        chosen = {
            evening.number
            for evening in self._club.store.evenings()
            if (choice.year is None or year_of(evening) == choice.year)
            and (not choice.evenings or evening.number in choice.evenings)
        }
        return await asyncio.to_thread(season_of, matches, chosen, only_proven=choice.only_proven)

    async def counts(self) -> Counter[int]:
        """Return the number of results of each evening, by the evening's number."""
        return Counter(match.evening for match in await self._all())

    async def computed(self, key: Hashable, work: Callable[[], T]) -> T:
        """Run a computation in a thread and return its value; the latest values are cached until stored results change.

        Args:
            key: identifies the computation and everything on which its value depends, except the stored results.
            work: the computation, which must not use the club.
        """
        version = self._club.store_version
        known = self._cache.get((version, key))
        if known is None:
            known = await asyncio.to_thread(work)
            self._cache = {each: done for each, done in self._cache.items() if each[0] == version}
            while len(self._cache) >= MOST_WORKED_OUT:
                del self._cache[next(iter(self._cache))]
            self._cache[version, key] = known
        return cast("T", known)

    async def _all(self) -> tuple[SeasonMatch, ...]:
        version = self._club.store_version
        if self._version != version:
            matches: list[SeasonMatch] = []
            for evening in self._club.store.evenings():
                matches += map(season_match_of, self._club.store.results(evening.number))
                await asyncio.sleep(0)
            self._matches, self._version = tuple(matches), version
        return self._matches

    def title(self, choice: SeasonChoice) -> str:
        """Return the title of a choice: the chosen evenings' titles, or else the year or "All years".

        If only proven results are chosen, the title says so.
        """
        titles = [evening.title for evening in self._club.store.evenings() if evening.number in choice.evenings]
        words = ", ".join(reversed(titles)) or (say("All years") if choice.year is None else str(choice.year))
        return say("{season}, only what is proven", words) if choice.only_proven else words


def _number(text: str, wrong: str) -> int:
    number = whole_number(text, LARGEST_NUMBER)
    if number is None:
        raise Problem(400, say(wrong))
    return number


def _played(season: Iterable[SeasonMatch]) -> Iterator[RatedMatch]:
    """Yield the matches of a season that count for ratings: those that count for records and were won or drawn."""
    for match in season:
        ending = match.ending
        if match.counts and ending is not None and not is_nobodys(ending.winner, ending.scores):
            fared = [(seat != ending.winner, -score) for seat, score in enumerate(ending.scores)]
            places = tuple(sorted(fared).index(own) for own in fared)
            yield RatedMatch(match.game, match.names, places)


def rating_chart(name: str, history: Sequence[int]) -> str:
    """Return an SVG chart of a player's rating after each match, as the difference from a new player's rating.

    The result is empty for fewer than two matches.
    """
    if len(history) < WORTH_A_CHART:
        return ""
    values = [0, *(rating - BEGINNING for rating in history)]
    label = say("Rating of {name} after each match, above {number}", name, BEGINNING)
    return step_chart([ChartLine(0, name, values, str(history[-1]))], label=label, along=say("match"), signed=True)


@dataclass(eq=False)
class Halls(ClubPages):
    """The pages of the hall of fame and of players."""

    seasons: Seasons

    async def hall(self, request: Request) -> Response:
        """Show the hall of fame of the game in the address, or else of the season's first game in the catalog's order.

        Raises:
            Problem: the game is not installed and was not played in the season, or the choice of matches is invalid.
        """
        choice = self.seasons.read(request.query_params)
        season = await self.seasons.season(choice)
        games = games_of(season)
        game = request.path_params.get("game") or next(iter(games), "")
        if request.path_params.get("game") and game not in games and game_title(game) == game:
            raise Problem(404, say("No such game was played here: expected one of those in the hall of fame."))
        hall = None
        if game in games:
            hall = await self.seasons.computed(("hall", choice, game), partial(hall_of_fame, season, game))
        return self.page(
            "hall",
            choice=choice,
            game=game,
            hall=hall,
            scores_tell=hall is not None and any(best.score > MERE_WIN for best in hall.bests),
            tabs=[(key, game_title(key)) for key in games],
            evenings=[(evening, day_of(evening)) for evening in self.club.store.evenings()],
            years=self.seasons.years(),
            title=self.seasons.title(choice),
        )

    async def player(self, request: Request) -> Response:
        """Show a player's season; raises Problem if nobody of this name played in it, or if the choice is invalid."""
        name = request.query_params.get("name", "")[:LONGEST_NAME]
        choice = self.seasons.read(request.query_params)
        season = await self.seasons.season(choice)
        if not any(name in match.names for match in season):
            raise Problem(404, say("Nobody of this name has played here then: expected one of the hall of fame."))
        player = await self.seasons.computed(("player", choice, name), partial(player_season, season, name))
        always = await self.seasons.season(SeasonChoice())
        known = await self.seasons.computed("ratings", lambda: ratings(_played(always)))
        rated = {game: found[name] for game, found in known.items() if name in found}
        return self.page(
            "player",
            choice=choice,
            player=player,
            matches=player.matches[:MOST_MATCHES],
            charts={game: rating_chart(name, history) for game, history in rated.items()},
            rated=rated,
            title=self.seasons.title(choice),
            days={evening.number: day_of(evening) for evening in self.club.store.evenings()},
        )
