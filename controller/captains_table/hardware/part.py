"""A part of a build: how many are needed, how many to buy, and what one may cost."""

import math
from dataclasses import dataclass

SPARE_SHARE = 0.1  # glass breaks, leads are bent once too often


@dataclass(frozen=True, slots=True)
class Part:
    """So many of a part, and what it is for.

    Attributes:
        quantity: how many, or how long or heavy.
        what: what to ask for in a shop.
        use: what it is for.
        unit: "m" or "kg", else empty.
        spare: how many more to buy.
        price_eur: what one may cost: an estimate that nobody has checked.
    """

    quantity: float
    what: str
    use: str
    unit: str = ""
    spare: float = 0
    price_eur: float = 0

    @property
    def buy(self) -> float:
        """How many to buy."""
        return self.quantity + self.spare

    @property
    def cost_eur(self) -> float:
        """What all that is bought may cost."""
        return self.buy * self.price_eur


def with_spares(quantity: int, what: str, use: str, price_eur: float) -> Part:
    """Return a part of which a tenth more is bought than needed."""
    return Part(quantity, what, use, spare=math.ceil(quantity * SPARE_SHARE), price_eur=price_eur)
