"""The serial board against a board's end of the link behind a pty: found, followed, lost and found again."""

import asyncio
from pathlib import Path

import pytest
from serial import Serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from captains_table.devices.lights.palette import LOOKS, quantised_colour
from captains_table.devices.pico.firmware_age import LEAVES_RANKS_ALONE, drives_idle_ranks, firmware_advice
from captains_table.devices.pico.serial_board import ANSWER_MS, SerialBoard
from captains_table.devices.pico.serial_port import usb_ports
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
from captains_table.table.model.view import Mark
from tests.support.pty_board import PtyBoard
from tests.support.serial_bench import E2, E4, START, SerialBench, play

# --- found and followed ---


def test_a_board_that_is_there_is_read_whole_and_then_followed(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        assert BoardRead(START) in bench.events
        bench.board.lift("e2")
        bench.board.place("e4")
        assert await bench.switches(2) == [SwitchChanged(E2, closed=False), SwitchChanged(E4, closed=True)]

    play(tmp_path, scene)


def test_a_board_plugged_in_later_is_found_by_itself(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        bench.open()
        await asyncio.sleep(0.1)
        assert bench.host.missing == "No board found: looking for a board"
        assert bench.events == []
        bench.board.plug()
        await bench.read()

    play(tmp_path, scene)


def test_only_the_port_with_the_usb_id_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [("/dev/ttyUSB0", 0x0403, 0x6001), ("/dev/ttyACM1", 0x2E8A, 0x0005), ("/dev/ttyS0", None, None)]
    ports = []
    for device, vendor, product in others:
        port = ListPortInfo(device)
        port.vid, port.pid = vendor, product
        ports.append(port)
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    assert usb_ports((0x2E8A, 0x0005)) == ["/dev/ttyACM1"]
    assert usb_ports((0x0403, 0x6001)) == ["/dev/ttyUSB0"]


def test_buttons_and_the_encoder_are_told_with_the_time_they_took(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.told.clear()
        began_s = asyncio.get_running_loop().time()
        bench.board.press("roll")
        await asyncio.sleep(0.2)
        bench.board.release("roll")
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

    play(tmp_path, scene)


# --- lost and found ---


def test_what_happens_while_it_is_unplugged_is_told_in_order_when_it_is_back_under_another_name(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.board.unplug()
        await bench.until(lambda: bench.troubles)
        assert "is gone from" in bench.troubles[0]
        bench.board.lift("e2")
        bench.board.press("roll")
        bench.board.release("roll")
        bench.board.place("e4")
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

    play(tmp_path, scene)


def test_a_silent_reset_is_noticed_and_the_board_read_anew(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.board.occupied = {E4}
        bench.board.reset()
        await bench.read()
        assert BoardRead(frozenset({E4})) in bench.events
        bench.board.lift("e4")
        assert await bench.switches(1) == [SwitchChanged(E4, closed=False)]

    play(tmp_path, scene)


def test_a_device_that_does_not_answer_is_left_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captains_table.devices.pico.serial_board.ANSWER_MS", ANSWER_MS // 20)

    async def scene(bench: SerialBench) -> None:
        dumb = PtyBoard(tmp_path / "ttyACM0")
        dumb.plug()
        dumb.speaks = False
        bench.board.path = tmp_path / "ttyACM1"
        try:
            bench.board.plug()
            bench.open()
            await bench.until(lambda: BoardRead(START) in bench.events)
            assert bench.troubles == [
                f"Waiting for the board on {tmp_path}/ttyACM0",
                f"No answer from {tmp_path}/ttyACM0: is the table's firmware on it?",
            ]
        finally:
            dumb.unplug()

    play(tmp_path, scene)


def test_a_board_that_falls_silent_is_told_and_goes_on_where_it_was(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        bench.host._end = HostEnd(silent_ms=300)
        await bench.connected()
        bench.told.clear()
        bench.board.speaks = False
        bench.board.lift("e2")
        await bench.until(lambda: bench.troubles)
        assert bench.troubles == [f"The board is silent: nothing comes from {tmp_path}/ttyACM0"]
        bench.board.speaks = True
        await bench.switches(1)
        assert bench.events[-2:] == [BoardRead(START), SwitchChanged(E2, closed=False)]

    play(tmp_path, scene)


def test_a_board_of_another_version_is_told_in_a_sentence(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        bench.board.speaks = False
        bench.board.plug()
        bench.open()
        await bench.until(lambda: bench.troubles)
        bench.board.say(frame("HELLO 9 2.0.0 8x8 and so on"))
        await bench.until(lambda: len(bench.troubles) > 1)
        assert bench.troubles[1].startswith("Version mismatch: The board (firmware 2.0.0) speaks version 9 of the link")
        assert bench.troubles[1].endswith("update captains-table here.")

    play(tmp_path, scene)


def test_a_device_that_may_not_be_opened_is_told_with_its_reason(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        (tmp_path / "ttyACM0").symlink_to(tmp_path / "nothing")
        bench.open()
        await bench.until(lambda: bench.troubles)
        assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: No such file or directory"]
        (tmp_path / "ttyACM0").unlink()
        bench.board.plug()
        await bench.read()

    play(tmp_path, scene)


def test_a_device_that_another_program_uses_is_said_to_be(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        bench.board.plug()
        with Serial(str(bench.board.path), exclusive=True):
            bench.open()
            await bench.until(lambda: bench.troubles)
        assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: another program uses it"]
        await bench.until(lambda: BoardRead(START) in bench.events)

    play(tmp_path, scene)


def test_a_board_that_reads_nothing_for_a_while_blocks_nobody(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.board.reads = False
        for turn in range(400):  # whoever waited for the board here would wait for ever: it has the same loop
            bench.host.light({Square(turn % 8, 0): Mark.TARGET})
            await asyncio.sleep(0)
        bench.board.reads = True
        lit = colour_code(*quantised_colour(LOOKS[Mark.TARGET].colour))
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1].startswith(DARK * 7 + lit))

    play(tmp_path, scene)


# --- its firmware and its debounce ---


def test_older_firmware_is_named_with_what_to_do_and_played_with(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        assert bench.host.fault is None
        await bench.connected()
        fault = bench.host.fault
        assert fault is not None
        assert "firmware 0.1.0" in fault
        assert "make flash" in fault
        assert "drives idle rank lines high" in fault
        bench.board.lift("e2")
        assert await bench.switches(1) == [SwitchChanged(E2, closed=False)]

    play(tmp_path, scene)


@pytest.mark.parametrize("firmware", [FIRMWARE, "99.0.0", "my-own", ""])
def test_firmware_that_is_no_older_is_no_fault(firmware: str) -> None:
    assert firmware_advice(firmware) is None


def test_firmware_that_drives_idle_ranks_is_known() -> None:
    driving = [
        drives_idle_ranks(firmware) for firmware in ("0.1.0", "0.2.0", "0.2.11", LEAVES_RANKS_ALONE, "1.0.0", "my-own")
    ]
    assert driving == [True, True, True, False, False, False]


@pytest.mark.parametrize(("wanted_ms", "said_ms"), [(8, None), (0, 1), (20, 20), (400, 50)])
def test_the_debounce_reaches_the_board_as_far_as_it_can(tmp_path: Path, wanted_ms: int, said_ms: int | None) -> None:
    async def scene(bench: SerialBench) -> None:
        bench.host = SerialBoard(lambda: [str(bench.board.path)], "a board", debounce_ms=wanted_ms)
        await bench.connected()
        if said_ms is None:
            await asyncio.sleep(0.1)
            assert bench.board.settings == []
        else:
            await bench.until(lambda: bench.board.settings)
            assert bench.board.settings[0] == (50, said_ms)

    play(tmp_path, scene)
