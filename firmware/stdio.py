"""Reads and writes the serial line over USB without blocking, one byte at a time and only when the stream is ready.

Writing more bytes than fit into the Pico's USB buffer would block up to half a second. A stream that is ready always
accepts one byte, and reading one byte never waits for more.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.pins import Stream

MOST_BYTES = 32  # per call and direction, so that scans are not delayed


class Stdio:
    """The serial line: reads the bytes that have arrived, and writes one line at a time as fast as the host reads."""

    def __init__(
        self, reader: "Stream", writer: "Stream", can_read: "Callable[[], bool]", can_write: "Callable[[], bool]"
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._can_read = can_read
        self._can_write = can_write
        self._line = b""
        self._sent = 0

    def read(self) -> bytes:
        """Return the bytes that have arrived, at most MOST_BYTES."""
        if not self._can_read():
            return b""
        data = bytearray()
        while len(data) < MOST_BYTES and self._can_read():
            byte = self._reader.read(1)
            if not byte:
                break
            data += byte
        return bytes(data)

    def is_free(self) -> bool:
        """Return whether the last line was sent completely."""
        return self._sent == len(self._line)

    def write(self, line: bytes) -> None:
        """Start sending a line; the last one must have been sent completely."""
        self._line = line
        self._sent = 0

    def flush(self) -> None:
        """Send further bytes of the line, at most MOST_BYTES."""
        for _ in range(MOST_BYTES):
            if self.is_free() or not self._can_write():
                return
            if not self._writer.write(self._line[self._sent : self._sent + 1]):
                return
            self._sent += 1
