"""HID devices as ports: each read is one report, and each write is one (Linux, /dev/hidrawN)."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from captains_table.devices.serial_port import WHY, DevicePort, PortGone

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


def open_hid(device: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> DevicePort:
    """Open the HID device with this path; raises PortGone."""
    try:
        fd = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        why = WHY.get(error.errno or 0) or os.strerror(error.errno or 0)
        raise PortGone(error.errno, f"{device}: {why}") from error
    return DevicePort(fd, on_data, on_gone)
