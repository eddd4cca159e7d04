"""What else was looked at: magnets, depths, directions and leads, each with the shift that suits it best."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from captains_table.hardware.wiring.sensing import SENSOR, Magnet, Reed, SquareSensor
from tests.field.margins import CLOSES, DIAGONAL, DISTURBS, ORDINARY, Build, neighbours_field, own_field, thresholds

MAGNETS: Final = [(6, 4), (8, 3), (10, 2), (12, 2), (15, 1)]
GAPS_MM: Final = {"0.5 + 2 mm": (0.5, 2), "1 + 3 mm": (1, 3)}
DIRECTIONS: Final = {"diagonal": DIAGONAL, "along a rank": (1.0, 0.0)}
LEADS_MM: Final = {"cut to 32 mm": (32, 0), "cut to 20 mm": (20, 0), "bent down at 9 mm, whole": (18, 13)}
CLASSES: Final = [(10, 15), (15, 20), (20, 25)]
SHIFTS_MM: Final = np.arange(9.0, 15.1, 0.5)
ROUGHLY: Final = 24  # points on a circle


@dataclass(frozen=True, slots=True)
class Found:
    """The best shift of one arrangement, and which magnets hold there.

    Attributes:
        words: the arrangement.
        shift_mm: the shift with the widest window.
        remanence_t: for each kind of reed the least a magnet must have to close it, and the most it may have not to
            disturb its neighbours; where the first is larger there is no such magnet.
    """

    words: tuple[str, ...]
    shift_mm: float
    remanence_t: dict[str, tuple[float, float]]


def kinds_of_reed() -> dict[str, Reed]:
    """Return the reeds that are tried, by how they are called."""
    kinds = {}
    for differential, share in (("close", SENSOR.reed.release_share), ("ordinary", ORDINARY)):
        for least, most in CLASSES:
            reed = replace(SENSOR.reed, pull_in_at=(least, most), release_share=share)
            kinds[f"{differential} {least:g}-{most:g}"] = reed
    return kinds


def search() -> Iterator[Found]:
    """Yield every arrangement with the shift that suits it best."""
    for size, gap, direction, leads in itertools.product(MAGNETS, GAPS_MM, DIRECTIONS, LEADS_MM):
        felt_mm, sheet_mm = GAPS_MM[gap]
        straight_mm, bent_mm = LEADS_MM[leads]
        magnet = Magnet(*size, grade="", remanence_t=(1.0, 1.0))
        sensor = SquareSensor(magnet, felt_mm, sheet_mm, SENSOR.reed, straight_mm, 0)
        builds = (
            Build(replace(sensor, shift_mm=float(shift_mm)), DIRECTIONS[direction], bent_mm) for shift_mm in SHIFTS_MM
        )
        found = (_found((f"{size[0]} x {size[1]} mm", gap, direction, leads), build) for build in builds)
        yield max(found, key=_width)


def _found(words: tuple[str, ...], build: Build) -> Found:
    own = float(np.abs(own_field(build, rings=1, points=ROUGHLY)).min())
    others = neighbours_field(build, ROUGHLY)
    windows = {}
    for name, reed in kinds_of_reed().items():
        closes, stays = thresholds(replace(build, sensor=replace(build.sensor, reed=reed)))
        windows[name] = (CLOSES * closes.most / own, DISTURBS * stays.least / others)
    return Found(words, build.sensor.shift_mm, windows)


def _width(found: Found) -> float:
    return max(most / least for least, most in found.remanence_t.values())


def search_lines() -> Iterator[str]:
    """Yield what the search finds, a line an arrangement: the magnets' remanence between which both margins hold."""
    names = list(kinds_of_reed())
    yield f"{'magnet':11} {'felt, sheet':12} {'direction':13} {'leads':25} {'shift':>5}  " + "  ".join(names)
    for found in search():
        size, gap, direction, leads = found.words
        cells = [_cell(*window).rjust(len(name)) for name, window in found.remanence_t.items()]
        yield f"{size:11} {gap:12} {direction:13} {leads:25} {found.shift_mm:5.1f}  " + "  ".join(cells)


def _cell(least: float, most: float) -> str:
    """Return between which remanences both margins hold; where none does, how far it is from that (1 would just do)."""
    return f"{least:.2f}-{most:.2f} T" if least <= most else f"no, {most / least:.2f}"
