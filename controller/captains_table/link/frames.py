"""Frames the serial link's lines with a checksum; decodes received bytes into valid payloads, and counts bad lines.

A line consists of its payload (printable ASCII), `*`, the payload's CRC-32 as eight hex digits, and a newline. After
corrupted bytes the reader is in step again at the next newline. Also runs on the board (MicroPython).
"""

from binascii import crc32

LONGEST_LINE = 256  # bytes without the newline; the longest message has about 230
_TRAILER = 9  # the star and eight hex digits

TOO_LONG = 0
NO_CHECKSUM = 1
WRONG_CHECKSUM = 2
NOT_TEXT = 3
KINDS = ("too long", "no checksum", "wrong checksum", "not text")


class NotAPayload(ValueError):
    """Raised for a payload that is empty, too long, or not printable ASCII."""


def frame(payload: str) -> bytes:
    """Return the line of a payload, with checksum and newline.

    Raises:
        NotAPayload: the payload is empty, too long, or not printable ASCII.
    """
    data = payload.encode()
    if not _is_text(data) or len(data) > LONGEST_LINE - _TRAILER:
        raise NotAPayload(f"expected up to {LONGEST_LINE - _TRAILER} printable ASCII characters, not {payload!r}")
    return b"%s*%08x\n" % (data, crc32(data))


def _is_text(data: bytes) -> bool:
    """Return whether the bytes are printable ASCII and not empty."""
    return bool(data) and min(data) >= 0x20 and max(data) < 0x7F  # noqa: PLR2004 - space and the character before DEL


class Decoder:
    """Decodes received bytes into payloads, and counts bad lines of each kind; it buffers at most one line."""

    def __init__(self) -> None:
        self._partial = b""
        self._skipping = False
        self.bad = [0, 0, 0, 0]  # lines by kind, in the order of KINDS

    def feed(self, data: bytes) -> list[str]:
        """Return the payloads of the valid lines that these bytes complete, in order; empty lines are ignored."""
        lines = (self._partial + data).split(b"\n")
        self._partial = lines.pop()
        payloads = []
        for line in lines:
            payload = self._payload(line)
            if payload is not None:
                payloads.append(payload)
        if len(self._partial) > LONGEST_LINE:
            self._partial = b""
            self._skipping = True
        return payloads

    def forget(self) -> None:
        """Discard a partial line, because the port was closed."""
        self._partial = b""
        self._skipping = False

    def _payload(self, line: bytes) -> "str | None":
        if line.endswith(b"\r"):  # sent by a terminal, or by a stream that is not in raw mode
            line = line[:-1]
        if self._skipping or len(line) > LONGEST_LINE:
            self._skipping = False
            self.bad[TOO_LONG] += 1
        elif not line:
            pass
        elif len(line) <= _TRAILER or line[-_TRAILER : 1 - _TRAILER] != b"*":
            self.bad[NO_CHECKSUM] += 1
        elif b"%08x" % crc32(line[:-_TRAILER]) != line[1 - _TRAILER :]:
            self.bad[WRONG_CHECKSUM] += 1
        elif not _is_text(line[:-_TRAILER]):
            self.bad[NOT_TEXT] += 1
        else:
            return line[:-_TRAILER].decode()
        return None
