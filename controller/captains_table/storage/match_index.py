"""What the lobby may know of the journal: who played here, and which matches can be gone on with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from captains_table.games.registry import GAMES, not_installed
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.match_setup import Start, Unfinished
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.model.seating import names_of, persons_of

if TYPE_CHECKING:
    from captains_table.process.hang_watch import HangWatch

HUNG: Final = "the table hung in it"
MOST_UNFINISHED = 10  # each is replayed to show how far it is, once for as long as nobody goes on with it


class JournalMatchIndex:
    """The journal as the lobby sees it.

    Attributes:
        watch: ends the table where a plug-in's game holds it up; `None` where nobody watches.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self.watch: HangWatch | None = None
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
        """Return the number and the game's key of every match that is not over."""
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
        """Return who plays a match and how far it is; one that held the table up is not replayed."""
        started = entries[0] if entries else None
        if self.watch is None or not isinstance(started, MatchStarted):
            return _summary_of(number, entries)
        if self.watch.has_hung(started.commitment):
            return Unfinished(number, started.game, names_of(started), HUNG)
        with self.watch.looking_at(number, started.game, started.commitment):
            return _summary_of(number, entries)


def _summary_of(number: int, entries: Sequence[Entry]) -> Unfinished:
    """Return who plays a match and how far it is; of a game that is not installed, that it is not."""
    started = entries[0] if entries else None
    if isinstance(started, MatchStarted) and started.game not in GAMES:
        return Unfinished(number, started.game, names_of(started), not_installed(started.game))
    match = Match.resumed(entries)
    return Unfinished(number, match.game.key, match.names, match.game.heading(match.state))
