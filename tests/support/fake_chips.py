"""SPI buses with lights on them that exist in memory only: what the chips would show, from the bytes they were sent."""

from collections.abc import Sequence
from typing import Final

# MAX7219 data sheet, table 2
DIGIT_0: Final = 0x01
DECODE_MODE: Final = 0x09
INTENSITY: Final = 0x0A
SCAN_LIMIT: Final = 0x0B
SHUTDOWN: Final = 0x0C
DISPLAY_TEST: Final = 0x0F
MODULE: Final = 8

START_BYTES: Final = 4
LIGHT_BYTES: Final = 4
LIGHT_MARK: Final = 0b111


class BadTransfer(ValueError):
    """The chips would not understand what they were sent."""


class FakeBus:
    """Stands where luma's SPI interface stands.

    Attributes:
        is_broken: whether every transfer fails.
        is_open: whether nobody has let go of it.
        transfers: how many there were.
    """

    def __init__(self) -> None:
        self.is_broken = False
        self.is_open = True
        self.transfers = 0

    def data(self, data: Sequence[int]) -> None:
        """Take a transfer; raises OSError when broken."""
        if self.is_broken:
            raise OSError("the cable is off")
        self.transfers += 1
        self.take(bytes(data))

    def cleanup(self) -> None:
        """Let go of the bus."""
        self.is_open = False

    def take(self, data: bytes) -> None:
        """Let the chips see one transfer."""
        raise NotImplementedError


class FakeApa102Chain(FakeBus):
    """A chain of APA102 (its data sheet, "Cascading data structure"): 32 zero bits, four bytes a light, an end.

    Attributes:
        colours: what each light shows.
        brightness: each light's own share of its current, 0 to 31.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self.colours = [(0, 0, 0)] * count
        self.brightness = [0] * count

    def take(self, data: bytes) -> None:
        """Take a frame; raises BadTransfer where a light would be left out."""
        if any(data[:START_BYTES]):
            raise BadTransfer("the frame does not begin with 32 zero bits")
        count = len(self.colours)
        end = START_BYTES + count * LIGHT_BYTES
        if len(data) - end < count / 16:  # each light delays the clock by half a period
            raise BadTransfer(f"the end frame has {len(data) - end} bytes: the last of {count} lights would not follow")
        for light in range(count):
            head, blue, green, red = data[START_BYTES + light * LIGHT_BYTES :][:LIGHT_BYTES]
            if head >> 5 != LIGHT_MARK:
                raise BadTransfer(f"light {light} begins with 0x{head:02X}: expected three bits set")
            self.brightness[light] = head & 0x1F
            self.colours[light] = (red, green, blue)


class FakeMax7219Modules(FakeBus):
    """MAX7219 modules in a chain: each transfer shifts one register write into every chip, the last one's first.

    Attributes:
        is_on: whether none is shut down.
        intensity: of the first, 0 to 15.
    """

    def __init__(self, modules: int) -> None:
        super().__init__()
        self._registers = [dict.fromkeys(range(0x10), 0) for _ in range(modules)]

    @property
    def is_on(self) -> bool:
        """Whether no module is shut down."""
        return all(registers[SHUTDOWN] & 1 for registers in self._registers)

    @property
    def intensity(self) -> int:
        """How bright the first module was told to be, 0 to 15."""
        return self._registers[0][INTENSITY]

    def lit(self) -> set[tuple[int, int]]:
        """Return what is lit as columns from the left and rows from the top, modules side by side."""
        return {
            (module * MODULE + column, row)
            for module, registers in enumerate(self._registers)
            for column in range(MODULE)
            for row in range(MODULE)
            if registers[DIGIT_0 + column] >> row & 1
        }

    def take(self, data: bytes) -> None:
        """Take one register write for every module; raises BadTransfer where it is not."""
        if len(data) != 2 * len(self._registers):
            raise BadTransfer(f"{len(data)} bytes: expected two for each of {len(self._registers)} modules")
        for registers, first in zip(reversed(self._registers), range(0, len(data), 2), strict=True):
            registers[data[first] & 0x0F] = data[first + 1]
        if self._registers[0][DECODE_MODE] or self._registers[0][DISPLAY_TEST]:
            raise BadTransfer("decoding or testing is on: the picture would be another one")
