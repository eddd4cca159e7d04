"""A fast simulation of one round of Legend on Aether's board, for training; it omits the Genie and buying back.

Source: docs/rules/legend.md L5 - L20.
"""

import random
from dataclasses import dataclass, field

from captains_table.games.common.dice import cargo
from captains_table.players.legend.aether.board import (
    AetherBoard,
    AetherMove,
    attackers,
    attackers_of_mover,
    board_of,
    passed_turn,
)
from captains_table.players.legend.aether.evaluation import Purse, stakes
from captains_table.players.legend.aether.search import finds_treasure, taken_by
from captains_table.players.legend.aether.situation import MOST_THROWS
from captains_table.players.legend.aether.throws import Bests
from captains_table.players.legend.dice_solver import cargo_policy

START = board_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
LONGEST = 200  # turns, after which a round is broken off


@dataclass(slots=True)
class TrainingRound:
    """The state of a round at the beginning of a turn; every pair is (White's, Black's).

    Attributes:
        board: the position.
        number: the number of turns before this one in the round.
        cargo: the cargo tallies.
        legend: the legend tallies.
        held: the total values of each side's captures.
        is_over: whether a king was taken, or the round was broken off after LONGEST turns.
    """

    board: AetherBoard = START
    number: int = 0
    cargo: list[int] = field(default_factory=lambda: [0, 0])
    legend: list[int] = field(default_factory=lambda: [0, 0])
    held: list[int] = field(default_factory=lambda: [0, 0])
    is_over: bool = False

    @property
    def mover(self) -> int:
        """The side to move: 0 for White, 1 for Black."""
        return 1 - self.board[14]

    def purse(self) -> Purse:
        """Return the tallies on which a king's settlement depends.

        These are the mover's cargo, the opponent's cargo, and the values of the mover's and of the opponent's captures.
        """
        own, other = self.mover, 1 - self.mover
        return float(self.cargo[own]), float(self.cargo[other]), float(self.held[own]), float(self.held[other])

    def lead(self) -> int:
        """Return how many points White is ahead; negative if White is behind."""
        return self.cargo[0] + self.legend[0] - self.cargo[1] - self.legend[1]


def throw_legend_die(bests: Bests, rng: random.Random) -> tuple[int, int, AetherMove | None]:
    """Throw the Legend die as long as that is best, and return the last face, the number of throws, and the best move.

    The move is `None` if no permitted piece can move.
    """
    throws, die = 1, rng.randint(1, 6)
    while throws < MOST_THROWS and (die < bests.lowest or bests.scored[die] < bests.again(throws)):
        throws, die = throws + 1, rng.randint(1, 6)
    if die < bests.lowest:
        return die, throws, None
    return die, throws, (bests.scoring_moves if throws < MOST_THROWS else bests.moves)[die]


def cargo_of_turn(rng: random.Random) -> int:
    """Throw the cargo dice with the optimal policy, and return the cargo."""
    faces = [rng.randint(1, 6) for _ in range(5)]
    for left in (2, 1):
        kept = list(cargo_policy().best(tuple(sorted(faces)), left).kept)
        faces = kept + [rng.randint(1, 6) for _ in range(5 - len(kept))]
    return cargo(faces)


def play(turn: TrainingRound, move: AetherMove | None, points: int, rng: random.Random) -> int:
    """Play a turn to its end, and return the cargo that the turn's cargo dice brought.

    Args:
        turn: the round, which is advanced to its next turn.
        move: the move; `None` to forfeit it.
        points: the legend points that the move scores.
        rng: the source of random numbers for the cargo dice and treasures.
    """
    mover, board = turn.mover, turn.board
    turn.number += 1
    home = cargo_of_turn(rng)
    if move is None:
        turn.board = passed_turn(board)
        turn.cargo[mover] += home
        return home
    made = move[3]
    taken, _ = taken_by(board, move)
    turn.legend[mover] += points
    if finds_treasure(board, move):
        turn.cargo[mover] += rng.randint(1, 6) + rng.randint(1, 6)
    if not made[4]:
        turn.legend[mover] += 5
        paid = int(stakes(turn.purse())[0] - 5) // 2
        turn.cargo[mover] += paid
        turn.cargo[1 - mover] -= paid
        turn.is_over = True
    elif attackers_of_mover(made) & ~attackers(board):
        turn.legend[mover] += 1
    turn.held[mover] += taken
    turn.cargo[mover] += home
    turn.board = made
    turn.is_over = turn.is_over or turn.number >= LONGEST
    return home
