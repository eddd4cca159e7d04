"""That the actions of an exported match obey the rules and lead to its result: they are played again."""

from collections.abc import Sequence
from typing import Any

from captains_table.games.contract import BadOption, Decide, IllegalAction, Over, acting_seat, check_auction
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.table.history.not_proven import NotProven, actor
from captains_table.table.history.verify_clock import check_time
from captains_table.table.model.entries import (
    Acted,
    Advised,
    ClockStopped,
    Entry,
    MatchEnded,
    MatchStarted,
    TakenBack,
)
from captains_table.table.model.player_clocks import Clock


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
    for place, entry in enumerate(entries):
        try:
            replay.take_in(entry)
        except NotProven as error:
            error.entry = place
            raise


class Replay:
    """A match played again, action by action.

    Attributes:
        names: the players in seat order.
        is_timed: whether there is a clock.
    """

    def __init__(self, started: MatchStarted, *, recorded: bool = True) -> None:
        self._recorded = recorded
        self._game = game_by_key(started.game)
        self._state = self._game.start(started.seats, started.options)
        self._before: dict[int, Any] = {}
        self.names = tuple(self._game.names(self._state))
        control = self._game.time_control(self._state)
        self._clock = None if control is None else Clock(control, len(self.names))
        self.is_timed = control is not None

    def take_in(self, entry: Entry) -> None:
        """Do what an entry says; raises NotProven."""
        if self._clock is not None:
            check_time(self._clock, entry, recorded=self._recorded)
            self._clock.note(entry)
        match entry:
            case Acted():
                self._act(entry)
            case TakenBack():
                self._take_back(entry)
            case Advised():
                self._advise(entry)
            case ClockStopped():
                self._stop(entry)
            case MatchEnded():
                self._end(entry)

    def _act(self, acted: Acted) -> None:
        turn = self._game.turn(self._state)
        if isinstance(turn, Over):
            raise NotProven(f"action {acted.seq}: the match was over before", acted.seq)
        seat = acting_seat(turn, acted.action)
        if seat != acted.seat:
            words = f"action {acted.seq}: {actor(seat)} had to act, found {actor(acted.seat)}"
            raise NotProven(words, acted.seq, seat, acted.seat)
        try:
            check_auction(turn, acted.action)
            after = self._game.apply(self._state, acted.action)
        except IllegalAction as error:
            raise NotProven(f"action {acted.seq}: {error}", acted.seq, turn, acted.action) from error
        self._before[acted.seq] = self._state
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

    def _take_back(self, taken: TakenBack) -> None:
        if taken.of_seq not in self._before:
            words = f"action {taken.seq} takes back {taken.of_seq}, which does not stand"
            raise NotProven(words, taken.seq, sorted(self._before), taken.of_seq)
        self._state = self._before[taken.of_seq]
        self._before = {seq: state for seq, state in self._before.items() if seq < taken.of_seq}

    def _end(self, ended: MatchEnded) -> None:
        turn = self._game.turn(self._state)
        if not isinstance(turn, Over):
            raise NotProven("the match ended before its game was over", expected=turn, found=ended)
        result = turn.result
        if (result.winner, result.scores) != (ended.winner, ended.scores):
            words = f"result: the game's is {result.winner}, {result.scores}; found {ended.winner}, {ended.scores}"
            raise NotProven(words, expected=result, found=ended)
