"""Figures of a board on the Pi's own pins, on mock pins: what a scan costs, and what the scanning thread takes."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from gpiozero.pins.mock import MockFactory

from captains_table.devices.gpio.gpio_board import GpioBoard
from captains_table.devices.gpio.lines import MatrixLines
from captains_table.games.contract import parse_square
from captains_table.hardware.profiles.profile import Profile
from captains_table.storage.profile_files import load_profile

SCANS = 2000
WATCHED_S = 4.0
HAND_S = 0.5  # a hand at work changes a square so often


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of one core that the process takes while nothing else is done in it."""

    at_rest: float
    at_work: float


def scans_ms(name: str) -> list[float]:
    """Return the processor time of many scans of a profile's matrix: gpiozero's driver, plain mock pins, no waits."""
    matrix = load_profile(name).matrix
    assert matrix is not None
    lines = MatrixLines(matrix, MockFactory(), lambda _: None)
    costs = []
    for _ in range(SCANS):
        began = time.thread_time()
        lines.read()
        costs.append((time.thread_time() - began) * 1000)
    lines.close()
    return costs


def shares() -> Shares:
    """Return what the scanning thread takes of a core while nobody plays, and while a hand is at work."""
    return asyncio.run(_shares(load_profile("gpio-8x8")))


async def _shares(profile: Profile) -> Shares:
    assert profile.matrix is not None
    factory = MockFactory()
    board = GpioBoard(profile, factory)
    board.open(lambda _, __: None)
    await asyncio.sleep(HAND_S)
    at_rest = await _share(lambda: None)
    file_line = factory.pin(profile.matrix.file_pins[parse_square("e2").file])
    at_work = await _share(lambda: file_line.drive_low() if file_line.state else file_line.drive_high())
    board.close()
    return Shares(at_rest, at_work)


async def _share(act: Callable[[], None]) -> float:
    began, spent = time.perf_counter(), time.process_time()
    while time.perf_counter() - began < WATCHED_S:
        act()
        await asyncio.sleep(HAND_S)
    return (time.process_time() - spent) / (time.perf_counter() - began)
