"""An SPI bus with an SSD1322 on it that exists in memory only; what it would show can be looked at."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from captains_table.devices.display.driver.fake_bus import DISPLAY_OFF, DISPLAY_ON, UnknownCommand
from captains_table.devices.display.packing import HEIGHT, WIDE, unpack_greys

COLUMN_ADDRESS: Final = 0x15
WRITE: Final = 0x5C
ROW_ADDRESS: Final = 0x75
REMAP: Final = 0xA0
CONTRAST: Final = 0xC1
COLUMNS: Final = 120  # of four pixels, two bytes
ROWS: Final = 128
COLUMN_BYTES: Final = 2
FIRST_SHOWN: Final = 28  # a panel 256 pixels wide is wired to the columns in the middle
ROW_BYTES: Final = COLUMNS * COLUMN_BYTES

# How many arguments a command has: SSD1322 data sheet, table 9-1.
ARGUMENTS: Final = {
    COLUMN_ADDRESS: 2,
    WRITE: 0,
    ROW_ADDRESS: 2,
    REMAP: 2,
    0xA1: 1,  # start line
    0xA2: 1,  # display offset
    0xA4: 0,  # all pixels off
    0xA6: 0,  # show the memory
    0xA9: 0,  # no partial display
    0xAB: 1,  # function selection
    DISPLAY_OFF: 0,
    DISPLAY_ON: 0,
    0xB1: 1,  # phase length
    0xB3: 1,  # clock
    0xB4: 2,  # display enhancement A
    0xB5: 1,  # GPIO
    0xB6: 1,  # second pre-charge period
    0xB9: 0,  # default greyscale table
    0xBB: 1,  # pre-charge voltage
    0xBE: 1,  # VCOMH
    CONTRAST: 1,
    0xC7: 1,  # master contrast
    0xCA: 1,  # multiplex ratio
    0xD1: 2,  # display enhancement B
    0xFD: 1,  # command lock
}
LUMA_REMAP: Final = [
    0x14,
    0x11,
]  # columns from the left, nibbles in order, rows from the top: as the picture is decoded


class FakeSsd1322Bus:
    """Stands where spidev and RPi.GPIO stand and keeps what the panel would show.

    Arguments of commands come as data (DC high), and data after the write command goes to the memory.

    Attributes:
        is_on: whether the panel is switched on.
        contrast: how bright it was told to be, 0 to 255.
        bytes_received: commands, arguments and data so far.
        is_broken: whether every transfer fails.
    """

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, dc_pin: int = 24) -> None:
        self.is_on = False
        self.is_broken = False
        self.contrast = 0x7F
        self.bytes_received = 0
        self.max_speed_hz = 0
        self._dc_pin = dc_pin
        self._is_data = False
        self._command = 0x00
        self._arguments: list[int] = []
        self._memory = bytearray(ROW_BYTES * ROWS)
        self._columns = (0, COLUMNS - 1)
        self._rows = (0, ROWS - 1)
        self._at = 0

    def image(self) -> Image.Image:
        """Return what the panel shows of its memory (mode "L", 256 x 64)."""
        left, width = FIRST_SHOWN * COLUMN_BYTES, WIDE[0] // 2
        starts = (row * ROW_BYTES + left for row in range(HEIGHT))
        return unpack_greys(b"".join(bytes(self._memory[start : start + width]) for start in starts))

    # --- as RPi.GPIO ------------------------------------------------------------------------------------------------

    def setup(self, pin: int, direction: int) -> None:
        """Make a pin an output."""

    def output(self, pin: int, value: int) -> None:
        """Set a pin: DC tells data from commands."""
        if pin == self._dc_pin:
            self._is_data = bool(value)

    def cleanup(self, pins: Sequence[int] = ()) -> None:
        """Let go of pins."""

    # --- as spidev --------------------------------------------------------------------------------------------------

    def open(self, port: int, device: int) -> None:
        """Open the bus."""

    def close(self) -> None:
        """Close the bus."""

    def writebytes(self, data: Sequence[int]) -> None:
        """Take bytes, commands or data by what DC says.

        Raises:
            OSError: the bus is broken.
            UnknownCommand: a command is not understood, or has more arguments than it takes.
        """
        if self.is_broken:
            raise OSError("the cable is off")
        for byte in data:
            (self._take_data if self._is_data else self._take_command)(byte)
        self.bytes_received += len(data)

    def _take_command(self, command: int) -> None:
        missing = ARGUMENTS.get(self._command, 0) - len(self._arguments)
        if missing > 0:
            raise UnknownCommand(f"command 0x{self._command:02X} needs {missing} arguments more")
        if command not in ARGUMENTS:
            raise UnknownCommand(f"0x{command:02X} is no command this panel knows")
        self._command, self._arguments = command, []
        if command in {DISPLAY_ON, DISPLAY_OFF}:
            self.is_on = command == DISPLAY_ON
        elif command == WRITE:
            self._at = 0

    def _take_data(self, byte: int) -> None:
        if self._command == WRITE:
            self._store(byte)
            return
        self._arguments.append(byte)
        wanted = ARGUMENTS.get(self._command, 0)
        if len(self._arguments) > wanted:
            raise UnknownCommand(f"command 0x{self._command:02X} takes {wanted} arguments, not more")
        if len(self._arguments) == wanted:
            self._execute(self._command, self._arguments)

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command == COLUMN_ADDRESS:
            self._columns = _span("columns", arguments, COLUMNS)
        elif command == ROW_ADDRESS:
            self._rows = _span("rows", arguments, ROWS)
        elif command == CONTRAST:
            self.contrast = arguments[0]
        elif command == REMAP and arguments != LUMA_REMAP:
            raise UnknownCommand(f"remap {arguments}: only {LUMA_REMAP} is understood")

    def _store(self, byte: int) -> None:
        left, width = self._columns[0] * COLUMN_BYTES, (self._columns[1] - self._columns[0] + 1) * COLUMN_BYTES
        height = self._rows[1] - self._rows[0] + 1
        row, column = divmod(self._at, width)
        self._memory[(self._rows[0] + row % height) * ROW_BYTES + left + column] = byte
        self._at += 1


def _span(what: str, arguments: list[int], size: int) -> tuple[int, int]:
    first, last = arguments
    if not 0 <= first <= last < size:
        raise UnknownCommand(f"{what} {first} to {last}: the panel has 0 to {size - 1}")
    return first, last
