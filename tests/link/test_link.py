"""Both ends of the link together: what happens at the board is told at the host, each thing once and in order."""

from itertools import pairwise

import pytest

from captains_table.link.board import MOST_KEPT, BoardEnd
from captains_table.link.frames import frame
from captains_table.link.from_host import Ack, HelloRequest
from captains_table.link.host import HostEnd
from captains_table.link.link_events import (
    BoardReset,
    ButtonReported,
    Connected,
    EncoderReported,
    LightsShown,
    LinkEvent,
    OrderLost,
    SwitchesRead,
    SwitchReported,
)
from tests.support.link_wires import LIGHTS, Wire, hello


def switches(told: list[LinkEvent]) -> list[tuple[int, bool]]:
    return [(one.index, one.closed) for one in told if isinstance(one, SwitchReported)]


def buttons(told: list[LinkEvent]) -> list[tuple[str, bool]]:
    return [(one.button, one.down) for one in told if isinstance(one, ButtonReported)]


def read(told: list[LinkEvent]) -> list[set[int]]:
    return [set(one.closed) for one in told if isinstance(one, SwitchesRead)]


def test_changes_are_told_once_in_order_and_with_the_pace_the_board_saw() -> None:
    wire = Wire()
    wire.run(50)
    wire.to_host = lambda _: b""
    wire.switch(12, closed=True)
    wire.run(30)
    wire.switch(12, closed=False)
    wire.run(5)
    wire.button(0, down=True)
    wire.board.encoder_turned(-1, wire.board_ms)
    wire.run(40)
    wire.to_host = lambda data: data
    told = wire.run(200)
    times = [one.at_ms for one in told if isinstance(one, SwitchReported | ButtonReported | EncoderReported)]
    assert switches(told) == [(12, True), (12, False)]
    assert buttons(told) == [("roll", True)]
    assert [after - before for before, after in pairwise(times)] == [30, 5, 0]
    assert wire.run(3000) == []


def test_a_silent_reset_is_noticed_and_what_changed_since_the_start_is_told() -> None:
    wire = Wire()
    wire.run(50)
    wire.reset(nonce=9, occupied=0b110)
    wire.switch(1, closed=False)
    wire.button(0, down=True)
    wire.button(0, down=False)
    told = wire.run(1500)
    seen = [BoardReset, Connected, SwitchesRead, SwitchReported, ButtonReported, ButtonReported]
    assert [type(one) for one in told] == seen
    assert read(told) == [{1, 2}]


@pytest.mark.parametrize("is_held", [True, False])
def test_a_button_held_over_a_reset_is_one_press_and_one_let_go_meanwhile_comes_up(*, is_held: bool) -> None:
    wire = Wire()
    wire.run(50)
    wire.button(0, down=True)
    wire.run(50)
    wire.reset(nonce=9, down=[0] if is_held else [])
    wire.run(1500)
    if is_held:
        assert buttons(wire.told) == [("roll", True)]
        wire.button(0, down=False)
        wire.run(100)
    assert buttons(wire.told) == [("roll", True), ("roll", False)]


def test_when_the_board_could_not_keep_all_changes_the_whole_board_is_read_and_every_press_counted() -> None:
    wire = Wire()
    wire.run(50)
    wire.to_host = lambda _: b""
    for i in range(100):
        wire.switch(i % 64, closed=i < 64)
        wire.button(0, down=i % 2 == 0)
    wire.run(100)
    wire.to_host = lambda data: data
    told = wire.run(1500)
    assert sum(isinstance(one, OrderLost) for one in told) == 1
    assert buttons(told).count(("roll", True)) == 50
    assert read(told) == [set(range(36, 64))]


def test_the_latest_lights_are_shown_however_often_their_line_is_lost() -> None:
    wire = Wire()
    wire.run(50)
    wire.to_board = lambda _: b""
    wire.host.show("0" * LIGHTS)
    latest = wire.host.show("o" * LIGHTS)
    wire.run(400)
    wire.to_board = lambda data: data
    told = wire.run(400)
    assert told == [LightsShown(latest)]
    wire.reset(nonce=9)
    assert LightsShown(latest) in wire.run(1500)


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
