"""What senses a piece: the magnet in its foot, what lies between, and the reed under its square.

`make field` calculates with these values how surely a square closes and its neighbours stay open.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Magnet:
    """A disc magnet, magnetised along its axis, lying flat in a piece's foot.

    Attributes:
        diameter_mm: its diameter.
        height_mm: its height.
        grade: how strong its material is, as sellers name it.
        remanence_t: the least and the most that grade stands for, in tesla.
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
        model: maker and series.
        pull_in_at: the class it is bought in: it closes at so many ampere-turns, least and most.
        release_share: it opens again at no less than this share of what closed it.
        length_mm: over both leads, as it is delivered and measured.
        glass_mm: its glass: length and diameter.
        lead_mm: diameter of its leads.
    """

    model: str
    pull_in_at: tuple[float, float]
    release_share: float
    length_mm: float
    glass_mm: tuple[float, float]
    lead_mm: float

    @property
    def least_release_at(self) -> float:
        """The fewest ampere-turns at which one of this class may still be closed."""
        return self.release_share * self.pull_in_at[0]


@dataclass(frozen=True, slots=True)
class SquareSensor:
    """How a square senses: reed and magnet, and where they are to each other.

    Attributes:
        magnet: in the foot of each piece, flush with it.
        felt_mm: what is glued over it.
        sheet_mm: what the pieces stand on; the reed's glass touches it from below.
        reed: under each square, level, on the diagonal towards the lower right corner.
        cut_mm: to which length the reed is cut, both leads left straight.
        shift_mm: from the square's middle to the reed's, along the reed.
    """

    magnet: Magnet
    felt_mm: float
    sheet_mm: float
    reed: Reed
    cut_mm: float
    shift_mm: float

    @property
    def depth_mm(self) -> float:
        """From the middle of the magnet down to the reed's axis."""
        return self.magnet.height_mm / 2 + self.felt_mm + self.sheet_mm + self.reed.glass_mm[1] / 2


# Data sheet MACD-14 (Littelfuse, 2017): close differential, 10 to 30 AT, glass 14.0 x 2.28, leads 0.51, 44.3 over all.
# A close differential is one of at least 70 % (reed-sensor.com, "Close Differential").
REED: Final = Reed("Littelfuse MACD-14", (20, 25), 0.7, 44.3, (14.0, 2.28), 0.51)
# "N45" begins at 1.32 T, "N52" ends at 1.48 T (the usual table of neodymium grades): any between them does.
MAGNET: Final = Magnet(15, 1, "N45-N52", (1.32, 1.48))
SENSOR: Final = SquareSensor(MAGNET, felt_mm=0.5, sheet_mm=2, reed=REED, cut_mm=32, shift_mm=12)
