"""The serial line over USB, never waiting for it: a byte is read or written only where the stream says it is ready.

The Pico's USB stream waits up to half a second if it is given more bytes than it has room for. One byte always fits
once it is ready for any, and one byte is what can be read without waiting for more.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.pins import Stream

MOST_BYTES = 32  # each way at a time, so that a scan is never late


class Stdio:
    """Reads what has arrived, and writes one line at a time as the reader takes it."""

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
        """Return up to MOST_BYTES that have arrived."""
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
        """Tell whether the last line is out."""
        return self._sent == len(self._line)

    def write(self, line: bytes) -> None:
        """Begin with a line; the last one must be out."""
        self._line = line
        self._sent = 0

    def flush(self) -> None:
        """Write on, up to MOST_BYTES."""
        for _ in range(MOST_BYTES):
            if self.is_free() or not self._can_write():
                return
            if not self._writer.write(self._line[self._sent : self._sent + 1]):
                return
            self._sent += 1
