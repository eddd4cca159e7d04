"""A non-blocking serial port on the event loop, and the search for serial ports by their USB id."""

import asyncio
import errno
import os
import termios
from collections.abc import Callable

from serial import Serial, SerialException
from serial.tools import list_ports

BAUD = 115_200  # ignored by USB serial
CHUNK = 4096
WHY = {
    errno.EACCES: "permission denied (is the user in group dialout?)",
    errno.EAGAIN: "another program uses it",  # it is opened exclusively
    errno.EBUSY: "another program uses it",
}


class PortGone(OSError):
    """Raised when a serial device cannot be opened; the message names the device and the reason."""


def usb_ports(usb: tuple[int, int]) -> list[str]:
    """Return the paths of the USB serial devices with this vendor and product id, sorted by path.

    The list is empty if a device is unplugged during the search.
    """
    try:
        ports = list_ports.comports()
    except OSError:  # a device was unplugged during the listing
        return []
    return sorted(port.device for port in ports if (port.vid, port.pid) == usb)


class SerialPort:
    """An open serial device.

    pyserial opens and configures the device; reading and writing use its file descriptor, because pyserial's `write`
    busy-waits while the other end does not read.

    Args:
        device: path of the device.
        on_data: called with the bytes read.
        on_gone: called once, with the port already closed, when the device was unplugged or failed.
        baud: the line's speed, of no effect on a device that is no serial bridge.
        dtr: whether the line that says that a terminal is ready is set.

    Raises:
        PortGone: the device cannot be opened, for example because it does not exist or another program uses it.
    """

    def __init__(
        self,
        device: str,
        on_data: Callable[[bytes], None],
        on_gone: Callable[[], None],
        *,
        baud: int = BAUD,
        dtr: bool = True,
    ) -> None:
        self.device = device
        self._on_data = on_data
        self._on_gone = on_gone
        self._unsent = b""
        try:
            self._serial = Serial(None, baud, timeout=0, exclusive=True)
            self._serial.dtr = dtr
            self._serial.port = device
            self._serial.open()
        except (SerialException, OSError) as error:
            why = WHY.get(error.errno or 0) or (os.strerror(error.errno) if error.errno else str(error))
            raise PortGone(error.errno, f"{device}: {why}") from error
        except termios.error as error:  # unplugged during configuration: pyserial does not catch this error
            raise PortGone(error.args[0], f"{device}: {error.args[-1]}") from error
        self._fd: int = self._serial.fileno()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._read)

    @property
    def is_open(self) -> bool:
        """Return whether the port is open."""
        return bool(self._serial.is_open)

    @property
    def is_busy(self) -> bool:
        """Return whether written bytes still wait to be sent."""
        return bool(self._unsent)

    def write(self, data: bytes) -> None:
        """Send bytes as soon as the device accepts them; do nothing if the port is closed."""
        if self.is_open and data:
            self._unsent += data
            self._flush()

    def close(self) -> None:
        """Close the device; harmless if it is unplugged or closed already."""
        if self.is_open:
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
            self._serial.close()

    def _read(self) -> None:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._on_data(data)
        else:  # an unplugged device reads as an error or as end of file
            self._gone()

    def _flush(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._fd, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._gone()
            return
        if self._unsent:
            self._loop.add_writer(self._fd, self._flush)
        else:
            self._loop.remove_writer(self._fd)

    def _gone(self) -> None:
        self.close()
        self._on_gone()
