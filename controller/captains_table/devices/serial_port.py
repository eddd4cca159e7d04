"""A non-blocking serial port on the event loop, and the search for serial ports by their USB id."""

import asyncio
import errno
import os
import termios
from collections.abc import Callable

from serial import Serial, SerialException
from serial.tools import list_ports

from captains_table.phrases import say

BAUD = 115_200  # ignored by USB serial
CHUNK = 4096
WHY = {
    errno.EACCES: say("permission denied (is the user in group dialout?)"),
    errno.EAGAIN: say("another program uses it"),  # it is opened exclusively
    errno.EBUSY: say("another program uses it"),
}


class PortGone(OSError):
    """Raised when a serial device cannot be opened; the message names the device and the reason."""


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


class DevicePort:
    """An open device on the event loop: each read is handed on, each write is sent at once or not at all.

    Args:
        device: the file descriptor of the open device; the port closes it.
        on_data: called with the bytes read; of a HID device, with each report.
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
        """Return whether written bytes still wait to be sent."""
        return False

    def write(self, data: bytes) -> None:
        """Send bytes; do nothing if the port is closed."""
        if self._fd is None or not data:
            return
        try:
            os.write(self._fd, data)
        except BlockingIOError:
            return
        except OSError:
            self._lose()

    def close(self) -> None:
        """Close the device; harmless if it is unplugged or closed already."""
        if self._fd is not None:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = None

    def _read(self) -> None:
        if self._fd is None:
            return
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._on_data(data)
        else:  # an unplugged device reads as an error or as end of file
            self._lose()

    def _lose(self) -> None:
        self.close()
        self._on_gone()


class SerialPort(DevicePort):
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
        super().__init__(self._serial.fileno(), on_data, on_gone)

    @property
    def is_busy(self) -> bool:
        """Return whether written bytes still wait to be sent."""
        return bool(self._unsent)

    def write(self, data: bytes) -> None:
        """Send bytes as soon as the device accepts them; do nothing if the port is closed."""
        if self._fd is not None and data:
            self._unsent += data
            self._flush()

    def close(self) -> None:
        if self._fd is not None:
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
            self._serial.close()
            self._fd = None

    def _flush(self) -> None:
        if self._fd is None:
            return
        try:
            self._unsent = self._unsent[os.write(self._fd, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._lose()
            return
        if self._unsent:
            self._loop.add_writer(self._fd, self._flush)
        else:
            self._loop.remove_writer(self._fd)
