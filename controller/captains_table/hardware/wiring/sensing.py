"""The dimensions and data of piece sensing: the magnet in a piece's foot, the layers below it, the reed under a square.

From these values `make field` calculates how reliably the reed of a piece's square closes while the neighbouring reeds
stay open.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Magnet:
    """A disc magnet, magnetised along its axis, lying flat in a piece's foot.

    Attributes:
        diameter_mm: the magnet's diameter.
        height_mm: the magnet's height.
        grade: the commercial name of the material's strength.
        remanence_t: the lowest and the highest remanence of that grade in tesla.
    """

    diameter_mm: float
    height_mm: float
    grade: str
    remanence_t: tuple[float, float]

    def __str__(self) -> str:
        return f"{self.diameter_mm:g} x {self.height_mm:g} mm, {self.grade}"


@dataclass(frozen=True, slots=True)
class Reed:
    """A reed switch, normally open.

    Attributes:
        model: the maker and the series.
        pull_in_at: the lowest and the highest pull-in value of the reed's class, in ampere-turns.
        release_share: the lowest ratio of release value to pull-in value.
        length_mm: the length over both leads, as delivered.
        glass_mm: the length and the diameter of the glass tube.
        lead_mm: the diameter of the leads.
    """

    model: str
    pull_in_at: tuple[float, float]
    release_share: float
    length_mm: float
    glass_mm: tuple[float, float]
    lead_mm: float

    @property
    def least_release_at(self) -> float:
        """The lowest release value of the reed's class, in ampere-turns; below this value every reed is open."""
        return self.release_share * self.pull_in_at[0]


@dataclass(frozen=True, slots=True)
class SquareSensor:
    """The sensor of a square: reed and magnet, and their positions.

    Attributes:
        magnet: the magnet in the foot of each piece, flush with the foot.
        felt_mm: the thickness of the felt glued over the magnet.
        sheet_mm: the thickness of the playing surface, which the reed's glass touches from below.
        reed: the reed under each square, horizontal, on the diagonal towards the lower right corner.
        cut_mm: the total length to which the reed is cut, with straight leads.
        shift_mm: the distance from the square's middle to the reed's middle, along the reed.
    """

    magnet: Magnet
    felt_mm: float
    sheet_mm: float
    reed: Reed
    cut_mm: float
    shift_mm: float

    @property
    def depth_mm(self) -> float:
        """The vertical distance from the middle of the magnet to the reed's axis."""
        return self.magnet.height_mm / 2 + self.felt_mm + self.sheet_mm + self.reed.glass_mm[1] / 2


# Data sheet MACD-14 (Littelfuse, 2017): close differential, 10 to 30 AT, glass 14.0 x 2.28, leads 0.51, 44.3 overall.
# "Close differential" means a release value of at least 70 % of the pull-in value (reed-sensor.com).
REED: Final = Reed("Littelfuse MACD-14", (20, 25), 0.7, 44.3, (14.0, 2.28), 0.51)
# "N45" begins at 1.32 T, "N52" ends at 1.48 T (the usual table of neodymium grades); any grade between them works.
MAGNET: Final = Magnet(15, 1, "N45-N52", (1.32, 1.48))
SENSOR: Final = SquareSensor(MAGNET, felt_mm=0.5, sheet_mm=2, reed=REED, cut_mm=32, shift_mm=12)
