"""Each end of the link by itself: versions, settings, tones, clocks, and what a board keeps."""

from itertools import product

import pytest

from captains_table.link.board import HOST_SILENT_MS, MOST_KEPT, BoardEnd
from captains_table.link.change_follower import WINDOW_MS, BoardClock
from captains_table.link.fields import BadLinkMessage
from captains_table.link.frames import frame
from captains_table.link.from_board import PROTOCOL
from captains_table.link.from_board_parser import parse_from_board
from captains_table.link.from_host import Buzz, Lights, Set, colour_code, colour_levels, parse_from_host
from captains_table.link.host import HostEnd
from captains_table.link.link_events import LightsShown, LinkLost, SwitchesRead, SwitchReported, VersionMismatch
from tests.support.link_wires import LIGHTS, Wire, hello

ADVICE = [(PROTOCOL + 1, "update captains-table here"), (0, "flash the board anew (make flash)")]


@pytest.mark.parametrize(("version", "advice"), ADVICE)
def test_another_version_of_the_link_says_once_which_side_to_update(version: int, advice: str) -> None:
    """Whatever else a greeting of another version says, its first words are the same."""
    host = HostEnd()
    host.opened(0)
    greeting = frame(f"HELLO {version} 9.9.9 something quite different")
    (mismatch,) = host.receive(greeting * 3, 10)
    assert isinstance(mismatch, VersionMismatch)
    assert mismatch.sentence.endswith(advice + ".")
    assert f"version {version}" in mismatch.sentence
    assert "9.9.9" in mismatch.sentence
    assert host.receive(greeting, 20) == []
    host.opened(30)
    assert host.receive(greeting, 40) == [mismatch]


def test_a_board_that_hears_a_host_of_another_version_does_not_take_itself_for_linked() -> None:
    board = BoardEnd(hello(), 50, 8)
    board.receive(frame(f"HELLO? {PROTOCOL + 1}"), 0)
    assert not board.is_linked(1)
    board.receive(frame(f"HELLO? {PROTOCOL}"), 2)
    assert board.is_linked(3)
    assert not board.is_linked(3 + HOST_SILENT_MS)


def test_settings_are_said_until_the_board_has_them_and_again_after_a_reset() -> None:
    wire = Wire()
    wire.run(100)
    wire.to_board = lambda _: b""
    wire.host.set(30, 10)
    wire.run(400)
    wire.to_board = lambda data: data
    wire.run(400)
    assert [(order.brightness, order.debounce_ms) for order in wire.orders if isinstance(order, Set)] == [(30, 10)]
    wire.orders.clear()
    wire.reset(nonce=5)
    wire.run(1500)
    assert len(wire.orders) == 1
    wire.host.set(None, 20)  # the board keeps its brightness
    wire.run(400)
    assert isinstance(wire.orders[-1], Set)
    assert (wire.orders[-1].brightness, wire.orders[-1].debounce_ms) == (30, 20)


def test_a_doubled_line_sounds_once_and_a_restarted_host_is_heard_again() -> None:
    wire = Wire(to_board=lambda data: data + data)
    wire.run(100)
    wire.host.buzz([(440, 10)], wire.now_ms)
    wire.run(10)
    wire.start_another_host()
    wire.run(100)
    wire.host.buzz([(440, 10)], wire.now_ms)
    wire.run(10)
    assert sum(isinstance(order, Buzz) for order in wire.orders) == 2


def test_a_restarted_host_shows_its_lights_on_a_board_that_has_shown_more() -> None:
    wire = Wire()
    wire.run(100)
    for _ in range(20):
        wire.host.show("1" * LIGHTS)
        wire.run(10)
    wire.start_another_host()
    wire.host.show("2" * LIGHTS)
    assert LightsShown(1) in wire.run(300)
    shown = [order.colours for order in wire.orders if isinstance(order, Lights)]
    assert shown[-1] == "2" * LIGHTS


def test_lights_for_another_board_are_not_sent() -> None:
    wire = Wire()
    wire.host.show("1" * (LIGHTS + 1))
    wire.run(500)
    assert wire.orders == []


def test_a_colour_is_one_character_and_back() -> None:
    for levels in product(range(4), repeat=3):
        code = colour_code(*levels)
        assert len(code.encode()) == 1
        assert colour_levels(ord(code)) == levels


def test_a_port_that_is_gone_loses_the_board_at_once_and_only_once() -> None:
    wire = Wire()
    wire.run(100)
    assert wire.host.closed(wire.now_ms) == [LinkLost()]
    assert wire.host.closed(wire.now_ms) == []
    assert wire.host.hello is None


def test_a_board_keeps_changes_until_they_are_acknowledged_and_no_longer() -> None:
    board = BoardEnd(hello(), 50, 8)
    for i in range(5):
        board.switch_changed(i, closed=True, now_ms=0)
    board.receive(frame("ACK 5e3a90f1 3"), 1)
    board.receive(frame("ACK 00000000 5"), 1)  # of another start
    board.receive(frame("ACK 5e3a90f1 99"), 1)  # of nothing that happened
    told = [board.next_line(1) for _ in range(2)]
    assert frame("CHANGES 5e3a90f1 4 0:s3+ 0:s4+") in told


def test_a_silent_host_costs_a_board_a_bounded_log_that_says_so() -> None:
    board = BoardEnd(hello(), 50, 8)
    for i in range(MOST_KEPT + 10):
        board.switch_changed(3, closed=i % 2 == 0, now_ms=i)
    lines = []
    while (line := board.next_line(200)) is not None:
        lines.append(line)
    (state,) = (line for line in lines if line.startswith(b"STATE"))
    assert f" 11,{MOST_KEPT + 10} ".encode() in state
    assert state.split(b"*")[0].endswith(b",10")


def test_the_shortest_way_tells_how_far_two_clocks_are_apart() -> None:
    clock = BoardClock()
    for board_ms, delay_ms in ((0, 40), (100, 3), (200, 25)):
        clock.observe(board_ms, 1000 + board_ms + delay_ms)
    assert clock.host_ms(250, 2000) == 1253


def test_clocks_that_drift_apart_are_followed() -> None:
    """100 parts per million over an hour are 360 ms."""
    clock = BoardClock()
    for second in range(3600):
        clock.observe(second * 1000, second * 1000 + second // 10)
    assert clock.host_ms(3_600_000, 4_000_000) - 3_600_360 in range(-2 * WINDOW_MS // 10_000, 1)


def test_times_never_run_backwards_nor_ahead() -> None:
    clock = BoardClock()
    clock.observe(1000, 5000)
    assert clock.host_ms(1200, 5100) == 5100
    assert clock.host_ms(1050, 5300) == 5100
    clock.restart()
    clock.observe(0, 5400)
    assert clock.host_ms(10, 5420) == 5410


FROM_NO_BOARD = """
NOISE
HELLO 1 0.1.0 8x8 5e3a90f1 lights=65 buttons=roll encoder=2 buzzer=1
HELLO 1 0.1.0 0x8 5e3a90f1 lights=0 buttons=none encoder=0 buzzer=0
HELLO 1 0.1.0 8x8 5e3a90f1 lights=65 buttons=jump encoder=1 buzzer=1
STATE 5e3a90f1 1 0 ffff 3,1 0,0,0 0 0 50,8 0,0,0
STATE 5e3a90f1 1 0 ffff 1,0 2,0,1 0 0 50,8 0,0,0
CHANGES 5e3a90f1 1 0:s81+
CHANGES 5e3a90f1 0 0:s1+
CHANGES 5e3a90f1 1 0:x1+
LIT 5e3a90F1 1
PONG 5e3a90f1 1"""
TOO_MANY = "CHANGES 5e3a90f1 1 " + " ".join(["0:s1+"] * 13)
FROM_NO_HOST = ("SET 101 8", "SET 50 0", "SET 50 51", "BUZZ 1 440", "BUZZ 1 19:5", "LIGHTS 1 p", "LIGHTS 1 ")


@pytest.mark.parametrize("line", [*FROM_NO_BOARD.split("\n"), TOO_MANY])
def test_what_is_no_message_of_the_board_is_refused_with_what_was_expected(line: str) -> None:
    with pytest.raises(BadLinkMessage, match="expected"):
        parse_from_board(line)


@pytest.mark.parametrize("line", [*FROM_NO_HOST, "ACK 5e3a90f1 -1", "PING ²"])
def test_what_is_no_message_of_the_host_is_refused_with_what_was_expected(line: str) -> None:
    with pytest.raises(BadLinkMessage, match="expected"):
        parse_from_host(line)


def test_a_state_of_another_geometry_than_was_greeted_with_is_refused() -> None:
    host = HostEnd()
    host.opened(0)
    host.receive(frame(hello().line()), 0)
    assert host.receive(frame("STATE 5e3a90f1 1 0 ffff 1,0 0,0,0;0,0,0 0 0 50,8 0,0,0"), 1) == []
    assert host.bad_messages == 1
    (read,) = host.receive(frame("STATE 5e3a90f1 1 0 000000000000ffff 1,0 0,0,0;0,0,0 0 0 50,8 0,0,0"), 2)
    assert isinstance(read, SwitchesRead)
    assert host.receive(frame("CHANGES 5e3a90f1 1 0:s64+"), 3) == []
    assert host.bad_messages == 2


def test_a_picture_that_differs_from_the_boards_own_is_put_right_by_its_next_state() -> None:
    """It should not happen; if it ever does it heals."""
    host = HostEnd()
    host.opened(0)
    host.receive(frame(hello().line()), 0)
    host.receive(frame("STATE 5e3a90f1 1 0 0000000000000000 1,0 0,0,0;0,0,0 0 0 50,8 0,0,0"), 1)
    (switch,) = host.receive(frame("CHANGES 5e3a90f1 1 5:s3+"), 6)
    assert isinstance(switch, SwitchReported)
    (read,) = host.receive(frame("STATE 5e3a90f1 2 9 0000000000000001 1,1 0,0,0;0,0,0 0 0 50,8 0,0,0"), 10)
    assert isinstance(read, SwitchesRead)
    assert read.closed == {0}
