"""A board that writes slower than it repeats itself: nothing that must be said is crowded out by what is said again."""

import pytest

from captains_table.link.board import MOST_KEPT, BoardEnd
from captains_table.link.frames import frame
from captains_table.link.from_host import Ack, HelloRequest
from captains_table.link.host import HostEnd
from captains_table.link.link_events import SwitchesRead, SwitchReported
from tests.support.link_wires import hello

BYTES_A_MS = 2  # a line of changes takes 100 ms; a Pico writes 10 times as fast
PATIENCE_MS = 10_000


class SlowLine:
    """A host that listens to a board which has had much to tell, over a line of so many bytes a millisecond."""

    def __init__(self) -> None:
        self.board = BoardEnd(hello(), 50, 8)
        for number in range(MOST_KEPT):
            self.board.switch_changed(number % 64, closed=number < 64, now_ms=number)
        self.host = HostEnd()
        self.now_ms = 5000
        self.host.opened(self.now_ms)
        self.told: list[object] = []
        self._busy_ms = 0
        self._line: bytes | None = None

    def run(self, how_long_ms: int) -> None:
        for _ in range(how_long_ms):
            self.now_ms += 1
            if self.now_ms >= self._busy_ms:
                if self._line is not None:
                    self.told += self.host.receive(self._line, self.now_ms)
                self._line = self.board.next_line(self.now_ms)
                self._busy_ms = self.now_ms + len(self._line or b"") // BYTES_A_MS
            self.board.receive(self.host.tick(self.now_ms), self.now_ms)


def test_a_host_that_comes_late_is_told_the_whole_board_before_old_changes_are_said_again() -> None:
    line = SlowLine()
    line.run(PATIENCE_MS)
    assert [event for event in line.told if isinstance(event, SwitchesRead)]
    line.board.switch_changed(5, closed=True, now_ms=line.now_ms)
    line.run(1000)
    assert [event.index for event in line.told if isinstance(event, SwitchReported)] == [5]


@pytest.mark.parametrize("line_ms", [1, 59, 61, 150])
def test_changes_that_nobody_acknowledges_leave_room_for_the_state_each_second(line_ms: int) -> None:
    board = BoardEnd(hello(), 50, 8)
    board.receive(frame(HelloRequest(1).line()), 0)
    board.switch_changed(7, closed=True, now_ms=0)
    said = []
    for now_ms in range(0, 3000, line_ms):
        board.receive(frame(Ack(0, 1).line()), now_ms)  # of another start: says only that a host is there
        line = board.next_line(now_ms)
        if line is not None:
            said.append(line.split(b" ")[0])
    assert said.count(b"STATE") >= 3
    assert said.count(b"CHANGES") > 10


@pytest.mark.parametrize("every_ms", [5, 30, 90])
def test_a_lost_change_is_said_again_though_others_keep_coming(every_ms: int) -> None:
    board = BoardEnd(hello(), 50, 8)
    board.receive(frame(HelloRequest(1).line()), 0)
    firsts: list[bytes] = []
    for number in range(100):
        now_ms = number * every_ms
        board.receive(frame(Ack(0, 1).line()), now_ms)
        board.switch_changed(number % 64, closed=True, now_ms=now_ms)
        for _ in range(2):
            line = board.next_line(now_ms)
            if line is not None and line.startswith(b"CHANGES"):
                firsts.append(line.split(b" ")[2])
    assert firsts.count(b"1") > 3


def test_over_a_saturated_line_a_host_that_comes_back_is_told_the_whole_board_and_all_that_happens() -> None:
    """More happens than the line carries: the whole state is due all the same, and its changes catch up with it."""
    line = SlowLine()
    line.run(PATIENCE_MS)
    line.told.clear()
    line.host.closed(line.now_ms)
    line.host.opened(line.now_ms)
    for number in range(400):
        line.board.switch_changed(number % 64, closed=number // 64 % 2 == 0, now_ms=line.now_ms)
        line.run(7)
    assert any(isinstance(event, SwitchesRead) for event in line.told)
    line.run(3000)
    told = [event for event in line.told if isinstance(event, SwitchesRead | SwitchReported)]
    closed: set[int] = set()
    for event in told:
        closed = set(event.closed) if isinstance(event, SwitchesRead) else closed ^ {event.index}
    assert closed == {number % 64 for number in range(384, 400)}
