"""The serial board against a board's end of the link behind a pty: found, followed, lost, found again, lit."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from serial import Serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from captains_table.devices.lights.palette import LOOKS, coarse
from captains_table.devices.pico.firmware_age import advice_on
from captains_table.devices.pico.serial_board import ANSWER_MS, SerialBoard
from captains_table.devices.ports import BoardEvent
from captains_table.devices.sound.tunes import TUNES
from captains_table.games.contract import Square, parse_square
from captains_table.link.frames import frame
from captains_table.link.from_board import FIRMWARE
from captains_table.link.from_host import DARK, colour_code
from captains_table.link.host import HostEnd
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.view import Mark
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard

E2, E4 = parse_square("e2"), parse_square("e4")
START = frozenset({E2, parse_square("a8")})
Scene = Callable[["Bench"], Awaitable[None]]


class Bench:
    """A board on a pty, the serial board that looks for it, and what that told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.board = PtyBoard(folder / "ttyACM0", START)
        self.host = SerialBoard(lambda: sorted(str(path) for path in folder.glob("ttyACM*")), "a board")
        self.told: list[tuple[BoardEvent, float]] = []

    @property
    def events(self) -> list[BoardEvent]:
        return [event for event, _ in self.told]

    @property
    def troubles(self) -> list[str]:
        return [event.words for event in self.events if isinstance(event, BoardLost)]

    def open(self) -> None:
        self.host.open(lambda event, at_ms: self.told.append((event, at_ms)))

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - what is waited for happens beyond a pty, which sets no event
                await asyncio.sleep(0.002)

    async def connected(self) -> None:
        """Plug the board in, look for it, and wait until it was read."""
        self.board.plug()
        self.open()
        await self.read()

    async def read(self) -> None:
        """Wait until the whole board is told from now on, then forget what was told."""
        self.told.clear()
        await self.until(lambda: any(isinstance(event, BoardRead) for event in self.events))

    async def switches(self, count: int) -> list[SwitchChanged]:
        """Wait for so many switch changes and return all that were told."""
        found: list[SwitchChanged] = []

        def enough() -> bool:
            found[:] = [event for event in self.events if isinstance(event, SwitchChanged)]
            return len(found) >= count

        await self.until(enough)
        return found


def play(folder: Path, scene: Scene) -> None:
    """Play a scene on an event loop of its own."""

    async def on_loop() -> None:
        bench = Bench(folder)
        try:
            await scene(bench)
        finally:
            bench.host.close()
            bench.board.unplug()

    asyncio.run(on_loop())


# --- found and followed ---


def test_a_board_that_is_there_is_read_whole_and_then_followed(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        assert BoardRead(START) in bench.events
        bench.board.lift("e2")
        bench.board.place("e4")
        assert await bench.switches(2) == [SwitchChanged(E2, closed=False), SwitchChanged(E4, closed=True)]

    play(tmp_path, scene)


def test_a_board_plugged_in_later_is_found_by_itself(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
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
    assert SerialBoard.pico("2e8a:0005")._find() == ["/dev/ttyACM1"]
    assert SerialBoard.pico("0403:6001")._find() == ["/dev/ttyUSB0"]
    assert SerialBoard.pico("2e8a:0005", "/dev/mine")._find() == ["/dev/mine"]


def test_buttons_and_the_encoder_are_told_with_the_time_they_took(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
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
    async def scene(bench: Bench) -> None:
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
    async def scene(bench: Bench) -> None:
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

    async def scene(bench: Bench) -> None:
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
    async def scene(bench: Bench) -> None:
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
    async def scene(bench: Bench) -> None:
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
    async def scene(bench: Bench) -> None:
        (tmp_path / "ttyACM0").symlink_to(tmp_path / "nothing")
        bench.open()
        await bench.until(lambda: bench.troubles)
        assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: No such file or directory"]
        (tmp_path / "ttyACM0").unlink()
        bench.board.plug()
        await bench.read()

    play(tmp_path, scene)


def test_a_device_that_another_program_uses_is_said_to_be(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        bench.board.plug()
        with Serial(str(bench.board.path), exclusive=True):
            bench.open()
            await bench.until(lambda: bench.troubles)
        assert bench.troubles == [f"No board: cannot open {tmp_path}/ttyACM0: another program uses it"]
        await bench.until(lambda: BoardRead(START) in bench.events)

    play(tmp_path, scene)


def test_a_board_that_reads_nothing_for_a_while_blocks_nobody(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        bench.board.reads = False
        for turn in range(400):  # whoever waited for the board here would wait for ever: it has the same loop
            bench.host.light({Square(turn % 8, 0): Mark.TARGET})
            await asyncio.sleep(0)
        bench.board.reads = True
        lit = colour_code(*coarse(LOOKS[Mark.TARGET].colour))
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1].startswith(DARK * 7 + lit))

    play(tmp_path, scene)


# --- lights ---


def test_lights_go_out_whole_and_again_after_a_reset_and_a_reconnect(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TARGET})
        lit = colour_code(*coarse(LOOKS[Mark.TARGET].colour))
        wanted = DARK * 28 + lit + DARK * 35
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)
        bench.board.frames.clear()
        bench.board.reset()
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)
        bench.board.frames.clear()
        bench.board.unplug()
        await bench.until(lambda: bench.troubles)
        bench.board.plug()
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)

    play(tmp_path, scene)


def test_marks_that_blink_go_on_and_off(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TAKE_AWAY})
        await bench.until(lambda: len(bench.board.frames) >= 7)
        codes = [colours[28] for colours in bench.board.frames[1:]]
        assert set(codes) == {DARK, colour_code(*coarse(LOOKS[Mark.TAKE_AWAY].colour))}
        assert all(code != following for code, following in itertools.pairwise(codes))

    play(tmp_path, scene)


def test_a_signal_sounds_once_and_lights_up(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        bench.host.signal("strike", E4)
        bench.host.signal("nothing known", E4)
        white = colour_code(3, 3, 3)
        await bench.until(
            lambda: any(frame[28] == white for frame in bench.board.frames)
        )  # a busy machine may skip some
        await bench.until(lambda: bench.board.frames[-1][28] == DARK)
        assert bench.board.tones == [TUNES["strike"]]

    play(tmp_path, scene)


def test_closing_leaves_the_lights_dark(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TARGET})
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][28] != DARK)
        bench.host.close()
        await bench.until(lambda: set(bench.board.frames[-1]) == {DARK})

    play(tmp_path, scene)


# --- its firmware and its debounce ---


def test_older_firmware_is_named_with_what_to_do_and_played_with(tmp_path: Path) -> None:
    async def scene(bench: Bench) -> None:
        assert bench.host.fault is None
        await bench.connected()
        fault = bench.host.fault
        assert fault is not None
        assert "firmware 0.1.0" in fault
        assert "make flash" in fault
        bench.board.lift("e2")
        assert await bench.switches(1) == [SwitchChanged(E2, closed=False)]

    play(tmp_path, scene)


@pytest.mark.parametrize("firmware", [FIRMWARE, "99.0.0", "my-own", ""])
def test_firmware_that_is_no_older_is_no_fault(firmware: str) -> None:
    assert advice_on(firmware) is None


@pytest.mark.parametrize(("wanted_ms", "said_ms"), [(8, None), (0, 1), (20, 20), (400, 50)])
def test_the_debounce_reaches_the_board_as_far_as_it_can(tmp_path: Path, wanted_ms: int, said_ms: int | None) -> None:
    async def scene(bench: Bench) -> None:
        bench.host = SerialBoard(lambda: [str(bench.board.path)], "a board", debounce_ms=wanted_ms)
        await bench.connected()
        if said_ms is None:
            await asyncio.sleep(0.1)
            assert bench.board.settings == []
        else:
            await bench.until(lambda: bench.board.settings)
            assert bench.board.settings[0] == (50, said_ms)

    play(tmp_path, scene)
