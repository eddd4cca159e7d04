"""What printing a case takes, estimated from the bodies of its parts: plastic and hours."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from manifold3d import Manifold

from tests.support.case_model import Model, model_of

# Three lines of a 0.4 mm nozzle around everything, a fifth of the rest filled; PLA has 1.24 g/cm3 (its data sheets);
# 8 mm3/s is what such a printer lays down on average with 0.2 mm layers, its ways without printing counted in.
WALL_MM: Final = 1.2
FILLED: Final = 0.2
GRAMS_A_CM3: Final = 1.24
CM3_AN_HOUR: Final = 8 * 3.6
KINDS: Final = ("tile", "rail", "bearer", "console", "lid")
TILES: Final = {8: "[4, 4]", 9: "[3, 4]"}  # of a table of so many files, as four of them or six


@dataclass(frozen=True, slots=True)
class Printing:
    """So much plastic, in cubic centimetres."""

    plastic_cm3: float

    @property
    def grams(self) -> float:
        """Its weight."""
        return self.plastic_cm3 * GRAMS_A_CM3

    @property
    def hours(self) -> float:
        """How long it takes to lay it down."""
        return self.plastic_cm3 / CM3_AN_HOUR


def built(files: int, *definitions: str) -> Model:
    """Return the case of a table with so many files."""
    with tempfile.TemporaryDirectory() as folder:
        return model_of(Path(folder), f"files={files}", f"tile={TILES[files]}", *definitions)


def printed(model: Model) -> dict[str, Printing]:
    """Return what each kind of printed part takes, all of that kind together."""
    sums = dict.fromkeys(KINDS, 0.0)
    for name, body in model.bodies.items():
        for kind in KINDS:
            if kind in name.split()[:2] and not name.startswith("screw"):
                sums[kind] += _plastic_mm3(body) / 1000
    return {kind: Printing(plastic_cm3) for kind, plastic_cm3 in sums.items()}


def together(model: Model) -> Printing:
    """Return what all printed parts take."""
    return Printing(sum(part.plastic_cm3 for part in printed(model).values()))


def _plastic_mm3(body: Manifold) -> float:
    volume = float(body.volume())
    walls = min(volume, float(body.surface_area()) * WALL_MM)
    return walls + (volume - walls) * FILLED


def main() -> None:
    """Print a table for each number of files."""
    for files in TILES:
        model = built(files)
        print(f"{files} files        g     h")
        for kind, part in (printed(model) | {"together": together(model)}).items():
            print(f"{kind:10} {part.grams:6.0f} {part.hours:5.0f}")


if __name__ == "__main__":
    main()
