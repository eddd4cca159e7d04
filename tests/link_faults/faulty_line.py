"""A serial line that damages what it carries: a device that the host opens on one side, the board on the other."""

import asyncio
import contextlib
import os
import pty
import random
import tty
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.support.link_noise import Noise

CHUNK = 4096
STALL_S = (0.02, 0.25)
AGAIN_S = 0.002
MOST_STUCK = 1 << 16


class Lane:
    """One direction of the line: whole frames in, damaged bytes out, in order."""

    def __init__(self, line: "FaultyLine", source: int, sink: Callable[[], int | None], noise: Noise) -> None:
        self._line = line
        self._noise = noise
        self._source = source
        self._sink = sink
        self._part = b""
        self._waiting = bytearray()
        self._open_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.torn: asyncio.Future[None] | None = None
        line.loop.add_reader(source, self._read)

    def close(self) -> None:
        self._line.loop.remove_reader(self._source)
        if self._timer is not None:
            self._timer.cancel()

    def _read(self) -> None:
        try:
            data = os.read(self._source, CHUNK)
        except OSError:
            return
        *lines, self._part = (self._part + data).split(b"\n")
        for line in lines:
            self._pass_on(line + b"\n")

    def _pass_on(self, frame: bytes) -> None:
        line = self._line
        if self._sink() is None:
            line.hits["unplugged"] += 1
            return
        frame = self._noise(frame)
        if self.torn is not None and not self.torn.done():
            frame = frame[: len(frame) // 2]
            line.hits["torn"] += 1
            self.torn.set_result(None)
        now_s = line.loop.time()
        if line.rng.random() < line.stalls:
            self._open_s = now_s + line.rng.uniform(*STALL_S)
        if now_s < self._open_s:
            line.hits["stalled"] += 1
        self._waiting += frame
        self._flush()

    def _flush(self) -> None:
        """Write what may be written now; what the reader has no room for waits."""
        sink, now_s = self._sink(), self._line.loop.time()
        if sink is None:
            self._waiting.clear()
            return
        if now_s >= self._open_s and self._waiting:
            with contextlib.suppress(BlockingIOError):
                del self._waiting[: os.write(sink, self._waiting)]
        del self._waiting[:-MOST_STUCK]
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._waiting:
            self._timer = self._line.loop.call_at(max(self._open_s, now_s + AGAIN_S), self._flush)


class FaultyLine:
    """A line between the device at `path` (a link) and the descriptor `board_end`.

    Attributes:
        noises: damage each direction, each frame with the likelihood `rate`; `stalls` is that of a pause.
        hits: how often a frame met with something else.
    """

    def __init__(self, path: Path, rate: float, stalls: float) -> None:
        self.loop = asyncio.get_running_loop()
        self.path = path
        self.noises = Noise(0, rate), Noise(1, rate)
        self.stalls = stalls
        self.rng = random.Random(0)
        self.hits: Counter[str] = Counter()
        self._board_side, self.board_end = _raw_pair()
        self._host_side: int | None = None
        self._device: int | None = None
        self._to_board: Lane | None = None
        self._to_host = Lane(self, self._board_side, lambda: self._host_side, self.noises[0])

    @property
    def is_plugged(self) -> bool:
        return self._host_side is not None

    def plug(self, path: Path | None = None) -> None:
        self.path = path or self.path
        self._host_side, self._device = _raw_pair()
        self.path.symlink_to(os.ttyname(self._device))
        self._to_board = Lane(self, self._host_side, lambda: self._board_side, self.noises[1])

    def unplug(self) -> None:
        """Let the device vanish with what is on its way."""
        if self._host_side is None or self._device is None or self._to_board is None:
            return
        self.path.unlink()
        self._to_board.close()
        os.close(self._host_side)
        os.close(self._device)
        self._host_side = None

    async def tear(self) -> None:
        """Let the board's next frame break off in the middle, and return when it has."""
        self._to_host.torn = self.loop.create_future()
        await self._to_host.torn

    def close(self) -> None:
        self.unplug()
        self._to_host.close()
        os.close(self._board_side)
        os.close(self.board_end)


def _raw_pair() -> tuple[int, int]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    return master, slave
