"""Which of Legend's cargo dice stay: for the most cargo, for winning where this turn ends the match, or by a slip.

Source: docs/rules/legend.md L4 - L6.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from captains_table.games.common.dice import cargo
from captains_table.games.legend.state import CARGO_DICE, MAX_THROWS, State
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.cargo_solver import FreeHold, cargo_dice
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.common.strategies import Below

MOST_CARGO = 12
WINNING = 1000  # weighs more than any cargo
KEPT_BY_A_SLIP = 2  # of three dice that should stay


def best_keep(state: State, needed: int | None = None) -> tuple[int, ...]:
    """Return the cargo dice that stay under best play; all of them where none is better thrown.

    Args:
        state: the cargo dice have fallen and may be thrown again.
        needed: the cargo from which on this turn wins the match; `None` where it does not end it.
    """
    faces = [face for face in state.turn.cargo_faces if face is not None]
    dice = cargo_dice() if needed is None else _to_win(needed)
    kept = dice.best(faces, MAX_THROWS - state.turn.cargo_throws).kept
    return dice_showing(kept, state.turn.faces, CARGO_DICE)


@lru_cache(maxsize=4)
def _to_win(needed: int) -> FreeHold:
    """Return what the dice are worth where a certain cargo wins the match; beyond that more is better, as ever."""
    return FreeHold(
        [Fraction((cargo(multiset) >= needed) * WINNING + cargo(multiset)) for multiset in dice_multisets(5).full]
    )


def slipped(kept: Sequence[int], below: Below) -> tuple[int, ...]:
    """Return a keep as somebody errs who overlooks what his dice have come to: some of the good ones are thrown too."""
    return tuple(die for die in kept if below(3) < KEPT_BY_A_SLIP)


def least_loss(state: State) -> int:
    """Return which cargo die costs least where one must be thrown though all had better stay."""
    faces = tuple(face or 1 for face in state.turn.cargo_faces)
    left, dice = MAX_THROWS - state.turn.cargo_throws, cargo_dice()
    return max(CARGO_DICE, key=lambda die: dice.kept_value((*faces[: die - 1], *faces[die:]), left))
