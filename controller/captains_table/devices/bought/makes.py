"""How the boards of each maker are found, opened and spoken to.

HID devices are opened as ports too: each read is one report, and each write is one (Linux, /dev/hidrawN).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from captains_table.devices.bought import certabo, chessnut, dgt
from captains_table.devices.bought.bought_board import FoundDevice
from captains_table.devices.bought.protocol import BoardProtocol
from captains_table.devices.searching_board import OpenBoardPort
from captains_table.devices.serial_port import WHY, DevicePort, PortGone, SerialPort, serial_devices
from captains_table.hardware.kinds import BOUGHT_KINDS, CERTABO, CHESSNUT, DGT

SILICON_LABS: Final = (0x10C4, 0xEA60)
"""The USB id of the serial bridge in Certabo's boards, and in many other devices."""
HID_NODES: Final = Path("/sys/class/hidraw")


def hid_devices(vendor: int, products: range, nodes: Path = HID_NODES) -> list[str]:
    """Return the paths of the HID devices of a vendor, sorted; `products` are the high bytes of their product ids."""
    found = []
    for node in sorted(nodes.glob("hidraw*")):
        try:
            lines = (node / "device" / "uevent").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:  # unplugged during the search
            continue
        ids = next((line.partition("=")[2].split(":") for line in lines if line.startswith("HID_ID=")), [])
        if len(ids) == 3 and int(ids[1], 16) == vendor and int(ids[2], 16) >> 8 in products:  # noqa: PLR2004 - bus, vendor, product
            found.append(f"/dev/{node.name}")
    return found


def open_hid(device: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> DevicePort:
    """Open the HID device with this path; raises PortGone."""
    try:
        fd = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        why = WHY.get(error.errno or 0) or os.strerror(error.errno or 0)
        raise PortGone(error.errno, f"{device}: {why}") from error
    return DevicePort(fd, on_data, on_gone)


class BoardMake(NamedTuple):
    """How the boards of a maker are found, opened and spoken to.

    Attributes:
        find: returns the paths of the devices that may be such a board, sorted.
        open_port: opens one of these devices.
        protocol: makes the board's language.
        listening: makes the board's language for a device that may be another one: nothing is sent before the board has
            said something; `None` if boards are found by a name of their own.
    """

    find: Callable[[], Sequence[str]]
    open_port: OpenBoardPort
    protocol: Callable[[], BoardProtocol]
    listening: Callable[[], BoardProtocol] | None = None


MAKES: Final[Mapping[str, BoardMake]] = {
    DGT.key: BoardMake(partial(serial_devices, "dgt"), partial(SerialPort, baud=dgt.BAUD), dgt.DgtProtocol),
    CERTABO.key: BoardMake(
        partial(serial_devices, usb=SILICON_LABS),
        partial(SerialPort, baud=certabo.BAUD, dtr=False),
        certabo.CertaboProtocol,
        partial(certabo.CertaboProtocol, speaks_first=False),
    ),
    CHESSNUT.key: BoardMake(
        partial(hid_devices, chessnut.VENDOR, chessnut.PRODUCTS),
        open_hid,
        chessnut.ChessnutProtocol,
    ),
}


def found_devices(kind: str, device: str | None = None) -> Sequence[FoundDevice]:
    """Return the devices that may be a board of a kind, in the order in which they are tried.

    For the kind `auto`, these are the boards of all makes. Nothing is sent to a bridge that other devices have too, nor
    to a device that is only named, before a board that talks by itself has been listened for.

    Args:
        kind: the key of a kind of `BOUGHT_KINDS`.
        device: the path of the only device to try; `None` to look for devices.
    """
    if kind in MAKES:
        make = MAKES[kind]
        return [
            FoundDevice(path, BOUGHT_KINDS[kind].name, make.open_port, make.protocol)
            for path in (make.find() if device is None else [device])
        ]
    return [
        FoundDevice(path, BOUGHT_KINDS[key].name, make.open_port, make.listening or make.protocol)
        for key, make in sorted(MAKES.items(), key=lambda each: each[1].listening is None)
        for path in (make.find() if device is None else [device])
        if device is None or (make.open_port is open_hid) == device.startswith("/dev/hidraw")
    ]
