"""A clicker, number pad or keyboard in place of the table's buttons: one input device of the kernel, grabbed.

While it is grabbed, its keys type nowhere else. It is looked for again whenever it is gone. The kernel's interface is
used as it is, because the library for it has no wheels for a Raspberry Pi. Source: linux/input.h,
linux/input-event-codes.h.
"""

import asyncio
import errno
import fcntl
import os
import struct
from collections.abc import Callable
from typing import Final

from captains_table.devices.ports import OnEvent
from captains_table.devices.serial_port import DevicePort
from captains_table.phrases import say
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased

KEY_EVENT: Final = struct.Struct("@llHHi")
"""struct input_event: seconds, microseconds, type, code, value."""
GRAB: Final = 0x40044590
"""EVIOCGRAB, _IOW('E', 0x90, int)."""
SYNCHRONISED, KEY = 0, 1
DROPPED: Final = 3
RELEASED, PRESSED = 0, 1  # 2 is a repetition
LOOK_S: Final = 2.0
WHY: Final = {
    errno.EACCES: say("permission denied (is the user in group input?)"),
    errno.EBUSY: say("another program holds it"),
    errno.EINVAL: say("it is no input device"),
    errno.ENOENT: say("it is not there: is it plugged in?"),
    errno.ENOTTY: say("it is no input device"),
}
KEYS: Final = {
    # page down, space, number pad 0 and enter, volume up
    **dict.fromkeys((109, 57, 82, 96, 115), Button.ROLL),
    # page up, right, down, N, number pad 6 and 2, volume down
    **dict.fromkeys((104, 106, 108, 49, 77, 80, 114), Button.NEXT),
    # left, up, P, number pad 4 and 8
    **dict.fromkeys((105, 103, 25, 75, 72), Button.PREVIOUS),
    # enter, C, B and full stop (a presenter's black screen), F5, number pad 5
    **dict.fromkeys((28, 46, 48, 52, 63, 76), Button.CHOOSE),
    # escape, backspace, number pad full stop
    **dict.fromkeys((1, 14, 83), Button.BACK),
}
"""The button of each key, by the kernel's code; docs/operations.md, "A clicker in place of buttons"."""


class Clicker:
    """An input device whose keys are the table's buttons.

    Args:
        path: the device, such as `/dev/input/by-id/usb-Maker_Model-event-kbd`.
        on_change: called when it is gone or found again.
        grab: takes the device for this program alone, given its file descriptor; raises OSError.
    """

    def __init__(
        self,
        path: str,
        on_change: Callable[[], None] = lambda: None,
        grab: Callable[[int], object] = lambda device: fcntl.ioctl(device, GRAB, 1),
    ) -> None:
        self._path = path
        self._on_change = on_change
        self._grab = grab
        self._on_event: OnEvent = lambda _, __: None
        self._port: DevicePort | None = None
        self._unread = b""
        self._held: dict[int, Button] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.fault: str | None = None

    def open(self, on_event: OnEvent) -> None:
        """Start to look for the device; from now on, `on_event` is called with presses and releases."""
        self._loop = asyncio.get_running_loop()
        self._on_event = on_event
        self._look()

    def close(self) -> None:
        """Let the device go, and stop looking for it."""
        self._on_event = lambda _, __: None
        self._let_go()
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        try:
            device = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            self._miss(error)
            return
        try:
            self._grab(device)
        except OSError as error:
            os.close(device)
            self._miss(error)
            return
        self._port, self._unread = DevicePort(device, self._read, self._lose), b""
        self._tell(None)

    def _miss(self, error: OSError) -> None:
        """Tell why the device cannot be used, and look again later."""
        why = WHY.get(error.errno or 0) or os.strerror(error.errno or 0)
        self._tell(say("No clicker: cannot open {path}: {why}", self._path, why))
        self._timer = self._loop.call_later(LOOK_S, self._look)

    def _tell(self, fault: str | None) -> None:
        if fault != self.fault:
            self.fault = fault
            self._on_change()

    def _lose(self) -> None:
        self._let_go()
        self._miss(OSError(errno.ENOENT, ""))

    def _read(self, data: bytes) -> None:
        self._unread += data
        whole = len(self._unread) // KEY_EVENT.size * KEY_EVENT.size
        for _, _, kind, code, value in KEY_EVENT.iter_unpack(self._unread[:whole]):
            self._take(kind, code, value)
        self._unread = self._unread[whole:]

    def _take(self, kind: int, code: int, value: int) -> None:
        if kind == SYNCHRONISED and code == DROPPED:  # keys may have been released unseen
            self._release(*self._held)
        elif kind == KEY and value == RELEASED:
            self._release(code)
        elif kind == KEY and value == PRESSED and code in KEYS and code not in self._held:
            self._held[code] = KEYS[code]
            self._on_event(ButtonPressed(KEYS[code]), self._loop.time() * 1000)

    def _release(self, *codes: int) -> None:
        for code in codes:
            if code in self._held:
                self._on_event(ButtonReleased(self._held.pop(code)), self._loop.time() * 1000)

    def _let_go(self) -> None:
        self._release(*self._held)
        if self._port is not None:
            self._port.close()
            self._port = None
