"""Buses with panels on them that exist in memory only: what the chips would show, from the bytes they were sent."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from PIL import Image

from captains_table.devices.display.packing import GLASS_SIZE, HEIGHT, PAGES, WIDE, WIDTH, unpack_columns

DISPLAY_OFF: Final = 0xAE
DISPLAY_ON: Final = 0xAF
SH1106_COLUMNS: Final = 132
SH1106_MARGIN: Final = 2  # of its 132 columns the panel shows those in the middle
SSD1322_WRITE: Final = 0x5C
SSD1322_COLUMNS: Final = 120  # of four pixels, two bytes
SSD1322_ROWS: Final = 128
SSD1322_ROW_BYTES: Final = 2 * SSD1322_COLUMNS
FIRST_SHOWN: Final = 28  # a panel 256 pixels wide is wired to the columns in the middle
LUMA_REMAP: Final = [0x14, 0x11]  # columns from the left, nibbles in order, rows from the top: as it is decoded here

# How many arguments a command has that the small chips know: SSD1306 data sheet, table 9-1; SSD1309, table 9-1; SH1106,
# "Command table". What the picture does not depend on is only skipped.
COMMON: Final = {
    0x81: 1,  # contrast
    **dict.fromkeys((0xA0, 0xA1, 0xA4, 0xA6, DISPLAY_OFF, DISPLAY_ON, 0xC0, 0xC8), 0),
    **dict.fromkeys((0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
    **dict.fromkeys(range(0x40, 0x80), 0),  # start line
}


class NobodyAnswers(OSError):
    """Nothing on the bus has this address."""


class UnknownCommand(ValueError):
    """The panel was told something that it does not understand or this fake does not show."""


class FakePanel:
    """What all these chips have.

    Attributes:
        is_on: whether the panel is switched on.
        contrast: how bright it was told to be, 0 to 255.
        bytes_received: commands, arguments and data so far, without I2C's own address and control bytes.
    """

    arguments: ClassVar[Mapping[int, int]]
    contrast_command: ClassVar = 0x81

    def __init__(self, memory: int) -> None:
        self.is_on = False
        self.contrast = 0x7F
        self.bytes_received = 0
        self._memory = bytearray(memory)

    def image(self) -> Image.Image:
        """Return the frame in the panel's memory."""
        raise NotImplementedError

    def _rows(self, first: int, width: int, pitch: int, count: int) -> list[bytes]:
        """Return what is seen of so many rows of the memory."""
        return [bytes(self._memory[first + row * pitch :][:width]) for row in range(count)]

    def _arguments_of(self, command: int) -> int:
        if command not in self.arguments:
            raise UnknownCommand(f"0x{command:02X} is no command this panel knows")
        return self.arguments[command]

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command in {DISPLAY_ON, DISPLAY_OFF}:
            self.is_on = command == DISPLAY_ON
        elif command == self.contrast_command:
            self.contrast = arguments[0]

    def _store(self, byte: int) -> None:
        raise NotImplementedError


class FakeI2cPanel(FakePanel):
    """Stands where an SMBus stands and keeps what the panel (128 x 64, mode "1") would show."""

    def __init__(self, address: int = 0x3C, columns: int = WIDTH) -> None:
        super().__init__(columns * PAGES)
        self._address = address
        self._column = self._page = 0

    def write_i2c_block_data(self, address: int, mode: int, data: Sequence[int]) -> None:
        """Take a block of commands (mode 0x00) or data (0x40); raises NobodyAnswers and UnknownCommand."""
        if address != self._address:
            raise NobodyAnswers(f"nobody answers at address 0x{address:02X}: the panel has 0x{self._address:02X}")
        if mode == 0x00:
            self._obey(list(data))
        elif mode == 0x40:
            for byte in data:
                self._store(byte)
        else:
            raise UnknownCommand(f"control byte 0x{mode:02X}: expected 0x00 (commands) or 0x40 (data)")
        self.bytes_received += len(data)

    def _obey(self, stream: list[int]) -> None:
        while stream:
            command = stream.pop(0)
            count = self._arguments_of(command)
            if len(stream) < count:
                raise UnknownCommand(f"command 0x{command:02X} needs {count} arguments, not {len(stream)}")
            self._execute(command, stream[:count])
            del stream[:count]


class FakeSsd1306Bus(FakeI2cPanel):
    """A bus with an SSD1306: data fills a window of columns and pages row by row, and begins again."""

    arguments: ClassVar[Mapping[int, int]] = {**COMMON, 0x20: 1, 0x21: 2, 0x22: 2, 0x2E: 0, 0x8D: 1}

    def __init__(self, address: int = 0x3C) -> None:
        super().__init__(address)
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)

    def image(self) -> Image.Image:
        return unpack(bytes(self._memory))

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command == 0x20 and arguments != [0]:
            raise UnknownCommand(f"memory mode {arguments[0]}: only the horizontal one (0) is understood")
        if command == 0x21:
            self._columns = _span("columns", arguments, WIDTH)
            self._column = self._columns[0]
        elif command == 0x22:
            self._pages = _span("pages", arguments, PAGES)
            self._page = self._pages[0]
        super()._execute(command, arguments)

    def _store(self, byte: int) -> None:
        self._memory[self._page * WIDTH + self._column] = byte
        if self._column < self._columns[1]:
            self._column += 1
            return
        self._column = self._columns[0]
        self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]


class FakeSsd1309Bus(FakeSsd1306Bus):
    """A bus with an SSD1309: as an SSD1306, without a charge pump to be switched on; luma does so, it does not mind."""

    arguments: ClassVar[Mapping[int, int]] = {**FakeSsd1306Bus.arguments, 0xFD: 1}  # the command lock besides


class FakeSh1106Bus(FakeI2cPanel):
    """A bus with an SH1106: 132 columns, and data goes on within one page until its end and no further."""

    arguments: ClassVar[Mapping[int, int]] = {
        **COMMON,
        **dict.fromkeys((*range(0x20), *range(0x30, 0x34), *range(0xB0, 0xB0 + PAGES)), 0),  # columns, voltage, pages
        0xAD: 1,  # DC-DC
        **dict.fromkeys((0x20, 0x8D), 0),  # not in its table; luma sends these, the chip passes over them
    }

    def __init__(self, address: int = 0x3C) -> None:
        super().__init__(address, SH1106_COLUMNS)

    def image(self) -> Image.Image:
        return unpack(b"".join(self._rows(SH1106_MARGIN, WIDTH, SH1106_COLUMNS, PAGES)))

    def _execute(self, command: int, arguments: list[int]) -> None:
        if 0xB0 <= command < 0xB0 + PAGES:
            self._page = command - 0xB0
        elif command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        super()._execute(command, arguments)

    def _store(self, byte: int) -> None:
        if self._column >= SH1106_COLUMNS:
            raise UnknownCommand(f"column {self._column}: the panel has 0 to {SH1106_COLUMNS - 1}")
        self._memory[self._page * SH1106_COLUMNS + self._column] = byte
        self._column += 1


class FakeSsd1322Bus(FakePanel):
    """Stands where spidev and RPi.GPIO stand and keeps what the panel (256 x 64, mode "L") would show.

    Arguments of commands come as data (DC high), and data after the write command goes to the memory.

    Attributes:
        is_broken: whether every transfer fails.
    """

    OUT, LOW, HIGH = 0, 0, 1
    arguments: ClassVar[Mapping[int, int]] = {  # SSD1322 data sheet, table 9-1
        **dict.fromkeys((SSD1322_WRITE, 0xA4, 0xA6, 0xA9, DISPLAY_OFF, DISPLAY_ON, 0xB9), 0),
        **dict.fromkeys((0xA1, 0xA2, 0xAB, 0xB1, 0xB3, 0xB5, 0xB6, 0xBB, 0xBE, 0xC1, 0xC7, 0xCA, 0xFD), 1),
        **dict.fromkeys((0x15, 0x75, 0xA0, 0xB4, 0xD1), 2),
    }
    contrast_command = 0xC1

    def __init__(self, dc_pin: int = 24) -> None:
        super().__init__(SSD1322_ROW_BYTES * SSD1322_ROWS)
        self.is_broken = False
        self.max_speed_hz = 0
        self._dc_pin = dc_pin
        self._is_data = False
        self._command = 0x00
        self._arguments: list[int] = []
        self._columns, self._row_span = (0, SSD1322_COLUMNS - 1), (0, SSD1322_ROWS - 1)
        self._at = 0

    def image(self) -> Image.Image:
        return unpack_greys(b"".join(self._rows(2 * FIRST_SHOWN, WIDE[0] // 2, SSD1322_ROW_BYTES, HEIGHT)))

    def setup(self, pin: int, direction: int) -> None:
        """Make a pin an output."""

    def output(self, pin: int, value: int) -> None:
        """Set a pin: DC tells data from commands."""
        if pin == self._dc_pin:
            self._is_data = bool(value)

    def cleanup(self, pins: Sequence[int] = ()) -> None:
        """Let go of pins."""

    def open(self, port: int, device: int) -> None:
        """Open the bus."""

    def close(self) -> None:
        """Close the bus."""

    def writebytes(self, data: Sequence[int]) -> None:
        """Take bytes, commands or data by what DC says; raises OSError and UnknownCommand."""
        if self.is_broken:
            raise OSError("the cable is off")
        for byte in data:
            (self._take_data if self._is_data else self._take_command)(byte)
        self.bytes_received += len(data)

    def _take_command(self, command: int) -> None:
        missing = self.arguments.get(self._command, 0) - len(self._arguments)
        if missing > 0:
            raise UnknownCommand(f"command 0x{self._command:02X} needs {missing} arguments more")
        if not self._arguments_of(command):
            self._execute(command, [])
        self._command, self._arguments = command, []

    def _take_data(self, byte: int) -> None:
        if self._command == SSD1322_WRITE:
            self._store(byte)
            return
        self._arguments.append(byte)
        wanted = self.arguments.get(self._command, 0)
        if len(self._arguments) > wanted:
            raise UnknownCommand(f"command 0x{self._command:02X} takes {wanted} arguments, not more")
        if len(self._arguments) == wanted:
            self._execute(self._command, self._arguments)

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command == SSD1322_WRITE:
            self._at = 0
        elif command == 0x15:
            self._columns = _span("columns", arguments, SSD1322_COLUMNS)
        elif command == 0x75:
            self._row_span = _span("rows", arguments, SSD1322_ROWS)
        elif command == 0xA0 and arguments != LUMA_REMAP:
            raise UnknownCommand(f"remap {arguments}: only {LUMA_REMAP} is understood")
        super()._execute(command, arguments)

    def _store(self, byte: int) -> None:
        first, last = self._row_span
        row, column = divmod(self._at, 2 * (self._columns[1] - self._columns[0] + 1))
        at = (first + row % (last - first + 1)) * SSD1322_ROW_BYTES + 2 * self._columns[0] + column
        self._memory[at] = byte
        self._at += 1


def unpack(memory: bytes) -> Image.Image:
    """Return the frame that the 1,024 bytes of a small chip's memory show."""
    image = Image.new("1", GLASS_SIZE)
    for page in range(PAGES):
        image.paste(unpack_columns(memory[page * WIDTH : (page + 1) * WIDTH]), (0, page * 8))
    return image


def unpack_greys(memory: bytes) -> Image.Image:
    """Return the wide frame that 8,192 bytes of an SSD1322's memory show, 15 being white."""
    levels = bytes(level * 17 for byte in memory for level in (byte >> 4, byte & 0x0F))
    return Image.frombytes("L", WIDE, levels)


def _span(what: str, arguments: list[int], size: int) -> tuple[int, int]:
    first, last = arguments
    if not 0 <= first <= last < size:
        raise UnknownCommand(f"{what} {first} to {last}: the panel has 0 to {size - 1}")
    return first, last
