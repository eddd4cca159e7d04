"""A slow, plain expectimax of Legend, written from the rules: no pruning, nothing remembered, moves by the game itself.

Only what a position is worth that is not looked into further is Aether's own. Tallies are kept by colour.

Source: docs/rules/legend.md L5 - L20.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import chess

from captains_table.games.legend.position import CASTLING_DIE, LEGEND_START, PIECE_VALUES, LegendPosition, strikes
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.board import AetherBoard
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import Situation

CARGO = 7721004643 / 1451188224
TREASURE = 7
FACES = range(1, 7)
FEWEST = 6  # moves of a position that is more than bare kings
LETTER_VALUES = {"p": 1, "n": 2, "b": 3, "r": 4, "k": 5, "q": 6}
Pair = tuple[float, float]  # Black's, White's


class Round(NamedTuple):
    """A round before a turn."""

    position: LegendPosition
    cargo: Pair
    held: Pair
    genie_spent: tuple[bool, bool]
    turns_left: int | None

    def passed(self, made: LegendPosition, treasure: float = 0, taken: float = 0) -> "Round":
        """Return the other's turn after one that found and took so much."""
        cargo, held, mover = list(self.cargo), list(self.held), self.position.white
        cargo[mover] += CARGO + treasure
        held[mover] += taken
        left = None if self.turns_left is None else self.turns_left - 1
        return self._replace(position=made, cargo=(cargo[0], cargo[1]), held=(held[0], held[1]), turns_left=left)


class PlainExpectimax:
    """Values turns before their first throw, for the player who is to throw."""

    def __init__(self, evaluation: Evaluation, *, scores_piece: bool = False) -> None:
        self._evaluation = evaluation
        self._scores_piece = scores_piece

    def of(self, situation: Situation, depth: int) -> float:
        """Return the value of a situation's turn, the present tallies included."""
        return self.turn(round_of(situation), depth) + lead_of(situation)

    def turn(self, begun: Round, depth: int) -> float:
        """Return what a turn before its first throw is worth, the tallies so far not included."""
        if begun.turns_left == 0:
            return 0.0
        if depth == 0:
            return self._leaf(begun)
        return self.thrown(begun, self.weighed_moves(begun, depth), depth, throws=0)

    def weighed_moves(self, begun: Round, depth: int) -> list[tuple[int, float]]:
        """Return the value of the piece that each move moves, and what the move is worth without its score."""
        position, found = begun.position, list[tuple[int, float]]()
        for move in list(position.generate(max(FACES))):
            value = CASTLING_DIE if position.is_castling(move) else position.value_of(move)
            found.append((value, self._after_move(begun, move, depth)))
        return found

    def thrown(self, begun: Round, moves: list[tuple[int, float]], depth: int, throws: int) -> float:
        """Return what throwing the die is worth after so many throws."""
        third = [[worth for value, worth in moves if value <= die] for die in FACES]  # the die scores nothing
        value = sum(max(permitted) if permitted else self.forfeited(begun, depth) for permitted in third) / 6
        for _ in range(2 - throws):
            value = sum(self._earlier(die, moves, value) for die in FACES) / 6
        return value

    def forfeited(self, begun: Round, depth: int) -> float:
        """Return what a turn without a move is worth."""
        return CARGO - self.turn(begun.passed(begun.position.pass_turn()), depth - 1)

    def _earlier(self, die: int, moves: list[tuple[int, float]], thrown_again: float) -> float:
        scored = [worth + (value if self._scores_piece else die) for value, worth in moves if value <= die]
        return max([*scored, thrown_again])

    def _after_move(self, begun: Round, move: chess.Move, depth: int) -> float:
        position, mover = begun.position, begun.position.white
        made = position.play(move)
        taken = position.captured(move)
        treasure = TREASURE if position.is_castling(move) or position.reaches_seventh(move) else 0
        gain = CARGO + treasure
        if taken is not None and taken[0] == chess.KING:
            return gain + 5 + 2 * min(begun.cargo[not mover], begun.held[mover] + 5)
        gain += strikes(position, made, mover)
        value = 0 if taken is None else PIECE_VALUES[taken[0]]
        return gain - self.turn(begun.passed(made, treasure, value), depth - 1)

    def _leaf(self, begun: Round) -> float:
        mover, evaluation = begun.position.white, self._evaluation
        board = aethers_board(begun.position)
        reserve = evaluation.weights.genie * (begun.genie_spent[not mover] - begun.genie_spent[mover])
        purse = (begun.cargo[mover], begun.cargo[not mover], begun.held[mover], begun.held[not mover])
        return evaluation.of(board, evaluation.placed(board) + reserve, purse)


def aethers_board(position: LegendPosition) -> AetherBoard:
    """Return a position as Aether has it, straight from the board inside."""
    board, mover = position._board, position.white
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.kings, board.queens)
    own, theirs = ([kind & board.occupied_co[colour] for kind in kinds] for colour in (mover, not mover))
    corners = (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8)
    rights = sum(1 << place for place, corner in enumerate(corners) if board.clean_castling_rights() & corner)
    passed_square = 0 if board.ep_square is None else chess.BB_SQUARES[board.ep_square]
    p, n, b, r, k, q = own
    xp, xn, xb, xr, xk, xq = theirs
    return (p, n, b, r, k, q, xp, xn, xb, xr, xk, xq, rights, passed_square, int(mover))


def lead_of(situation: Situation) -> int:
    """Return how far the side to move leads."""
    white, black = (cargo + legend for cargo, legend in zip(situation.cargo, situation.legend, strict=True))
    return white - black if chess.Board(situation.fen).turn == chess.WHITE else black - white


def round_of(situation: Situation) -> Round:
    """Return the round that a situation is in; its pairs are White's first."""
    held = [float(sum(LETTER_VALUES[letter] for letter in letters)) for letters in situation.captures]
    white_spent, black_spent = situation.genie_spent
    return Round(
        LegendPosition.from_fen(situation.fen),
        (float(situation.cargo[1]), float(situation.cargo[0])),
        (held[1], held[0]),
        (black_spent, white_spent),
        situation.turns_left,
    )


def ordinary_situations(count: int, seed: int = 1, most_moves: int | None = None) -> Iterator[Situation]:
    """Yield situations before a turn's first throw, from games played at random but for kings, and tallies by chance.

    Either side has `most_moves` at most, and some.
    """
    rng = random.Random(seed)
    while count > 0:
        found = _situation(rng, rng.randint(0, 60 if most_moves is None else 160))
        if found is not None and (most_moves is None or _has_few_moves(found, most_moves)):
            yield found
            count -= 1


def _has_few_moves(situation: Situation, most: int) -> bool:
    position = LegendPosition.from_fen(situation.fen)
    return all(FEWEST <= len(list(each.generate(6))) <= most for each in (position, position.pass_turn()))


def _situation(rng: random.Random, plies: int) -> Situation | None:
    position, captures = LEGEND_START, {chess.WHITE: "", chess.BLACK: ""}
    for _ in range(plies):
        taken_by = {move: position.captured(move) for move in position.generate(rng.randint(1, 6))}
        moves = [move for move, taken in taken_by.items() if taken is None or taken[0] != chess.KING]
        taking = [move for move in moves if taken_by[move]]
        if not moves:
            position = position.pass_turn()
            continue
        move = rng.choice(taking if taking and rng.random() < 0.5 else moves)
        taken = taken_by[move]
        captures[position.white] += "" if taken is None else chess.piece_symbol(taken[0])
        position = position.play(move)
    if not any(position.generate(max(FACES))):
        return None
    return Situation(
        position.fen(),
        die=None,
        throws=0,
        cargo=(rng.randint(0, 40), rng.randint(0, 40)),
        legend=(rng.randint(0, 40), rng.randint(0, 40)),
        captures=(captures[chess.WHITE], captures[chess.BLACK]),
        genie_spent=(rng.random() < 0.5, rng.random() < 0.5),
        rounds_left=rng.randint(0, 2),
    )


def greatest_error(situations: Sequence[Situation], depth: int, evaluation: Evaluation) -> float:
    """Return by how much Aether's value of situations before a throw differs from the plain one at most."""
    aether = Aether(evaluation)
    return max(abs(error_of(situation, depth, evaluation, aether)) for situation in situations)


def error_of(situation: Situation, depth: int, evaluation: Evaluation, aether: Aether) -> float:
    """Return how far Aether's value of a situation before a throw lies above the plain one."""
    plain = PlainExpectimax(evaluation, scores_piece=situation.scores_piece)
    return aether.find(situation, AetherLimits(depth=depth)).value - plain.of(situation, depth)
