"""An I2C bus with a panel on it that exists in memory only; what it would show can be looked at."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from captains_table.devices.display.packing import PAGES, WIDTH, unpack

COMMAND_MODE: Final = 0x00
DATA_MODE: Final = 0x40
MEMORY_MODE: Final = 0x20
COLUMN_ADDRESS: Final = 0x21
PAGE_ADDRESS: Final = 0x22
CONTRAST: Final = 0x81
CHARGE_PUMP: Final = 0x8D
DISPLAY_OFF: Final = 0xAE
DISPLAY_ON: Final = 0xAF
PAGE: Final = 0xB0
HORIZONTAL: Final = 0x00
SH1106_COLUMNS: Final = 132
SH1106_MARGIN: Final = 2  # of its 132 columns the panel shows those in the middle

# How many arguments a command has that all these chips know: SSD1306 data sheet, table 9-1; SSD1309, table 9-1; SH1106,
# "Command table". What the picture does not depend on is only skipped.
COMMON: Final = {
    CONTRAST: 1,
    0xA0: 0,  # segment remap
    0xA1: 0,
    0xA4: 0,  # show the memory
    0xA6: 0,  # not inverted
    0xA8: 1,  # multiplex ratio
    DISPLAY_OFF: 0,
    DISPLAY_ON: 0,
    0xC0: 0,  # scan direction
    0xC8: 0,
    0xD3: 1,  # display offset
    0xD5: 1,  # clock
    0xD9: 1,  # pre-charge
    0xDA: 1,  # pin configuration
    0xDB: 1,  # deselect level
    **dict.fromkeys(range(0x40, 0x80), 0),  # start line
}


class NobodyAnswers(OSError):
    """Nothing on the bus has this address."""


class UnknownCommand(ValueError):
    """The panel was told something that it does not understand or this fake does not show."""


class FakeI2cPanel:
    """Stands where an SMBus stands and keeps what the panel would show.

    Attributes:
        is_on: whether the panel is switched on.
        contrast: how bright it was told to be, 0 to 255.
        bytes_received: commands, arguments and data so far, without I2C's own address and control bytes.
    """

    arguments: dict[int, int]

    def __init__(self, address: int = 0x3C) -> None:
        self.is_on = False
        self.contrast = 0x7F
        self.bytes_received = 0
        self._address = address

    def image(self) -> Image.Image:
        """Return the frame in the panel's memory (mode "1", 128 x 64)."""
        raise NotImplementedError

    def write_i2c_block_data(self, address: int, mode: int, data: Sequence[int]) -> None:
        """Take a block of commands (mode 0x00) or data (0x40), as an SMBus does.

        Raises:
            NobodyAnswers: the address is not the panel's.
            UnknownCommand: the mode or a command is not understood, or a command lacks arguments.
        """
        if address != self._address:
            raise NobodyAnswers(f"nobody answers at address 0x{address:02X}: the panel has 0x{self._address:02X}")
        if mode == COMMAND_MODE:
            self._obey(list(data))
        elif mode == DATA_MODE:
            for byte in data:
                self._store(byte)
        else:
            raise UnknownCommand(f"control byte 0x{mode:02X}: expected 0x00 (commands) or 0x40 (data)")
        self.bytes_received += len(data)

    def _obey(self, stream: list[int]) -> None:
        while stream:
            command = stream.pop(0)
            count = self.arguments.get(command)
            if count is None:
                raise UnknownCommand(f"0x{command:02X} is no command this panel knows")
            if len(stream) < count:
                raise UnknownCommand(f"command 0x{command:02X} needs {count} arguments, not {len(stream)}")
            self._execute(command, stream[:count])
            del stream[:count]

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command in {DISPLAY_ON, DISPLAY_OFF}:
            self.is_on = command == DISPLAY_ON
        elif command == CONTRAST:
            self.contrast = arguments[0]

    def _store(self, byte: int) -> None:
        raise NotImplementedError


class FakeSsd1306Bus(FakeI2cPanel):
    """A bus with an SSD1306: data fills a window of columns and pages row by row, and begins again."""

    arguments = {**COMMON, MEMORY_MODE: 1, COLUMN_ADDRESS: 2, PAGE_ADDRESS: 2, 0x2E: 0, CHARGE_PUMP: 1}  # noqa: RUF012

    def __init__(self, address: int = 0x3C) -> None:
        super().__init__(address)
        self._memory = bytearray(WIDTH * PAGES)
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)
        self._column = 0
        self._page = 0

    def image(self) -> Image.Image:
        """Return the frame in the panel's memory (mode "1", 128 x 64)."""
        return unpack(bytes(self._memory))

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command == MEMORY_MODE and arguments != [HORIZONTAL]:
            raise UnknownCommand(f"memory mode {arguments[0]}: only the horizontal one (0) is understood")
        if command == COLUMN_ADDRESS:
            self._columns = _span("columns", arguments, WIDTH)
            self._column = self._columns[0]
        elif command == PAGE_ADDRESS:
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

    arguments = {**FakeSsd1306Bus.arguments, 0xFD: 1}  # noqa: RUF012 - the command lock besides


class FakeSh1106Bus(FakeI2cPanel):
    """A bus with an SH1106: 132 columns, and data goes on within one page until its end and no further."""

    arguments = {  # noqa: RUF012 - never changed
        **COMMON,
        **dict.fromkeys(range(0x20), 0),  # the column's low and high half
        **dict.fromkeys(range(0x30, 0x34), 0),  # pump voltage
        **dict.fromkeys(range(PAGE, PAGE + PAGES), 0),
        0xAD: 1,  # DC-DC
        MEMORY_MODE: 0,  # not in its table; luma sends it and the charge pump's, the chip passes over them
        CHARGE_PUMP: 0,
    }

    def __init__(self, address: int = 0x3C) -> None:
        super().__init__(address)
        self._memory = bytearray(SH1106_COLUMNS * PAGES)
        self._column = 0
        self._page = 0

    def image(self) -> Image.Image:
        """Return what the panel shows of its memory (mode "1", 128 x 64)."""
        starts = (page * SH1106_COLUMNS + SH1106_MARGIN for page in range(PAGES))
        return unpack(b"".join(bytes(self._memory[start : start + WIDTH]) for start in starts))

    def _execute(self, command: int, arguments: list[int]) -> None:
        if PAGE <= command < PAGE + PAGES:
            self._page = command - PAGE
        elif command < 0x10:  # noqa: PLR2004 - SH1106, command 1
            self._column = self._column & 0xF0 | command
        elif command < 0x20:  # noqa: PLR2004 - SH1106, command 2
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        super()._execute(command, arguments)

    def _store(self, byte: int) -> None:
        if self._column >= SH1106_COLUMNS:
            raise UnknownCommand(f"column {self._column}: the panel has 0 to {SH1106_COLUMNS - 1}")
        self._memory[self._page * SH1106_COLUMNS + self._column] = byte
        self._column += 1


def _span(what: str, arguments: list[int], size: int) -> tuple[int, int]:
    first, last = arguments
    if not 0 <= first <= last < size:
        raise UnknownCommand(f"{what} {first} to {last}: the panel has 0 to {size - 1}")
    return first, last
