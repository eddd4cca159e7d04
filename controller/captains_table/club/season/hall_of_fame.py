"""The hall of fame of a game over a season: ranking, players' tallies, best scores, luck and outstanding throws.

It also takes one player's season from the halls of all games, with all matches and the results against each opponent.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.club.season.season import (
    MeasuredThrow,
    ResultSource,
    SeasonMatch,
    as_finished_match,
    counting_matches,
    games_of,
)
from captains_table.games.common.records import (
    FinishedMatch,
    RankedPlayer,
    SolitaireBest,
    Tally,
    match_tallies,
    solitaire_bests,
)

MOST_BESTS: Final = 10
MOST_THROWS: Final = 5


@dataclass(frozen=True, slots=True)
class BestScore:
    """One of the best scores of a game, reached by the player `name` in a match against other players."""

    name: str
    score: int
    match: SeasonMatch


@dataclass(frozen=True, slots=True)
class RankingEntry:
    """A player's entry in a ranking, and the first match in which the player reached the player's best score.

    `match` is `None` if no match with that score was found.
    """

    player: RankedPlayer
    match: SeasonMatch | None


@dataclass(frozen=True, slots=True)
class SolitaireRecord:
    """A player's best solitaire result, and the match in which it was reached."""

    best: SolitaireBest
    match: SeasonMatch


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw of dice, the player (`name`) who threw, and the match."""

    name: str
    throw: MeasuredThrow
    match: SeasonMatch


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a player's throws in the matches whose luck was measured.

    Attributes:
        name: the player.
        total: by how many points the throws changed the player's expected score in all these matches together; negative
            for bad luck.
        matches: the number of matches whose luck was measured.
    """

    name: str
    total: float
    matches: int

    @property
    def mean(self) -> float:
        """The mean luck per match, in points."""
        return self.total / self.matches


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """A player's tally of matches against others at a game.

    Attributes:
        tally: the tally.
        words: how many of these matches have each kind of evidence, such as a verified export.
    """

    tally: Tally
    words: Mapping[ResultSource, int]


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """The hall of fame of a game over a season.

    Attributes:
        game: its key.
        matches: how many matches count.
        words: how many of these matches have each kind of evidence.
        heading: the ranking's heading; empty if the game has no ranking, or if no match counts for the ranking.
        score: the name of the ranking's score; empty if there is no ranking.
        ranking: the lines of the ranking, the highest rank first; empty if there is no ranking.
        lines: every player's tally against others: most wins first, then most drawn matches, then the best score.
        bests: the ten highest scores above 0 against others, the highest first.
        alone: every player's best solitaire result for each set of comparable options.
        luck: the luck of every player whose luck was measured, the greatest mean per match first.
        luckiest: the five luckiest throws, the luckiest first.
        unluckiest: the five unluckiest throws, the unluckiest first.
    """

    game: str
    matches: int
    words: Mapping[ResultSource, int]
    heading: str
    score: str
    ranking: tuple[RankingEntry, ...]
    lines: tuple[PlayerTally, ...]
    bests: tuple[BestScore, ...]
    alone: tuple[SolitaireRecord, ...]
    luck: tuple[Luck, ...]
    luckiest: tuple[Thrown, ...]
    unluckiest: tuple[Thrown, ...]


def hall_of_fame(season: Sequence[SeasonMatch], game: str) -> HallOfFame:
    """Return the hall of fame of a game over a season; matches that do not count are left out."""
    entry = catalog.find_entry(game)
    matches = counting_matches(season, game)
    remembered = [as_finished_match(entry, match) for match in matches]
    played = list(zip(matches, remembered, strict=True))
    heading, score, ranking = _ranking(entry, matches)
    throws = throws_of(matches)
    return HallOfFame(
        game=game,
        matches=len(matches),
        words=Counter(match.word for match in matches),
        heading=heading,
        score=score,
        ranking=ranking,
        lines=tuple(PlayerTally(tally, _words(matches, tally.name)) for tally in match_tallies(remembered)),
        bests=_bests(matches),
        alone=tuple(SolitaireRecord(best, _match_of(played, best)) for best in solitaire_bests(remembered)),
        luck=luck_of_players(matches),
        luckiest=outstanding(throws, 1),
        unluckiest=outstanding(throws, -1),
    )


def throws_of(matches: Iterable[SeasonMatch]) -> list[Thrown]:
    """Return each seat's luckiest and unluckiest throws in the matches, each with its player and match.

    A match without a verified export has no throws.
    """
    return [
        Thrown(match.names[throw.seat], throw, match)
        for match in matches
        if match.proven is not None
        for throw in match.proven.throws
    ]


def outstanding(throws: Iterable[Thrown], sign: int) -> tuple[Thrown, ...]:
    """Return the five luckiest throws (sign 1) or the five unluckiest (sign -1), the most extreme first.

    Only throws with good luck (for sign -1: with bad luck) are returned, so that there may be fewer than five.
    """
    found = [thrown for thrown in throws if sign * thrown.throw.luck > 0]
    return tuple(sorted(found, key=lambda thrown: (-sign * thrown.throw.luck, *_place(thrown)))[:MOST_THROWS])


def _place(thrown: Thrown) -> tuple[object, ...]:
    return *thrown.match.place, thrown.throw.place


def luck_of_players(matches: Iterable[SeasonMatch]) -> tuple[Luck, ...]:
    """Return the luck of every player whose luck was measured, sorted by the mean per match, the luckiest first."""
    kept: dict[str, Luck] = {}
    for match in matches:
        measured = () if match.proven is None else zip(match.names, match.proven.luck, strict=False)
        for name, own in measured:
            known = kept.get(name, Luck(name, 0.0, 0))
            kept[name] = Luck(name, known.total + own.luck, known.matches + 1)
    return tuple(sorted(kept.values(), key=lambda luck: (-luck.mean, luck.name)))


def _ranking(entry: GameEntry | None, matches: Sequence[SeasonMatch]) -> tuple[str, str, tuple[RankingEntry, ...]]:
    if entry is None or entry.records.ranking is None:
        return "", "", ()
    ranked = [match for match in matches if entry.records.ranks(match.options)]
    if not ranked:
        return "", "", ()
    ranking = entry.records.ranking([(match.names, match.ending.scores) for match in ranked if match.ending])
    lines = tuple(RankingEntry(player, _match_with(ranked, player.name, player.best)) for player in ranking.players)
    return ranking.heading, ranking.score, lines


def _match_with(matches: Iterable[SeasonMatch], name: str, score: int | None) -> SeasonMatch | None:
    """Return the first match in which a player reached a score; `None` if the player never reached it."""
    return next((match for match in matches if (name, score) in _scores(match)), None)


def _match_of(played: Iterable[tuple[SeasonMatch, FinishedMatch]], best: SolitaireBest) -> SeasonMatch:
    """Return the first match in which a player reached the player's best solitaire result."""
    reached = (best.name,), best.course, (best.score,), best.turns
    return next(match for match, own in played if (own.names, own.course, own.scores[:1], own.turns) == reached)


def _scores(match: SeasonMatch) -> list[tuple[str, int]]:
    return [] if match.ending is None else list(zip(match.names, match.ending.scores, strict=False))


def _bests(matches: Iterable[SeasonMatch]) -> tuple[BestScore, ...]:
    among_others = (match for match in matches if len(match.names) > 1)
    reached = [BestScore(name, score, match) for match in among_others for name, score in _scores(match) if score > 0]
    return tuple(sorted(reached, key=lambda best: (-best.score, *best.match.place, best.name))[:MOST_BESTS])


def _words(matches: Iterable[SeasonMatch], name: str) -> Mapping[ResultSource, int]:
    return Counter(match.word for match in matches if len(match.names) > 1 and name in match.names)


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
