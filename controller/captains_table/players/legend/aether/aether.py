"""Aether's interface: it finds the best action in a `Situation` of Legend, or the values of all actions.

Create one `aether = Aether()` and reuse it (its cache is bounded):

    aether.find(situation, AetherLimits(nodes=20_000))            -> FoundAction
    aether.find(situation, AetherLimits(until=t, seconds=clock))  -> FoundAction, within the time
    aether.weigh(situation, AetherLimits(...))                    -> Weighed: the value of every possible action

All values are measured as `FoundAction.value`: the expected difference of the grand scores at the end of the match for
the side to move, including the current tallies.

Source: docs/rules/legend.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, TypeVar

from captains_table.players.legend.aether.bits import BIT64
from captains_table.players.legend.aether.board import (
    AETHER_LETTERS,
    KEPT,
    KING,
    AetherBoard,
    attackers,
    attackers_of_mover,
    board_of,
    moves_of,
    occupied_of,
    uci_of,
)
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.search import AetherLimitReached, AetherLimits, AetherSearch, Node, next_node
from captains_table.players.legend.aether.situation import MOST_THROWS, ActionKind, FoundAction, Situation
from captains_table.players.legend.aether.throws import CARGO, Bests
from captains_table.players.legend.aether.weights import WEIGHTS

T = TypeVar("T")
_Choice = tuple[float, ActionKind, str | None]
NO_LIMITS: Final = AetherLimits()
GENIE_DEPTH: Final = 2  # maximum search depth for the Genie's squares, some two dozen: a few milliseconds
INNER: Final = range(1, 7)  # the Genie's files and ranks, from 0


@dataclass(frozen=True, slots=True)
class Weighed:
    """The value of each possible action, measured as `FoundAction.value`.

    Attributes:
        moves: the value of each permitted move, keyed by its UCI text; empty before the first throw of the Legend die.
        throw: the value of throwing the Legend die (again); `None` if that is not allowed.
        genie: the value of summoning the Genie; `None` if that is not allowed.
        forfeit: the value of forfeiting the move; `None` if a piece can move or the die can be thrown again.
    """

    moves: Mapping[str, float]
    throw: float | None
    genie: float | None
    forfeit: float | None


@dataclass(frozen=True, slots=True)
class _Looked:
    """The result of a search.

    Attributes:
        bests: the best moves at each finished depth, starting with depth 1.
        depth: the last finished depth.
        nodes: the number of positions that were searched.
    """

    bests: list[Bests]
    depth: int
    nodes: int


class Aether:
    """A player of Legend that finds actions and values by search.

    Every search starts with an empty transposition table, so that the same question always gets the same answer. `find`
    uses the result of its last search again if the position and the limits are the same and there is no deadline; this
    is common, because throwing the die again does not change the position.
    """

    def __init__(self, evaluation: Evaluation | None = None, table_size: int | None = None) -> None:
        evaluation = evaluation or Evaluation(WEIGHTS)
        self._search = AetherSearch(evaluation) if table_size is None else AetherSearch(evaluation, table_size)
        self._last: tuple[tuple[object, ...], _Looked] | None = None

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:
        """Return the best action that a search within the limits finds."""
        root = root_of(situation, self._search.evaluation)
        looked = self._looked(root, situation, limits)
        before = self._search.nodes
        value, action, move = max(_choices(situation, looked.bests[-1]), key=itemgetter(0))
        if may_summon(situation):
            depth = min(looked.depth, GENIE_DEPTH)
            bests = looked.bests[depth - 1]
            better = self._genie(situation, root, bests, depth) - max(_choices(situation, bests), key=itemgetter(0))[0]
            if better > 0:
                value, action, move = value + better, "genie", None
        nodes = looked.nodes + self._search.nodes - before
        return FoundAction(action, move, value + tally_lead(situation), looked.depth, nodes)

    def weigh(self, situation: Situation, limits: AetherLimits) -> Weighed:
        """Return the value of every possible action.

        All values are exact. Therefore the search reaches a smaller depth than `find` within the same limits.
        """
        root = self._begin(situation)
        weighed, _ = self._deepen(limits, lambda depth: self._weigh(situation, root, depth))
        return weighed[-1]

    # --- deepening --------------------------------------------------------------------------------------------------

    def _begin(self, situation: Situation) -> Node:
        self._search.begin(scores_piece=situation.scores_piece)
        return root_of(situation, self._search.evaluation)

    def _looked(self, root: Node, situation: Situation, limits: AetherLimits) -> _Looked:
        """Return the best moves for each face of the die, at each search depth that was finished."""
        question = (root, situation.scores_piece, limits)
        if self._last is not None and self._last[0] == question and limits.until is None:
            self._search.begin(scores_piece=situation.scores_piece)
            return self._last[1]
        self._begin(situation)
        bests, depth = self._deepen(limits, lambda depth: self._search.bests(root, depth))
        looked = _Looked(bests, depth, self._search.nodes)
        self._last = question, looked
        return looked

    def _deepen(self, limits: AetherLimits, at_depth: Callable[[int], T]) -> tuple[list[T], int]:
        """Search deeper until a limit is reached; return the result at each finished depth, and the number of depths.

        Depth 1 is always finished.

        Args:
            limits: when to stop the search.
            at_depth: returns the result at a depth.
        """
        found = [at_depth(1)]
        self._search.limit(limits)
        try:
            while len(found) < limits.depth:
                found.append(at_depth(len(found) + 1))
        except AetherLimitReached:
            pass
        self._search.limit(NO_LIMITS)
        return found, len(found)

    # --- one depth --------------------------------------------------------------------------------------------------

    def _weigh(self, situation: Situation, root: Node, depth: int) -> Weighed:
        moves, before = moves_of(root.board), attackers(root.board)
        lowest = moves[0][0] if moves else 7
        bests = Bests(lowest, self._search.forfeited(root, depth), situation.scores_piece)
        values: dict[str, float] = {}
        lead, die = tally_lead(situation), situation.die
        for move in moves:
            value = self._search.move_value(root, move, depth, before)
            bests.learn(move, value)
            if die is not None and move[0] <= die:
                values[uci_of(move[1], move[2])] = value + _points_for_move(situation, move[0]) + lead
        throw = bests.again(situation.throws) + lead if may_throw(situation) else None
        forfeit = None if values or throw is not None else bests.forfeited + lead
        genie = self._genie(situation, root, bests, depth) + lead if may_summon(situation) else None
        return Weighed(values, throw, genie, forfeit)

    def _genie(self, situation: Situation, root: Node, bests: Bests, depth: int) -> float:
        """Return the value of summoning the Genie.

        The value is the mean over all throws of the Genie's dice. A throw gives two squares. If one is vacant, the
        throw has the value of going there; if both are vacant, that of the better square. If both are occupied, the
        player moves by the present face of the Legend die, or forfeits the move. The throw then has the value of this
        move or forfeit, minus the value of the spent Genie.
        """
        occupied = occupied_of(root.board)
        hops: dict[int, float] = {}
        total = 0.0
        lying = _lying(situation, bests)
        otherwise = (bests.forfeited if lying is None else lying[0]) - self._search.evaluation.weights.genie
        for one in INNER:
            for two in INNER:
                squares = [square for square in _genie_squares(root.board, one, two) if not occupied & BIT64[square]]
                for square in squares:
                    if square not in hops:
                        hops[square] = self._hop(situation, root, square, depth)
                total += max((hops[square] for square in squares), default=otherwise)
        return total / len(INNER) ** 2

    def _hop(self, situation: Situation, root: Node, square: int, depth: int) -> float:
        """Return the value of a turn in which the Genie carries the king to a square, including the turn's points."""
        board, evaluation = root.board, self._search.evaluation
        king = board[4].bit_length() - 1
        made = _hopped(board, BIT64[square], board[12] & KEPT[king])
        own = evaluation.squares[board[14]][KING]
        spent = 0.0 if situation.genie_spent[_mover(situation)] else evaluation.weights.genie
        placed = root.placed + own[square] - own[king] - spent
        struck = bool(attackers_of_mover(made) & ~attackers(board))
        gain = CARGO + _points_for_move(situation, KING) + struck
        return gain - self._search.value(next_node(root, made, placed), depth - 1)


def tally_lead(situation: Situation) -> int:
    """Return how many points the side to move is ahead by the current tallies."""
    white = (situation.cargo[0] + situation.legend[0]) - (situation.cargo[1] + situation.legend[1])
    return white if _mover(situation) == 0 else -white


def root_of(situation: Situation, evaluation: Evaluation) -> Node:
    """Return the search node of a situation."""
    board, mover = board_of(situation.fen), _mover(situation)
    held = [float(sum(AETHER_LETTERS.index(letter) for letter in captures)) for captures in situation.captures]
    cargo = situation.cargo
    purse = (float(cargo[mover]), float(cargo[1 - mover]), held[mover], held[1 - mover])
    genies = situation.genie_spent[1 - mover] - situation.genie_spent[mover]
    placed = evaluation.placed(board) + genies * evaluation.weights.genie
    return Node(board, placed, purse, situation.turns_left)


def may_summon(situation: Situation) -> bool:
    """Return whether the Genie may be summoned (L18)."""
    return situation.die is not None and not situation.genie_spent[_mover(situation)]


def may_throw(situation: Situation) -> bool:
    """Return whether the Legend die may be thrown."""
    return situation.throws < MOST_THROWS and not situation.is_final


def _points_for_move(situation: Situation, kind: int) -> int:
    """Return the points that a move by a piece of this class scores with the die as it shows now (L9)."""
    if situation.throws >= MOST_THROWS or situation.die is None:
        return 0
    return kind if situation.scores_piece else situation.die


def _choices(situation: Situation, bests: Bests) -> list[_Choice]:
    """Return the choices that are allowed, with their values: to throw the die, and to move or forfeit."""
    choices: list[_Choice] = []
    if may_throw(situation):
        choices.append((bests.again(situation.throws), "throw", None))
    lying = None if situation.die is None else _lying(situation, bests)
    return choices if lying is None else [*choices, lying]


def _lying(situation: Situation, bests: Bests) -> _Choice | None:
    """Return the choice to keep the face that the die shows: the best permitted move, or a forfeit if there is none.

    The result is `None` if the face permits no move and the die must be thrown again (L8).
    """
    die = situation.die or 0
    if die < bests.lowest:
        return None if may_throw(situation) else (bests.forfeited, "move", None)
    has_score = situation.throws < MOST_THROWS
    move = (bests.scoring_moves if has_score else bests.moves)[die]
    value = (bests.scored if has_score else bests.unscored)[die]
    return value, "move", None if move is None else uci_of(move[1], move[2])


def _mover(situation: Situation) -> int:
    return 0 if situation.fen.split()[1] == "w" else 1


def _genie_squares(board: AetherBoard, one: int, two: int) -> set[int]:
    """Return the squares that the Genie's two dice give; for Black, the board is turned by 180 degrees (L18)."""
    squares = {one + 8 * two, two + 8 * one}
    return squares if board[14] else {63 - square for square in squares}


def _hopped(board: AetherBoard, king: int, rights: int) -> AetherBoard:
    """Return the board after the mover's king was carried to a square, given as a bit; then the other side moves."""
    p, n, b, r, _, q, xp, xn, xb, xr, xk, xq, _, _, white = board
    return (xp, xn, xb, xr, xk, xq, p, n, b, r, king, q, rights, 0, 1 - white)
