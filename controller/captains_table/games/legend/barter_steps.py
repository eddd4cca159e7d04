"""What is waited for in bargains beside a plain price (docs/rules/legend.md L16a)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuyOffer:
    """The buyer chooses whether he offers a price, or a captured piece he holds (L16a)."""

    kind: int


@dataclass(frozen=True, slots=True)
class BarterConsent:
    """The opponent agrees to a piece for a piece, refuses, or asks a price (L16a)."""

    kind: int
    given: int


@dataclass(frozen=True, slots=True)
class AskPrice:
    """The seller names a price of his own (L16a)."""

    kind: int


@dataclass(frozen=True, slots=True)
class PriceConsent:
    """The buyer agrees to the seller's price, or refuses (L16a)."""

    kind: int
    price: int


BarterStep = BuyOffer | BarterConsent | AskPrice | PriceConsent
