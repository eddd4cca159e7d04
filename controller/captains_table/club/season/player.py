"""One player's season: all matches, and for each game the results, ranking, opponents and luck."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from captains_table import catalog
from captains_table.club.season.hall_of_fame import (
    HallOfFame,
    Luck,
    RankingEntry,
    SolitaireRecord,
    Thrown,
    hall_of_fame,
    outstanding,
    throws_of,
)
from captains_table.club.season.season import SeasonMatch, as_finished_match, counting_matches, games_of
from captains_table.games.common.records import Tally, match_tallies


@dataclass(frozen=True, slots=True)
class OpponentRecord:
    """A player's record against an opponent (`name`).

    If a match of more than two players has a winner, the winner has won against every other player. Two players who
    have not won the match have played against each other, without a win, a draw or a loss.
    """

    name: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class OfGame:
    """A player's season at one game.

    Attributes:
        game: its key.
        tally: the player's matches against others; `None` if there were none.
        ranked: the player's entry in the game's ranking; `None` if the player is not in it.
        alone: the player's best solitaire result for each set of comparable options.
        opponents: the player's record against each opponent; the opponent met most often is first.
        luck: the player's luck; `None` if it was not measured.
        luckiest: the player's five luckiest throws, the luckiest first.
        unluckiest: the player's five unluckiest throws, the unluckiest first.
    """

    game: str
    tally: Tally | None
    ranked: RankingEntry | None
    alone: tuple[SolitaireRecord, ...]
    opponents: tuple[OpponentRecord, ...]
    luck: Luck | None
    luckiest: tuple[Thrown, ...]
    unluckiest: tuple[Thrown, ...]


@dataclass(frozen=True, slots=True)
class PlayerSeason:
    """A player's season.

    Attributes:
        name: the player.
        games: the player's season in each game. A game is left out if no match of the player in this game counts.
        matches: all matches of the player, the latest first; matches that do not count are included.
    """

    name: str
    games: tuple[OfGame, ...]
    matches: tuple[SeasonMatch, ...]


def player_season(season: Sequence[SeasonMatch], name: str) -> PlayerSeason:
    """Return the season of the player with this name; it is empty if nobody of this name played."""
    own = [match for match in season if name in match.names]
    games = tuple(_of_game(hall_of_fame(season, game), counting_matches(own, game), name) for game in games_of(own))
    return PlayerSeason(name, games, tuple(reversed(own)))


def _of_game(hall: HallOfFame, own: Sequence[SeasonMatch], name: str) -> OfGame:
    throws = [thrown for thrown in throws_of(own) if thrown.name == name]
    return OfGame(
        game=hall.game,
        tally=next((line.tally for line in hall.lines if line.tally.name == name), None),
        ranked=next((ranked for ranked in hall.ranking if ranked.player.name == name), None),
        alone=tuple(alone for alone in hall.alone if alone.best.name == name),
        opponents=_opponents(own, name),
        luck=next((luck for luck in hall.luck if luck.name == name), None),
        luckiest=outstanding(throws, 1),
        unluckiest=outstanding(throws, -1),
    )


def _opponents(own: Sequence[SeasonMatch], name: str) -> tuple[OpponentRecord, ...]:
    met: dict[str, OpponentRecord] = {}
    for match in own:
        entry = catalog.find_entry(match.game)
        fared = {tally.name: tally for tally in match_tallies([as_finished_match(entry, match)])}
        for other in fared.keys() - {name}:
            known = met.get(other, OpponentRecord(other))
            met[other] = replace(
                known,
                played=known.played + 1,
                won=known.won + fared[name].won,
                drawn=known.drawn + (fared[name].drawn and fared[other].drawn),
                lost=known.lost + fared[other].won,
            )
    return tuple(sorted(met.values(), key=lambda each: (-each.played, -each.won, each.name)))
