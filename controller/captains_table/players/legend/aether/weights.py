"""Weights set by hand."""

from captains_table.players.legend.aether.evaluation import Weights

CHANCES = (0.0, 1.0, 0.995, 0.963, 0.875, 0.704, 0.421)  # that the die permits a piece of a class within three throws


def _square(value: int, square: int) -> float:
    rank, file = square >> 3, square & 7
    centre = 3.5 - max(abs(rank - 3.5), abs(file - 3.5))
    match value:
        case 1:
            return (0, 1, 1.2, 1.6, 2.4, 4.0, 2.5, 0)[rank]
        case 5:
            return -0.3 * rank
        case _:
            return (0, 0, 2.0, 2.5, 3.0, 0, 4.0)[value] + 0.25 * centre


WEIGHTS = Weights(
    squares=tuple(tuple(_square(value, square) for square in range(64)) for value in range(1, 7)),
    attack=tuple(9 * chance for chance in CHANCES),
    attack_stake=CHANCES,
    attack_keeps=tuple(-chance for chance in CHANCES),
    exposed=tuple(-3 * chance for chance in CHANCES),
    exposed_stake=tuple(-0.35 * chance for chance in CHANCES),
    exposed_keeps=tuple(-0.35 * chance for chance in CHANCES),
    stake=0.1,
    stake_against=-0.1,
    genie=1.0,
    turn=2.0,
)
