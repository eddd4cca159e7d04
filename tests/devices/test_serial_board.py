"""The serial board against a board's end of the link behind a pty: found, followed, lost and found again."""

import asyncio
import itertools
from pathlib import Path

import pytest
from serial import Serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from captains_table.devices.lights.compositor import LOOKS, quantised_colour
from captains_table.devices.pico.serial_board import (
    ANSWER_MS,
    LEAVES_RANKS_ALONE,
    SerialBoard,
    drives_idle_ranks,
    firmware_advice,
)
from captains_table.devices.serial_port import serial_devices
from captains_table.games.contract import Square
from captains_table.link.frames import frame
from captains_table.link.from_board import FIRMWARE
from captains_table.link.from_host import DARK, colour_code
from captains_table.link.host import HostEnd
from captains_table.table.model.events import (
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.sounds import SOUNDS
from captains_table.table.model.view import Mark
from tests.devices.reports import E2, E4, START, SerialBench
from tests.support.pty_board import PtyBoard

# --- found and followed ---


async def test_a_board_that_is_there_is_read_whole_and_then_followed(bench: SerialBench) -> None:
    await bench.connected()
    assert BoardRead(START) in bench.events
    bench.board.switch("e2", closed=False)
    bench.board.switch("e4", closed=True)
    assert await bench.switches(2) == [SwitchChanged(E2, closed=False), SwitchChanged(E4, closed=True)]


async def test_a_board_plugged_in_later_is_found_by_itself(bench: SerialBench) -> None:
    bench.host.open(bench)
    await asyncio.sleep(0.1)
    assert bench.host.missing == "No board found: looking for a board"
    assert bench.events == []
    bench.board.plug()
    await bench.read()


def test_only_the_port_with_the_usb_id_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [("/dev/ttyUSB0", 0x0403, 0x6001), ("/dev/ttyACM1", 0x2E8A, 0x0005), ("/dev/ttyS0", None, None)]
    ports = []
    for device, vendor, product in others:
        port = ListPortInfo(device)
        port.vid, port.pid = vendor, product
        ports.append(port)
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    assert serial_devices(usb=(0x2E8A, 0x0005)) == ["/dev/ttyACM1"]
    assert serial_devices(usb=(0x0403, 0x6001)) == ["/dev/ttyUSB0"]


async def test_buttons_and_the_encoder_are_told_with_the_time_they_took(bench: SerialBench) -> None:
    await bench.connected()
    bench.told.clear()
    began_s = asyncio.get_running_loop().time()
    bench.board.button("roll", down=True)
    await asyncio.sleep(0.2)
    bench.board.button("roll", down=False)
    held_ms = (asyncio.get_running_loop().time() - began_s) * 1000
    bench.board.turn(2)
    bench.board.turn(-1)
    await bench.until(lambda: len(bench.told) >= 8)
    assert bench.events == [
        ButtonPressed(Button.ROLL),
        ButtonReleased(Button.ROLL),
        *[ButtonPressed(Button.NEXT), ButtonReleased(Button.NEXT)] * 2,
        ButtonPressed(Button.PREVIOUS),
        ButtonReleased(Button.PREVIOUS),
    ]
    assert bench.told[1][1] - bench.told[0][1] == pytest.approx(held_ms, rel=0.5)


# --- lost and found ---


@pytest.mark.slow
async def test_what_happens_while_it_is_unplugged_is_told_in_order_when_it_is_back_under_another_name(
    bench: SerialBench, tmp_path: Path
) -> None:
    await bench.connected()
    bench.board.unplug()
    await bench.until(lambda: bench.troubles)
    assert "is gone from" in bench.troubles[0]
    bench.board.switch("e2", closed=False)
    bench.board.button("roll", down=True)
    bench.board.button("roll", down=False)
    bench.board.switch("e4", closed=True)
    bench.board.plug(tmp_path / "ttyACM1")
    await bench.read()
    await bench.switches(2)
    assert bench.events[-5:] == [
        BoardRead(START),
        SwitchChanged(E2, closed=False),
        ButtonPressed(Button.ROLL),
        ButtonReleased(Button.ROLL),
        SwitchChanged(E4, closed=True),
    ]


async def test_a_silent_reset_is_noticed_and_the_board_read_anew(bench: SerialBench) -> None:
    await bench.connected()
    bench.board.occupied = {E4}
    bench.board.reset()
    await bench.read()
    assert BoardRead(frozenset({E4})) in bench.events
    bench.board.switch("e4", closed=False)
    assert await bench.switches(1) == [SwitchChanged(E4, closed=False)]


async def test_a_device_that_does_not_answer_is_left_for_the_next(
    bench: SerialBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.devices.pico.serial_board.ANSWER_MS", ANSWER_MS // 20)
    dumb = PtyBoard(tmp_path / "ttyACM0")
    dumb.plug()
    dumb.speaks = False
    bench.board.path = tmp_path / "ttyACM1"
    try:
        bench.board.plug()
        bench.host.open(bench)
        await bench.until(lambda: BoardRead(START) in bench.events)
        assert bench.troubles == [
            f"Waiting for the board on {tmp_path}/ttyACM0",
            f"No answer from {tmp_path}/ttyACM0: is the table's firmware on it?",
        ]
    finally:
        dumb.unplug()


async def test_a_board_that_falls_silent_is_told_and_goes_on_where_it_was(bench: SerialBench, tmp_path: Path) -> None:
    bench.host._end = HostEnd(silent_ms=300)
    await bench.connected()
    bench.told.clear()
    bench.board.speaks = False
    bench.board.switch("e2", closed=False)
    await bench.until(lambda: bench.troubles)
    assert bench.troubles == [f"The board is silent: nothing comes from {tmp_path}/ttyACM0"]
    bench.board.speaks = True
    await bench.switches(1)
    assert bench.events[-2:] == [BoardRead(START), SwitchChanged(E2, closed=False)]


async def test_a_board_of_another_version_is_told_in_a_sentence(bench: SerialBench) -> None:
    bench.board.speaks = False
    bench.board.plug()
    bench.host.open(bench)
    await bench.until(lambda: bench.troubles)
    bench.board.say(frame("HELLO 9 2.0.0 8x8 and so on"))
    await bench.until(lambda: len(bench.troubles) > 1)
    assert bench.troubles[1].startswith("Version mismatch: The board (firmware 2.0.0) speaks version 9 of the link")
    assert bench.troubles[1].endswith("update captains-table here.")


async def test_a_device_that_may_not_be_opened_is_told_with_its_reason(bench: SerialBench, tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").symlink_to(tmp_path / "nothing")
    bench.host.open(bench)
    await bench.until(lambda: bench.troubles)
    assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: No such file or directory"]
    (tmp_path / "ttyACM0").unlink()
    bench.board.plug()
    await bench.read()


async def test_a_device_that_another_program_uses_is_said_to_be(bench: SerialBench, tmp_path: Path) -> None:
    bench.board.plug()
    with Serial(str(bench.board.path), exclusive=True):
        bench.host.open(bench)
        await bench.until(lambda: bench.troubles)
    assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: another program uses it"]
    await bench.until(lambda: BoardRead(START) in bench.events)


async def test_a_board_that_reads_nothing_for_a_while_blocks_nobody(bench: SerialBench) -> None:
    await bench.connected()
    bench.board.reads = False
    for turn in range(400):  # to wait for the board here would hang: it runs on the same loop
        bench.host.light({Square(turn % 8, 0): Mark.TARGET})
        await asyncio.sleep(0)
    bench.board.reads = True
    lit = colour_code(*quantised_colour(LOOKS[Mark.TARGET].colour))
    await bench.lights(lambda shown: shown.startswith(DARK * 7 + lit))


# --- its firmware and its debounce ---


async def test_older_firmware_is_named_with_what_to_do_and_played_with(bench: SerialBench) -> None:
    assert bench.host.fault is None
    await bench.connected()
    for words in ("firmware 0.1.0", "make flash", "drives idle rank lines high"):
        assert words in str(bench.host.fault)
    bench.board.switch("e2", closed=False)
    assert await bench.switches(1) == [SwitchChanged(E2, closed=False)]


@pytest.mark.parametrize("firmware", [FIRMWARE, "99.0.0", "my-own", ""])
def test_firmware_that_is_no_older_is_no_fault(firmware: str) -> None:
    assert firmware_advice(firmware) is None


def test_firmware_that_drives_idle_ranks_is_known() -> None:
    assert all(map(drives_idle_ranks, ("0.1.0", "0.2.0", "0.2.11")))
    assert not any(map(drives_idle_ranks, (LEAVES_RANKS_ALONE, "1.0.0", "my-own")))


@pytest.mark.parametrize(("wanted_ms", "said_ms"), [(8, None), (0, 1), (20, 20), (400, 50)])
async def test_the_debounce_reaches_the_board_as_far_as_it_can(
    bench: SerialBench, wanted_ms: int, said_ms: int | None
) -> None:
    bench.host = SerialBoard(lambda: [str(bench.board.path)], "a board", debounce_ms=wanted_ms)
    await bench.connected()
    if said_ms is None:
        await asyncio.sleep(0.1)
        assert bench.board.settings == []
    else:
        await bench.until(lambda: bench.board.settings)
        assert bench.board.settings[0] == (50, said_ms)


# --- lights and sounds ----------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_lights_go_out_whole_and_again_after_a_reset_and_a_reconnect(bench: SerialBench) -> None:
    await bench.connected()
    bench.host.light({E4: Mark.TARGET})
    lit = colour_code(*quantised_colour(LOOKS[Mark.TARGET].colour))
    wanted = DARK * 28 + lit + DARK * 35
    await bench.lights(lambda shown: shown[:64] == wanted)
    bench.board.frames.clear()
    bench.board.reset()
    await bench.lights(lambda shown: shown[:64] == wanted)
    bench.board.frames.clear()
    bench.board.unplug()
    await bench.until(lambda: bench.troubles)
    bench.board.plug()
    await bench.lights(lambda shown: shown[:64] == wanted)


@pytest.mark.slow
async def test_marks_that_blink_go_on_and_off(bench: SerialBench) -> None:
    await bench.connected()
    bench.host.light({E4: Mark.TAKE_AWAY})
    await bench.until(lambda: len(bench.board.frames) >= 7)
    codes = [colours[28] for colours in bench.board.frames[1:]]
    assert set(codes) == {DARK, colour_code(*quantised_colour(LOOKS[Mark.TAKE_AWAY].colour))}
    assert all(code != following for code, following in itertools.pairwise(codes))


@pytest.mark.slow
async def test_a_signal_sounds_once_and_lights_up(bench: SerialBench) -> None:
    await bench.connected()
    bench.host.signal("strike", E4)
    bench.host.signal("nothing known", E4)
    white = colour_code(3, 3, 3)
    await bench.until(lambda: any(frame[28] == white for frame in bench.board.frames))  # a busy machine may skip some
    await bench.lights(lambda shown: shown[28] == DARK)
    assert bench.board.tones == [list(SOUNDS["strike"].tones)]


async def test_closing_leaves_the_lights_dark(bench: SerialBench) -> None:
    await bench.connected()
    bench.host.light({E4: Mark.TARGET})
    await bench.lights(lambda shown: shown[28] != DARK)
    bench.host.close()
    await bench.lights(lambda shown: set(shown) == {DARK})
