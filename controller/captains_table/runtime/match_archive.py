"""The matches of a table's journal: started, taken up again, offered in the lobby, listed and exported."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice, repeat

from msgspec import UNSET
from msgspec.structs import replace

from captains_table import catalog
from captains_table.devices.dice_sources import BadSalt, DiceMismatch, HonestDice, commitment
from captains_table.games.common.board_sizes import BoardTooSmall, check_fits
from captains_table.games.common.records import Honours
from captains_table.games.common.sitter import NoSuchOpponent
from captains_table.games.contract import Choice, Shape, moved_on, spelt_out
from captains_table.games.registry import GAMES, UnknownGame, game_by_key, not_installed
from captains_table.process.hang_watch import MARKS, HangWatch
from captains_table.records.finished import all_names
from captains_table.storage.exports import JSON, damage_words, export_match, forms_of, outcome_words
from captains_table.storage.journal_file import DamagedMatch, JournalFile, MatchJournal, MatchRecord
from captains_table.storage.match_index import JournalMatchIndex, Records, Standings
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.match_setup import LobbyContext, Rival, Start, nothing_kept
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory
from captains_table.table.model.seating import names_of


class CannotResume(RuntimeError):
    """A match cannot be taken up again; the sentence says why."""


class CannotRead(RuntimeError):
    """The journal cannot be read any more, as a failing disk leaves it; the message says what was found."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list: its number, game, names, when it began (ISO 8601, local), how many actions, how it ended.

    `forms` are those it can be exported in. `how_far` says of one that is not over how far it is, or who is waited for.
    `damage` says what of it cannot be read; nobody can go on with it then, and
    where its beginning cannot be read it has neither game nor names.
    """

    number: int
    game: str
    seats: tuple[str, ...]
    began: str
    actions: int
    outcome: str | None
    is_current: bool
    forms: tuple[str, ...] = ("json",)
    damage: str | None = None
    how_far: str = ""


@dataclass(frozen=True, slots=True)
class OpenedMatch:
    """A match that is ready to be played: its journal, its dice, and when its last action was done.

    `honours`: what stands before its players' names, by what they earned in other matches.
    """

    journal: MatchJournal
    dice: HonestDice
    at_ms: int = 0
    honours: Sequence[Honours] = ()


@contextmanager
def reading_journal() -> Iterator[None]:
    """Say to the page of a journal that cannot be read that it cannot; raises CannotRead."""
    try:
        yield
    except JournalUnreadable as error:
        raise CannotRead(f"The journal cannot be read: {error}.") from error


class MatchArchive:
    """What a table does with its journal between one match and the next.

    Args:
        file: the file all matches are kept in.
        board_shape: the shape of a real board; `None` where the board takes the shape of the game.
        kept: returns what the table keeps of a collection, named.

    Attributes:
        watch: ends a table that a game holds up; it watches none until it is told which.
    """

    def __init__(
        self,
        file: JournalFile,
        board_shape: Shape | None,
        kept: Callable[[str], Sequence[Choice]] = nothing_kept,
    ) -> None:
        self._file = file
        self._kept = kept
        self._board_shape = board_shape
        self._records = Records(file)
        self.watch = HangWatch(file.path.with_name(MARKS))
        self._index = JournalMatchIndex(file, self.watch)

    def latest_unfinished(self) -> int | None:
        """Return the number of the match that was left last, or None if all are over.

        Matches of games that are not installed, and in which the table hung, do not count; one whose beginning cannot
        be read does.
        """
        left = {*self.missing_games(), *self.hung()}
        return next((number for number in self._file.unfinished() if number not in left), None)

    def hung(self) -> dict[int, str]:
        """Return the key of the game of every match that is not over and in which the table hung, by its number."""
        waiting = (record for record in self._file.matches() if record.ended is None)
        return {each.number: each.started.game for each in waiting if self.watch.has_hung(each.started.commitment)}

    def _take(self, number: int, started: MatchStarted) -> None:
        """Have a match in hand that somebody wants to be played, whatever became of it before."""
        self.watch.forget(started.commitment)
        self.watch.take(number, started.game, started.commitment)

    def missing_games(self) -> dict[int, str]:
        """Return the key of the game of every match that is not over and whose game is not installed, by its number."""
        return {number: game for number, game in self._index.waiting().items() if game not in GAMES}

    def start(
        self,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        now_ms: int,
        pairing: str | None = None,
        *,
        has_master: bool = False,
    ) -> OpenedMatch:
        """Start a match in the journal at a time of the table; raises BadOption, UnknownGame or BoardTooSmall.

        Args:
            game: its key.
            names: who plays, in seat order.
            options: of the game.
            now_ms: the time.
            pairing: the id of the club's pairing that it is, empty for another one; `None`: the table has no club.
            has_master: whether the table has a game master's page.
        """
        check_fits(game_by_key(game), self._board_shape)
        seed = HonestDice.new_seed()
        names, kinds = catalog.seats_of(game, names), catalog.kinds_of(game, names)
        asked = MatchStarted(game, tuple(names), dict(options), commitment(seed), kinds, now_ms, has_master)
        seated = names_of(asked)
        options = self._records.agreed(game, seated, self.spelt_out(game, options))
        rules = game_by_key(game)
        first = rules.start(seated, options)  # refuses what cannot be started before anything is written
        options = {**options, **rules.filled_in(first)}
        unnamed = len(rules.names(first)) - len(names)
        started = replace(asked, options=dict(options), kinds=(*kinds, *repeat("human", unnamed)))
        honours = self._records.honours(started)
        journal = self._file.start(started, seed, pairing)
        self._take(journal.number, started)
        return OpenedMatch(journal, HonestDice(seed), honours=honours)

    def check(self, game: str, options: Mapping[str, str]) -> None:
        """See that a game can be played here under some options, whoever plays.

        Raises:
            BadOption, UnknownGame, BoardTooSmall: it cannot.
        """
        rules = game_by_key(game)
        check_fits(rules, self._board_shape)
        options = self.spelt_out(game, options)
        named = {options[option.name] for option in rules.options if option.of_players and options.get(option.name)}
        seats = [each.seat for each in rules.options if options.get(each.name)]
        players = max(rules.seats.start, len(named), *seats)
        unnamed = (str(number) for number in count(1) if str(number) not in named)
        rules.start((*named, *islice(unnamed, players - len(named))), options)

    def spelt_out(self, game: str, options: Mapping[str, str]) -> dict[str, str]:
        """Return a match's options with what was only named written out; raises UnknownGame."""
        return spelt_out(game_by_key(game).options, options, self._kept)

    @reading_journal()
    def open(self, number: int) -> OpenedMatch:
        """Open a match that is to be gone on with; raises NoSuchMatch, CannotResume or CannotRead."""
        with resuming(number):
            journal = self._file.open(number)
            entries = journal.entries()
            honours: Sequence[Honours] = ()
            if isinstance(entries[0], MatchStarted):
                if entries[0].game not in GAMES:
                    raise CannotResume(f"Match {number} cannot be taken up again: {not_installed(entries[0].game)}.")
                check_fits(game_by_key(entries[0].game), self._board_shape)
                self._take(number, entries[0])
                honours = self._records.honours(entries[0])
            if journal.seed is None:
                raise CannotResume(f"Match {number} was played with dictated dice and cannot be gone on with.")
            return OpenedMatch(journal, HonestDice.resumed(journal.seed, entries), _last_ms(entries), honours)

    # --- the lobby --------------------------------------------------------------------------------------------------

    def lobby_context(self, over: int | None = None) -> LobbyContext:
        """Return what the lobby may offer, which is not the match that is over."""
        rivals = {
            key: [Rival(each.key, each.title, each.levels, each.usual) for each in catalog.opponents_of(key).values()]
            for key in GAMES
        }
        return LobbyContext(GAMES, self._index, self._board_shape, over, rivals, self._kept)

    def last_start(self) -> Start | None:
        """Return how the match that was started last may be played again; see `again`."""
        return self.again(self._index.last())

    def known_names(self) -> Sequence[str]:
        """Return everybody who has played here, whoever played last first."""
        return self._index.names()

    def again(self, last: Start | None) -> Start | None:
        """Return how a match may be played again, or None if this table lacks the game, a computer or the room for it.

        Where whoever is named first has the first move, everybody moves on by one seat.
        """
        fitting = {game.key: game for game in self.lobby_context().fitting()}
        if last is None or last.game not in fitting:
            return None
        try:
            catalog.kinds_of(last.game, last.names)
        except NoSuchOpponent:
            return None
        ranks = {option.name for option in fitting[last.game].options if option.of_players}  # decided anew each time
        options = {name: value for name, value in last.options.items() if name not in ranks}
        entry = catalog.find_entry(last.game)
        move_on = 1 if entry is not None and entry.seats_move_on(options) else 0
        options = moved_on(fitting[last.game].options, options, len(last.names), move_on)
        return Start(last.game, (*last.names[move_on:], *last.names[:move_on]), options)

    # --- lists and files --------------------------------------------------------------------------------------------

    @reading_journal()
    def summaries(self, current: int | None) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first, `current` being in hand; raises CannotRead."""
        damaged = self._file.damaged()
        whole = [record for record in self._file.matches() if record.number not in damaged]
        waiting = self._index.unfinished(but=current)
        how_far = {match.number: match.how_far for match in waiting if match.game in GAMES}
        found = [_summary(each, how_far.get(each.number, ""), is_current=each.number == current) for each in whole]
        found += [_summary_of_damaged(match) for match in damaged.values()]
        return sorted(found, key=lambda summary: summary.number, reverse=True)

    @reading_journal()
    def standings(self) -> Standings:
        """Return what is remembered over matches; raises CannotRead."""
        return self._records.standings()

    @reading_journal()
    def export(self, number: int, form: str) -> str:
        """Return a match as text in one of its forms; raises NoSuchMatch, NoSuchForm or CannotRead."""
        return export_match(self._file.open(number), form)


def _last_ms(entries: Iterable[Entry]) -> int:
    """Return the last time of the table that is written in a journal."""
    times = (getattr(entry, "at_ms", UNSET) for entry in entries)
    return max((at_ms for at_ms in times if isinstance(at_ms, int)), default=0)


@contextmanager
def resuming(number: int) -> Iterator[None]:
    """Say of whatever hinders a match from being taken up again that it does; raises CannotResume."""
    try:
        yield
    except (DiceMismatch, BadSalt, BadHistory, BoardTooSmall, UnknownGame, JournalUnreadable) as error:
        raise CannotResume(f"Match {number} cannot be taken up again: {error}.") from error


def _summary(record: MatchRecord, how_far: str, *, is_current: bool) -> MatchSummary:
    return MatchSummary(
        number=record.number,
        game=record.started.game,
        seats=all_names(record.started),
        began=record.began,
        actions=record.actions,
        outcome=outcome_words(record),
        is_current=is_current,
        forms=forms_of(record.started.game),
        how_far=how_far,
    )


def _summary_of_damaged(match: DamagedMatch) -> MatchSummary:
    started = match.started
    return MatchSummary(
        number=match.number,
        game="" if started is None else started.game,
        seats=() if started is None else tuple(started.seats),
        began=match.began,
        actions=match.actions,
        outcome=None,
        is_current=False,
        forms=() if started is None else (JSON,),
        damage=damage_words(match.damage),
    )
