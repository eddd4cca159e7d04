"""Aether's expectimax search over the moves of Legend and the throws of the Legend die.

A node is a turn before its first throw. A higher die permits all moves of a lower one (L8). Therefore a node needs only
one list of moves: each move is searched once, and the best move for each face of the die is a running maximum, from
which `throws` computes the node's value.

The search of a move ends as soon as the move cannot be better than a known move that the same face of the die permits
(Star1 pruning of chance nodes).

Source: docs/rules/legend.md L8 - L20.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from captains_table.players.legend.aether.bits import BIT64, RANK_2, RANK_7, least_class
from captains_table.players.legend.aether.board import (
    KING,
    PAWN,
    PROMOTIONS,
    ROOK,
    AetherBoard,
    AetherMove,
    attackers,
    attackers_of_mover,
    moves_of,
    passed_turn,
)
from captains_table.players.legend.aether.evaluation import Evaluation, Purse, stakes
from captains_table.players.legend.aether.last_ply import ABOVE_ALL_VALUES, last_turn
from captains_table.players.legend.aether.throws import CARGO, TREASURE, UNKNOWN, Bests

REMEMBERED: Final = 60_000  # positions in each of the transposition table's two generations


Moves = tuple[tuple[int, int], ...]  # from and to


class AetherLimitReached(Exception):
    """The search has reached one of its limits."""


@dataclass(frozen=True, slots=True)
class AetherLimits:
    """The limits of a search, which ends as soon as one of them is reached, but never before depth 1 is finished.

    Attributes:
        depth: the maximum depth in moves.
        nodes: the maximum number of positions; `None` for no maximum.
        until: the time to stop, by the clock `seconds`; `None` for no such time.
        seconds: returns the time of a monotonic clock; needed for `until`.
    """

    depth: int = 64
    nodes: int | None = None
    until: float | None = None
    seconds: Callable[[], float] | None = None


class Node(NamedTuple):
    """A turn before its first throw.

    Attributes:
        board: the position.
        placed: the position's piece-square value (`Evaluation.placed`), including the Genies in reserve.
        purse: the cargo and the captures of both sides, which decide the points for a captured king.
        turns_left: the number of turns until the round is broken off, including this one; `None` without a limit (L3).
    """

    board: AetherBoard
    placed: float
    purse: Purse
    turns_left: int | None = None


def next_node(node: Node, made: AetherBoard, placed: float, treasure: float = 0.0, taken: int = 0) -> Node:
    """Return the opponent's turn that follows a turn.

    Args:
        node: the turn.
        made: the board after the turn's move.
        placed: the piece-square value after that move, from the mover's view.
        treasure: the treasure that the move brings.
        taken: the class of the captured piece; 0 if none is captured.
    """
    cargo, other_cargo, held, other_held = node.purse
    left = None if node.turns_left is None else node.turns_left - 1
    return Node(made, -placed, (other_cargo, cargo + CARGO + treasure, other_held, held + taken), left)


class AetherSearch:
    """Searches positions, with a transposition table, killer moves and hash moves."""

    def __init__(self, evaluation: Evaluation, table_size: int = REMEMBERED) -> None:
        self.evaluation = evaluation
        self._table_size = table_size
        self.begin(scores_piece=False)

    def begin(self, *, scores_piece: bool) -> None:
        """Begin a new search with empty tables and without limits.

        Args:
            scores_piece: whether a move scores the piece's value instead of the die's (L9).
        """
        self._limits = AetherLimits()
        self.nodes = 0
        self._scores_piece = scores_piece
        self._values: dict[int, tuple[float, bool]] = {}
        self._older: dict[int, tuple[float, bool]] = {}
        self._hints: dict[int, Moves] = {}
        self._killers: dict[int, Moves] = {}

    def limit(self, limits: AetherLimits) -> None:
        """Set the limits; from now on, reaching the limit of positions or of time raises AetherLimitReached."""
        self._limits = limits

    def _check(self) -> None:
        limits = self._limits
        if limits.nodes is not None and self.nodes >= limits.nodes:
            raise AetherLimitReached
        if limits.until is not None and limits.seconds is not None and limits.seconds() >= limits.until:
            raise AetherLimitReached

    # --- a node -----------------------------------------------------------------------------------------------------

    def value(self, node: Node, depth: int, enough: float = ABOVE_ALL_VALUES) -> float:
        """Return the value of a turn for the side about to throw, without the current tallies.

        Args:
            node: the turn.
            depth: the search depth in moves.
            enough: from this value on, the result may be only a lower bound.
        """
        if node.turns_left == 0:
            return 0.0
        if depth == 0:
            self.nodes += 1
            return self.evaluation.of(node.board, node.placed, node.purse)
        self._check()
        key = hash((node, depth))
        known = self._values.get(key)
        if known is None:
            known = self._older.get(key)
        if known is not None and (known[1] or known[0] >= enough):
            return known[0]
        if depth == 1 and node.turns_left != 1 and not self._scores_piece:
            found, looked_at = last_turn(self.evaluation, node.board, node.placed, node.purse, enough)
            self.nodes += looked_at
        else:
            found = self.bests(node, depth, enough).turn()
        self._remember(key, found, is_exact=found < enough)
        return found

    def _remember(self, key: int, value: float, *, is_exact: bool) -> None:
        if len(self._values) >= self._table_size:
            self._older, self._values = self._values, {}
            self._hints.clear()
        self._values[key] = value, is_exact

    def bests(self, node: Node, depth: int, enough: float = ABOVE_ALL_VALUES) -> Bests:
        """Return the best moves of a turn for each face of the die.

        Args:
            node: the turn.
            depth: the search depth in moves.
            enough: once the turn is worth this much, the other moves may be left out.
        """
        moves = moves_of(node.board)
        lowest = moves[0][0] if moves else 7
        bests = Bests(lowest, self.forfeited(node, depth) if lowest > PAWN else 0.0, self._scores_piece)
        hint_key = hash(node.board)
        before = attackers(node.board)
        hints = (*self._hints.get(hint_key, ()), *self._killers.get(depth, ()))
        for move in self._ordered(node.board, moves, hints):
            floor = bests.floor(move[0])
            value = self.move_value(node, move, depth, before, floor)
            if value > floor:
                bests.learn(move, value)
                if enough < ABOVE_ALL_VALUES and bests.turn() >= enough:
                    break
        self._killers[depth] = self._hints[hint_key] = bests.best_moves()
        return bests

    def forfeited(self, node: Node, depth: int) -> float:
        """Return the value of a turn without a move (L8)."""
        return CARGO - self.value(next_node(node, passed_turn(node.board), node.placed), depth - 1)

    def move_value(self, node: Node, move: AetherMove, depth: int, before: int, floor: float = UNKNOWN) -> float:
        """Return the value of a move, without the legend points for the face of the Legend die.

        Args:
            node: the turn.
            move: a move of that turn.
            depth: the search depth in moves, including this move.
            before: the bitboard of the mover's pieces that attack the other king before the move.
            floor: if the value is at most `floor`, an upper bound of the value may be returned instead.
        """
        board, made = node.board, move[3]
        gain = CARGO + (TREASURE if finds_treasure(board, move) else 0.0)
        if not made[4]:  # the king is taken (L13, L20)
            self.nodes += 1
            return gain + stakes(node.purse)[0]
        if attackers_of_mover(made) & ~before:
            gain += 1.0  # a strike (L12)
        return gain - self.value(self.reached(node, move), depth - 1, gain - floor)

    def reached(self, node: Node, move: AetherMove) -> Node:
        """Return the opponent's turn after a move that does not capture the king."""
        board = node.board
        treasure = TREASURE if finds_treasure(board, move) else 0.0
        taken, on = taken_by(board, move)
        placed = node.placed + self._moved(board, move) + self.evaluation.squares[1 - board[14]][taken][on]
        return next_node(node, move[3], placed, treasure, taken)

    def _moved(self, board: AetherBoard, move: AetherMove) -> float:
        """Return by how much a move changes the piece-square value of the mover's pieces."""
        kind, origin, to, _ = move
        own = self.evaluation.squares[board[14]]
        if to > 63:  # noqa: PLR2004 - a promotion, by the board's last square
            return own[PROMOTIONS[to >> 6]][to & 63] - own[kind][origin]
        change = own[kind][to] - own[kind][origin]
        if kind == KING and abs(origin - to) == 2:  # noqa: PLR2004 - castles
            rook_from, rook_to = (to + 1, to - 1) if to > origin else (to - 2, to + 1)
            change += own[ROOK][rook_to] - own[ROOK][rook_from]
        return change

    def _ordered(
        self, board: AetherBoard, moves: list[AetherMove], hints: tuple[tuple[int, int], ...]
    ) -> list[AetherMove]:
        """Return the moves: first the hinted ones in the order of the hints, then the others by estimated gain."""
        squares = self.evaluation.squares
        theirs = squares[1 - board[14]]
        hinted = {hint: ABOVE_ALL_VALUES - place for place, hint in reversed([*enumerate(hints)])}

        def promise(move: AetherMove) -> float:
            if (move[1], move[2]) in hinted:
                return hinted[move[1], move[2]]
            taken, on = taken_by(board, move)
            gain = self._moved(board, move) + theirs[taken][on] + taken - 0.1 * move[0]
            if finds_treasure(board, move):
                gain += TREASURE
            return gain + (100.0 if taken == KING else 0.0)

        return sorted(moves, key=promise, reverse=True)


def taken_by(board: AetherBoard, move: AetherMove) -> tuple[int, int]:
    """Return the class of the piece that a move captures, and the square of the captured piece.

    Without a capture, the class is 0 and the square is the move's target.
    """
    on = move[2] & 63
    taken = least_class(BIT64[on], board[6:12])
    if taken == 0 and move[0] == PAWN and BIT64[on] == board[13]:
        return PAWN, on - 8 if board[14] else on + 8
    return taken, on


def finds_treasure(board: AetherBoard, move: AetherMove) -> bool:
    """Return whether a move brings a treasure, because it castles or advances a pawn to its seventh rank (L14)."""
    kind, origin, to, _ = move
    if kind == PAWN:
        return to < 64 and bool(BIT64[to] & (RANK_7 if board[14] else RANK_2))  # noqa: PLR2004 - not a promotion
    return kind == KING and abs(origin - to) == 2  # noqa: PLR2004 - castles
