"""Checks by replay that the entries of an exported match obey the rules, fit each other, and lead to the result."""

from collections.abc import Collection, Sequence
from itertools import islice, takewhile

from msgspec import UNSET

from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import (
    BadOption,
    Decide,
    IllegalAction,
    MasterAction,
    Over,
    acting_seat,
    parse_square,
)
from captains_table.games.registry import UnknownGame, is_computer
from captains_table.table.history.not_proven import NotProven, actor_words
from captains_table.table.history.verify_clock import Pause, PauseCheck, check_time
from captains_table.table.model import entries as journal
from captains_table.table.model.codec import tag_of
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step, open_menu


def check_actions(started: journal.MatchStarted, entries: Sequence[Entry], *, recorded: bool) -> "Replay":
    """Check every entry by replaying the match, including the actions that were taken back.

    The checks cover actions and take-backs, who acted, advice, changes of player, masked switches, ambiguous moves, the
    clock and the timers, and the result. The salt and the faces of the dice are checked elsewhere (`verify_dice`).

    Args:
        started: how the match began.
        entries: the whole history.
        recorded: whether the export's format records when the clock stops; if so, no action may come while the clock
            stands still.

    Returns:
        The completed replay.

    Raises:
        NotProven: an entry is wrong; the error describes the first one.
    """
    try:
        replay = Replay(started, entries, recorded=recorded)
    except (UnknownGame, BadOption) as error:
        raise NotProven(f"the match cannot have begun: {error}", entry=0) from error
    if started.kinds is not UNSET and len(started.kinds) != len(replay.names):
        words = f"entry 0: {len(started.kinds)} kinds of players: expected one for each of {len(replay.names)}"
        raise NotProven(words, expected=len(replay.names), found=started.kinds, entry=0)
    for place in range(len(entries)):
        try:
            replay.take_in(place)
        except NotProven as error:
            error.entry = place
            raise
    return replay


class Replay:
    """Replays a match entry by entry, and checks each entry.

    Attributes:
        names: the players' names in seat order.
        is_timed: whether the match has a clock.
        pauses: the pauses of the clock during play.
        master: whether the table ever had a game master's page; `None` if that is not recorded.
        unknown: the computers that played but are not known here, such as those of a plug-in.
    """

    def __init__(self, started: journal.MatchStarted, entries: Sequence[Entry], *, recorded: bool) -> None:
        self._entries = entries
        self._recorded = recorded
        self._question: journal.Unsure | None = None
        self._match = Match(started)
        self.names = self._match.names
        self.is_timed = self._match.clock is not None
        self._pauses = PauseCheck(
            recorded=recorded,
            says_why=isinstance(started.master, bool),
            from_press=self._match.clock is not None and self._match.clock.awaits_press,
        )
        self.pauses: Sequence[Pause] = self._pauses.pauses
        self._has_master = self.master = started.master if isinstance(started.master, bool) else None
        computers = [words for seat, words in enumerate(started.seats) if started.is_program(seat)]
        self.unknown = [words for words in computers if not is_computer(started.game, words)]

    def take_in(self, place: int) -> None:
        """Check and apply the entry with this number, counted from 0; raises NotProven if the entry is wrong."""
        entry, clock = self._entries[place], self._match.clock
        self._check_seat(getattr(entry, "seat", None))
        if clock is None and isinstance(entry, journal.ClockWentOn | journal.ClockStopped):
            raise NotProven("a clock is written down: expected none in this match", expected="no clock", found=entry)
        if clock is not None:
            check_time(clock, entry, recorded=self._recorded, is_over=isinstance(self._match.turn, Over))
            clock.note(entry)
        self._pauses.take_in(self._entries, place, self._stops(place))
        self._match.seating.note(entry)
        self._do(entry)
        if isinstance(entry, journal.Unsure | journal.Acted | journal.TakenBack):
            self._question = entry if isinstance(entry, journal.Unsure) else None

    def _do(self, entry: Entry) -> None:  # noqa: C901 - one table
        match entry:
            case journal.Acted():
                self._act(entry)
            case journal.TakenBack():
                self._take_back(entry)
            case journal.Advised():
                self._advise(entry)
            case journal.SeatChanged():
                self._check_seated(entry)
            case journal.Masked(square):
                _check_square(square)
            case journal.Unsure():
                self._check_unsure(entry)
            case journal.Resumed(master=bool(master)):
                self._has_master = master
                self.master = master or self.master
            case journal.ClockStopped():
                self._stop(entry)
            case journal.TimersStopped() | journal.TimersWentOn():
                self._switch_timers(entry)
            case journal.MatchEnded():
                self._end(entry)

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and seat not in range(len(self.names)):
            words = f"seat {seat} does not play: expected one of {len(self.names)}, counted from 0"
            raise NotProven(words, expected=f"a seat below {len(self.names)}", found=seat)

    def _stops(self, place: int) -> Collection[journal.StopReason]:
        """Return the reasons for which the clock could have stopped at an entry, according to the other entries.

        The reason "left" is always possible; the result leaves it out. The result is empty if the entry is no
        `clock-stopped`.
        """
        entry = self._entries[place]
        if not isinstance(entry, journal.ClockStopped):
            return ()
        step = self._match.history[-1] if self._match.history else None
        if step is not None and step.acted is self._entries[place - 1] and (why := self._work_for_hands(step)):
            return {why} if step.acted.at_ms == entry.at_ms else ()
        asked: list[Entry | None] = [self._question]
        if entry.why is UNSET:  # earlier programs recorded the question later, once the hands rested
            asked += takewhile(lambda each: isinstance(each, journal.Unsure), islice(self._entries, place + 1, None))
        return {"asked"} if any(isinstance(each, journal.Unsure) and each.asked for each in asked) else ()

    def _work_for_hands(self, step: Step) -> journal.StopReason | None:
        """Return why hands had to make on the board what an action did; `None` if they had nothing to do."""
        if step.on_board:
            return "hand" if step.is_by_absent else None
        return "put-back" if self._match.game.pieces(step.before) != self._match.pieces() else None

    def _check_unsure(self, unsure: journal.Unsure) -> None:
        shape = self._match.game.shape
        known = set() if shape is None else {str(square) for square in shape.squares()}
        found = {*unsure.beside, *(name for _, name, _ in unsure.changes)}
        since = {0, *(step.acted.seq for step in self._match.history)}
        if shape is None or not found <= known:
            words = f"unsure about the squares {', '.join(sorted(found))}: expected those of the game's board"
            raise NotProven(words, expected="squares of the board", found=sorted(found - known))
        if unsure.since_seq not in since:
            words = f"unsure since action {unsure.since_seq}: expected one that stands, or 0"
            raise NotProven(words, expected=sorted(since), found=unsure.since_seq)

    def _check_master(self, deed: str) -> None:
        if self._has_master is False:
            words = f"{deed}: a game master's, and the table had none: expected no such entry"
            raise NotProven(words, expected="no game master", found=deed)

    def _act(self, acted: journal.Acted) -> None:
        if isinstance(acted.action, MasterAction):
            self._check_master(f"action {acted.seq}")
        turn = self._match.turn
        if isinstance(turn, Over):
            raise NotProven(f"action {acted.seq}: the match was over before", acted.seq)
        seat = acting_seat(turn, acted.action, self._match.calls)
        if seat != acted.seat:
            words = f"action {acted.seq}: {actor_words(seat)} had to act, found {actor_words(acted.seat)}"
            raise NotProven(words, acted.seq, seat, acted.seat)
        try:
            self._match.carry_out(acted, self._match.seating.sitter(acted.seat))
        except IllegalAction as error:
            raise NotProven(f"action {acted.seq}: {error}", acted.seq, turn, acted.action) from error

    def _advise(self, advised: journal.Advised) -> None:
        turn = self._match.turn
        if not isinstance(turn, Decide) or turn.seat != advised.seat:
            words = f"advice after action {advised.after_seq}: seat {advised.seat} had nothing to decide"
            raise NotProven(words, advised.after_seq, turn, advised.seat)

    def _stop(self, stopped: journal.ClockStopped) -> None:
        seat = self._match.seat
        if stopped.seat != seat:
            words = f"the clock of {actor_words(stopped.seat)} stopped: expected that of {actor_words(seat)}"
            raise NotProven(words, expected=seat, found=stopped.seat)

    def _switch_timers(self, entry: journal.TimersStopped | journal.TimersWentOn) -> None:
        stops, timers = isinstance(entry, journal.TimersStopped), self._match.timers
        if stops:  # only stops: the owner may restart them after the game master has gone
            self._check_master(tag_of(entry))
        if stops == timers.are_stopped or not self._match.game.corrections(self._match.state):
            was = "stood still" if timers.are_stopped else "ran"
            expected = "them to be switched by a game master, and in turn"
            raise NotProven(f"{tag_of(entry)}: the timers {was}: expected {expected}", expected=expected, found=entry)
        timers.note(entry)

    def _take_back(self, taken: journal.TakenBack) -> None:
        match, history = self._match, self._match.history
        standing = [step.acted.seq for step in history]
        if taken.of_seq not in standing:
            words = f"action {taken.seq} takes back {taken.of_seq}, which does not stand"
            raise NotProven(words, taken.seq, standing, taken.of_seq)
        place = standing.index(taken.of_seq)
        step, may_be = history[place], (match.provisional, open_menu(history, match.turn), match.answered_move)
        if all(step is not each for each in may_be):
            words = f"action {taken.seq} takes back {taken.of_seq}, which was sealed"
            raise NotProven(words, taken.seq, [each.acted.seq for each in may_be if each], taken.of_seq)
        if taken.seat != step.acted.seat:
            words = f"action {taken.seq}: {actor_words(taken.seat)} takes back what {actor_words(step.acted.seat)} did"
            raise NotProven(words, taken.seq, step.acted.seat, taken.seat)
        match.truncate_history(place)

    def _end(self, ended: journal.MatchEnded) -> None:
        turn = self._match.turn
        if not isinstance(turn, Over):
            raise NotProven("the match ended before its game was over", expected=turn, found=ended)
        result = turn.result
        if (result.winner, result.scores) != (ended.winner, ended.scores):
            words = f"result: the game's is {result.winner}, {result.scores}; found {ended.winner}, {ended.scores}"
            raise NotProven(words, expected=result, found=ended)

    def _check_seated(self, seated: journal.SeatChanged) -> None:
        """Check that a person or a well-formed computer is seated; raises NotProven otherwise.

        A computer that this program does not know is added to `unknown`.
        """
        try:
            if seated.player:
                ComputerSeat.parsed(seated.player)
        except NoSuchOpponent as error:
            raise NotProven(str(error), expected="a computer, or nobody", found=seated.player) from error
        if seated.player and not is_computer(self._match.started.game, seated.player):
            self.unknown.append(seated.player)


def _check_square(name: str) -> None:
    """Raise NotProven if the name is not the name of a square."""
    try:
        parse_square(name)
    except ValueError as error:
        raise NotProven(f"masked: {error}", expected="a square", found=name) from error
