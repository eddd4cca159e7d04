"""The matches of a table's journal: starts, opens, lists and exports them, and knows what the lobby may offer.

The archive also proposes rematches, returns the players' records, and has a watchdog watch the match that is played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count, islice, repeat
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from captains_table import catalog
from captains_table.devices.dice_sources import BadSalt, DiceMismatch, HonestDice, commitment
from captains_table.games.common.board_sizes import BoardTooSmall, check_fits
from captains_table.games.common.computer_seat import NoSuchOpponent
from captains_table.games.common.records import Honours
from captains_table.games.contract import Choice, Shape, moved_on, spelt_out
from captains_table.games.registry import GAMES, UnknownGame, display_names, game_by_key, not_installed
from captains_table.phrases import message, message_of, say
from captains_table.process.hang_watch import MARKS, HangWatch
from captains_table.records.finished import all_names
from captains_table.storage.exports import JSON, damage_words, export_match, forms_of, outcome_words
from captains_table.storage.journal_file import DamagedMatch, JournalFile, MatchJournal, MatchRecord
from captains_table.storage.match_index import JournalMatchIndex, JournalRecords, Standings
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.level_proposal import FinishedStart, computer_of, other_level
from captains_table.table.lobby.match_setup import (
    LobbyContext,
    Start,
    UnfinishedMatch,
    empty_collection,
)
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory
from captains_table.table.model.seating import declared_names


class CannotResume(RuntimeError):
    """A match cannot be resumed; the message is a sentence that says why."""


class CannotRead(RuntimeError):
    """The journal cannot be read, for example because the disk fails; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list of matches.

    Attributes:
        number: its number in the journal.
        game: the game's key; empty if its beginning cannot be read.
        seats: the players' names; empty if its beginning cannot be read.
        began: when it began, ISO 8601 in local time.
        actions: how many actions it has.
        outcome: how it ended, in words; `None` if it is not over or is damaged.
        is_current: whether it is the current match.
        forms: the formats in which it can be exported.
        damage: which part of it cannot be read, so that it cannot be resumed; `None` if all of it can be read.
        how_far: its progress, or whom it waits for, in words; empty if it is over, current or damaged, and if its game
            is not installed.
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
    """A match that is ready to be played.

    Attributes:
        journal: the match's journal.
        dice: the match's dice.
        at_ms: the latest table time in the journal; 0 for a new match.
        honours: the honours to be shown before the players' names, in seat order; they were earned in other matches.
    """

    journal: MatchJournal
    dice: HonestDice
    at_ms: int = 0
    honours: Sequence[Honours] = ()


@contextmanager
def reading_journal() -> Iterator[None]:
    """Turn JournalUnreadable, raised by the code inside, into CannotRead, whose message is a sentence for the page."""
    try:
        yield
    except JournalUnreadable as error:
        raise CannotRead(say("The journal cannot be read: {error}.", message_of(error))) from error


class MatchArchive:
    """The matches in a table's journal, and the players' collections whose values a match's options may name.

    Args:
        file: the journal of all matches.
        board_shape: the shape of a real board; `None` if the board takes the shape of each game.
        saved: returns the saved values of a collection, given the collection's name.

    Attributes:
        watch: the watchdog that ends the process if a game blocks it. `watch.is_watched` tells which games are watched.
    """

    def __init__(
        self,
        file: JournalFile,
        board_shape: Shape | None,
        saved: Callable[[str], Sequence[Choice]] = empty_collection,
    ) -> None:
        self._file = file
        self._saved = saved
        self._board_shape = board_shape
        self._records = JournalRecords(file)
        self.watch = HangWatch(file.path.with_name(MARKS))
        self._index = JournalMatchIndex(file, self.watch)

    def latest_unfinished(self) -> int | None:
        """Return the number of the unfinished match that was played most recently; `None` if there is none.

        Matches whose game is not installed, and matches in which the table hung, do not count. A match whose beginning
        cannot be read counts.
        """
        left = {*self.missing_games(), *self.hung()}
        return next((number for number in self._file.unfinished() if number not in left), None)

    def hung(self) -> dict[int, str]:
        """Return the unfinished matches in which the table hung: a mapping from match number to the game's key."""
        waiting = (record for record in self._file.matches() if record.ended is None)
        return {each.number: each.started.game for each in waiting if self.watch.has_hung(each.started.commitment)}

    def _take(self, number: int, started: MatchStarted) -> None:
        """Let the watchdog watch a match that is about to be played; forget that the match ever blocked the table."""
        self.watch.forget(started.commitment)
        self.watch.take(number, started.game, started.commitment)

    def missing_games(self) -> dict[int, str]:
        """Return the unfinished matches whose game is not installed: a mapping from match number to the game's key."""
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
        """Start a match in the journal, and have the watchdog watch it.

        The players' records and the start of the game may decide further options; these are stored too.

        Args:
            game: the game's key.
            names: the players, in seat order.
            options: the game's options.
            now_ms: the table's time.
            pairing: the id of the club's pairing; empty if the match is not a pairing; `None` if the table has no club.
            has_master: whether the table has a game master's page.

        Raises:
            BadOption, UnknownGame, BoardTooSmall: the match cannot be started as requested, or does not fit the board.
        """
        check_fits(game_by_key(game), self._board_shape)
        seed = HonestDice.new_seed()
        names, kinds = catalog.seats_of(game, names), catalog.kinds_of(game, names)
        asked = MatchStarted(game, tuple(names), dict(options), commitment(seed), kinds, now_ms, has_master)
        seated = declared_names(asked)
        options = self._records.agreed(game, seated, self.spelt_out(game, options))
        rules = game_by_key(game)
        first = rules.start(seated, options)  # raises, before anything is written, if it cannot be started
        options = {**options, **rules.filled_in(first)}
        unnamed = len(rules.names(first)) - len(names)
        started = replace(asked, options=dict(options), kinds=(*kinds, *repeat("human", unnamed)))
        honours = self._records.honours(started)
        journal = self._file.start(started, seed, pairing)
        self._take(journal.number, started)
        return OpenedMatch(journal, HonestDice(seed), honours=honours)

    def check(self, game: str, options: Mapping[str, str]) -> None:
        """Check that a game can be played here with some options, whatever the players' names.

        Raises:
            BadOption, UnknownGame, BoardTooSmall: it cannot be played.
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
        """Return a match's options, in which names of saved values are replaced by the values; raises UnknownGame."""
        return spelt_out(game_by_key(game).options, options, self._saved)

    @reading_journal()
    def open(self, number: int) -> OpenedMatch:
        """Open a match in order to resume it, and have the watchdog watch it; raises NoSuchMatch or CannotResume."""
        with resuming(number):
            journal = self._file.open(number)
            entries = journal.entries()
            honours: Sequence[Honours] = ()
            if isinstance(entries[0], MatchStarted):
                if entries[0].game not in GAMES:
                    raise CannotResume(say(_NOT_RESUMED, number=number, error=not_installed(entries[0].game)))
                check_fits(game_by_key(entries[0].game), self._board_shape)
                self._take(number, entries[0])
                honours = self._records.honours(entries[0])
            if journal.seed is None:
                raise CannotResume(
                    say("Match {number} was played with dictated dice and cannot be gone on with.", number)
                )
            return OpenedMatch(journal, HonestDice.resumed(journal.seed, entries), _last_ms(entries), honours)

    # --- the lobby --------------------------------------------------------------------------------------------------

    def lobby_context(self, over: int | None = None) -> LobbyContext:
        """Return what the lobby may offer, apart from the club's pairings.

        `over` is the number of a match that the lobby must not offer; `None` if there is no such match.
        """
        rivals = {key: catalog.computer_players(catalog.entry_of(key)) for key in GAMES}
        taught = frozenset(key for key in GAMES if catalog.entry_of(key).lesson is not None)
        return LobbyContext(GAMES, self._index, self._board_shape, over, rivals, self._saved, taught=taught)

    def last_start(self) -> Start | None:
        """Return the request to play the last started match again; `None` if that is impossible (see `again`)."""
        return self.again(self._index.last())

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        """Return the unfinished matches that fit on the board, the one played last first."""
        return self.lobby_context().unfinished()

    def known_names(self) -> Sequence[str]:
        """Return the names of all people who have played here, the most recent first."""
        return self._index.names()

    def last_computers(self) -> Sequence[tuple[str, str]]:
        """Return each game's key with the computer against which one person played it last."""
        return list(self._index.against().items())

    def again(self, last: Start | None) -> Start | None:
        """Return the start of a rematch with the same players and options; `None` if no rematch can be played here.

        A rematch needs an earlier match, its game, its computers and a large enough board. In some games the next
        player begins the rematch. Then all players move on by one seat and keep their personal options. Options that
        name players are left out, because they are decided anew in each match.
        """
        fitting = {game.key: game for game in self.lobby_context().fitting()}
        if last is None or last.game not in fitting:
            return None
        try:
            catalog.kinds_of(last.game, last.names)
        except NoSuchOpponent:
            return None
        ranks = {
            option.name for option in fitting[last.game].options if option.of_players
        }  # decided anew in each match
        options = {name: value for name, value in last.options.items() if name not in ranks}
        entry = catalog.find_entry(last.game)
        move_on = 1 if entry is not None and entry.seats_move_on(options) else 0
        options = moved_on(fitting[last.game].options, options, len(last.names), move_on)
        return Start(last.game, (*last.names[move_on:], *last.names[:move_on]), options)

    @reading_journal()
    def other_level(self, again: Start, just: FinishedStart, number: int | None) -> Start | None:
        """Return a rematch at another level of the computer, if several matches in a row were lost or won.

        `None` if no other level is proposed.

        Args:
            again: the rematch at the present level.
            just: the match that has just ended; its end need not be written yet.
            number: the number of this match.

        Raises:
            CannotRead: the journal cannot be read.
        """
        computer = computer_of(again)
        opponent = None if computer is None else catalog.opponents_of(again.game).get(computer.key)
        if opponent is None:
            return None
        before = (
            FinishedStart(Start(each.started.game, each.started.seats), each.ended.winner)
            for each in self._file.matches()
            if each.ended is not None and each.number != number
        )
        return other_level(again, list(opponent.levels), chain([just], before))

    # --- lists and files --------------------------------------------------------------------------------------------

    @reading_journal()
    def summaries(self, current: int | None) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead.

        Args:
            current: the number of the match that is being played; `None` without one.
        """
        damaged = self._file.damaged()
        whole = [record for record in self._file.matches() if record.number not in damaged]
        waiting = self._index.unfinished(but=current)
        how_far = {match.number: match.how_far for match in waiting if match.game in GAMES}
        found = [_summary(each, how_far.get(each.number, ""), is_current=each.number == current) for each in whole]
        found += [_summary_of_damaged(match) for match in damaged.values()]
        return sorted(found, key=lambda summary: summary.number, reverse=True)

    @reading_journal()
    def standings(self) -> Standings:
        """Return the records and leaderboards over all matches; raises CannotRead."""
        return self._records.standings()

    @reading_journal()
    def export(self, number: int, form: str) -> str:
        """Return a match as text in an export format; raises NoSuchMatch, NoSuchForm or CannotRead."""
        return export_match(self._file.open(number), form)


def _last_ms(entries: Iterable[Entry]) -> int:
    """Return the latest table time in a journal's entries; 0 if no entry has a time."""
    times = (getattr(entry, "at_ms", UNSET) for entry in entries)
    return max((at_ms for at_ms in times if isinstance(at_ms, int)), default=0)


_NOT_RESUMED: Final = message("Match {number} cannot be taken up again: {error}.")


@contextmanager
def resuming(number: int) -> Iterator[None]:
    """Turn errors of the block into CannotResume; the message names the match by its number.

    Only errors that prevent a match from being resumed are turned into CannotResume.
    """
    try:
        yield
    except (DiceMismatch, BadSalt, BadHistory, BoardTooSmall, UnknownGame, JournalUnreadable) as error:
        raise CannotResume(say(_NOT_RESUMED, number=number, error=message_of(error))) from error


def _summary(record: MatchRecord, how_far: str, *, is_current: bool) -> MatchSummary:
    return MatchSummary(
        number=record.number,
        game=record.started.game,
        seats=display_names(all_names(record.started), record.started.game),
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
