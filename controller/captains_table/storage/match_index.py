"""What the journal's matches say: who played here, which can be gone on with, and the records they add up to.

Records are derived from the journal whenever they are wanted, so that they are never out of step.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.records import (
    FinishedMatch,
    Honours,
    Placing,
    Ranking,
    SolitaireBest,
    Tally,
    solitaire_bests,
    tallies,
)
from captains_table.games.registry import GAMES, not_installed
from captains_table.process.hang_watch import HangWatch
from captains_table.records.finished import all_names, counts_turns, ends_with_its_players, finished_match, turns_of
from captains_table.storage.journal_file import JournalFile, MatchRecord
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.match_setup import Start, Unfinished
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.model.seating import names_of, persons_of, records_of

HUNG: Final = "the table hung in it"
MOST_UNFINISHED = 10  # each is replayed to show how far it is, once for as long as nobody goes on with it
Namer = Callable[[MatchStarted], tuple[str, ...]]


class JournalMatchIndex:
    """The journal as the lobby sees it.

    Args:
        file: the file all matches are kept in.
        watch: ends the table where a plug-in's game holds it up.
    """

    def __init__(self, file: JournalFile, watch: HangWatch) -> None:
        self._file = file
        self._watch = watch
        self._summary_of: dict[tuple[int, int], Unfinished | None] = {}

    def names(self) -> list[str]:
        """Return everybody who has played here, whoever began to play last first."""
        persons = (persons_of(record.started) for record in self._file.matches())
        return list(dict.fromkeys(name for names in persons for name in names))

    def last(self) -> Start | None:
        """Return how the match began that was started last."""
        started = next((record.started for record in self._file.matches()), None)
        return None if started is None else Start(started.game, started.seats, started.options)

    def waiting(self) -> dict[int, str]:
        return {record.number: record.started.game for record in self._file.matches() if record.ended is None}

    def unfinished(self, but: int | None = None) -> list[Unfinished]:
        """Return the matches that are not over and can be read, the one played last first, `but` left out."""
        numbers = [number for number in self._file.unfinished() if number != but][:MOST_UNFINISHED]
        return [match for match in map(self._summary, numbers) if match is not None]

    def _summary(self, number: int) -> Unfinished | None:
        """Return who plays a match and how far it is; `None` if it cannot be gone on with."""
        try:
            journal = self._file.open(number)
            key = number, journal.count()
            if key not in self._summary_of:
                self._summary_of[key] = None if journal.seed is None else self._look(number, journal.entries())
            return self._summary_of[key]
        except (BadHistory, JournalUnreadable):
            return None

    def _look(self, number: int, entries: Sequence[Entry]) -> Unfinished:
        """Return who plays a match and how far it is, unless it held the table up or its game is not installed."""
        started = entries[0] if entries else None
        if not isinstance(started, MatchStarted):
            raise BadHistory("it does not begin with the start of a match")
        hinders = HUNG if self._watch.has_hung(started.commitment) else ""
        if started.game not in GAMES:
            hinders = hinders or not_installed(started.game)
        if hinders:
            return Unfinished(number, started.game, names_of(started), hinders)
        with self._watch.looking_at(number, started.game, started.commitment):
            match = Match.resumed(entries)
            return Unfinished(number, match.game.key, match.names, match.game.heading(match.state))


@dataclass(frozen=True, slots=True)
class Standings:
    """What is remembered over matches: rankings, wins by game, the best played alone.

    `missing` counts the finished matches of games that are not installed, by the game's key.
    """

    rankings: Sequence[Ranking] = ()
    tallies: Sequence[Tally] = ()
    solitaire: Sequence[SolitaireBest] = ()
    missing: Mapping[str, int] = field(default_factory=dict)


class Records:
    """What the finished matches of a journal add up to."""

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal
        self._turns: dict[int, int | None] = {}  # a finished match never changes: each is replayed once

    def standings(self) -> Standings:
        """Return ranks, wins and solitaire bests; raises JournalUnreadable."""
        records = self._whole()
        known = [record for record in records if record.started.game in GAMES]
        finished = [self._finished(catalog.entry_of(record.started.game), record) for record in known]
        missing = Counter(record.started.game for record in records if record.started.game not in GAMES)
        return Standings(_rankings(records), tallies(finished), solitaire_bests(finished), dict(missing))

    def agreed(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> dict[str, str]:
        """Return a new match's options with what past matches decide; what is given counts."""
        entry = catalog.find_entry(game)
        if entry is None or entry.records.agreed is None:
            return dict(options)
        return {**entry.records.agreed(_placings(self._whole(), entry, names_of), names), **options}

    def honours(self, started: MatchStarted) -> Sequence[Honours]:
        """Return what stands before the names of a match's players for what they earned in those that are finished.

        Empty where the game has no such thing, or the journal's other matches cannot be read: nobody is kept from
        playing by that.
        """
        entry = catalog.find_entry(started.game)
        if entry is None or entry.records.honours is None:
            return ()
        try:
            return entry.records.honours(_placings(self._whole(), entry), _remembered(started))
        except JournalUnreadable:
            return ()

    def _whole(self) -> list[MatchRecord]:
        """Return the finished matches whose end tells of those who played, and of nobody else."""
        return [record for record in self._journal.finished() if ends_with_its_players(record.started, record.ended)]

    def _finished(self, entry: GameEntry, record: MatchRecord) -> FinishedMatch:
        started, ended = record.started, record.ended
        names = all_names(started)
        return finished_match(
            entry,
            names,
            started.options,
            winner=None if ended is None else ended.winner,
            scores=() if ended is None else ended.scores,
            turns=self._turns_of(record) if counts_turns(entry, names, started.options) else None,
        )

    def _turns_of(self, record: MatchRecord) -> int | None:
        """Return how many turns a player alone needed for the target; `None` if the match does not replay."""
        if record.number not in self._turns:
            try:
                match = Match.resumed(self._journal.open(record.number).entries())
            except (
                BadHistory,
                JournalUnreadable,
            ):  # of other rules than today's, or damaged: its scores stand, not its turns
                self._turns[record.number] = None
            else:
                self._turns[record.number] = turns_of(match)
        return self._turns[record.number]


def _remembered(started: MatchStarted) -> tuple[str, ...]:
    return records_of(started, names_of(started))


def _placings(records: Iterable[MatchRecord], entry: GameEntry, names: Namer = _remembered) -> list[Placing]:
    """Return how a game's matches that count for its ranking ended, in their order, with the players named so."""
    return [
        (names(record.started), record.ended.scores)
        for record in records
        if record.started.game == entry.game.key
        and record.ended is not None
        and entry.records.ranks(record.started.options)
    ]


def _rankings(records: Sequence[MatchRecord]) -> list[Ranking]:
    """Return the rankings of the games that have one and were played."""
    found = []
    for entry in catalog.entries():
        placings = _placings(records, entry)
        if entry.records.ranking is not None and placings:
            found.append(entry.records.ranking(placings))
    return found
