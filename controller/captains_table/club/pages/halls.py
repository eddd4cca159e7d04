"""The hall of fame of a game over a season, and the page of a player."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from captains_table.club.events.ratings import BEGINNING, Played, Rated, ratings
from captains_table.club.pages.news import title_of
from captains_table.club.pages.seasons import Choice, Seasons, day_of
from captains_table.club.pages.words import BRIEF, MEANING, Tellers, counted_words
from captains_table.club.port import ClubPort
from captains_table.club.season.hall_of_fame import hall_of_fame
from captains_table.club.season.player import player_of
from captains_table.club.season.season import SeasonMatch, games_of
from captains_table.games.contract import is_nobodys
from captains_table.reporting.messages import Ending
from captains_table.storage.exports import ended_words
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.svg.chart_svg import Line, step_chart

WORTH_A_CHART: Final = 2
LONGEST_NAME: Final = 64
MOST_MATCHES: Final = 100
MERE_WIN: Final = 1
"""A score that is no more than this says who won, and nothing else."""


def ratings_of(
    season: Iterable[SeasonMatch], began_s: Mapping[int, float]
) -> Mapping[str, Mapping[str, Sequence[Rated]]]:
    """Return how the ratings went by the matches that count, game by game and player by player.

    Args:
        season: matches in their order.
        began_s: when each evening began, by its number.
    """
    return ratings(_played(season, began_s))


def _played(season: Iterable[SeasonMatch], began_s: Mapping[int, float]) -> Iterator[Played]:
    for match in season:
        ending = match.ending
        if match.counts and ending is not None and not is_nobodys(ending.winner, ending.scores):
            fared = [(seat != ending.winner, -score) for seat, score in enumerate(ending.scores)]
            places = tuple(sorted(fared).index(own) for own in fared)
            yield Played(match.game, match.names, places, began_s.get(match.evening, 0.0))


def rating_chart(name: str, history: Sequence[Rated]) -> str:
    """Return a rating as a chart: by how much it was above that of whoever has not played; empty for a single match."""
    if len(history) < WORTH_A_CHART:
        return ""
    values = [0, *(rated.value - BEGINNING for rated in history)]
    label = f"Rating of {name} after each match, above {BEGINNING}"
    return step_chart([Line(0, name, values, str(history[-1].value))], label=label, along="match", signed=True)


class Halls:
    """The pages about seasons.

    Args:
        club: whose seasons they are.
        seasons: reads them.
        renderer: draws them.
    """

    def __init__(self, club: ClubPort, seasons: Seasons, renderer: Renderer) -> None:
        self._club = club
        self._seasons = seasons
        self._tellers = Tellers(club)
        self._renderer = renderer

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/hall", self.hall, methods=["GET"]),
            Route("/hall/{game}", self.hall, methods=["GET"]),
            Route("/players", self.player, methods=["GET"]),
        ]

    async def hall(self, request: Request) -> Response:
        """Show the hall of fame of a game; without one, of the first that was played."""
        choice = self._seasons.read(request.query_params)
        season = await self._seasons.season(choice)
        games = games_of(season)
        game = request.path_params.get("game") or next(iter(games), "")
        if request.path_params.get("game") and game not in games and title_of(game) == game:
            raise Problem(404, "No such game was played here: expected one of those in the hall of fame.")
        hall = None
        if game in games:
            hall = await self._seasons.worked_out(("hall", choice, game), partial(hall_of_fame, season, game))
        return self._page(
            "club/hall",
            choice=choice,
            game=game,
            hall=hall,
            scores_tell=hall is not None and any(best.score > MERE_WIN for best in hall.bests),
            tabs=[(key, title_of(key)) for key in games],
            evenings=[(evening, day_of(evening)) for evening in self._club.kept.evenings()],
            years=self._seasons.years(),
            title=self._seasons.title(choice),
        )

    async def player(self, request: Request) -> Response:
        """Show what a player did."""
        name = request.query_params.get("name", "")[:LONGEST_NAME]
        choice = self._seasons.read(request.query_params)
        season = await self._seasons.season(choice)
        if not any(name in match.names for match in season):
            raise Problem(404, "Nobody of this name has played here then: expected one of the hall of fame.")
        player = await self._seasons.worked_out(("player", choice, name), partial(player_of, season, name))
        evenings = {evening.number: evening for evening in self._club.kept.evenings()}
        began_s = {number: evening.began_s for number, evening in evenings.items()}
        always = await self._seasons.season(Choice())
        ratings = await self._seasons.worked_out("ratings", partial(ratings_of, always, began_s))
        rated = {game: found[name] for game, found in ratings.items() if name in found}
        return self._page(
            "club/player",
            choice=choice,
            player=player,
            matches=player.matches[:MOST_MATCHES],
            charts={game: rating_chart(name, history) for game, history in rated.items()},
            rated={game: history[-1] for game, history in rated.items()},
            title=self._seasons.title(choice),
            days={number: day_of(evening) for number, evening in evenings.items()},
            how=how_words,
        )

    def _page(self, template: str, **values: object) -> Response:
        return HTMLResponse(
            self._renderer.page(
                template,
                club=self._club.title,
                tellers=self._tellers,
                brief=BRIEF,
                meaning=MEANING,
                counted_words=counted_words,
                title_of=title_of,
                **values,
            )
        )


def how_words(names: Sequence[str], ending: Ending | None) -> str:
    """Return how a match of these players ended in words."""
    return "left for good" if ending is None else ended_words(names, ending.winner, ending.scores)
