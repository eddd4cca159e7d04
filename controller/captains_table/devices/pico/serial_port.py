"""A serial port on the event loop: found by its USB id, never blocking, and gone as soon as it is gone."""

import asyncio
import errno
import os
import termios
from collections.abc import Callable

from serial import Serial, SerialException
from serial.tools import list_ports

BAUD = 115_200  # USB takes no notice of it
CHUNK = 4096
WHY = {
    errno.EACCES: "permission denied (is the user in group dialout?)",
    errno.EAGAIN: "another program uses it",  # it is opened for one alone
    errno.EBUSY: "another program uses it",
}


class PortGone(OSError):
    """A serial device cannot be opened; the sentence says which and why."""


def usb_ports(usb: tuple[int, int]) -> list[str]:
    """Return the devices of USB serial ports with this vendor and product id, by name."""
    try:
        ports = list_ports.comports()
    except OSError:  # one was unplugged while it was looked at
        return []
    return sorted(port.device for port in ports if (port.vid, port.pid) == usb)


class SerialPort:
    """An open serial device.

    pyserial finds and sets up the device. Its own `write` spins while the other end does not read, so bytes go through
    the file descriptor.

    Args:
        device: path of the device.
        on_data: is called with what was read.
        on_gone: is called once when the device is gone; the port is closed then.

    Raises:
        PortGone: the device is not there, or may not be opened.
    """

    def __init__(self, device: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> None:
        self.device = device
        self._on_data = on_data
        self._on_gone = on_gone
        self._unsent = b""
        try:
            self._serial = Serial(device, BAUD, timeout=0, exclusive=True)
        except (SerialException, OSError) as error:
            why = WHY.get(error.errno or 0) or (os.strerror(error.errno) if error.errno else str(error))
            raise PortGone(error.errno, f"{device}: {why}") from error
        except termios.error as error:  # unplugged while it was set up: pyserial lets that through
            raise PortGone(error.args[0], f"{device}: {error.args[-1]}") from error
        self._fd: int = self._serial.fileno()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._read)

    @property
    def is_open(self) -> bool:
        """Whether bytes may still come."""
        return bool(self._serial.is_open)

    @property
    def is_busy(self) -> bool:
        """Whether the other end has yet to take what was written."""
        return bool(self._unsent)

    def write(self, data: bytes) -> None:
        """Send bytes as soon as they are taken."""
        if self.is_open and data:
            self._unsent += data
            self._flush()

    def close(self) -> None:
        """Let go of the device; harmless if it is gone."""
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
        else:  # a device that is gone reads as an error, or as its end
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
