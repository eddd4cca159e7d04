"""Figures of the link: from a switch at the firmware, under a real MicroPython, to the light frame that answers it."""

import os
import pty
import select
import subprocess
import sys
import time
import tty
from collections.abc import Callable

from serial import Serial

from captains_table.link.host import HostEnd
from captains_table.link.link_events import LightsShown, LinkEvent, SwitchesRead, SwitchReported
from tests.support.micropython_bridge import SimulatedPico

ROUND_TRIPS = 200
PATIENCE_S = 10
LINE = b"x" * 100 + b"\n"  # about as long as a light frame
ECHO = "import os, sys\nwhile data := os.read(int(sys.argv[1]), 4096):\n    os.write(int(sys.argv[1]), data)\n"


class _Host:
    """The host's end of the link on a serial port."""

    def __init__(self, path: str) -> None:
        self.serial = Serial(path, timeout=0)
        self.end = HostEnd()
        self.end.opened(_now_ms())

    def until(self, kind: type, act: Callable[[LinkEvent], None] = lambda _: None) -> None:
        """Talk until this is told; `act` on all that is told."""
        deadline = time.monotonic() + PATIENCE_S
        found = False
        while not found:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no {kind.__name__} within {PATIENCE_S} s")
            if wanted := self.end.tick(_now_ms()):
                self.serial.write(wanted)
            wait_s = max(0, self.end.due_ms() - _now_ms()) / 1000
            select.select([self.serial], [], [], min(wait_s, PATIENCE_S))
            for told in self.end.receive(self.serial.read(4096), _now_ms()):
                act(told)
                found = found or isinstance(told, kind)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def round_trips_ms() -> tuple[list[float], float]:
    """Return from a switch's change to the light frame that answers it, acknowledged, and the scans a second.

    The debounce is included.
    """
    times: list[float] = []
    with SimulatedPico() as pico:
        host = _Host(pico.path)
        host.until(SwitchesRead)
        lights = host.end.hello.lights if host.end.hello else 0

        def answer(told: LinkEvent) -> None:
            if isinstance(told, SwitchReported):
                host.end.show(("o" if told.closed else "0") * lights)

        for i in range(ROUND_TRIPS):
            began = time.perf_counter()
            pico.switch(12, closed=i % 2 == 0)
            host.until(LightsShown, answer)
            times.append((time.perf_counter() - began) * 1000)
        scans, began = int(pico.ask("scans")), time.perf_counter()
        time.sleep(1)
        rate = (int(pico.ask("scans")) - scans) / (time.perf_counter() - began)
        host.serial.close()
    return times, rate


def echoes_ms() -> list[float]:
    """Return how long a line takes over such a pty to a program that only echoes it, and back."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    echo = subprocess.Popen([sys.executable, "-c", ECHO, str(master)], pass_fds=[master])
    times: list[float] = []
    try:
        with Serial(os.ttyname(slave), timeout=PATIENCE_S) as serial:
            serial.write(LINE)
            serial.read_until()
            for _ in range(ROUND_TRIPS):
                began = time.perf_counter()
                serial.write(LINE)
                serial.read_until()
                times.append((time.perf_counter() - began) * 1000)
    finally:
        echo.kill()
        echo.wait()
        os.close(master)
        os.close(slave)
    return times
