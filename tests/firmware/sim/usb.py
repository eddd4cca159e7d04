"""The streams and polls that stand for USB on a simulated Pico, and its Ctrl-C. Runs under MicroPython."""

from binascii import hexlify, unhexlify

import wires

FIFO_BYTES = 256  # what the Pico's USB stream takes before it waits

incoming = bytearray()
outgoing = bytearray()
stalled = 0  # bytes that the reader has not taken yet


def exchange(rest_ms):
    """Send and receive, resting so long; return the control lines that came."""
    global stalled
    line, *controls = wires.exchange(hexlify(outgoing).decode(), rest_ms).split("\n")
    outgoing[:] = b""
    waiting, arrived = line.split(" ")
    stalled = int(waiting)
    incoming.extend(unhexlify(arrived))
    return [control for control in controls if control]


class _Buffer:
    def read(self, size):
        data = bytes(incoming[:size])
        incoming[:] = incoming[size:]
        return data

    def write(self, data):
        outgoing.extend(data)
        return len(data)


class _Stream:
    buffer = _Buffer()


class _Poll:
    def register(self, stream, what):
        self._reads = what == select.POLLIN

    def poll(self, timeout_ms):
        ready = bool(incoming) if self._reads else stalled + len(outgoing) < FIFO_BYTES
        return [self] if ready else []


class sys:
    stdin = _Stream()
    stdout = _Stream()


class select:
    POLLIN = 1
    POLLOUT = 4
    poll = _Poll


class micropython:
    interrupt_byte = 3

    @staticmethod
    def kbd_intr(byte):
        micropython.interrupt_byte = byte
