"""Computes players' ratings at each game over time, with the library `openskill` (Plackett and Luce's model).

The model rates matches of any number of players by their final order, as the games here need; Elo and Glicko cannot.
It also states how uncertain an estimate is. The rating shown is the estimate minus a multiple of its uncertainty, so
that the rating rises as the model becomes more certain. It is scaled so that a player without matches has 1500.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

BEGINNING: Final = 1500
SPREAD: Final = 200
"""How many points of the scale correspond to the standard deviation of a new player's rating."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match as the rating model needs it.

    Attributes:
        game: the game's key.
        players: the players, each identified by the same text in all matches.
        ranks: each player's rank; the lowest is the best, and tied players have equal ranks.
    """

    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]


def ratings(matches: Iterable[RatedMatch]) -> Mapping[str, Mapping[str, Sequence[int]]]:
    """Return each player's rating after each of the player's matches, by game and then by player.

    A rating is the model's cautious estimate (`ordinal`), scaled.

    Args:
        matches: the matches in the order in which they were played; a match of fewer than two players, or with the same
            player twice, does not count.
    """
    model = PlackettLuce()
    now: dict[tuple[str, str], PlackettLuceRating] = {}
    found: dict[str, dict[str, list[int]]] = {}
    for match in matches:
        if len(set(match.players)) < 2 or len(set(match.players)) < len(match.players):  # noqa: PLR2004 - two at least
            continue
        teams = [[now.get((match.game, player)) or model.rating()] for player in match.players]
        rated = model.rate(teams, ranks=[float(rank) for rank in match.ranks])
        for player, (rating,) in zip(match.players, rated, strict=True):
            now[match.game, player] = rating
            value = round(BEGINNING + SPREAD / model.sigma * rating.ordinal())
            found.setdefault(match.game, {}).setdefault(player, []).append(value)
    return found
