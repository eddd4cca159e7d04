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
    """

    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]


def ratings(matches: Iterable[Played]) -> Mapping[str, Mapping[str, Sequence[int]]]:
    """Return, game by game and player by player, the rating after each match: what a player is all but surely worth.

    Args:
        matches: those that were played, in their order; of fewer than two players none counts.
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
