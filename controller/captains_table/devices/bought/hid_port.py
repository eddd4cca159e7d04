"""A HID device as a port: each read is one report, and each write is one (Linux, /dev/hidrawN)."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from captains_table.devices.serial_port import WHY, PortGone

LONGEST_REPORT: Final = 256
NODES: Final = Path("/sys/class/hidraw")


def hid_devices(vendor: int, products: range, nodes: Path = NODES) -> list[str]:
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


def open_hid(device: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> "HidPort":
    """Open the HID device with this path; raises PortGone."""
    try:
        fd = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        why = WHY.get(error.errno or 0) or os.strerror(error.errno or 0)
        raise PortGone(error.errno, f"{device}: {why}") from error
    return HidPort(fd, on_data, on_gone)


class HidPort:
    """An open HID device.

    Args:
        device: the file descriptor of the open device; the port closes it.
        on_data: called with each report.
        on_gone: called once, with the port already closed, when the device was unplugged or failed.
    """

    def __init__(self, device: int, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> None:
        os.set_blocking(device, False)
        self._fd: int | None = device
        self._on_data = on_data
        self._on_gone = on_gone
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(device, self._read)

    @property
    def is_busy(self) -> bool:
        """Return false: a report is sent at once or not at all."""
        return False

    def write(self, data: bytes) -> None:
        """Send a report; a device that does not take it is gone."""
        if self._fd is None or not data:
            return
        try:
            os.write(self._fd, data)
        except BlockingIOError:
            return
        except OSError:
            self._lose()

    def close(self) -> None:
        """Close the device; harmless if it is closed already."""
        if self._fd is not None:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = None

    def _read(self) -> None:
        if self._fd is None:
            return
        try:
            data = os.read(self._fd, LONGEST_REPORT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._on_data(data)
        else:
            self._lose()

    def _lose(self) -> None:
        self.close()
        self._on_gone()
