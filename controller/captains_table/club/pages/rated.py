"""Players' ratings over the matches of a season, game by game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from captains_table.club.events.ratings import BEGINNING, Played, Rated, ratings
from captains_table.club.season.told import SeasonMatch
from captains_table.games.contract import is_nobodys
from captains_table.web.svg.chart_svg import Line, step_chart

WORTH_A_CHART: Final = 2


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
