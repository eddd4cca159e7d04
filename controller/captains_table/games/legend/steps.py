"""The steps of a turn of Legend: the inputs that the game waits for.

Source: docs/rules/legend.md.
"""

from msgspec import Struct

from captains_table.games.contract import Over, Square


class LegendMain(Struct, frozen=True):
    """The main step, in which the player throws, moves, summons the Genie, buys a piece back, or ends the turn.

    The player may also propose to abandon the round.
    """


class LegendThrowStep(Struct, frozen=True):
    """The step in which some dice are thrown without waiting for the roll button (L5)."""

    dice: tuple[int, ...]


class LegendHoldStep(Struct, frozen=True):
    """The step in which the player chooses which dice stay."""


class Treasure(Struct, frozen=True):
    """The step in which the two dice of a hidden treasure are thrown (L14)."""


class GenieDice(Struct, frozen=True):
    """The step in which the Genie's two dice are thrown (L18)."""


class GenieHop(Struct, frozen=True):
    """The step in which the player chooses to which of `squares` the Genie carries the king (L19)."""

    squares: tuple[Square, ...]


class BuyPiece(Struct, frozen=True):
    """The step in which the buyer chooses the kind of piece to buy back (L15)."""


class BuyOffer(Struct, frozen=True):
    """The step in which a player who buys back a piece chooses the offer: a price or a captured piece (L16a).

    `kind` is the kind of the piece that is bought back.
    """

    kind: int


class BuyPrice(Struct, frozen=True):
    """The step in which the buyer names a price for a piece of a kind (L16)."""

    kind: int


class BuyConsent(Struct, frozen=True):
    """The step in which the seller accepts or refuses the buyer's price (L16) or, with barter, asks a price (L16a)."""

    kind: int
    price: int


class BarterConsent(Struct, frozen=True):
    """The step in which the seller agrees to give a piece for the piece offered, refuses, or asks a price (L16a)."""

    kind: int
    given: int


class AskPrice(Struct, frozen=True):
    """The step in which the seller names a price for the piece that the buyer wants (L16a)."""

    kind: int


class PriceConsent(Struct, frozen=True):
    """The step in which the buyer accepts or refuses the seller's price (L16a)."""

    kind: int
    price: int


class Entering(Struct, frozen=True):
    """The step after a piece was bought back, in which the player chooses the square for it (L15).

    Attributes:
        kind: the kind of the piece.
        given: the kind of the piece that was given in exchange (L16a); `None` if the piece was bought for a price.
    """

    kind: int
    given: int | None = None


class AbandonConsent(Struct, frozen=True):
    """The step in which the opponent of the player on turn agrees to abandon the round, or refuses (L3)."""


LegendStep = (
    LegendMain
    | LegendThrowStep
    | LegendHoldStep
    | Treasure
    | GenieDice
    | GenieHop
    | BuyPiece
    | BuyPrice
    | BuyConsent
    | BuyOffer
    | BarterConsent
    | AskPrice
    | PriceConsent
    | Entering
    | AbandonConsent
    | Over
)
