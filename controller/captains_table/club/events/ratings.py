"""Players' ratings, game by game, over time: by the library `openskill` (Plackett and Luce's model).

It rates matches of any number of players by the order in which they ended, which the games here need and Elo and
Glicko do not know; it says how sure it is, and it is kept. It is shown on a scale that begins at 1500 for whoever has
not played, and from there only rises as the library grows sure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

BEGINNING: Final = 1500
SPREAD: Final = 200
"""How many points of the scale are one standard deviation of a beginner."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as ratings see it.

    Attributes:
        game: the game's key.
        players: who played, each known by the same text each time.
        ranks: each player's place, the best lowest; equal where nothing parted them.
        at_s: when, in Unix seconds of the server's clock.
    """

    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]
    at_s: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating after a match.

    Attributes:
        at_s: when, in Unix seconds.
        value: the rating that is shown: what he is better than by all but certainty.
        likely: what he is most likely worth.
        matches: how many he has played.
    """

    at_s: float
    value: int
    likely: int
    matches: int


def ratings(matches: Iterable[Played]) -> Mapping[str, Mapping[str, Sequence[Rated]]]:
    """Return, game by game and player by player, how the ratings went, the latest last.

    Args:
        matches: those that were played, in their order; of fewer than two players none counts.
    """
    model = PlackettLuce()
    now: dict[tuple[str, str], PlackettLuceRating] = {}
    found: dict[str, dict[str, list[Rated]]] = {}
    for match in matches:
        if len(set(match.players)) < 2 or len(set(match.players)) < len(match.players):  # noqa: PLR2004 - two at least
            continue
        teams = [[now.get((match.game, player)) or model.rating()] for player in match.players]
        rated = model.rate(teams, ranks=[float(rank) for rank in match.ranks])
        for player, (rating,) in zip(match.players, rated, strict=True):
            now[match.game, player] = rating
            history = found.setdefault(match.game, {}).setdefault(player, [])
            history.append(_shown(model, rating, match.at_s, len(history) + 1))
    return found


def _shown(model: PlackettLuce, rating: PlackettLuceRating, at_s: float, matches: int) -> Rated:
    scale = SPREAD / model.sigma
    value = BEGINNING + scale * rating.ordinal()
    likely = BEGINNING + scale * (rating.mu - model.mu)
    return Rated(at_s, round(value), round(likely), matches)
