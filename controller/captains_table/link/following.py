"""Following a board's log of changes: in order, each once, over gaps, repeats, resets and dropped changes."""

from .board_clock import BoardClock
from .from_board import Change, Changes, State
from .from_board_parser import changes_of
from .link_events import ButtonReported, EncoderReported, LinkEvent, OrderLost, SwitchesRead, SwitchReported

MOST_PRESSES = 200  # ups and downs of a button made good after lost order: nobody presses more often unheard


class Following:
    """What the host knows of the board's switches and controls, and the changes that lead on from there.

    It begins with a whole state. From then on each change has the next number, or it waits; after a connection was
    lost, and after a reset, changes wait until a whole state says where they began.
    """

    def __init__(self, clock: BoardClock) -> None:
        self._clock = clock
        self._names: tuple[str, ...] = ()
        self._next: int | None = None  # the number of the next change to report; None before the first whole state
        self._waiting: list[Change] = []  # changes from that number on
        self._whole = False
        self._state: State | None = None  # a whole state that waits for the changes up to it
        self._begun = False
        self._occupied = 0
        self._counts: list[list[int]] = []  # presses and releases reported of each button since the board's start
        self._down: dict[str, bool] = {}
        self._position = 0

    @property
    def is_whole(self) -> bool:
        """Whether the whole board is known, so that each change can be reported at once."""
        return self._whole

    @property
    def held(self) -> int | None:
        """The number of the last change that need not be sent again."""
        return None if self._next is None else self._next + len(self._waiting) - 1

    def pause(self) -> None:
        """Report nothing before the next whole state: the board was away."""
        self._whole = False
        self._state = None

    def restart(self, names: tuple[str, ...]) -> None:
        """Begin with change 1: the board started anew. The first board ever begins with how it stands."""
        self.pause()
        self._next = 1 if self._begun else None
        self._names = names
        self._waiting = []
        self._counts = [[0, 0] for _ in names]
        self._position = 0

    def changed(self, message: Changes, now_ms: int) -> list[LinkEvent]:
        """Take in changes; those that came before are skipped, those after a gap will come again."""
        if self._next is None:
            return []
        skipped = self._next + len(self._waiting) - message.first
        if skipped < 0:
            return []
        self._waiting += changes_of(message)[skipped:]
        if self._whole:
            return self._emit(now_ms)
        return [] if self._state is None else self.stood(self._state, now_ms)

    def stood(self, state: State, now_ms: int) -> list[LinkEvent]:
        """Take in a whole state of this start, newer than the one before, or one that waited for its changes."""
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
            self._state = self._state or state  # the first one: its changes are here sooner
            return []
        self._whole = True
        self._state = None
        before = _undone(state.occupied, self._waiting[:through])
        return [
            *self._read(state, before, now_ms),
            *self._level(state, now_ms),
            *self._emit(now_ms),
        ]

    def _first(self, state: State, now_ms: int) -> list[LinkEvent]:
        self._adopt(state)
        for name, (_, _, down) in zip(self._names, state.buttons, strict=True):
            self._down[name] = bool(down)
        return self._read(state, state.occupied, now_ms)

    def _adopt(self, state: State) -> None:
        """Take a state for what was reported so far."""
        self._whole = self._begun = True
        self._next = state.latest + 1
        self._waiting = []
        self._counts = [button[:2] for button in state.buttons]
        self._position = state.position

    def _heal(self, state: State, now_ms: int) -> list[LinkEvent]:
        """Go on from a state whose changes are gone; what they counted is reported all the same."""
        events = [] if self._whole else self._level(state, now_ms)
        events += self._emit(now_ms)
        lost = state.latest - (self._next or 1) + 1
        missing = [
            (presses - counted[0]) + (releases - counted[1])
            for (presses, releases, _), counted in zip(state.buttons, self._counts, strict=True)
        ]
        turned = state.position - self._position
        self._adopt(state)
        events += [OrderLost(lost), *self._read(state, state.occupied, now_ms)]
        at_ms = self._clock.host_ms(state.board_ms, now_ms)
        for name, changes in zip(self._names, missing, strict=True):
            for _ in range(min(changes, MOST_PRESSES)):
                events += self._button(name, not self._down.get(name, False), at_ms, state.board_ms)
        if turned:
            events.append(EncoderReported(turned, at_ms, state.board_ms))
        return events

    def _read(self, state: State, occupied: int, now_ms: int) -> list[LinkEvent]:
        self._occupied = occupied
        closed = frozenset(i for i in range(4 * state.digits) if occupied >> i & 1)
        first_ms = self._waiting[0].board_ms if self._waiting else state.board_ms
        return [SwitchesRead(closed, self._clock.host_ms(min(first_ms, state.board_ms), now_ms))]

    def _level(self, state: State, now_ms: int) -> list[LinkEvent]:
        """Report buttons that went down or came up while the board was away, unseen by its counters."""
        events: list[LinkEvent] = []
        for name, (presses, releases, down), counted in zip(self._names, state.buttons, self._counts, strict=True):
            level = bool(down - (presses - counted[0]) + (releases - counted[1]))
            events += self._button(name, level, self._clock.host_ms(0, now_ms), state.board_ms)
        return events

    def _emit(self, now_ms: int) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        for change in self._waiting:
            events += self._one(change, self._clock.host_ms(change.board_ms, now_ms))
        self._next = (self._next or 1) + len(self._waiting)
        self._waiting = []
        return events

    def _one(self, change: Change, at_ms: int) -> list[LinkEvent]:
        if change.kind == "e":
            self._position += change.value
            return [EncoderReported(change.value, at_ms, change.board_ms)]
        if change.kind == "s":
            bit = 1 << change.index
            self._occupied = self._occupied | bit if change.value else self._occupied & ~bit
            return [SwitchReported(change.index, bool(change.value), at_ms, change.board_ms)]
        self._counts[change.index][0 if change.value else 1] += 1
        return self._button(self._names[change.index], bool(change.value), at_ms, change.board_ms)

    def _button(self, name: str, down: bool, at_ms: int, board_ms: int) -> list[LinkEvent]:  # noqa: FBT001 - what it says
        """Report a button, unless that was reported already: held over a reset it is still the same press."""
        if self._down.get(name, False) == down:
            return []
        self._down[name] = down
        return [ButtonReported(name, down, at_ms, board_ms)]


def _undone(occupied: int, changes: list[Change]) -> int:
    """Return what was occupied before these changes."""
    for change in reversed(changes):
        if change.kind == "s":
            bit = 1 << change.index
            occupied = occupied & ~bit if change.value else occupied | bit
    return occupied
