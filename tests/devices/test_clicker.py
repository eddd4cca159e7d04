"""A clicker: the kernel's events through a FIFO, whose end of file is an unplugged device."""

import asyncio
import errno
import os
import struct
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from captains_table.devices import clicker as clicker_module
from captains_table.devices.clicker import GRAB, KEY_EVENT, Clicker
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import table_at

if TYPE_CHECKING:
    from captains_table.devices.ports import BoardEvent

PAGE_UP, PAGE_DOWN, SPACE, ENTER, KEY_A = 104, 109, 57, 28, 30
ROLL_PRESSED, ROLL_RELEASED = ButtonPressed(Button.ROLL), ButtonReleased(Button.ROLL)


def key(code: int, value: int) -> bytes:
    """Return the kernel's event of a key, and the end of its report."""
    return KEY_EVENT.pack(1, 2, 1, code, value) + KEY_EVENT.pack(1, 2, 0, 0, 0)


class Plugged:
    """A clicker in the hands of a test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[BoardEvent] = []
        self.grabbed = 0
        self.refusal = 0
        self.changes = 0
        self.clicker = Clicker(str(path), self._changed, self._grab)
        self._fd = -1

    def _changed(self) -> None:
        self.changes += 1

    def _grab(self, device: int) -> None:
        os.fstat(device)
        if self.refusal:
            raise OSError(self.refusal, "refused")
        self.grabbed += 1

    def plug(self) -> None:
        os.mkfifo(self.path)
        self._fd = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self._fd)

    async def type(self, data: bytes) -> None:
        os.write(self._fd, data)
        await asyncio.sleep(0.02)

    async def until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, self.clicker.fault
            await asyncio.sleep(0.005)


@asynccontextmanager
async def plugged(path: Path) -> AsyncIterator[Plugged]:
    at = Plugged(path)
    at.plug()
    at.clicker.open(lambda event, _: at.events.append(event))
    yield at
    at.clicker.close()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clicker_module, "LOOK_S", 0.02)


def test_the_kernels_interface_is_met() -> None:
    """_IOW('E', 0x90, int): write, the size of an int, the letter, the number (asm-generic/ioctl.h)."""
    assert 1 << 30 | struct.calcsize("@i") << 16 | ord("E") << 8 | 0x90 == GRAB
    assert KEY_EVENT.size == 2 * struct.calcsize("@l") + 8


async def test_a_key_is_a_button_for_as_long_as_it_is_held(tmp_path: Path) -> None:
    async with plugged(tmp_path / "clicker") as at:
        assert at.grabbed == 1
        await at.type(key(PAGE_DOWN, 1) + key(PAGE_DOWN, 2) + key(PAGE_DOWN, 2))
        assert at.events == [ROLL_PRESSED]
        await at.type(key(PAGE_DOWN, 0))
        assert at.events == [ROLL_PRESSED, ROLL_RELEASED]
        await at.type(key(KEY_A, 1) + key(KEY_A, 0) + key(SPACE, 0))
        assert at.events[2:] == [], "other keys are none, and neither is the release of one that was not pressed"


async def test_an_event_may_come_in_pieces(tmp_path: Path) -> None:
    async with plugged(tmp_path / "clicker") as at:
        for byte in key(ENTER, 1) + key(ENTER, 0):
            await at.type(bytes([byte]))
        assert at.events == [ButtonPressed(Button.CHOOSE), ButtonReleased(Button.CHOOSE)]


async def test_what_was_held_is_released_when_events_were_lost_or_the_plug_was_pulled(tmp_path: Path) -> None:
    async with plugged(tmp_path / "clicker") as at:
        await at.type(key(PAGE_DOWN, 1) + KEY_EVENT.pack(1, 2, 0, 3, 0))
        assert at.events == [ROLL_PRESSED, ROLL_RELEASED]
        await at.type(key(PAGE_DOWN, 1))
        at.unplug()
        await at.until(lambda: at.clicker.fault is not None)
        assert at.events[2:] == [ROLL_PRESSED, ROLL_RELEASED]
        assert at.clicker.fault == f"No clicker: cannot open {at.path}: it is not there: is it plugged in?"
        at.plug()
        await at.until(lambda: at.clicker.fault is None)
        await at.type(key(SPACE, 1))
        assert at.events[4:] == [ROLL_PRESSED]
        assert (at.grabbed, at.changes) == (2, 2)


async def test_a_device_that_another_program_holds_is_told_of_and_tried_again(tmp_path: Path) -> None:
    at = Plugged(tmp_path / "clicker")
    at.plug()
    at.refusal = errno.EBUSY
    at.clicker.open(lambda event, _: at.events.append(event))
    assert at.clicker.fault == f"No clicker: cannot open {at.path}: another program holds it"
    at.refusal = 0
    await at.until(lambda: at.clicker.fault is None)
    at.clicker.close()


async def test_a_file_that_is_no_input_device_is_refused_by_the_kernel(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("no device")
    clicker = Clicker(str(path))
    clicker.open(lambda _, __: None)
    assert clicker.fault == f"No clicker: cannot open {path}: it is no input device"
    clicker.close()


async def test_a_game_of_dice_is_chosen_and_thrown_with_a_clicker_alone(tmp_path: Path) -> None:
    at = Plugged(tmp_path / "clicker")
    at.plug()
    with table_at(tmp_path) as table:
        at.clicker.open(table.listen_to_buttons())
        table.matches.ask_who_plays("ship-captain-crew", {})
        asked, cursor = table.view().prompt, table.view().menu.cursor
        await at.type(key(PAGE_UP, 1) + key(PAGE_UP, 0))
        assert table.view().menu.cursor != cursor
        await at.type(key(ENTER, 1) + key(ENTER, 0))
        assert table.view().prompt != asked
        table.matches.new_match("ship-captain-crew", ("Anne",), {})
        await at.type(key(PAGE_DOWN, 1))
        await at.until(lambda: bool(table.view().tumbling))
        await at.type(key(PAGE_DOWN, 0))
        await at.until(lambda: not table.view().tumbling)
        assert None not in [die.face for die in table.view().dice], "they fell"
        at.clicker.close()
