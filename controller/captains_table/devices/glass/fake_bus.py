"""An I2C bus with an SSD1306 on it that exists in memory only; what it would show can be looked at."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from captains_table.devices.glass.packing import PAGES, WIDTH, unpack

COMMAND_MODE: Final = 0x00
DATA_MODE: Final = 0x40
MEMORY_MODE: Final = 0x20
COLUMN_ADDRESS: Final = 0x21
PAGE_ADDRESS: Final = 0x22
DISPLAY_OFF: Final = 0xAE
DISPLAY_ON: Final = 0xAF
HORIZONTAL: Final = 0x00

# How many arguments a command has: SSD1306 data sheet, table 9-1. What the picture does not depend on is only skipped.
ARGUMENTS: Final = {
    MEMORY_MODE: 1,
    COLUMN_ADDRESS: 2,
    PAGE_ADDRESS: 2,
    0x2E: 0,  # scrolling off
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
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


class NobodyAnswers(OSError):  # noqa: N818 - named by its condition
    """Nothing on the bus has this address."""


class UnknownCommand(ValueError):  # noqa: N818 - named by its condition
    """The panel was told something that it does not understand or this fake does not show."""


class FakeSsd1306Bus:
    """Stands where an SMBus stands and keeps what the panel would show.

    Attributes:
        is_on: whether the panel is switched on.
        bytes_received: commands, arguments and data so far, without I2C's own address and control bytes.
    """

    def __init__(self, address: int = 0x3C) -> None:
        self.is_on = False
        self.bytes_received = 0
        self._address = address
        self._memory = bytearray(WIDTH * PAGES)
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)
        self._column = 0
        self._page = 0

    def image(self) -> Image.Image:
        """Return the frame in the panel's memory (mode "1", 128 x 64)."""
        return unpack(bytes(self._memory))

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
            count = ARGUMENTS.get(command)
            if count is None:
                raise UnknownCommand(f"0x{command:02X} is no command this panel knows")
            if len(stream) < count:
                raise UnknownCommand(f"command 0x{command:02X} needs {count} arguments, not {len(stream)}")
            self._execute(command, stream[:count])
            del stream[:count]

    def _execute(self, command: int, arguments: list[int]) -> None:
        if command in {DISPLAY_ON, DISPLAY_OFF}:
            self.is_on = command == DISPLAY_ON
        elif command == MEMORY_MODE and arguments != [HORIZONTAL]:
            raise UnknownCommand(f"memory mode {arguments[0]}: only the horizontal one (0) is understood")
        elif command == COLUMN_ADDRESS:
            self._columns = _span("columns", arguments, WIDTH)
            self._column = self._columns[0]
        elif command == PAGE_ADDRESS:
            self._pages = _span("pages", arguments, PAGES)
            self._page = self._pages[0]

    def _store(self, byte: int) -> None:
        self._memory[self._page * WIDTH + self._column] = byte
        if self._column < self._columns[1]:
            self._column += 1
            return
        self._column = self._columns[0]
        self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]


def _span(what: str, arguments: list[int], size: int) -> tuple[int, int]:
    first, last = arguments
    if not 0 <= first <= last < size:
        raise UnknownCommand(f"{what} {first} to {last}: the panel has 0 to {size - 1}")
    return first, last
