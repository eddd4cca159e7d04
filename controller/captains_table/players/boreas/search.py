"""Boreas's alpha-beta search: finds the best move by iterative deepening, or the value of every legal move.

The search has a bounded transposition table, a quiescence search, pruning and reductions. A repeated position counts as
a draw, because either side can repeat it again and claim a draw (C7). Fifty moves also count as a draw (C7). In
Captain's Chess a bare king or a lack of legal moves counts as a loss (C6); in chess stalemate and too few pieces to
mate count as a draw.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.common.chesslike.match import FIFTY_MOVES
from captains_table.players.boreas.board import (
    BECOMES_AT,
    CODE,
    DOUBLE_STEP,
    EN_PASSANT,
    END_AT,
    KINGS,
    MOVE,
    NO_MOVE,
    PAWNS,
    SQUARE,
    TAKEN_AT,
    BoreasBoard,
)
from captains_table.players.boreas.evaluation import cannot_be_won, evaluate
from captains_table.players.boreas.lines import BIT72, PAWN_TAKES
from captains_table.players.boreas.moves import (
    is_safe,
    legal_moves,
    loud_moves,
    pinned_pieces,
    quiet_moves,
    reaches_of,
)
from captains_table.players.boreas.variants import WORTH_OF

LOST: Final = -30_000  # the side to move has lost; a point better for each ply until then
SURE: Final = 29_000  # values beyond this mean a forced win, and encode the number of plies to it
INFINITE: Final = 32_000
DEEPEST: Final = 40
TABLE_SIZE: Final = 30_000  # positions in each of the table's two generations
LOOK_AT_CLOCK_EVERY: Final = 64  # positions

MOST_NODES: Final = 1 << 60
DEEPEST_LINE: Final = DEEPEST + 64  # maximum ply, quiescence search included
REPEATED_AFTER: Final = 4  # plies without capture or pawn move: fewer cannot repeat a position

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
_Entry = tuple[int, int, int, int]  # depth, value, bound, move
PLACED: Final = (1 << TAKEN_AT - END_AT) - 1  # mask of a move's end square and the piece placed there

# Pruning and reductions; margins in hundredths of a pawn. Tuples are indexed by remaining depth.
PRUNING_DEPTH: Final = 3  # futility pruning and late move pruning up to this remaining depth
STATIC_MARGIN: Final = 90  # reverse futility pruning, per ply
FUTILITY: Final = (0, 130, 220, 330)  # futility pruning
LATE_QUIET_MOVES: Final = (0, 5, 10, 18)  # late move pruning: quiet moves tried
MOST_MOVES: Final = 1000
NULL_MOVE_REDUCTION: Final = 3  # depth reduction after a null move
EARLY_MOVES, LATE_MOVES, DEEP_ENOUGH = 3, 10, 4  # late move reductions: moves tried, moves tried, remaining depth
DELTA_MARGIN: Final = 150  # delta pruning in the quiescence search
FEW_FOES: Final = 2  # no delta pruning against so few pieces


class BoreasLimitReached(Exception):
    """The search has reached one of its limits."""


@dataclass(frozen=True, slots=True)
class BoreasLimits:
    """The limits of a search, which ends as soon as one of them is reached.

    Attributes:
        nodes: the maximum number of positions; `None` for `MOST_NODES`.
        until: the time to stop, on the search's own clock (`seconds`); `None` for no deadline.
        depth: the maximum depth in plies.
    """

    nodes: int | None = None
    until: float | None = None
    depth: int = DEEPEST


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        move: the best move in the board's encoding; NO_MOVE if there is no legal move.
        value: the value of that move for the side to move.
        depth: the depth in plies that was searched completely.
        nodes: how many positions were searched.
    """

    move: int
    value: int
    depth: int
    nodes: int


class BoreasSearch:
    """A search from one position, with its transposition table, killer moves and history."""

    def __init__(
        self, board: BoreasBoard, before: Iterable[int], limit: BoreasLimits, seconds: Callable[[], float]
    ) -> None:
        """Prepare a search from a position.

        Args:
            board: the position; after the search it is as before.
            before: the hashes of earlier positions that could recur.
            limit: when to stop.
            seconds: returns the current time.
        """
        self.nodes = 0
        self._board = board
        board.line[:] = before
        self._bare_king_loses = board.variant.bare_king_loses
        self._stalemate_loses = board.variant.stalemate_loses
        self._limit = limit
        self._seconds = seconds
        self._most = limit.nodes or MOST_NODES
        self._young: dict[int, _Entry] = {}
        self._old: dict[int, _Entry] = {}
        self._killers = [(NO_MOVE, NO_MOVE)] * DEEPEST_LINE
        self._history = [0] * (1 << BECOMES_AT - END_AT + CODE.bit_length())

    # --- the root position ------------------------------------------------------------------------------------------

    def best(self) -> SearchResult:
        """Return the best move of the position, found by iterative deepening.

        The search ends at one of its limits, or as soon as the outcome of the match is certain.
        """
        moves = self._first_order()
        found, depth = SearchResult(moves[0] if moves else NO_MOVE, LOST, 0, 0), 0
        while moves and depth < self._limit.depth and not _is_decided(found.value, depth):
            depth += 1
            found = self._deepened(moves, depth, found)
            moves.remove(found.move)
            moves.insert(0, found.move)
            if found.depth < depth:
                break
        return replace(found, nodes=self.nodes)

    def values(self, depth: int, margin: int = INFINITE) -> list[tuple[int, int]]:
        """Return every legal move with its value at a search depth.

        Moves that the search did not reach within its limit are left out. If it reached none, the result is the first
        move with value 0.

        Args:
            depth: the plies to search, including the move itself.
            margin: a move that is worse than an earlier one by at least this much gets only an upper bound as value.
        """
        board, found = self._board, []
        height, best = len(board.line), -INFINITE
        try:
            for move in self._first_order():
                board.make(move)
                found.append((move, -self._value(-INFINITE, min(INFINITE, margin - best), depth - 1, 1)))
                board.undo()
                best = max(best, found[-1][1])
        except BoreasLimitReached:
            self._undo_to(height)
        return found or [(move, 0) for move in self._first_order()[:1]]

    def line_of(self, move: int, most: int) -> list[str]:
        """Return the ids of a legal move and of the moves that the search found best after it, at most `most`."""
        board, height, ids = self._board, len(self._board.line), list[str]()
        while move and len(ids) < most and move in legal_moves(board):
            ids.append(board.id_of(move))
            board.make(move)
            stored = self._young.get(board.key) or self._old.get(board.key)
            move = NO_MOVE if stored is None else stored[3]
        self._undo_to(height)
        return ids

    def _first_order(self) -> list[int]:
        board, reaches = self._board, reaches_of(self._board)
        loud = [move & MOVE for move in sorted(loud_moves(board, reaches), reverse=True)]
        return [move for move in loud + quiet_moves(board, reaches, in_check=board.in_check) if is_safe(board, move)]

    def _deepened(self, moves: Sequence[int], depth: int, before: SearchResult) -> SearchResult:
        """Return the best move at a depth.

        If the limit is reached, return the best move so far together with the previous depth.

        Args:
            moves: the legal moves, the best of the previous depth first.
            depth: the depth in plies.
            before: the result of the previous depth.
        """
        board, height = self._board, len(self._board.line)
        found, alpha = before, -INFINITE
        try:
            for move in moves:
                board.make(move)
                value = -self._value(-alpha - 1, -alpha, depth - 1, 1) if found is not before else alpha + 1
                if value > alpha:
                    value = -self._value(-INFINITE, -alpha, depth - 1, 1)
                board.undo()
                if value > alpha:
                    alpha, found = value, SearchResult(move, value, before.depth, 0)
        except BoreasLimitReached:
            self._undo_to(height)
            return found
        return replace(found, depth=depth)

    def _undo_to(self, height: int) -> None:
        board = self._board
        while len(board.line) > height:
            board.undo()

    # --- the search tree --------------------------------------------------------------------------------------------

    def _value(self, alpha: int, beta: int, depth: int, ply: int, *, may_pass: bool = True) -> int:  # noqa: C901, PLR0911, PLR0912, PLR0915 - the inner loop: a call costs more than a line
        """Return the position's value for the side to move, found by an alpha-beta search (negamax).

        `depth` is the remaining depth; `may_pass` tells whether a null move may be tried.
        """
        board = self._board
        white, key, quiet = board.white, board.key, board.quiet
        king = board.of[KINGS[white]]
        if self._bare_king_loses:
            if board.side[white] == king:
                return LOST + ply
        elif cannot_be_won(board):
            return 0
        if quiet >= REPEATED_AFTER and key in board.line[-quiet:]:
            return 0
        in_check = board.attacked(king.bit_length() - 1, by_white=not white)
        if in_check:
            depth += 1
        if depth <= 0 or ply >= DEEPEST:
            return self._quiesce(alpha, beta, ply)
        self._count()
        if quiet >= FIFTY_MOVES:
            return 0 if legal_moves(board) else self._value_without_moves(ply, in_check=in_check)
        hint, is_narrow = NO_MOVE, beta - alpha == 1
        stored = self._young.get(key) or self._old.get(key)
        if stored is not None:
            stored_depth, value, bound, hint = stored
            if stored_depth >= depth and is_narrow:
                if value > SURE:
                    value -= ply
                elif value < -SURE:
                    value += ply
                if bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha and bound == AT_MOST):
                    return value
        static = -INFINITE if in_check else evaluate(board, alpha, beta)
        if is_narrow and not in_check and -SURE < beta < SURE:
            if depth <= PRUNING_DEPTH and static - STATIC_MARGIN * depth >= beta:
                return static
            if may_pass and static >= beta and depth > 1 and board.side[white] ^ king ^ board.of[PAWNS[white]]:
                board.make_null()
                value = -self._value(-beta, 1 - beta, depth - NULL_MOVE_REDUCTION - depth // 4, ply + 1, may_pass=False)
                board.undo()
                if value >= beta:
                    return value if value < SURE else beta
        is_hopeless = is_narrow and depth <= PRUNING_DEPTH and static + FUTILITY[depth] <= alpha and not in_check
        enough = LATE_QUIET_MOVES[depth] if is_narrow and depth <= PRUNING_DEPTH and not in_check else MOST_MOVES
        doubtful = -1 if in_check else king | pinned_pieces(board)
        best, best_move, first_alpha, tried, tried_quiet = -INFINITE, NO_MOVE, alpha, 0, list[int]()
        for move in self._in_order(hint, ply, in_check=in_check):
            is_quiet = not (move >> TAKEN_AT & CODE or move >> BECOMES_AT & CODE != board.squares[move & SQUARE])
            if is_quiet and tried and (is_hopeless or len(tried_quiet) > enough):
                continue
            board.make(move)
            if (doubtful & BIT72[move & SQUARE] or move & DOUBLE_STEP == EN_PASSANT) and board.left_in_check:
                board.undo()
                continue
            tried += 1
            if tried == 1:
                value = -self._value(-beta, -alpha, depth - 1, ply + 1)
            else:
                less = 0
                if is_quiet and depth > 1 and tried > EARLY_MOVES and not in_check:
                    less = 1 + (tried > LATE_MOVES) + (depth > DEEP_ENOUGH and tried > EARLY_MOVES + 2)
                value = -self._value(-alpha - 1, -alpha, depth - 1 - less, ply + 1)
                if value > alpha and less:
                    value = -self._value(-alpha - 1, -alpha, depth - 1, ply + 1)
                if alpha < value < beta:
                    value = -self._value(-beta, -alpha, depth - 1, ply + 1)
            board.undo()
            if value > best:
                best = value
                if value > alpha:
                    best_move, alpha = move, value
                    if value >= beta:
                        if is_quiet:
                            self._record_cutoff(move, tried_quiet, depth, ply)
                        break
            if is_quiet:
                tried_quiet.append(move)
        if not tried:
            return self._value_without_moves(ply, in_check=in_check)
        bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
        from_here = best + ply if best > SURE else best - ply if best < -SURE else best
        self._store(key, depth, from_here, bound, best_move or hint)
        return best

    def _in_order(self, hint: int, ply: int, *, in_check: bool) -> Iterator[int]:
        """Yield the pseudo-legal moves: the hash move, loud moves, killer moves, then quiet moves by history."""
        board = self._board
        if hint:
            yield hint
        reaches = reaches_of(board)
        for ordered in sorted(loud_moves(board, reaches), reverse=True):
            move = ordered & MOVE
            if move != hint:
                yield move
        quiet = quiet_moves(board, reaches, in_check=in_check)
        first = [move for move in self._killers[ply] if move and move != hint and move in quiet]
        yield from first
        history = self._history
        quiet.sort(key=lambda move: history[move >> END_AT & PLACED], reverse=True)
        for move in quiet:
            if move != hint and move not in first:
                yield move

    def _quiesce(self, alpha: int, beta: int, ply: int) -> int:  # noqa: C901 - as above
        """Return the value of the position by quiescence search, which tries only captures and promotions."""
        self._count()
        board = self._board
        white = board.white
        foes = board.side[not white]
        is_bare = board.side[white] == board.of[KINGS[white]]
        if self._bare_king_loses:
            if is_bare:
                return LOST + ply
        elif cannot_be_won(board):
            return 0
        elif is_bare and not legal_moves(board):
            return self._value_without_moves(ply, in_check=board.in_check)
        best = evaluate(board, alpha, beta)
        if best >= beta or ply >= DEEPEST_LINE - 1:
            return best
        alpha = max(alpha, best)
        least = alpha - best - DELTA_MARGIN if foes.bit_count() > FEW_FOES else -INFINITE
        squares, takes, guards = board.squares, PAWN_TAKES[white], board.of[PAWNS[not white]]
        for ordered in sorted(loud_moves(board, reaches_of(board)), reverse=True):
            move = ordered & MOVE
            code, end = squares[move & SQUARE], move >> END_AT & SQUARE
            gain = WORTH_OF[move >> TAKEN_AT & CODE] + WORTH_OF[move >> BECOMES_AT & CODE] - WORTH_OF[code]
            if gain < least or (gain < WORTH_OF[code] and takes[end] & guards):
                continue
            board.make(move)
            if board.left_in_check:
                board.undo()
                continue
            value = -self._quiesce(-beta, -alpha, ply + 1)
            board.undo()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    def _value_without_moves(self, ply: int, *, in_check: bool) -> int:
        """Return the value of a position for a side without a legal move: mated or stalemated (C6)."""
        return LOST + ply if in_check or self._stalemate_loses else 0

    # --- limit, move ordering, transposition table ------------------------------------------------------------------

    def _count(self) -> None:
        """Count a searched position; raises BoreasLimitReached at the limit of positions or after the deadline."""
        self.nodes += 1
        if self.nodes >= self._most:
            raise BoreasLimitReached
        until = self._limit.until
        if until is not None and not self.nodes % LOOK_AT_CLOCK_EVERY and self._seconds() >= until:
            raise BoreasLimitReached

    def _record_cutoff(self, move: int, before: Sequence[int], depth: int, ply: int) -> None:
        """Record a quiet move that caused a beta cutoff as a killer move, and raise its history value.

        The quiet moves that were tried before this move (`before`) lose some of their history value.
        """
        last, _ = self._killers[ply]
        if move != last:
            self._killers[ply] = (move, last)
        history = self._history
        history[move >> END_AT & PLACED] += depth * depth
        for other in before:
            history[other >> END_AT & PLACED] -= depth

    def _store(self, key: int, depth: int, value: int, bound: int, move: int) -> None:
        if len(self._young) >= TABLE_SIZE:
            self._old, self._young = self._young, {}
        self._young[key] = (depth, value, bound, move)


def _is_decided(value: int, depth: int) -> bool:
    """Return whether a deeper search cannot change the result, because a forced end is within the searched depth."""
    return abs(value) > SURE and depth > 1 and depth >= -LOST - abs(value)
