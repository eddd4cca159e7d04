"""Figures of board and glass: what a scan of the Pi's own pins costs, the way over the link, bytes to the glass."""

import asyncio
import os
import pty
import select
import subprocess
import sys
import time
import tty
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import noop
from serial import Serial

from captains_table.devices.display.driver.oled import Painter
from captains_table.devices.display.driver.panels import Ssd1306
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.devices.gpio.gpio_board import GpioBoard, MatrixLines
from captains_table.games.contract import parse_square
from captains_table.hardware.profiles.profile import Profile
from captains_table.link.host import HostEnd
from captains_table.link.link_events import LightsShown, LinkEvent, SwitchesRead, SwitchReported
from captains_table.storage.journal_file import MemoryJournal
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.entries import MatchStarted
from tests.bench.tables import seconds
from tests.support.micropython_bridge import SimulatedPico
from tests.support.seeded_dice import SeededDice
from tests.support.self_play import SelfPlay

FULL_FRAME_BYTES = 1024
ACTIONS = 500
SCANS = 2000
WATCHED_S = 4.0
HAND_S = 0.5  # a hand at work changes a square so often
ROUND_TRIPS = 200
PATIENCE_S = 10
LINE = b"x" * 100 + b"\n"  # about as long as a light frame
ECHO = "import os, sys\nwhile data := os.read(int(sys.argv[1]), 4096):\n    os.write(int(sys.argv[1]), data)\n"


def bytes_an_action() -> list[int]:
    """Return how many bytes, commands included, each action of a match sends."""
    painter = Painter(Ssd1306(noop()))
    started = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "9"})
    play = SelfPlay(MemoryJournal(started), SeededDice(3))
    painter.paint(draw_view(play.table.session.view()))
    sent: list[int] = []
    while not play.over and len(sent) < ACTIONS:
        revision = play.match.revision
        play.step()
        painted = painter.paint(draw_view(play.table.session.view()))
        if play.match.revision > revision:
            sent.append(painted)
    return sent


# --- the Pi's own pins -----------------------------------------------------------------------------------------------


def scans_ms(name: str) -> list[float]:
    """Return the processor time of many scans of a profile's matrix: gpiozero's driver, plain mock pins, no waits."""
    matrix = load_profile(name).matrix
    assert matrix is not None
    lines = MatrixLines(matrix, MockFactory(), lambda _: None)
    costs = [1000 * seconds(lines.read, time.thread_time) for _ in range(SCANS)]
    lines.close()
    return costs


def shares() -> tuple[float, float]:
    """Return the share of a core that the process takes while nobody plays, and while a hand is at work."""
    return asyncio.run(_shares(load_profile("gpio-8x8")))


async def _shares(profile: Profile) -> tuple[float, float]:
    assert profile.matrix is not None
    factory = MockFactory()
    board = GpioBoard(profile, factory)
    board.open(lambda _, __: None)
    await asyncio.sleep(HAND_S)
    at_rest = await _share(lambda: None)
    file_line = factory.pin(profile.matrix.file_pins[parse_square("e2").file])
    at_work = await _share(lambda: file_line.drive_low() if file_line.state else file_line.drive_high())
    board.close()
    return at_rest, at_work


async def _share(act: Callable[[], None]) -> float:
    began, spent = time.perf_counter(), time.process_time()
    while time.perf_counter() - began < WATCHED_S:
        act()
        await asyncio.sleep(HAND_S)
    return (time.process_time() - spent) / (time.perf_counter() - began)


# --- the link, from a switch at the firmware, under a real MicroPython, to the light frame that answers it ------------


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
            times += [1000 * seconds(lambda: (serial.write(LINE), serial.read_until())) for _ in range(ROUND_TRIPS)]
    finally:
        echo.kill()
        echo.wait()
        os.close(master)
        os.close(slave)
    return times
