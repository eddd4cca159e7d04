"""Both ends of the link together: what happens at the board is told at the host, each thing once and in order."""

from itertools import pairwise

from captains_table.link.link_events import (
    BoardReset,
    ButtonReported,
    Connected,
    EncoderReported,
    LightsShown,
    LinkEvent,
    LinkLost,
    OrderLost,
    SwitchesRead,
    SwitchReported,
)
from tests.support.link_wires import LIGHTS, Wire


def switches(told: list[LinkEvent]) -> list[tuple[int, bool]]:
    return [(one.index, one.closed) for one in told if isinstance(one, SwitchReported)]


def buttons(told: list[LinkEvent]) -> list[tuple[str, bool]]:
    return [(one.button, one.down) for one in told if isinstance(one, ButtonReported)]


def read(told: list[LinkEvent]) -> list[set[int]]:
    return [set(one.closed) for one in told if isinstance(one, SwitchesRead)]


def test_a_host_that_opens_the_port_learns_who_is_there_and_what_stands_on_the_board() -> None:
    wire = Wire()
    wire.reset(nonce=7, occupied=0b1001)
    told = wire.run(100)
    assert [type(one) for one in told] == [Connected, SwitchesRead]
    assert read(told) == [{0, 3}]


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


def test_a_silent_board_is_lost_and_what_it_did_meanwhile_is_told_when_it_is_back() -> None:
    wire = Wire()
    wire.run(50)
    wire.switch(1, closed=True)
    wire.run(50)
    wire.to_host = lambda _: b""
    wire.switch(1, closed=False)
    wire.button(1, down=True)
    assert wire.run(4000) == [LinkLost()]
    wire.to_host = lambda data: data
    told = wire.run(2000)
    assert [type(one) for one in told] == [Connected, SwitchesRead, SwitchReported, ButtonReported]
    assert read(told) == [{1}]
    assert switches(told) == [(1, False)]


def test_a_silent_reset_is_noticed_and_what_changed_since_the_start_is_told() -> None:
    wire = Wire()
    wire.run(50)
    wire.reset(nonce=9, occupied=0b110)
    wire.switch(1, closed=False)
    wire.button(0, down=True)
    wire.button(0, down=False)
    told = wire.run(1500)
    assert [type(one) for one in told] == [
        BoardReset,
        Connected,
        SwitchesRead,
        SwitchReported,
        ButtonReported,
        ButtonReported,
    ]
    assert read(told) == [{1, 2}]


def test_a_button_held_over_a_reset_is_one_press() -> None:
    wire = Wire()
    wire.run(50)
    wire.button(0, down=True)
    wire.run(50)
    wire.reset(nonce=9, down=[0])
    wire.run(1500)
    wire.button(0, down=False)
    wire.run(100)
    assert buttons(wire.told) == [("roll", True), ("roll", False)]


def test_a_button_let_go_during_a_reset_comes_up() -> None:
    wire = Wire()
    wire.run(50)
    wire.button(0, down=True)
    wire.run(50)
    wire.reset(nonce=9)
    wire.run(1500)
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
