"""Pins, strips and streams whose levels a test sets, for the firmware's logic under CPython."""


class Wires:
    """A diode matrix: which ranks are low, and which switches are closed."""

    def __init__(self, files: int, ranks: int) -> None:
        self.low: set[int] = set()
        self.closed: set[tuple[int, int]] = set()  # (rank, file)
        self.most_low = 0
        self.ranks = [RankPin(self, rank) for rank in range(ranks)]
        self.files = [FilePin(self, file) for file in range(files)]

    def file_level(self, file: int) -> int:
        """Return a file's level: low where one of its closed switches is on a rank that is low."""
        return 0 if any((rank, file) in self.closed for rank in self.low) else 1


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
