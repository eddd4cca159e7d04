"""How surely a square closes under its own piece and stays open next to the pieces of its neighbours."""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from captains_table.hardware.wiring.sensing import SquareSensor
from tests.field.model import Points, Range, Wire, as_millitesla, gathered, needed

OFF_MM: Final = 10.0  # how far off the middle of its square a piece may stand
SQUARE_MM: Final = 50.0
DIAGONAL: Final = (math.sqrt(0.5), -math.sqrt(0.5))  # from the square's middle towards its lower right corner
ACROSS: Final = (math.sqrt(0.5), math.sqrt(0.5))
CLOSES: Final = 2.0
DISTURBS: Final = 0.5
ORDINARY: Final = 0.4  # "a standard differential of say 40%" (reed-sensor.com, "Close Differential")
SLIP_MM: Final = 0.5  # how far a reed may lie from where it should


@dataclass(frozen=True, slots=True)
class Build:
    """A square's sensor with what may differ: direction, leads bent down, the reed not quite in its place."""

    sensor: SquareSensor
    towards: tuple[float, float] = DIAGONAL
    bent_mm: float = 0.0
    slip_mm: tuple[float, float] = (0.0, 0.0)

    def wire(self) -> Wire:
        """Return the reed in its place, the square's middle at the origin."""
        sensor, (along, across) = self.sensor, self.towards
        x = sensor.shift_mm * along + self.slip_mm[0]
        y = sensor.shift_mm * across + self.slip_mm[1]
        return Wire((x, y), self.towards, sensor.depth_mm, sensor.cut_mm, self.bent_mm)


@dataclass(frozen=True, slots=True)
class Margins:
    """What is left between what happens and what may.

    Attributes:
        closes: weakest field of its own piece, over the most that closes a reed of the class.
        closes_in_company: the same with its neighbours' pieces against it.
        disturbs: strongest field of the neighbours' pieces, over the least at which one may still be closed.
    """

    closes: float
    closes_in_company: float
    disturbs: float

    @property
    def hold(self) -> bool:
        """Whether both are as wide as they should be."""
        return self.closes >= CLOSES and self.disturbs <= DISTURBS


def margins(build: Build, rings: int = 4, points: int = 48) -> Margins:
    """Return the margins of a build: the weakest magnet of its grade must close, the strongest must not disturb."""
    magnet = build.sensor.magnet
    weakest, strongest = magnet.remanence_t
    own = np.abs(own_field(build, rings, points))
    others = neighbours_field(build, points)
    closes, stays = thresholds(build)
    return Margins(
        closes=float(own.min()) * weakest / closes.most,
        closes_in_company=float(own.min() - others) * weakest / closes.most,
        disturbs=others * strongest / stays.least,
    )


def worst_slipped(build: Build) -> Margins:
    """Return the least of the margins with the reed slipped a little along itself or across."""
    moved = [
        margins(replace(build, slip_mm=(sign * x * SLIP_MM, sign * y * SLIP_MM)), rings=1, points=24)
        for sign in (-1, 1)
        for x, y in (DIAGONAL, ACROSS)
    ]
    return Margins(
        min(one.closes for one in moved),
        min(one.closes_in_company for one in moved),
        max(one.disturbs for one in moved),
    )


def thresholds(build: Build) -> tuple[Range, Range]:
    """Return what closes every reed of the class, and what the most willing one may still be closed at; in ampere."""
    reed, half_mm = build.sensor.reed, build.wire().half_mm
    return needed(reed, reed.pull_in_at[1], half_mm), needed(reed, reed.least_release_at, half_mm)


def own_field(build: Build, rings: int, points: int) -> Points:
    """Return what the reed feels of a magnet of 1 T, in ampere, wherever on its square its piece may stand."""
    return gathered(build.sensor.magnet, 1.0, build.wire(), circle(rings, points))


def neighbours_field(build: Build, points: int) -> float:
    """Return the most that pieces on the eight squares around bring about, in ampere, with magnets of 1 T.

    Each stands as badly as it may, or is not there: those of one sign count, for they might stand alone.
    """
    wire, off = build.wire(), circle(1, points)
    fields = [
        gathered(build.sensor.magnet, 1.0, wire, off + np.array([file, rank]) * SQUARE_MM)
        for file, rank in itertools.product((-1, 0, 1), repeat=2)
        if file or rank
    ]
    return max(_adding_up(fields), _adding_up(-field for field in fields))


def _adding_up(fields: Iterable[Points]) -> float:
    return sum(max(0.0, float(field.max())) for field in fields)


def circle(rings: int, points: int) -> Points:
    """Return places up to `OFF_MM` from the origin: the edge alone for one ring, else the middle and more rings too."""
    turns = np.linspace(0, 2 * math.pi, points, endpoint=False)
    edge = np.column_stack([np.cos(turns), np.sin(turns)]) * OFF_MM
    return edge if rings == 1 else np.vstack([edge * ring / rings for ring in range(rings + 1)])


def millitesla(build: Build, ampere: float) -> float:
    """Return the uniform field along this build's reed that its gap feels as much of."""
    return as_millitesla(ampere, build.wire().half_mm)


def what_it_was_run_with(sensor: SquareSensor) -> str:
    """Return the build in one line."""
    least, most = sensor.reed.pull_in_at
    return (
        f"magnet {sensor.magnet}; felt {sensor.felt_mm:g} mm; sheet {sensor.sheet_mm:g} mm; reed {sensor.reed.model}, "
        f"{least:g} to {most:g} AT, cut to {sensor.cut_mm:g} mm, its middle {sensor.shift_mm:g} mm off the square's"
    )


def guide_table(build: Build) -> Iterator[str]:
    """Yield the guide's table of margins, as Markdown."""
    nominal, slipped = margins(build), worst_slipped(build)
    closes, stays = thresholds(build)
    wanted = f"{CLOSES:g} or more", "1 or more", f"{DISTURBS:g} or less"
    rows = (
        (f"field of its own piece, up to {OFF_MM:g} mm off the middle, over what closes every reed", "closes"),
        ("the same, with pieces on the neighbours against it", "closes_in_company"),
        ("field of pieces on the eight neighbours, over the weakest that holds a reed closed", "disturbs"),
    )
    yield f"| At its worst | wanted | reed in its place | reed {SLIP_MM:g} mm off |"
    yield "|---|---|---|---|"
    for (words, name), asked in zip(rows, wanted, strict=True):
        yield f"| {words} | {asked} | {getattr(nominal, name):.2f} | {getattr(slipped, name):.2f} |"
    yield ""
    yield (
        f"In a uniform field along it every reed closes at {millitesla(build, closes.most):.1f} mT at the latest, "
        f"and none stays closed below {millitesla(build, stays.least):.1f} mT. With ordinary reeds of the same class, "
        f"which may stay closed down to {ORDINARY * 100:.0f} %, the last row is "
        f"{_ordinary(nominal.disturbs, build):.2f} and {_ordinary(slipped.disturbs, build):.2f}."
    )


def _ordinary(disturbs: float, build: Build) -> float:
    return disturbs * build.sensor.reed.release_share / ORDINARY
