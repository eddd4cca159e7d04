"""How bought boards are found: by names and ids on USB, and by what a board says by itself."""

import asyncio
import os
import pty
import random
import tty
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from serial.tools import list_ports

from captains_table.devices.bought import bought_board
from captains_table.devices.bought.bought_board import BoughtBoard
from captains_table.devices.bought.makes import found_devices
from captains_table.devices.ports import BoardEvent
from captains_table.hardware.kinds import AUTO, BOUGHT_KINDS, CERTABO, CHESSNUT, DGT
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard
from captains_table.table.model.events import BoardLost, BoardRead
from tests.devices.test_bought_board import now_ms
from tests.support.patience import PATIENCE_S
from tests.support.quirky_boards import START, VirtualDgt, VirtualSentio

PLUGGED: Final = (
    SimpleNamespace(device="/dev/ttyACM0", manufacturer="Raspberry Pi", product="Pico", vid=0x2E8A, pid=5),
    SimpleNamespace(device="/dev/ttyACM1", manufacturer="DGT Projects", product="e-board", vid=1, pid=2),
    SimpleNamespace(device="/dev/ttyUSB0", manufacturer="Silicon Labs", product="CP2102", vid=0x10C4, pid=0xEA60),
    SimpleNamespace(device="/dev/ttyUSB1", manufacturer="FTDI", product="FT232R", vid=0x0403, pid=0x6001),
)
LISTENING_MS: Final = 1300  # longer than the second after which a silent DGT board is asked


@pytest.fixture
def _plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: PLUGGED)


def paths_of(kind: str, device: str | None = None) -> Sequence[tuple[str, str]]:
    return [(found.path, found.name) for found in found_devices(kind, device)]


@pytest.mark.usefixtures("_plugged")
def test_a_dgt_board_is_found_by_its_name_and_a_bridge_where_a_certabo_is_named() -> None:
    assert paths_of(DGT.key) == [("/dev/ttyACM1", DGT.name)]
    assert paths_of(CERTABO.key) == [("/dev/ttyUSB0", CERTABO.name)]
    assert paths_of(CHESSNUT.key) == []
    assert paths_of(AUTO.key) == [("/dev/ttyUSB0", CERTABO.name), ("/dev/ttyACM1", DGT.name)]


def test_a_named_device_is_tried_with_every_make_that_may_be_on_it() -> None:
    assert paths_of(AUTO.key, "/dev/rfcomm0") == [("/dev/rfcomm0", CERTABO.name), ("/dev/rfcomm0", DGT.name)]
    assert paths_of(AUTO.key, "/dev/hidraw3") == [("/dev/hidraw3", CHESSNUT.name)]
    assert paths_of(DGT.key, "/dev/rfcomm0") == [("/dev/rfcomm0", DGT.name)]


def test_a_device_that_may_be_another_is_only_listened_to() -> None:
    (listening, *_), (named,) = found_devices(AUTO.key, "/dev/ttyUSB0"), found_devices(CERTABO.key, "/dev/ttyUSB0")
    for device, first in ((listening, b""), (named, bytes(8))):
        protocol = device.protocol()
        protocol.begin(0)
        protocol.light(())
        assert protocol.tick(0) == first
    protocol = listening.protocol()
    protocol.begin(0)
    assert list(protocol.receive(b":255 255 0 0 0 0 255 255\r\n", 0))
    assert protocol.tick(0) == bytes(8), "it is a board: its lights may be set"


@pytest.mark.waits
def test_nothing_is_ever_sent_to_a_silent_bridge_that_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bought_board, "SILENT_MS", LISTENING_MS)
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    port = SimpleNamespace(device=os.ttyname(theirs), manufacturer=None, product=None, vid=0x10C4, pid=0xEA60)
    monkeypatch.setattr(list_ports, "comports", lambda: [port])

    async def watch() -> str:
        board = BoughtBoard(lambda: found_devices(AUTO.key), "a board")
        given_up: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def take(event: BoardEvent, _: float) -> None:
            if isinstance(event, BoardLost) and "No answer" in event.words and not given_up.done():
                given_up.set_result(event.words)

        board.open(take)
        board.light({})
        said = await given_up
        board.close()
        return said

    said = asyncio.run(asyncio.wait_for(watch(), PATIENCE_S))
    assert said.startswith(f"No answer from {port.device}: is a board on it")
    with pytest.raises(BlockingIOError):
        os.read(ours, 1)
    os.close(ours)
    os.close(theirs)


@pytest.mark.waits
@pytest.mark.parametrize(("make", "name"), [(VirtualDgt, DGT.name), (VirtualSentio, CERTABO.name)])
def test_a_board_on_a_named_device_is_told_by_what_it_says(
    make: type[VirtualBoard], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bought_board, "SILENT_MS", LISTENING_MS)

    async def find() -> tuple[BoardRead, str]:
        line = VirtualLine(make(random.Random(1), START), now_ms, tmp_path / "board")  # type: ignore[call-arg]
        board = BoughtBoard(lambda: found_devices(AUTO.key, str(line.path)), "a board")
        read: asyncio.Future[BoardRead] = asyncio.get_running_loop().create_future()

        def take(event: BoardEvent, _: float) -> None:
            if isinstance(event, BoardRead) and not read.done():
                read.set_result(event)

        board.open(take)
        found = await asyncio.wait_for(read, PATIENCE_S)
        line.unplug()
        await asyncio.sleep(0.1)
        line.plug()
        read = asyncio.get_running_loop().create_future()
        await asyncio.wait_for(read, PATIENCE_S)
        told = board.described()
        board.close()
        line.close()
        return found, told

    found, told = asyncio.run(find())
    assert found.occupied == START.keys()
    assert told.startswith(f"{name} on {tmp_path / 'board'}")


def test_every_bought_kind_says_what_it_has() -> None:
    assert {kind.key: (bool(kind.lights), bool(kind.buttons)) for kind in BOUGHT_KINDS.values()} == {
        "dgt": (False, True),
        "certabo": (True, False),
        "chessnut": (True, False),
        "auto": (True, True),
    }
    assert {kind.size for kind in BOUGHT_KINDS.values()} == {(8, 8)}
