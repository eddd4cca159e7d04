"""The `machine` module of a simulated Pico. Runs under MicroPython."""

import time

import board_parts
import usb

PWRON_RESET = 1
WDT_RESET = 3
cause = PWRON_RESET


class Pin:
    """A pin of the simulated Pico."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        self._file_bit = board_parts.file_bits.get(number, 0)
        if number in board_parts.ranks and mode != self.OPEN_DRAIN:
            raise ValueError("a rank must be an open drain: driven high it works against the one that is low")
        if value is not None:
            board_parts.drive(number, value)

    def value(self, level=None):
        if level is None:
            if self._file_bit:
                return 0 if board_parts.selected & self._file_bit else 1
            return board_parts.level(self.number)
        board_parts.drive(self.number, level)


class PWM:
    """A tone on a pin; what it plays is kept for the test."""

    def __init__(self, pin):
        self._hertz = 0

    def freq(self, hertz):
        self._hertz = hertz

    def duty_u16(self, duty):
        board_parts.tones.append(self._hertz if duty else 0)


class WDT:
    """A watchdog that bites when the loop stands still."""

    armed = None

    def __init__(self, timeout):
        self.timeout = timeout
        WDT.armed = self
        self.feed()

    def feed(self):
        board_parts.feeds += 1
        self.fed = time.ticks_ms()


def reset_cause():
    return cause


def reset():
    raise board_parts.Reset


def idle():
    """Rest for a millisecond, and heed the test's control lines."""
    for line in usb.exchange(1):
        board_parts.heed(line)
    if board_parts.asked_to == "reset":
        reset()
    while board_parts.asked_to == "hang":
        usb.exchange(10)
        if WDT.armed and time.ticks_diff(time.ticks_ms(), WDT.armed.fed) > WDT.armed.timeout:
            reset()
