"""The players' clocks, and the timers for bids and actions; a game master can stop these timers.

All remaining times are computed from the times in the journal, so that no remaining time is lost in a power cut.

A player who must act uses time; while several players may bid, nobody uses time. The clock stands still until the board
is right for the first time, and after every interruption until the board is right again. The journal records when the
clock starts (`ClockWentOn`), and the time for which it stood still is not charged. When the clock is stopped
(`ClockStopped`), for example because players leave the match, the time until then is charged. After a power cut, the
time since the last entry is not charged. In some matches the clock starts only when it is pressed for the first time.

Rules: docs/rules/clocks.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.games.contract import (
    PRESS_CLOCK,
    Action,
    Bell,
    Bid,
    MasterAction,
    Pick,
    Stage,
    TimeAddition,
    TimeControl,
    goes_on_with_time,
)
from captains_table.phrases import listed, say, several
from captains_table.table.model.entries import (
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    Resumed,
    TakenBack,
    TimersStopped,
    TimersWentOn,
)
from captains_table.table.model.steps import Step

LOW_S = (30, 10)  # seconds left at which a player is warned
SECOND_MS = 1000


@dataclass(frozen=True, slots=True)
class StageProgress:
    """The stage in which a player's time is, as displays show it.

    Attributes:
        number: its number, from 1.
        count: how many stages the player has.
        moves_left: the moves left in it; `None` if it has no number of moves.
    """

    number: int
    count: int
    moves_left: int | None

    @property
    def words(self) -> str:
        """The stage in words, such as "stage 1 of 2, 38 moves to go"; empty for a single stage that does not end."""
        moves = several(self.moves_left, "{n} move to go", "{n} moves to go") if self.moves_left else ""
        if self.count == 1:
            return moves
        stage = say("stage {number} of {count}", self.number, self.count)
        return listed([stage, moves], ",") if moves else stage

    @property
    def brief(self) -> str:
        """The stage for small displays, such as "1/2 · 38 to go"."""
        stage = f"{self.number}/{self.count}"
        if not self.moves_left:
            return stage if self.count > 1 else ""
        if self.count == 1:
            return say("{moves} to go¦{moves}", self.moves_left)
        return say("{stage} · {moves} to go¦{stage} · {moves}", stage, self.moves_left)


class PlayerTime:
    """The time of one player (docs/rules/clocks.md Z3-Z10).

    Args:
        stages: the player's stages.

    Attributes:
        left_ms: the milliseconds left.
        place: the index of the present stage, from 0.
        presses: the counted presses in the present stage.
        span_ms: the milliseconds used since the player's last press, or since the start.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self.stages = stages
        self.left_ms = stages[0].base_ms
        self.place = self.presses = self.span_ms = 0

    @property
    def stage(self) -> Stage:
        """The present stage."""
        return self.stages[self.place]

    @property
    def delay_ms(self) -> int:
        """The milliseconds of the present span that are still not counted (Z7)."""
        return max(0, self.stage.extra_ms - self.span_ms) if self.stage.kind is TimeAddition.DELAY else 0

    def use(self, used_ms: int) -> None:
        """Charge the time that the player used, but for the delay."""
        self.left_ms -= max(0, used_ms - self.delay_ms)
        self.span_ms += used_ms

    def press(self) -> None:
        """Count a press: add or return time by the present stage, then begin the next stage if this one is over."""
        if self.stage.kind is TimeAddition.FISCHER:
            self.left_ms += self.stage.extra_ms
        elif self.stage.kind is TimeAddition.BRONSTEIN:
            self.left_ms += min(self.span_ms, self.stage.extra_ms)
        self.presses += 1
        if self.presses == self.stage.moves:
            self.place, self.presses = min(self.place + 1, len(self.stages) - 1), 0
            self.left_ms += self.stage.base_ms


class Clock:
    """The chess clocks of all players of a match (docs/rules/clocks.md).

    Args:
        control: the time control.
        seats: the number of players.

    Attributes:
        at_press: the seconds that the clock showed of a player after each press, by the number of the press's entry.

    Raises:
        ValueError: the control has stages for another number of players.
    """

    def __init__(self, control: TimeControl, seats: int) -> None:
        if len(control.stages) not in {0, 1, seats}:
            raise ValueError(f"stages for {len(control.stages)} of {seats} seats: expected them for one, or for each")
        self._players = [PlayerTime(control.stages_of(seat)) for seat in range(seats)]
        self._since_ms: int | None = None  # None: it stands still
        self.at_press: dict[int, int] = {}
        self.awaits_press = control.from_press
        """True while the clock waits for its first press, which gives no increment."""

    @property
    def is_running(self) -> bool:
        return self._since_ms is not None

    def stop(self) -> None:
        """Stop the clock; the time since the last entry is not charged."""
        self._since_ms = None

    def note(self, entry: Entry) -> None:
        """Update the clock from a journal entry.

        The entry may start or stop the clock. A player's time used is charged, and a press adds the increment.
        """
        match entry:
            case ClockWentOn(at_ms):
                self._since_ms = at_ms
            case ClockStopped(seat=seat, at_ms=at_ms):
                self._use(seat, at_ms)
                self.stop()
            case Resumed():
                self.stop()
            case Acted(action=action, at_ms=at_ms) if isinstance(action, Bid | Bell | MasterAction):
                self._use(None, at_ms)
            case Acted(seat=seat, at_ms=at_ms) | TakenBack(seat=seat, at_ms=at_ms):
                self._use(seat, at_ms)
                if seat is not None and isinstance(entry, Acted) and is_press(entry.action):
                    self._press(self._players[seat])
                    self.at_press[entry.seq] = seconds_shown(max(0, self._players[seat].left_ms))

    def _press(self, player: PlayerTime) -> None:
        if not self.awaits_press:
            player.press()
        self.awaits_press, player.span_ms = False, 0

    def _use(self, seat: int | None, at_ms: int) -> None:
        if self._since_ms is None:
            return
        if seat is not None:
            receiver = self._receiver(seat)
            if receiver is not None:
                self._players[receiver].left_ms += self._used_ms(seat, at_ms)
            self._players[seat].use(max(0, at_ms - self._since_ms))
        self._since_ms = max(at_ms, self._since_ms)

    def _receiver(self, seat: int | None) -> int | None:
        """Return the seat to which an hourglass adds the time that a seat uses (Z9); `None` without an hourglass."""
        is_hourglass = seat is not None and self._players[seat].stage.kind is TimeAddition.HOURGLASS
        return (seat + 1) % len(self._players) if is_hourglass and seat is not None else None

    def _used_ms(self, acting: int | None, now_ms: int) -> int:
        """Return the milliseconds that the acting seat has used since the last entry, at most until its time is up."""
        up_ms = self.up_ms(acting)
        return 0 if up_ms is None or self._since_ms is None else max(0, min(now_ms, up_ms) - self._since_ms)

    def left_ms(self, seat: int, acting: int | None, now_ms: int) -> int:
        """Return the milliseconds that a seat has left, at least 0.

        Args:
            seat: the seat whose time is returned.
            acting: the seat that must act; `None` if no seat must.
            now_ms: table time.
        """
        player, used_ms = self._players[seat], self._used_ms(acting, now_ms)
        received_ms = used_ms if seat == self._receiver(acting) else 0
        charged_ms = max(0, used_ms - player.delay_ms) if seat == acting else 0
        return max(0, player.left_ms + received_ms - charged_ms)

    def delay_ms(self, seat: int, acting: int | None, now_ms: int) -> int | None:
        """Return the milliseconds of its delay that a seat has left; `None` if no stage has a delay.

        The arguments are those of `left_ms`.
        """
        if all(stage.kind is not TimeAddition.DELAY for player in self._players for stage in player.stages):
            return None
        return max(0, self._players[seat].delay_ms - (self._used_ms(acting, now_ms) if seat == acting else 0))

    def progress(self, seat: int) -> StageProgress | None:
        """Return a seat's stage and its moves left; `None` if no player has stages or a number of moves."""
        if all(len(player.stages) == 1 and player.stage.moves is None for player in self._players):
            return None
        player = self._players[seat]
        moves = player.stage.moves
        return StageProgress(player.place + 1, len(player.stages), None if moves is None else moves - player.presses)

    def up_ms(self, acting: int | None) -> int | None:
        """Return the table time at which the acting seat's time is used up; `None` while no seat's clock runs."""
        if acting is None or self._since_ms is None:
            return None
        player = self._players[acting]
        return self._since_ms + max(0, player.left_ms) + player.delay_ms

    def tick_ms(self, acting: int | None, now_ms: int) -> int | None:
        """Return the table time when a clock next changes its seconds, or the acting seat's delay does.

        `None` while no clock runs, and once the time is used up.
        """
        if acting is None or self._since_ms is None:
            return None
        counting_ms = self.delay_ms(acting, acting, now_ms) or self.left_ms(acting, acting, now_ms)
        tick_ms, receiver = next_second_ms(now_ms + counting_ms, now_ms), self._receiver(acting)
        if tick_ms is None or receiver is None:
            return tick_ms
        return min(tick_ms, now_ms + 1 + -self.left_ms(receiver, acting, now_ms) % SECOND_MS)


def next_second_ms(due_ms: int, now_ms: int) -> int | None:
    """Return when a countdown to `due_ms` next changes its seconds; `None` once the countdown is over."""
    return None if due_ms <= now_ms else now_ms + (due_ms - now_ms - 1) % SECOND_MS + 1


def is_press(action: Action | None) -> bool:
    """Return whether an action presses the clock."""
    return action == Pick(PRESS_CLOCK.id)


def seconds_shown(left_ms: int) -> int:
    """Return the seconds that a clock shows, rounded up: 0 only when the time is used up."""
    return -(-left_ms // SECOND_MS)


def runs_low(before_s: int | None, now_s: int | None) -> bool:
    """Return whether a clock has just passed a warning threshold (`LOW_S`); false without a clock.

    Args:
        before_s: the seconds that the clock showed before; `None` without a clock.
        now_s: the seconds that the clock shows now; `None` without a clock.
    """
    return before_s is not None and now_s is not None and any(now_s <= low < before_s for low in LOW_S)


def clock_face(seconds: int) -> str:
    """Return the time as a clock shows it, such as 4:59 or 1:04:59."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Timers:
    """The record of when a match's timers were stopped and started."""

    def __init__(self) -> None:
        self._entries: list[TimersStopped | TimersWentOn] = []

    def note(self, entry: Entry) -> None:
        """Update the timers from a journal entry."""
        if isinstance(entry, TimersStopped | TimersWentOn):
            self._entries.append(entry)

    @property
    def are_stopped(self) -> bool:
        """Whether the timers stand still now."""
        return bool(self._entries) and isinstance(self._entries[-1], TimersStopped)

    def left_ms(self, deadline_ms: int, history: Sequence[Step]) -> int:
        """Return the milliseconds left before the bell, according to the journal.

        Time counts as used from the beginning of the turn until the turn's last bid or correction. Later time is given
        back, because the power may have been cut in the meantime. An auction that opens the match begins with its first
        bid. While the timers stand still, no time is used.

        Args:
            deadline_ms: the full time before the bell.
            history: the actions that were not taken back.
        """
        times, began_seq = _times(history)
        left_ms, since_ms = deadline_ms, times[0] if times else None
        for entry in self._entries:
            if isinstance(entry, TimersWentOn):
                since_ms = entry.at_ms if entry.after_seq >= began_seq else since_ms
            elif entry.after_seq >= began_seq and entry.left_ms is not None:
                left_ms = entry.left_ms
        if self.are_stopped or since_ms is None or not times:
            return left_ms
        return max(0, left_ms - max(0, times[-1] - since_ms))


def _times(history: Sequence[Step]) -> tuple[list[int], int]:
    """Return the times of the actions since the current turn began, and the `seq` of the action that began the turn.

    The first time is the time of the action that began the turn. If the match began with this turn, the `seq` is 0.
    """
    times: list[int] = []
    for step in reversed(history):
        times.insert(0, step.acted.at_ms)
        if not goes_on_with_time(step.acted.action):
            return times, step.acted.seq
    return times, 0
