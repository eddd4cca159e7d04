"""That the actions of an exported match obey the rules and lead to its result: they are played again."""

from collections.abc import Sequence

from msgspec import UNSET

from captains_table.games.common.sitter import NoSuchOpponent, Sitter
from captains_table.games.contract import (
    BadOption,
    Decide,
    IllegalAction,
    MasterAction,
    Over,
    Pick,
    acting_seat,
    check_auction,
    check_correction,
    offered_option,
)
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.table.history.not_proven import NotProven, actor
from captains_table.table.history.verify_clock import check_time
from captains_table.table.model.codec import tag_of
from captains_table.table.model.entries import (
    Acted,
    Advised,
    ClockStopped,
    ClockWentOn,
    Entry,
    MatchEnded,
    MatchStarted,
    Seated,
    TakenBack,
    TimersStopped,
    TimersWentOn,
)
from captains_table.table.model.player_clocks import Clock
from captains_table.table.model.seating import Seating, names_of
from captains_table.table.model.steps import Step, answered_move, open_menu, open_move
from captains_table.table.model.timers import Timers


def check_actions(started: MatchStarted, entries: Sequence[Entry], *, recorded: bool) -> None:
    """Replay every action, those taken back too, and compare who acted and how the match ended.

    Args:
        started: how the match began.
        entries: the whole history.
        recorded: whether the export's form records why a clock stands still, so that nothing is done meanwhile.

    Raises:
        NotProven: at the first difference.
    """
    try:
        replay = Replay(started, recorded=recorded)
    except (UnknownGame, BadOption) as error:
        raise NotProven(f"the match cannot have begun: {error}", entry=0) from error
    if started.kinds is not UNSET and len(started.kinds) != len(replay.names):
        words = f"entry 0: {len(started.kinds)} kinds of players: expected one for each of {len(replay.names)}"
        raise NotProven(words, expected=len(replay.names), found=started.kinds, entry=0)
    for place, entry in enumerate(entries):
        try:
            replay.take_in(entry)
        except NotProven as error:
            error.entry = place
            raise


def begins_with_press(started: MatchStarted) -> bool:
    """Return whether a match's clock waits for its first press; not where the match cannot have begun."""
    try:
        return Replay(started).awaits_press
    except (UnknownGame, BadOption):
        return False


class Replay:
    """A match played again, action by action.

    Attributes:
        names: the players in seat order.
        is_timed: whether there is a clock.
        awaits_press: whether it goes on with its first press only.
    """

    def __init__(self, started: MatchStarted, *, recorded: bool = True) -> None:
        self._recorded = recorded
        self._game = game_by_key(started.game)
        self._state = self._game.start(names_of(started), started.options)
        self._history: list[Step] = []
        self._seating = Seating(started)
        self._timers = Timers()
        self.names = tuple(self._game.names(self._state))
        control = self._game.time_control(self._state)
        self._clock = None if control is None else Clock(control, len(self.names))
        self.is_timed = control is not None
        self.awaits_press = control is not None and control.from_press

    def take_in(self, entry: Entry) -> None:
        """Do what an entry says; raises NotProven."""
        self._check_seat(getattr(entry, "seat", None))
        if self._clock is None and isinstance(entry, ClockWentOn | ClockStopped):
            raise NotProven("a clock is written down: expected none in this match", expected="no clock", found=entry)
        if self._clock is not None:
            turn = self._game.turn(self._state)
            check_time(self._clock, entry, recorded=self._recorded, is_over=isinstance(turn, Over))
            self._clock.note(entry)
        self._seating.note(entry)
        match entry:
            case Acted():
                self._act(entry)
            case TakenBack():
                self._take_back(entry)
            case Advised():
                self._advise(entry)
            case Seated():
                _check_seated(entry)
            case ClockStopped():
                self._stop(entry)
            case TimersStopped() | TimersWentOn():
                self._switch_timers(entry)
            case MatchEnded():
                self._end(entry)

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and seat not in range(len(self.names)):
            words = f"seat {seat} does not play: expected one of {len(self.names)}, counted from 0"
            raise NotProven(words, expected=f"a seat below {len(self.names)}", found=seat)

    def _act(self, acted: Acted) -> None:
        turn = self._game.turn(self._state)
        if isinstance(turn, Over):
            raise NotProven(f"action {acted.seq}: the match was over before", acted.seq)
        calls = self._game.calls(self._state)
        seat = acting_seat(turn, acted.action, calls)
        if seat != acted.seat:
            words = f"action {acted.seq}: {actor(seat)} had to act, found {actor(acted.seat)}"
            raise NotProven(words, acted.seq, seat, acted.seat)
        try:
            check_auction(turn, acted.action)
            if isinstance(acted.action, MasterAction):
                check_correction(self._game.corrections(self._state), acted.action)
            after = self._game.apply(self._state, acted.action)
        except IllegalAction as error:
            raise NotProven(f"action {acted.seq}: {error}", acted.seq, turn, acted.action) from error
        option = offered_option(turn, acted.action.id, calls) if isinstance(acted.action, Pick) else None
        self._history.append(Step(acted, self._state, after, option, self._seating.sitter(acted.seat)))
        self._state = after

    def _advise(self, advised: Advised) -> None:
        turn = self._game.turn(self._state)
        if not isinstance(turn, Decide) or turn.seat != advised.seat:
            words = f"advice after action {advised.after_seq}: seat {advised.seat} had nothing to decide"
            raise NotProven(words, advised.after_seq, turn, advised.seat)

    def _stop(self, stopped: ClockStopped) -> None:
        seat = getattr(self._game.turn(self._state), "seat", None)
        if self._clock is None or stopped.seat != seat:
            words = f"the clock of {actor(stopped.seat)} stopped: expected that of {actor(seat)}"
            raise NotProven(words, expected=seat, found=stopped.seat)

    def _switch_timers(self, entry: TimersStopped | TimersWentOn) -> None:
        stops = isinstance(entry, TimersStopped)
        if stops == self._timers.are_stopped or not self._game.corrections(self._state):
            was = "stood still" if self._timers.are_stopped else "ran"
            expected = "them to be switched by a game master, and in turn"
            raise NotProven(f"{tag_of(entry)}: the timers {was}: expected {expected}", expected=expected, found=entry)
        self._timers.note(entry)

    def _take_back(self, taken: TakenBack) -> None:
        standing = [step.acted.seq for step in self._history]
        if taken.of_seq not in standing:
            words = f"action {taken.seq} takes back {taken.of_seq}, which does not stand"
            raise NotProven(words, taken.seq, standing, taken.of_seq)
        turn, place = self._game.turn(self._state), standing.index(taken.of_seq)
        may_be = (
            open_move(self._history, turn),
            open_menu(self._history, turn),
            answered_move(self._history, turn),
        )
        step = self._history[place]
        if all(step is not each for each in may_be):
            words = f"action {taken.seq} takes back {taken.of_seq}, which was sealed"
            raise NotProven(words, taken.seq, [each.acted.seq for each in may_be if each], taken.of_seq)
        if taken.seat != step.acted.seat:
            words = f"action {taken.seq}: {actor(taken.seat)} takes back what {actor(step.acted.seat)} did"
            raise NotProven(words, taken.seq, step.acted.seat, taken.seat)
        self._state = step.before
        del self._history[place:]

    def _end(self, ended: MatchEnded) -> None:
        turn = self._game.turn(self._state)
        if not isinstance(turn, Over):
            raise NotProven("the match ended before its game was over", expected=turn, found=ended)
        result = turn.result
        if (result.winner, result.scores) != (ended.winner, ended.scores):
            words = f"result: the game's is {result.winner}, {result.scores}; found {ended.winner}, {ended.scores}"
            raise NotProven(words, expected=result, found=ended)


def _check_seated(seated: Seated) -> None:
    """Raise NotProven where whoever is said to play a seat is neither a person nor a computer."""
    try:
        if seated.player:
            Sitter.parsed(seated.player)
    except NoSuchOpponent as error:
        raise NotProven(str(error), expected="a computer, or nobody", found=seated.player) from error
