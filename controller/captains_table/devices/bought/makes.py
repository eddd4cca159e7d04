"""How the boards of each maker are found, opened and spoken to."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from serial.tools import list_ports

from captains_table.devices.bought import certabo, chessnut, dgt
from captains_table.devices.bought.bought_board import OpenBoardPort
from captains_table.devices.bought.hid_port import hid_devices, open_hid
from captains_table.devices.bought.protocol import BoardProtocol
from captains_table.devices.serial_port import SerialPort
from captains_table.hardware.kinds import CERTABO, CHESSNUT, DGT

SILICON_LABS: Final = (0x10C4, 0xEA60)
"""The USB id of the serial bridge in Certabo's boards, and in many other devices."""


class BoardMake(NamedTuple):
    """How the boards of a maker are found, opened and spoken to.

    Attributes:
        sought: what is looked for, for messages.
        find: returns the paths of the devices that may be such a board, sorted.
        open_port: opens one of these devices.
        protocol: makes the board's language.
    """

    sought: str
    find: Callable[[], Sequence[str]]
    open_port: OpenBoardPort
    protocol: Callable[[], BoardProtocol]


def serial_devices(name: str = "", usb: tuple[int, int] | None = None) -> list[str]:
    """Return the paths of the serial devices on USB with a word in their names, or with an id, sorted."""
    try:
        ports = list_ports.comports()
    except OSError:  # a device was unplugged during the listing
        return []
    return sorted(
        port.device
        for port in ports
        if (usb is not None and (port.vid, port.pid) == usb)
        or (name and name in f"{port.manufacturer} {port.product}".lower())
    )


MAKES: Final[Mapping[str, BoardMake]] = {
    DGT.key: BoardMake(
        "a DGT board on USB", partial(serial_devices, "dgt"), partial(SerialPort, baud=dgt.BAUD), dgt.DgtProtocol
    ),
    CERTABO.key: BoardMake(
        "a Certabo or Tabutronic board on USB",
        partial(serial_devices, usb=SILICON_LABS),
        partial(SerialPort, baud=certabo.BAUD, dtr=False),
        certabo.CertaboProtocol,
    ),
    CHESSNUT.key: BoardMake(
        "a Chessnut board on USB",
        partial(hid_devices, chessnut.VENDOR, chessnut.PRODUCTS),
        open_hid,
        chessnut.ChessnutProtocol,
    ),
}
