"""Pins, strips and streams whose levels a test sets, for the firmware's logic under CPython."""

from collections.abc import Iterable
from functools import lru_cache

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.simulation.electrics.faults import BoardFault


class Wires:
    """A matrix of switches as its electrics say, good or with faults.

    Attributes:
        low: the ranks that are driven low; the others are not driven.
        closed: the closed switches, as (rank, file).
        now_us: the time, which `wait` lets pass.
        rises_after_us: how long a file takes to rise once nothing pulls it low.
    """

    def __init__(self, files: int, ranks: int, faults: Iterable[BoardFault] = ()) -> None:
        self.low: set[int] = set()
        self.closed: set[tuple[int, int]] = set()
        self.most_low = 0
        self.now_us = 0
        self.rises_after_us = 0
        self.electrics = ElectricBoard(Shape(files, ranks), faults)
        self._volts = lru_cache(self._volts_of)
        self._low_until_us = [0] * files
        self.ranks = [RankPin(self, rank) for rank in range(ranks)]
        self.files = [FilePin(self, file) for file in range(files)]

    def wait(self, us: int) -> None:
        """Let time pass."""
        self.now_us += us

    def file_level(self, file: int) -> int:
        """Return a file's level as the chip reads it."""
        if self._volts(frozenset(self.closed), frozenset(self.low))[file] <= TYPICAL_THRESHOLD_V:
            self._low_until_us[file] = self.now_us + self.rises_after_us
            return 0
        return int(self.now_us >= self._low_until_us[file])

    def _volts_of(self, closed: frozenset[tuple[int, int]], low: frozenset[int]) -> list[float]:
        reeds = self.electrics.reeds(Square(file, rank) for rank, file in closed)
        return self.electrics.files(self.electrics.circuit(reeds).driven(low))


class RankPin:
    def __init__(self, wires: Wires, rank: int) -> None:
        self._wires = wires
        self._rank = rank

    def value(self, level: int | None = None) -> int:
        if level is not None:
            (self._wires.low.discard if level else self._wires.low.add)(self._rank)
            self._wires.most_low = max(self._wires.most_low, len(self._wires.low))
        return int(self._rank not in self._wires.low)


class FilePin:
    def __init__(self, wires: Wires, file: int) -> None:
        self._wires = wires
        self._file = file

    def value(self, level: int | None = None) -> int:
        assert level is None, "a file is an input"
        return self._wires.file_level(self._file)


class ContactPin:
    """A contact to ground."""

    def __init__(self) -> None:
        self.level = 1

    def value(self, level: int | None = None) -> int:
        assert level is None, "a contact is an input"
        return self.level


class FakeStrip:
    """A chain of NeoPixels; `shown` is what was written last."""

    def __init__(self, count: int) -> None:
        self._next = [(0, 0, 0)] * count
        self.shown: list[tuple[int, int, int]] = []
        self.writes = 0

    def __setitem__(self, index: int, colour: tuple[int, int, int]) -> None:
        assert all(0 <= part <= 255 for part in colour)
        self._next[index] = colour

    def write(self) -> None:
        self.shown = list(self._next)
        self.writes += 1


class FakePwm:
    def __init__(self) -> None:
        self.hertz = 0
        self.on = False

    def freq(self, hertz: int) -> None:
        self.hertz = hertz

    def duty_u16(self, duty: int) -> None:
        self.on = duty > 0

    @property
    def sounds(self) -> int:
        """The pitch heard now, 0 for silence."""
        return self.hertz if self.on else 0


class FakeUsb:
    """Both directions of a line; `room` is how many bytes its reader still takes."""

    def __init__(self) -> None:
        self.arrived = b""
        self.sent = b""
        self.room = 10_000

    def read(self, size: int) -> bytes:
        assert self.can_read(), "reading now would wait"
        data, self.arrived = self.arrived[:size], self.arrived[size:]
        return data

    def write(self, data: bytes) -> int:
        assert self.room >= len(data), "writing now would wait"
        self.room -= len(data)
        self.sent += data
        return len(data)

    def can_read(self) -> bool:
        return bool(self.arrived)

    def can_write(self) -> bool:
        return self.room > 0
