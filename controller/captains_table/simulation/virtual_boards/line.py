"""Puts a virtual board behind a real file on the running event loop: a pty, or a socket in place of a hidraw device."""

import asyncio
import os
import pty
import shutil
import socket
import tempfile
import termios
import tty
from collections import deque
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Final

from captains_table.simulation.virtual_boards.virtual_board import BITS_PER_BYTE_SENT, Forbidden, VirtualBoard, earliest

ADAPTER_BYTES: Final = 16
"""A USB adapter hands on what it has read of the line in packets about this long."""
READ_BYTES: Final = 4096
UNSET_SPEEDS: Final = [termios.B50, termios.B50]


class VirtualLine:
    """The cable of a virtual board, plugged in; must be made on a running event loop.

    A serial board is the pty at `path`; its bytes arrive at the speed of the line. A HID board is a datagram socket,
    `client_fd`, that carries a report a datagram. What the host does not read in time is lost.

    Args:
        board: the board; from now on, only change its squares and clock, and call `poke` after that.
        now_ms: tells the time.
        path: where the serial device is to be found; without it, in a new temporary folder.

    Attributes:
        path: the serial device; there is none while the board is unplugged.
        forbidden: what the host sent and must not send, if it did; the board is then unplugged.
    """

    def __init__(self, board: VirtualBoard, now_ms: Callable[[], int], path: Path | None = None) -> None:
        self._board = board
        self._now_ms = now_ms
        self._loop = asyncio.get_running_loop()
        self._folder = None if path else tempfile.mkdtemp(prefix="virtual-board-")
        self.path = path or Path(str(self._folder), "board")
        self.forbidden: Forbidden | None = None
        self._plugged = False
        self._ours: int | None = None
        self._theirs: int | None = None
        self._arriving: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self.plug()

    @property
    def client_fd(self) -> int:
        """The HID client's end, which the client must close; once it has, there is a new one, as after opening again.

        Raises:
            FileNotFoundError: the board is unplugged.
        """
        if not self._plugged:
            raise FileNotFoundError("the virtual board is unplugged")
        if self._theirs is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._theirs = theirs.detach()
            self._listen(ours.detach())
        return self._theirs

    def plug(self) -> None:
        """Plug the board in; it starts afresh, as a new device by the same name."""
        if self._plugged:
            return
        self._plugged = True
        self._board.power_up(self._now_ms())
        if self._board.baud is not None:
            self._open_pty()
        self.poke()

    def unplug(self) -> None:
        """Pull the plug: the client reads the end of the file, or an error, and the device vanishes."""
        if not self._plugged:
            return
        self._plugged = False
        self._arriving.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._hang_up()
        if self._board.baud is not None:
            self.path.unlink(missing_ok=True)

    def poke(self) -> None:
        """Send what is due; call this after every change of the board."""
        if not self._plugged:
            return
        if self._timer is not None:
            self._timer.cancel()
        now_ms = self._now_ms()
        for chunk in self._board.send(now_ms):
            self._queue(chunk, now_ms)
        while self._arriving and self._arriving[0][0] <= now_ms:
            self._write(self._arriving.popleft()[1])
        next_ms = earliest(self._board.due_ms(), ceil(self._arriving[0][0]) if self._arriving else None)
        if next_ms is not None:
            self._timer = self._loop.call_later(max(1, next_ms - now_ms) / 1000, self.poke)

    def close(self) -> None:
        """Unplug the board and clean up.

        Raises:
            Forbidden: the host has sent what it must never send.
        """
        self.unplug()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self.forbidden is not None:
            raise self.forbidden

    def _open_pty(self) -> None:
        ours, self._theirs = pty.openpty()  # theirs is held: until a client opens it, reading ours would fail
        tty.setraw(self._theirs)
        attributes = termios.tcgetattr(self._theirs)
        attributes[4:6] = UNSET_SPEEDS
        termios.tcsetattr(self._theirs, termios.TCSANOW, attributes)
        self.path.symlink_to(os.ttyname(self._theirs))
        self._listen(ours)

    def _listen(self, ours: int) -> None:
        os.set_blocking(ours, False)
        self._ours = ours
        self._loop.add_reader(ours, self._read, ours)

    def _hang_up(self) -> None:
        if self._ours is not None:
            self._loop.remove_reader(self._ours)
            os.close(self._ours)
        if self._theirs is not None and self._board.baud is not None:
            os.close(self._theirs)
        self._ours = self._theirs = None

    def _read(self, ours: int) -> None:
        try:
            data = os.read(ours, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # a HID client has closed its end
            self._hang_up()
            return
        try:
            self._board.receive(data, self._now_ms())
        except Forbidden as forbidden:
            self.forbidden = forbidden
            self.unplug()
        self.poke()

    def _queue(self, chunk: bytes, now_ms: int) -> None:
        if self._board.baud is None:
            self._arriving.append((now_ms, chunk))
            return
        for first in range(0, len(chunk), ADAPTER_BYTES):
            packet = chunk[first : first + ADAPTER_BYTES]
            begins_ms = max(now_ms, self._arriving[-1][0]) if self._arriving else now_ms
            self._arriving.append((begins_ms + len(packet) * BITS_PER_BYTE_SENT * 1000 / self._board.baud, packet))

    def _write(self, packet: bytes) -> None:
        if self._ours is None:
            return
        try:
            os.write(self._ours, packet)
        except OSError:  # nobody reads, or a client has just closed its end
            return
