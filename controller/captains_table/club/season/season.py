"""What the club remembers of its matches: each as told or proven, and seasons of them in an order of their own."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from msgspec import Struct

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.records import FinishedMatch
from captains_table.records.finished import counts_turns, finished_match
from captains_table.reporting.messages import Ending


class Word(StrEnum):
    """Whose word a result is."""

    ARBITER = "arbiter"  # he said how it ended, whatever was told
    PROVEN = "proven"  # its export was verified
    TOLD = "told"  # its table's alone: there came no export
    PENDING = "pending"  # its export has not been verified yet
    FAILED = "failed"  # its export is damaged, breaks the rules, or tells of another match


class Throw(Struct, frozen=True):
    """A throw held against what was to be expected before it.

    Attributes:
        seat: whose it was.
        luck: by how many points of the score it was better; below 0: worse.
        words: the dice, as the log says them.
        heading: where in the match that was.
        place: of its action among all that stand.
    """

    seat: int
    luck: float
    words: str
    heading: str
    place: int


class SeatLuck(Struct, frozen=True):
    """Where a seat's points came from: what throws and what decisions changed about what was to be expected."""

    luck: float
    skill: float


class ProvenMatch(Struct, frozen=True, kw_only=True):
    """What a verified export says of a match, worked out once.

    Attributes:
        names: what the players are remembered as, in seat order: a computer with its level.
        options: what it was played with.
        turns: how many turns a player alone needed, `None` where that is not what counts.
        luck: of each seat; empty where nothing measures it.
        throws: of each seat the luckiest and the unluckiest, in the order of the match.
    """

    names: tuple[str, ...]
    options: Mapping[str, str]
    turns: int | None = None
    luck: tuple[SeatLuck, ...] = ()
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonMatch:
    """The result of a match.

    Attributes:
        seal: its commitment: it is known by this.
        rev: the revision of what was told.
        evening: the number of the evening it belongs to.
        user: the table that told it.
        game: the game's key.
        names: what the players are remembered as, in seat order.
        options: what it was played with.
        ending: how it ended; `None`: it was left for good.
        began: when, by the table's clock, as it was told.
        word: whose word that is.
        proven: what its export says, `None` where it proves nothing.
    """

    seal: str
    rev: int
    evening: int
    user: str
    game: str
    names: tuple[str, ...]
    options: Mapping[str, str]
    ending: Ending | None
    began: str
    word: Word
    proven: ProvenMatch | None = None

    @property
    def counts(self) -> bool:
        """Whether it counts for records: it was played to its end, and its word is taken."""
        return self.ending is not None and self.word not in {Word.PENDING, Word.FAILED}

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands in the season: by evening, then by its table's clock; never by when it arrived."""
        return self.evening, self.began, self.seal


def season_of(
    told: Iterable[SeasonMatch], evenings: Container[int] | None = None, *, only_proven: bool = False
) -> tuple[SeasonMatch, ...]:
    """Return the matches of a season in its order, each as its highest revision tells it.

    Args:
        told: results in any order, a match's revisions too.
        evenings: the numbers of the evenings that are chosen; `None` for all.
        only_proven: whether those are left out that rest on somebody's word alone.
    """
    latest: dict[str, SeasonMatch] = {}
    for match in told:
        known = latest.get(match.seal)
        if known is None or match.rev > known.rev:
            latest[match.seal] = match
    chosen = [
        match
        for match in latest.values()
        if (evenings is None or match.evening in evenings) and (match.word is Word.PROVEN or not only_proven)
    ]
    return tuple(sorted(chosen, key=lambda match: match.place))


def games_of(season: Iterable[SeasonMatch]) -> tuple[str, ...]:
    """Return the keys of the games whose matches count, those of the house in its order, then those not installed."""
    played = {match.game for match in season if match.counts}
    known = [entry.game.key for entry in catalog.entries() if entry.game.key in played]
    return (*known, *sorted(played - set(known)))


def counted(season: Sequence[SeasonMatch], game: str) -> list[SeasonMatch]:
    """Return a game's matches that count, in the season's order."""
    return [match for match in season if match.game == game and match.counts]


def finished(entry: GameEntry | None, match: SeasonMatch) -> FinishedMatch:
    """Return a match that counts as it is remembered; of a game that is not installed its course is unknown."""
    ending = match.ending
    if ending is None:
        raise ValueError(f"match {match.seal} was left")
    if entry is None:
        return FinishedMatch(match.game, match.names, ending.winner, ending.scores)
    turns = match.proven.turns if match.proven is not None and match.word is Word.PROVEN else None
    remembered = finished_match(
        entry, match.names, match.options, winner=ending.winner, scores=ending.scores, turns=turns
    )
    if turns is None and counts_turns(entry, match.names, match.options):  # compared with nobody who was counted
        return replace(remembered, course=f"{remembered.course} (turns not told)".lstrip())
    return remembered
