"""Squares whose switch let go of the piece once: whether they close in their corners."""

from collections.abc import Iterable

from captains_table.doctor.diagnosis.steps import CORNERS
from captains_table.games.contract import Square


class CornerTest:
    """Asks for the piece in each corner of the squares under suspicion.

    Args:
        suspected: squares, and the switch that answers for each.
    """

    def __init__(self, suspected: Iterable[tuple[Square, Square]]) -> None:
        self._waiting = [(square, read, corner) for square, read in suspected for corner in CORNERS]
        self.open_in: dict[Square, list[str]] = {}

    @property
    def asked(self) -> Square | None:
        """The square that is asked for, None when all were."""
        return self._waiting[0][0] if self._waiting else None

    @property
    def switch(self) -> Square | None:
        """The switch that should close."""
        return self._waiting[0][1] if self._waiting else None

    @property
    def prompt(self) -> str:
        """What to do."""
        square, _, corner = self._waiting[0]
        return f"Put the piece into the {CORNERS[corner]} corner of {square}"

    def answered(self, *, closed: bool) -> None:
        """Take in whether the switch is closed while the piece stands there."""
        square, _, corner = self._waiting.pop(0)
        if not closed:
            self.open_in.setdefault(square, []).append(CORNERS[corner])

    def skip(self) -> None:
        """Leave the rest out."""
        self._waiting.clear()

    def sentences(self) -> list[str]:
        """Return what is wrong."""
        remedy = "Its reed lies too deep or too far aside (narrow reach)."
        return [
            f"{square} closes only in its middle, not in {_which(corners)}. {remedy}"
            for square, corners in self.open_in.items()
        ]


def _which(corners: list[str]) -> str:
    if len(corners) == len(CORNERS):
        return "any of its corners"
    return f"its {' and '.join(corners)} corner{'s' if len(corners) > 1 else ''}"
