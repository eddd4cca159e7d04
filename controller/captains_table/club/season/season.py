"""The matches of a season: data, evidence for the results, selection, order, and conversion for the records."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from msgspec import Struct

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.records import FinishedMatch
from captains_table.records.finished import counts_turns, finished_match
from captains_table.reporting.messages import FinalScore


class ResultSource(StrEnum):
    """The kind of evidence on which a result rests."""

    ARBITER = "arbiter"  # the arbiter corrected how it ended
    PROVEN = "proven"  # its export was verified
    TOLD = "told"  # only its table's report: there is no export
    PENDING = "pending"  # its export has not been verified yet
    FAILED = "failed"  # its export is damaged, breaks the rules, or is of another match
    OVERLAPS = "overlaps"  # its match overlaps another of its table, and the arbiter has not taken it yet


class MeasuredThrow(Struct, frozen=True):
    """A throw of dice, with its luck.

    Attributes:
        seat: the seat that threw.
        luck: by how many points the throw was better than the expected throw; negative if it was worse.
        words: the thrown dice in the words of the log, and the dice that lay next to them.
        heading: the stage of the match before the throw, as in the heading of its view.
        place: the index of the throw among the match's actions.
    """

    seat: int
    luck: float
    words: str
    heading: str
    place: int


class SeatLuck(Struct, frozen=True):
    """By how many points the throws (`luck`) and the decisions (`skill`) of a seat changed its expected score."""

    luck: float
    skill: float


class ProvenMatch(Struct, frozen=True, kw_only=True):
    """The facts about a match that were computed from its verified export; they are stored to be computed only once.

    Attributes:
        names: the players' names in records, in seat order; a computer's name includes its level.
        options: the options of the match.
        turns: how many turns a solitaire player needed; `None` if turns do not count.
        luck: each seat's luck and skill; empty if the game's luck cannot be measured.
        throws: each seat's five luckiest and five unluckiest throws, in the order of the match.
    """

    names: tuple[str, ...]
    options: Mapping[str, str]
    turns: int | None = None
    luck: tuple[SeatLuck, ...] = ()
    throws: tuple[MeasuredThrow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonMatch:
    """A match of a season.

    Attributes:
        seal: the commitment to its dice, which identifies the match.
        rev: the revision of the table's report.
        evening: the number of the evening it belongs to.
        user: the table that reported it.
        game: the game's key.
        names: the players' names in records, in seat order.
        options: the options of the match.
        ending: how it ended; `None` if it was abandoned.
        began: when the match began, as the table reported it by its own clock.
        word: the kind of evidence for the result.
        proven: the facts that its export proves; `None` if the export is missing, not verified, or proves nothing.
    """

    seal: str
    rev: int
    evening: int
    user: str
    game: str
    names: tuple[str, ...]
    options: Mapping[str, str]
    ending: FinalScore | None
    began: str
    word: ResultSource
    proven: ProvenMatch | None = None

    @property
    def counts(self) -> bool:
        """Whether the match counts for records.

        It counts if it was finished, if the check of its export is neither pending nor failed, and if it overlaps no
        other match of its table or the arbiter took it.
        """
        uncertain = {ResultSource.PENDING, ResultSource.FAILED, ResultSource.OVERLAPS}
        return self.ending is not None and self.word not in uncertain

    @property
    def place(self) -> tuple[int, str, str]:
        """The sort key of the match in the season: its evening, then its beginning, then its id (`seal`).

        The beginning is the time on the table's clock. The time at which the club received the result has no influence.
        """
        return self.evening, self.began, self.seal


def season_of(
    results: Iterable[SeasonMatch], evenings: Container[int] | None = None, *, only_proven: bool = False
) -> tuple[SeasonMatch, ...]:
    """Return the matches of a season, each with the highest revision of its result, sorted by `SeasonMatch.place`.

    Args:
        results: results in any order; a match may occur in several revisions.
        evenings: the numbers of the chosen evenings; `None` for all.
        only_proven: whether to return only matches whose result rests on a proven export. A result corrected by the
            arbiter does not count as proven.
    """
    latest: dict[str, SeasonMatch] = {}
    for match in results:
        known = latest.get(match.seal)
        if known is None or match.rev > known.rev:
            latest[match.seal] = match
    chosen = [
        match
        for match in latest.values()
        if (evenings is None or match.evening in evenings) and (match.word is ResultSource.PROVEN or not only_proven)
    ]
    return tuple(sorted(chosen, key=lambda match: match.place))


def games_of(season: Iterable[SeasonMatch]) -> tuple[str, ...]:
    """Return the keys of the games with a match that counts.

    Installed games come first, in the catalog's order; the others follow, sorted by key.
    """
    played = {match.game for match in season if match.counts}
    known = [entry.game.key for entry in catalog.entries() if entry.game.key in played]
    return (*known, *sorted(played - set(known)))


def counting_matches(season: Sequence[SeasonMatch], game: str) -> list[SeasonMatch]:
    """Return the matches of a game that count for the records (see `SeasonMatch.counts`), in the season's order."""
    return [match for match in season if match.game == game and match.counts]


def as_finished_match(entry: GameEntry | None, match: SeasonMatch) -> FinishedMatch:
    """Convert a finished match to the form that records use.

    In some solitaire matches the number of turns decides the record. If the match's export does not prove this number,
    the match is compared only with matches whose number of turns is not proven either.

    Args:
        entry: the match's game. `None` if the game is not installed; then the options and turns are left out.
        match: the match.

    Raises:
        ValueError: the match was abandoned.
    """
    ending = match.ending
    if ending is None:
        raise ValueError(f"match {match.seal} was left")
    if entry is None:
        return FinishedMatch(match.game, match.names, ending.winner, ending.scores)
    turns = match.proven.turns if match.proven is not None and match.word is ResultSource.PROVEN else None
    remembered = finished_match(
        entry, match.names, match.options, winner=ending.winner, scores=ending.scores, turns=turns
    )
    # Without its turns, a solitaire match cannot be compared with matches whose turns are known.
    if turns is None and counts_turns(entry, match.names, match.options):
        return replace(remembered, course=f"{remembered.course} (turns not told)".lstrip())
    return remembered
