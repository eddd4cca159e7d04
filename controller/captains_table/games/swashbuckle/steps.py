"""The steps of a match of Swashbuckle: the inputs that the game waits for.

Source: docs/rules/swashbuckle.md.
"""

from typing import Final

from msgspec import Struct

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import Over

MOST_WITHOUT_TIES: Final = 8  # up to this many players, tied throws to decide who begins count 0 (W1, W9)


class BoxOrderStep(Struct, frozen=True):
    """The step in which players throw a die to decide who begins (W1, W9).

    Attributes:
        thrown: the faces thrown so far, in the order in which the seats throw.
        among: the seats that throw again, since they were tied for the highest throw; empty if all seats throw.
    """

    thrown: tuple[int, ...] = ()
    among: tuple[int, ...] = ()

    @property
    def thrower(self) -> int:
        """The seat that throws next."""
        return self.among[len(self.thrown)] if self.among else len(self.thrown)

    @staticmethod
    def ties_throw_again(players: int) -> bool:
        """Return whether, after a tie, only the players who threw the highest face throw again.

        This is so in matches of more than eight players (W9).
        """
        return players > MOST_WITHOUT_TIES


class ChallengeRestStep(Struct, frozen=True):
    """The step in which a challenge sheet waits for its player to start it (N1)."""


class BoxChoiceStep(Struct, frozen=True):
    """The step in which the player fills a box, throws again (W2), or hornswaggles (W4)."""


class BoxHoldStep(Struct, frozen=True):
    """The step in which the player chooses which dice to keep; the other dice are thrown again.

    `hornswaggle` says whether the next throw is the extra throw that costs points (W4).
    """

    hornswaggle: bool = False


class PiracyFallen(Struct, frozen=True):
    """The step after the throw for piracy, in which the player stands or hornswaggles (W6)."""


class Raiding(Struct, frozen=True):
    """The step in which the player chooses the opponent who loses `points` to a raid (W6)."""

    points: int


class Cursing(Struct, frozen=True):
    """The step at the end of a turn in which the player may curse another player (W7)."""


SwashbuckleStep = (
    BoxOrderStep | ChallengeRestStep | ThrowStep | BoxChoiceStep | BoxHoldStep | PiracyFallen | Raiding | Cursing | Over
)
