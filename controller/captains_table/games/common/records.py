"""What is remembered over matches of any game, by the names the players entered."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from captains_table.games.contract import is_nobodys

Placing = tuple[Sequence[str], Sequence[int]]  # names and scores of a finished match, in seat order


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A line of a ranking: what the player is called, the best score, how many matches, whether he leads; and who."""

    title: str
    best: int | None
    matches: int
    leads: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What players have earned over the matches of one game: a heading, what the score is called, and the lines."""

    heading: str
    score: str
    players: Sequence[RankedPlayer]


class Honours(NamedTuple):
    """What a player earned in earlier matches, to stand before his name; `brief`: the least of it that tells.

    Both are empty for a player who earned nothing.
    """

    words: str = ""
    brief: str = ""


NO_HONOURS: Final = Honours()


def always(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - whatever was agreed
    """Return True, whatever was agreed."""
    return True


def never(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - whatever was agreed
    """Return False, whatever was agreed."""
    return False


@dataclass(frozen=True, slots=True)
class RecordRules:
    """How a game's finished matches are remembered. Each list of matches is in the order in which they ended.

    Attributes:
        counts_turns: returns whether, under some options, a player alone wants the fewest turns (the tally `turns`)
            instead of the highest score.
        immaterial_alone: options that make no difference to a player alone; all others make a course of their own.
        agreed: returns the options of a new match that its players' past matches decide.
        ranking: returns what players have earned over all matches.
        honours: returns what stands before these players' names, in their order, by what they earned over all matches.
        ranks: returns whether a match under some options counts for the ranking, and for what is agreed by it.
    """

    counts_turns: Callable[[Mapping[str, str]], bool] = never
    immaterial_alone: Collection[str] = frozenset()
    agreed: Callable[[Sequence[Placing], Sequence[str]], Mapping[str, str]] | None = None
    ranking: Callable[[Sequence[Placing]], Ranking] | None = None
    honours: Callable[[Sequence[Placing], Sequence[str]], Sequence[Honours]] | None = None
    ranks: Callable[[Mapping[str, str]], bool] = always


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """How a match ended.

    Attributes:
        winner: the winner's seat; `None` when shared.
        course: the options that make matches of a game comparable, in words; empty for the usual ones.
        turns: how many turns a player alone needed, where that is what counts.
    """

    game: str
    names: tuple[str, ...]
    winner: int | None
    scores: tuple[int, ...]
    course: str = ""
    turns: int | None = None

    @property
    def is_solitaire(self) -> bool:
        """Whether one player played against his own best."""
        return len(self.names) == 1


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's matches of one game against others; one is drawn by all who share its highest score."""

    game: str
    name: str
    played: int = 0
    won: int = 0
    best: int = 0
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class SolitaireBest:
    """The best a player reached alone: the fewest turns where they are counted, else the highest score."""

    game: str
    name: str
    course: str
    score: int
    turns: int | None
    played: int


def tallies(matches: Iterable[FinishedMatch]) -> list[Tally]:
    """Return every player's matches of each game, most wins first within a game, then most draws."""
    kept: dict[tuple[str, str], Tally] = {}
    for match in matches:
        if match.is_solitaire:
            continue
        is_shared = match.winner is None and not is_nobodys(match.winner, match.scores)
        for seat, (name, score) in enumerate(zip(match.names, match.scores, strict=True)):
            tally = kept.get((match.game, name), Tally(match.game, name, best=score))
            kept[match.game, name] = replace(
                tally,
                played=tally.played + 1,
                won=tally.won + (seat == match.winner),
                drawn=tally.drawn + (is_shared and score == max(match.scores)),
                best=max(tally.best, score),
            )
    return sorted(kept.values(), key=lambda tally: (tally.game, -tally.won, -tally.drawn, -tally.best))


def solitaire_bests(matches: Iterable[FinishedMatch]) -> list[SolitaireBest]:
    """Return every player's best alone, for each game and course."""
    kept: dict[tuple[str, str, str], SolitaireBest] = {}
    for match in matches:
        if not match.is_solitaire:
            continue
        key = (match.game, match.names[0], match.course)
        new = SolitaireBest(match.game, match.names[0], match.course, match.scores[0], match.turns, 1)
        old = kept.get(key)
        if old is not None:
            new = replace(new if _is_better(new, old) else old, played=old.played + 1)
        kept[key] = new
    return sorted(kept.values(), key=lambda best: (best.game, best.course, best.turns or 0, -best.score))


def _is_better(new: SolitaireBest, old: SolitaireBest) -> bool:
    if new.turns is not None and old.turns is not None:
        return new.turns < old.turns
    return new.score > old.score
