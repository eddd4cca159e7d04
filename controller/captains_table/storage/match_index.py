"""Queries over the journal's matches, for the lobby and for the records.

The lobby needs the players' names, the last match and the unfinished matches. The records are rankings, wins, best
solitaire results, honours, and options that a game derives from past matches.
Records are computed from the journal on demand, so that they always agree with it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
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
    match_tallies,
    solitaire_bests,
)
from captains_table.games.registry import GAMES, display_names, is_computer, not_installed
from captains_table.process.hang_watch import HangWatch
from captains_table.records.finished import all_names, counts_turns, ends_with_its_players, finished_match, turns_of
from captains_table.storage.journal_file import JournalFile, MatchRecord
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.level_proposal import computer_of
from captains_table.table.lobby.match_setup import Start, UnfinishedMatch
from captains_table.table.model.entries import Acted, Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.model.seating import declared_names, persons_of, records_of

HUNG: Final = "the table hung in it"
MOST_UNFINISHED = 10  # each is replayed once to describe its progress, and again only after new entries
Namer = Callable[[MatchStarted], tuple[str, ...]]


class JournalMatchIndex:
    """The matches and players of a journal, as the lobby needs them.

    Args:
        file: the file of all matches.
        watch: the watchdog that kills the table if a plug-in's game hangs.
    """

    def __init__(self, file: JournalFile, watch: HangWatch) -> None:
        self._file = file
        self._watch = watch
        self._summary_of: dict[tuple[int, int], UnfinishedMatch | None] = {}

    def names(self) -> list[str]:
        """Return the names of all persons who have played at this table, the most recent first."""
        persons = (persons_of(record.started) for record in self._file.matches())
        return list(dict.fromkeys(name for names in persons for name in names))

    def last(self) -> Start | None:
        """Return the start of the last match, if possible of one in which something was done.

        `None` without one, or if a computer played in it that is not here any more, such as an engine.
        """
        records = list(self._file.matches())
        done = (each for each in records if each.actions or each.ended)
        last = next(done, records[0] if records else None)
        if last is None or not _are_here(last.started):
            return None
        return Start(last.started.game, last.started.seats, last.started.options)

    def against(self) -> dict[str, str]:
        """Map the key of each game to the computer against which one person played it last, such as `aether:3`."""
        starts = (Start(record.started.game, record.started.seats) for record in reversed(self._file.matches()))
        return {start.game: str(computer) for start in starts if (computer := computer_of(start)) is not None}

    def waiting(self) -> dict[int, str]:
        return {record.number: record.started.game for record in self._file.matches() if record.ended is None}

    def unfinished(self, but: int | None = None) -> list[UnfinishedMatch]:
        """Return the readable unfinished matches, most recently played first, without the match numbered `but`.

        Only the latest MOST_UNFINISHED matches are considered.
        """
        numbers = [number for number in self._file.unfinished() if number != but][:MOST_UNFINISHED]
        return [match for match in map(self._summary, numbers) if match is not None]

    def _summary(self, number: int) -> UnfinishedMatch | None:
        """Return a match's summary from `_look`, cached until the match has new entries.

        The result is `None` if the match has no dice seed, an entry cannot be read, or the entries break the rules.
        """
        try:
            journal = self._file.open(number)
            key = number, journal.count()
            if key not in self._summary_of:
                self._summary_of[key] = None if journal.seed is None else self._look(number, journal.entries())
            return self._summary_of[key]
        except (BadHistory, JournalUnreadable):
            return None

    def _look(self, number: int, entries: Sequence[Entry]) -> UnfinishedMatch:
        """Return a match's players, and its progress or the reason why it cannot be resumed.

        The reasons are that the table hung in this match, or that its game is not installed.

        Raises:
            BadHistory: the entries do not begin with a match's start, or break the game's rules.
        """
        started = entries[0] if entries else None
        if not isinstance(started, MatchStarted):
            raise BadHistory("it does not begin with the start of a match")
        hinders = HUNG if self._watch.has_hung(started.commitment) else ""
        if started.game not in GAMES:
            hinders = hinders or not_installed(started.game)
        if hinders:
            return UnfinishedMatch(number, started.game, declared_names(started), hinders)
        with self._watch.looking_at(number, started.game, started.commitment):
            match = Match.resumed(entries)
            game, state, seat = match.game, match.state, getattr(match.turn, "seat", None)
            on_turn = "" if seat is None else match.names[seat]
            return UnfinishedMatch(
                number,
                game.key,
                display_names(started.seats, game.key),
                game.heading(state),
                tuple(game.score(state)),
                on_turn,
                any(isinstance(entry, Acted) for entry in entries),
            )


def _are_here(started: MatchStarted) -> bool:
    """Return whether the computers of a match can play still."""
    seats = zip(started.seats, started.kinds or (), strict=False)
    return all(is_computer(started.game, name) for name, kind in seats if kind == "computer")


@dataclass(frozen=True, slots=True)
class Standings:
    """The records over all matches: rankings, wins in each game, and the best solitaire results.

    Attributes:
        rankings: the rankings of the games that have one.
        tallies: every player's wins, separately for each game and course.
        solitaire: the best solitaire results.
        missing: the number of finished matches of each game that is not installed, keyed by the game's key.
        computers: the names under which computers are listed.
    """

    rankings: Sequence[Ranking] = ()
    tallies: Sequence[Tally] = ()
    solitaire: Sequence[SolitaireBest] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    computers: frozenset[str] = frozenset()


class JournalRecords:
    """Computes records from a journal's finished matches, such as rankings and honours."""

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal
        self._turns: dict[int, int | None] = {}  # finished matches never change: each is replayed once

    def standings(self) -> Standings:
        """Return rankings, wins and best solitaire results over all matches; raises JournalUnreadable."""
        records = self._whole()
        known = [record for record in records if record.started.game in GAMES]
        finished = [self._finished(catalog.entry_of(record.started.game), record) for record in known]
        missing = Counter(record.started.game for record in records if record.started.game not in GAMES)
        computers = frozenset(name for record in known for name in _computers(record.started))
        return Standings(_rankings(records), _tallies(finished), solitaire_bests(finished), dict(missing), computers)

    def agreed(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> dict[str, str]:
        """Return a new match's options: the given ones, and those that the game derives from past matches.

        A given option takes precedence over a derived one. Only the given options are returned if the game derives none
        or is not installed.
        """
        entry = catalog.find_entry(game)
        if entry is None or entry.records.agreed is None:
            return dict(options)
        return {**entry.records.agreed(_placings(self._whole(), entry, declared_names), names), **options}

    def honours(self, started: MatchStarted) -> Sequence[Honours]:
        """Return the honours that a match's players earned in finished matches, to be shown before their names.

        The result is empty if the game has no honours. It is also empty if the journal's other matches cannot be read,
        because an unreadable match must not prevent a new one.
        """
        entry = catalog.find_entry(started.game)
        if entry is None or entry.records.honours is None:
            return ()
        try:
            return entry.records.honours(_placings(self._whole(), entry), _remembered(started))
        except JournalUnreadable:
            return ()

    def _whole(self) -> list[MatchRecord]:
        """Return the finished matches whose recorded scores and winner fit their number of players."""
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
        """Return how many turns a finished single-player match took; `None` if the match cannot be replayed.

        Each match is replayed at most once.
        """
        if record.number not in self._turns:
            turns = None
            with suppress(BadHistory, JournalUnreadable):  # of older rules, or damaged: only its scores count
                turns = turns_of(Match.resumed(self._journal.open(record.number).entries()))
            self._turns[record.number] = turns
        return self._turns[record.number]


def _tallies(finished: Iterable[FinishedMatch]) -> list[Tally]:
    """Return every player's results, separately for each game and course, sorted by both."""
    by_course: dict[tuple[str, str], list[FinishedMatch]] = {}
    for match in finished:
        by_course.setdefault((match.game, match.course), []).append(match)
    return [
        replace(tally, course=course)
        for (_, course), matches in sorted(by_course.items(), key=lambda group: group[0])
        for tally in match_tallies(matches)
    ]


def _computers(started: MatchStarted) -> Iterator[str]:
    """Yield the names under which the computers of a match are remembered."""
    return (name for seat, name in enumerate(_remembered(started)) if started.is_program(seat))


def _remembered(started: MatchStarted) -> tuple[str, ...]:
    return records_of(started, declared_names(started))


def _placings(records: Iterable[MatchRecord], entry: GameEntry, names: Namer = _remembered) -> list[Placing]:
    """Return the names and scores of the players in each ranked match of a game, in the order of the records.

    Args:
        records: the matches of any game.
        entry: the game.
        names: returns the players' names, given the start of a match.
    """
    return [
        (names(record.started), record.ended.scores)
        for record in records
        if record.started.game == entry.game.key
        and record.ended is not None
        and entry.records.ranks(record.started.options)
    ]


def _rankings(records: Sequence[MatchRecord]) -> list[Ranking]:
    """Return the rankings of the games that have a ranking and were played."""
    placings = ((entry.records.ranking, _placings(records, entry)) for entry in catalog.entries())
    return [ranking(played) for ranking, played in placings if ranking is not None and played]
