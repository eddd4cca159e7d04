"""A board's end of the link behind a pty, on the same event loop: what the serial board sees of a Pico, and no more."""

import asyncio
import contextlib
import os
import pty
import termios
import tty
from pathlib import Path

from captains_table.games.contract import Square, parse_square
from captains_table.link.board import BoardEnd
from captains_table.link.from_board import Abilities, Hello
from captains_table.link.from_host import Buzz, Lights, Set

FILES, RANKS = 8, 8
LIGHTS = FILES * RANKS + 1
BUTTONS = ("roll", "choose", "back")
PUMP_S = 0.002
SPEEDS = {termios.B9600: 9600, termios.B38400: 38400}


def baud_of(path: Path) -> int | None:
    """Return the speed that a client has set at a pty; `None` if it has set none, or one that no board has."""
    device = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        return SPEEDS.get(termios.tcgetattr(device)[4])
    finally:
        os.close(device)


class PtyBoard:
    """A board at `path`, a link to whatever pty it is behind at the moment.

    Args:
        path: where the device is to be found while it is plugged in.
        occupied: squares whose switch is closed at the start.
    """

    def __init__(self, path: Path, occupied: frozenset[Square] = frozenset()) -> None:
        self.path = path
        self.occupied = set(occupied)
        self.reads = True
        self.speaks = True
        self.frames: list[str] = []
        self.tones: list[list[tuple[int, int]]] = []
        self.settings: list[tuple[int, int]] = []
        self._loop = asyncio.get_running_loop()
        self._nonce = 0x1000
        self._held: set[str] = set()
        self._master: int | None = None
        self._pump: asyncio.TimerHandle | None = None
        self.reset()

    def reset(self) -> None:
        """Start anew without a word, as after a brown-out: with another nonce, a clock at 0, nothing counted."""
        self._nonce += 1
        abilities = Abilities(LIGHTS, BUTTONS, encoder=True, buzzer=True)
        self.end = BoardEnd(Hello("0.1.0", FILES, RANKS, self._nonce, abilities), 50, 8)
        self._booted_s = self._loop.time()
        down = [index for index, name in enumerate(BUTTONS) if name in self._held]
        self.end.begin(sum(1 << _index(square) for square in self.occupied), down)

    def plug(self, path: Path | None = None) -> None:
        """Appear as a new device, by the same name or another."""
        self.path = path or self.path
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(slave))
        self._slave = slave  # held, or the master would read an error until somebody opens it
        self._turn()

    def unplug(self) -> None:
        """Vanish, device and all."""
        if self._master is not None:
            self.path.unlink()
            os.close(self._master)
            os.close(self._slave)
            self._master = None
        if self._pump is not None:
            self._pump.cancel()

    def switch(self, square: str, *, closed: bool) -> None:
        """Close a switch, or open it."""
        (self.occupied.add if closed else self.occupied.discard)(parse_square(square))
        self.end.switch_changed(_index(parse_square(square)), closed=closed, now_ms=self._now_ms())

    def button(self, name: str, *, down: bool) -> None:
        """Press a button down, or let it go."""
        (self._held.add if down else self._held.discard)(name)
        self.end.button_changed(BUTTONS.index(name), down=down, now_ms=self._now_ms())

    def turn(self, steps: int) -> None:
        """Turn the encoder."""
        self.end.encoder_turned(steps, self._now_ms())

    def say(self, data: bytes) -> None:
        """Put bytes on the line."""
        assert self._master is not None
        os.write(self._master, data)

    def _now_ms(self) -> int:
        return int((self._loop.time() - self._booted_s) * 1000)

    def _turn(self) -> None:
        assert self._master is not None
        if self.reads:
            try:
                data = os.read(self._master, 4096)
            except BlockingIOError:
                data = b""
            for order in self.end.receive(data, self._now_ms()):
                if isinstance(order, Lights):
                    self.frames.append(order.colours)
                elif isinstance(order, Buzz):
                    self.tones.append(order.tones)
                elif isinstance(order, Set):
                    self.settings.append((order.brightness, order.debounce_ms))
        line = self.end.next_line(self._now_ms()) if self.speaks else None
        if line is not None:
            with contextlib.suppress(BlockingIOError):  # what nobody reads is lost, as it is on a real line
                os.write(self._master, line)
        self._pump = self._loop.call_later(PUMP_S, self._turn)


def _index(square: Square) -> int:
    return square.rank * FILES + square.file
