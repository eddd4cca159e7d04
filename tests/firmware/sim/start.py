"""One life of the simulated Pico: takes in how it stands, then runs the board's own main.py. Runs under MicroPython."""

import sys
import time

import board_parts
import machine
import usb
import wires


class clock:
    ticks_ms = time.ticks_ms
    ticks_diff = time.ticks_diff

    @staticmethod
    def sleep_us(us):
        """Wait for nothing: this interpreter's own would wait for a whole millisecond."""


sys.modules["time"] = clock
for name in ("sys", "select", "micropython"):
    sys.modules[name] = getattr(usb, name)


def stand():
    """Carry out control lines up to the one that gives power; what came over the line before is lost."""
    lines = []
    while "go" not in lines:
        lines += usb.exchange(1)
    for line in lines:
        if line != "go":
            board_parts.heed(line)
    usb.incoming[:] = b""


def live(after_a_reset):
    """Run main.py until the board is reset; at the prompt only control lines are heeded."""
    machine.cause = machine.WDT_RESET if after_a_reset else machine.PWRON_RESET
    stand()
    try:
        import main  # noqa: F401 - it runs

        wires.answer("prompt")
        while True:
            machine.idle()
    except board_parts.Reset:
        wires.answer("reset")
