"""Follows a board's log of changes: reports each change once and in order, despite gaps, repeats and resets.

After a connection or a reset, the state of all switches is reported first. If the board has dropped changes, the lost
order is reported, then the state of all switches, and then the presses and encoder steps that the board counted.

The board's times are converted to the host's clock; the message with the least delay gives the best offset.
"""

from .from_board import BoardChange, BoardState, Changes
from .from_board_parser import parse_changes
from .link_events import ButtonReported, EncoderReported, LinkEvent, OrderLost, SwitchesRead, SwitchReported

WINDOW_MS = 10_000  # the two crystals drift apart by less than 1 ms in this time
MOST_PRESSES = 200  # the most lost changes of a button that are reported after lost order; more are not plausible


class BoardClock:
    """Converts the board's milliseconds to the host's; the results never decrease."""

    def __init__(self) -> None:
        self._differences: list[int] = []  # the smallest offset of the last window, and of the current one
        self._window_ms = 0
        self._latest_ms = 0

    def restart(self) -> None:
        """Forget the offset, because the board's clock restarted from 0."""
        self._differences = []

    def observe(self, board_ms: int, now_ms: int) -> None:
        """Update the offset with a message that the board sent at `board_ms` and that arrived at `now_ms`."""
        difference = now_ms - board_ms
        if not self._differences or now_ms - self._window_ms >= WINDOW_MS:
            self._differences = [*self._differences[-1:], difference]
            self._window_ms = now_ms
        self._differences[-1] = min(self._differences[-1], difference)

    def host_ms(self, board_ms: int, now_ms: int) -> int:
        """Convert a time of the board to the host's clock.

        The result is never before the last result, and never after `now_ms`.
        """
        at_ms = board_ms + min(self._differences) if self._differences else now_ms
        self._latest_ms = max(self._latest_ms, min(at_ms, now_ms))
        return self._latest_ms


class ChangeFollower:
    """The host's copy of the state of switches, buttons and encoder, kept up to date by the board's changes.

    The copy starts with a whole state, and changes are applied in the order of their numbers. After a lost connection
    or a reset, changes wait until the board has sent its whole state. Then the state that the switches had before the
    first waiting change is reported, and after it the waiting changes one by one.
    """

    def __init__(self, clock: BoardClock) -> None:
        self._clock = clock
        self._names: tuple[str, ...] = ()  # of the buttons
        self._next: int | None = None  # the number of the next change to report; None before the first whole state
        self._waiting: list[BoardChange] = []  # changes from that number on
        self._whole = False
        self._state: BoardState | None = None  # a whole state that waits for the changes up to it
        self._begun = False
        self._occupied = 0
        self._counts: list[list[int]] = []  # presses and releases reported of each button since the board's start
        self._down: dict[str, bool] = {}
        self._position = 0

    @property
    def is_whole(self) -> bool:
        """Whether the state of the whole board is known, so that each change can be reported at once."""
        return self._whole

    @property
    def last_received(self) -> int | None:
        """The number of the last change received without a gap, to be acknowledged; `None` if no state arrived yet."""
        return None if self._next is None else self._next + len(self._waiting) - 1

    def pause(self) -> None:
        """Stop reporting until the board sends its state again, because the connection was lost."""
        self._whole = False
        self._state = None

    def restart(self, names: tuple[str, ...]) -> None:
        """Expect change 1 next, because the board rebooted.

        If the board's whole state was never received, the whole state must come before the changes.
        """
        self.pause()
        self._next = 1 if self._begun else None
        self._names = names
        self._waiting = []
        self._counts = [[0, 0] for _ in names]
        self._position = 0

    def changes_reported(self, message: Changes, now_ms: int) -> list[LinkEvent]:
        """Add changes and return the resulting events.

        Known changes are skipped. Until the board has sent its state for the first time, all changes are skipped.
        Changes after a gap are dropped, because the board sends them again.
        """
        if self._next is None:
            return []
        skipped = self._next + len(self._waiting) - message.first
        if skipped < 0:
            return []
        self._waiting += parse_changes(message)[skipped:]
        if self._whole:
            return self._emit(now_ms)
        return [] if self._state is None else self.state_reported(self._state, now_ms)

    def state_reported(self, state: BoardState, now_ms: int) -> list[LinkEvent]:
        """Apply a complete state sent since the board's last boot; return the resulting events.

        The first state is applied at once. Later, while reporting is paused, a state waits until all changes before it
        have arrived, unless the board has dropped some of them.

        Args:
            state: the state; it must be newer than the last one, or be the one that has waited.
            now_ms: the host's time.
        """
        if self._next is None:
            return self._first(state, now_ms)
        if state.kept_from > self._next + len(self._waiting):
            return self._heal(state, now_ms)
        if self._whole:
            wrong = state.latest == self._next - 1 and state.occupied != self._occupied
            return self._read(state, state.occupied, now_ms) if wrong else []
        through = state.latest - self._next + 1
        if through < 0:
            return []
        if through > len(self._waiting):
            self._state = self._state or state  # the first one: its changes arrive sooner
            return []
        self._whole = True
        self._state = None
        before = _undone(state.occupied, self._waiting[:through])
        return [
            *self._read(state, before, now_ms),
            *self._level(state, now_ms),
            *self._emit(now_ms),
        ]

    def _first(self, state: BoardState, now_ms: int) -> list[LinkEvent]:
        self._adopt(state)
        for name, (_, _, down) in zip(self._names, state.buttons, strict=True):
            self._down[name] = bool(down)
        return self._read(state, state.occupied, now_ms)

    def _adopt(self, state: BoardState) -> None:
        """Continue from this state: drop waiting changes, and expect the first change after this state."""
        self._whole = self._begun = True
        self._next = state.latest + 1
        self._waiting = []
        self._counts = [button[:2] for button in state.buttons]
        self._position = state.position

    def _heal(self, state: BoardState, now_ms: int) -> list[LinkEvent]:
        """Continue from a state although changes before it are lost, and return the resulting events.

        Lost presses, releases and steps of the encoder are reported too; the state's counters tell how many there were.
        At most `MOST_PRESSES` lost presses and releases of each button are reported.
        """
        events = [] if self._whole else self._level(state, now_ms)
        events += self._emit(now_ms)
        missing = [
            (presses - counted[0]) + (releases - counted[1])
            for (presses, releases, _), counted in zip(state.buttons, self._counts, strict=True)
        ]
        turned = state.position - self._position
        self._adopt(state)
        events += [OrderLost(), *self._read(state, state.occupied, now_ms)]
        at_ms = self._clock.host_ms(state.board_ms, now_ms)
        for name, changes in zip(self._names, missing, strict=True):
            for _ in range(min(changes, MOST_PRESSES)):
                events += self._button(name, not self._down.get(name, False), at_ms)
        if turned:
            events.append(EncoderReported(turned, at_ms))
        return events

    def _read(self, state: BoardState, occupied: int, now_ms: int) -> list[LinkEvent]:
        self._occupied = occupied
        closed = frozenset(i for i in range(4 * state.digits) if occupied >> i & 1)
        first_ms = self._waiting[0].board_ms if self._waiting else state.board_ms
        return [SwitchesRead(closed, self._clock.host_ms(min(first_ms, state.board_ms), now_ms))]

    def _level(self, state: BoardState, now_ms: int) -> list[LinkEvent]:
        """Report the buttons whose state differs from the state reported last, for example after a reboot.

        The state from the board already includes presses and releases that will still be reported from the board's
        log. The comparison leaves them out.
        """
        events: list[LinkEvent] = []
        for name, (presses, releases, down), counted in zip(self._names, state.buttons, self._counts, strict=True):
            level = bool(down - (presses - counted[0]) + (releases - counted[1]))
            events += self._button(name, level, self._clock.host_ms(0, now_ms))
        return events

    def _emit(self, now_ms: int) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        for change in self._waiting:
            events += self._one(change, self._clock.host_ms(change.board_ms, now_ms))
        self._next = (self._next or 1) + len(self._waiting)
        self._waiting = []
        return events

    def _one(self, change: BoardChange, at_ms: int) -> list[LinkEvent]:
        if change.kind == "e":
            self._position += change.value
            return [EncoderReported(change.value, at_ms)]
        if change.kind == "s":
            bit = 1 << change.index
            self._occupied = self._occupied | bit if change.value else self._occupied & ~bit
            return [SwitchReported(change.index, bool(change.value), at_ms)]
        self._counts[change.index][0 if change.value else 1] += 1
        return self._button(self._names[change.index], bool(change.value), at_ms)

    def _button(self, name: str, down: bool, at_ms: int) -> list[LinkEvent]:  # noqa: FBT001 - its state
        """Report a button's change of state; a button that stays held during a board's reset is not reported again."""
        if self._down.get(name, False) == down:
            return []
        self._down[name] = down
        return [ButtonReported(name, down, at_ms)]


def _undone(occupied: int, changes: list[BoardChange]) -> int:
    """Return the closed switches before some changes, as bits; `occupied` are the closed switches after the changes."""
    for change in reversed(changes):
        if change.kind == "s":
            bit = 1 << change.index
            occupied = occupied & ~bit if change.value else occupied | bit
    return occupied
