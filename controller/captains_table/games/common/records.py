"""Records over finished matches: win counts, solitaire bests, and the rules of a game for rankings and honours.

The rules of a game also tell which matches are comparable, and which options past matches decide for a new match.
Matches with the same player's name count as matches of the same player.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from captains_table.games.contract import is_nobodys

Placing = tuple[Sequence[str], Sequence[int]]  # names and scores of a finished match, in seat order


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A line of a ranking.

    Attributes:
        title: the player's name, preceded by any honours.
        best: the best score; `None` if there is none yet.
        matches: the number of matches.
        leads: whether the player holds the top rank.
        name: the player's plain name.
    """

    title: str
    best: int | None
    matches: int
    leads: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking of the players of one game: a heading, the name of the score column, and the lines."""

    heading: str
    score: str
    players: Sequence[RankedPlayer]


class Honours(NamedTuple):
    """The titles that a player earned in earlier matches, shown before the name.

    Attributes:
        words: the titles; empty if there are none.
        brief: their short form; may be empty.
    """

    words: str = ""
    brief: str = ""


NO_HONOURS: Final = Honours()


def always(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - the signature of a rule
    """Return True for any options."""
    return True


def never(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - the signature of a rule
    """Return False for any options."""
    return False


@dataclass(frozen=True, slots=True)
class RecordRules:
    """A game's rules for records over finished matches.

    Functions that get matches get them in the order in which the matches ended.

    Attributes:
        counts_turns: returns whether, under the given options, a single player aims for the fewest turns (the tally
            `turns`) instead of the highest score.
        immaterial_alone: the options that make no difference to a single player; results are compared only between
            matches in which all other options are equal.
        material: the options that make a difference to several players; results are listed apart for each
            combination of their values.
        agreed: returns the options that past matches decide for a new match of the given players; `None` if past
            matches decide no option.
        ranking: returns the ranking over all matches; `None` if the game has no ranking.
        honours: returns the titles that the given players earned over all matches, in the order of the names; `None`
            if the game has no titles.
        ranks: returns whether a match with the given options counts for `ranking`, `honours` and `agreed`.
    """

    counts_turns: Callable[[Mapping[str, str]], bool] = never
    immaterial_alone: Collection[str] = frozenset()
    material: Collection[str] = frozenset()
    agreed: Callable[[Sequence[Placing], Sequence[str]], Mapping[str, str]] | None = None
    ranking: Callable[[Sequence[Placing]], Ranking] | None = None
    honours: Callable[[Sequence[Placing], Sequence[str]], Sequence[Honours]] | None = None
    ranks: Callable[[Mapping[str, str]], bool] = always


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The record of a finished match.

    Attributes:
        game: the game's key.
        names: the players in seat order.
        winner: the winner's seat; `None` if the match was drawn, or nobody won.
        scores: every seat's score.
        course: the options in which comparable matches must agree, as text; empty for the defaults.
        turns: the number of turns that a single player needed if few turns are the aim of the match; `None` otherwise.
    """

    game: str
    names: tuple[str, ...]
    winner: int | None
    scores: tuple[int, ...]
    course: str = ""
    turns: int | None = None

    @property
    def is_solitaire(self) -> bool:
        """Whether there was only one player."""
        return len(self.names) == 1


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's results in the matches of one game with at least two players; `best` is the highest score.

    `course` has the options in which these matches agree, as in `FinishedMatch`; empty if they were not sorted by them.

    A drawn match counts as drawn only for the players who share its top score. A match that nobody won, although one
    player alone has the top score, counts only as played.
    """

    game: str
    name: str
    played: int = 0
    won: int = 0
    best: int = 0
    drawn: int = 0
    course: str = ""


@dataclass(frozen=True, slots=True)
class SolitaireBest:
    """A player's best solitaire result in one game: the fewest turns if turns count, else the highest score.

    Attributes:
        game: the game's key.
        name: the player's name.
        course: the options in which the compared matches agree, as in `FinishedMatch`.
        score: the score of the best match.
        turns: the turns of the best match; `None` if turns do not count.
        played: the number of compared matches.
    """

    game: str
    name: str
    course: str
    score: int
    turns: int | None
    played: int


def match_tallies(matches: Iterable[FinishedMatch]) -> list[Tally]:
    """Return every player's results in each game, without solitaire matches.

    The results are sorted by game, and within a game by wins, then draws, then best score, highest first.
    """
    by_player: dict[tuple[str, str], Tally] = {}
    for match in matches:
        if match.is_solitaire:
            continue
        is_shared = match.winner is None and not is_nobodys(match.winner, match.scores)
        for seat, (name, score) in enumerate(zip(match.names, match.scores, strict=True)):
            tally = by_player.get((match.game, name), Tally(match.game, name, best=score))
            by_player[match.game, name] = replace(
                tally,
                played=tally.played + 1,
                won=tally.won + (seat == match.winner),
                drawn=tally.drawn + (is_shared and score == max(match.scores)),
                best=max(tally.best, score),
            )
    return sorted(by_player.values(), key=lambda tally: (tally.game, -tally.won, -tally.drawn, -tally.best))


def solitaire_bests(matches: Iterable[FinishedMatch]) -> list[SolitaireBest]:
    """Return every player's best solitaire result for each game and course (see `FinishedMatch`).

    The results are sorted by game, then by course; within a course the best result comes first.
    """
    best_by_player: dict[tuple[str, str, str], SolitaireBest] = {}
    for match in matches:
        if not match.is_solitaire:
            continue
        key = (match.game, match.names[0], match.course)
        new = SolitaireBest(match.game, match.names[0], match.course, match.scores[0], match.turns, 1)
        old = best_by_player.get(key)
        if old is not None:
            new = replace(new if _is_better(new, old) else old, played=old.played + 1)
        best_by_player[key] = new
    return sorted(best_by_player.values(), key=lambda best: (best.game, best.course, best.turns or 0, -best.score))


def _is_better(new: SolitaireBest, old: SolitaireBest) -> bool:
    if new.turns is not None and old.turns is not None:
        return new.turns < old.turns
    return new.score > old.score
