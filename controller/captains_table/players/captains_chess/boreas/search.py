"""Looking ahead: alpha-beta, deeper and deeper, until the best move is as good as it gets for the effort allowed.

Captures and promotions are followed to their end; what was found of a position is kept in a table of bounded size; a
position that comes again counts as a draw, as either side may see to it that it can be claimed (C7).

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.captains_chess.state import FIFTY_MOVES
from captains_table.players.captains_chess.boreas.board import (
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
    Board,
)
from captains_table.players.captains_chess.boreas.evaluation import evaluate
from captains_table.players.captains_chess.boreas.lines import BIT, PAWN_TAKES
from captains_table.players.captains_chess.boreas.moves import (
    is_safe,
    legal_moves,
    loud_moves,
    quiet_moves,
    reaches_of,
    shields,
)
from captains_table.players.captains_chess.boreas.values import WORTH_OF

LOST: Final = -30_000  # at once; later is a point better a move
SURE: Final = 29_000  # from here on a value says in how many moves it is over
INFINITE: Final = 32_000
DEEPEST: Final = 40
KEPT: Final = 30_000  # positions in each half of the table
LOOK_AT_CLOCK_EVERY: Final = 64  # positions

MOST_NODES: Final = 1 << 60
DEEPEST_LINE: Final = DEEPEST + 64  # captures followed further included
REPEATED_AFTER: Final = 4  # quiet moves: fewer bring no position again

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
_Kept = tuple[int, int, int, int]  # depth, value, bound, move
PLACED: Final = (1 << TAKEN_AT - END_AT) - 1  # a move's end, and what stands there then

# What is not looked at: margins in hundredths of a pawn, by the moves still to look ahead where there are several.
CALM_DEPTH: Final = 3
CALM_MARGIN: Final = 90
HOPE: Final = (0, 130, 220, 330)
ENOUGH: Final = (0, 5, 10, 18)  # quiet moves
MOST_MOVES: Final = 1000
PASS_LESS: Final = 3
EARLY, LATE, DEEP = 3, 10, 4
SURPRISE: Final = 150
FEW: Final = 2


class Stopped(Exception):
    """The effort allowed is used up."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much may be thought.

    Attributes:
        nodes: positions that may be looked at; `None` for as many as time allows.
        until: when to stop, by the clock `seconds`; `None` for no such time.
        depth: how many moves to look ahead at most.
    """

    nodes: int | None = None
    until: float | None = None
    depth: int = DEEPEST


@dataclass(frozen=True, slots=True)
class Line:
    """What a search holds for best.

    Attributes:
        move: the move, as a number of the board's; NO_MOVE where there is none.
        value: what it is worth to whoever is to move.
        depth: moves looked ahead, as far as that was finished.
        nodes: positions that were looked at.
    """

    move: int
    value: int
    depth: int
    nodes: int


class Search:
    """One search, from one position; what it has learned goes with it."""

    def __init__(self, board: Board, before: Iterable[int], limit: Limit, seconds: Callable[[], float]) -> None:
        """Take what is needed to look ahead.

        Args:
            board: the position; it is as it was when the search is over.
            before: hashes of the positions before it that may come again.
            limit: how much may be thought.
            seconds: the time.
        """
        self.nodes = 0
        self._board = board
        board.line[:] = before
        self._limit = limit
        self._seconds = seconds
        self._most = limit.nodes or MOST_NODES
        self._young: dict[int, _Kept] = {}
        self._old: dict[int, _Kept] = {}
        self._killers = [(NO_MOVE, NO_MOVE)] * DEEPEST_LINE
        self._history = [0] * (1 << BECOMES_AT - END_AT + CODE.bit_length())

    @property
    def kept(self) -> int:
        """How many positions it remembers."""
        return len(self._young) + len(self._old)

    # --- from the position itself -----------------------------------------------------------------------------------

    def best(self) -> Line:
        """Return the best move of the position."""
        moves = self._first_order()
        found, depth = Line(moves[0] if moves else NO_MOVE, LOST, 0, 0), 0
        while moves and depth < self._limit.depth and not _is_decided(found.value, depth):
            depth += 1
            found = self._deepened(moves, depth, found)
            moves.remove(found.move)
            moves.insert(0, found.move)
            if found.depth < depth:
                break
        return replace(found, nodes=self.nodes)

    def values(self, depth: int, margin: int = INFINITE) -> list[tuple[int, int]]:
        """Return every move with what it is worth when looked so far ahead.

        As far as the limit allows: moves that were not reached are left out, but for the first.

        Args:
            depth: moves to look ahead, this one included.
            margin: by how much a move may be worth less than the best before it, for its value to be more than a bound.
        """
        board, found = self._board, []
        height, best = len(board.line), -INFINITE
        try:
            for move in self._first_order():
                board.make(move)
                found.append((move, -self._value(-INFINITE, min(INFINITE, margin - best), depth - 1, 1)))
                board.go_back()
                best = max(best, found[-1][1])
        except Stopped:
            self._go_back(height)
        return found or [(move, 0) for move in self._first_order()[:1]]

    def _first_order(self) -> list[int]:
        board, reaches = self._board, reaches_of(self._board)
        loud = [move & MOVE for move in sorted(loud_moves(board, reaches), reverse=True)]
        return [move for move in loud + quiet_moves(board, reaches, in_check=board.in_check) if is_safe(board, move)]

    def _deepened(self, moves: Sequence[int], depth: int, before: Line) -> Line:
        """Return the best move looked so far ahead; with the depth of the search before where the limit came first."""
        board, height = self._board, len(self._board.line)
        found, alpha = before, -INFINITE
        try:
            for move in moves:
                board.make(move)
                value = -self._value(-alpha - 1, -alpha, depth - 1, 1) if found is not before else alpha + 1
                if value > alpha:
                    value = -self._value(-INFINITE, -alpha, depth - 1, 1)
                board.go_back()
                if value > alpha:
                    alpha, found = value, Line(move, value, before.depth, 0)
        except Stopped:
            self._go_back(height)
            return found
        return replace(found, depth=depth)

    def _go_back(self, height: int) -> None:
        board = self._board
        while len(board.line) > height:
            board.go_back()

    # --- from positions further on ----------------------------------------------------------------------------------

    def _value(self, alpha: int, beta: int, depth: int, ply: int, *, may_pass: bool = True) -> int:  # noqa: C901, PLR0911, PLR0912, PLR0915 - the heart: a call costs more than a line
        """Return what the position is worth to whoever is to move, looked so many moves ahead."""
        board = self._board
        white, key, quiet = board.white, board.key, board.quiet
        king = board.of[KINGS[white]]
        if board.side[white] == king:
            return LOST + ply
        if quiet >= REPEATED_AFTER and key in board.line[-quiet:]:
            return 0
        in_check = board.attacked(king.bit_length() - 1, by_white=not white)
        if in_check:
            depth += 1
        if depth <= 0 or ply >= DEEPEST:
            return self._settled(alpha, beta, ply)
        self._count()
        if quiet >= FIFTY_MOVES:
            return 0 if legal_moves(board) else LOST + ply
        hint, is_narrow = NO_MOVE, beta - alpha == 1
        kept = self._young.get(key) or self._old.get(key)
        if kept is not None:
            kept_depth, value, bound, hint = kept
            if kept_depth >= depth and is_narrow:
                if value > SURE:
                    value -= ply
                elif value < -SURE:
                    value += ply
                if bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha and bound == AT_MOST):
                    return value
        static = -INFINITE if in_check else evaluate(board)
        if is_narrow and not in_check and -SURE < beta < SURE:
            if depth <= CALM_DEPTH and static - CALM_MARGIN * depth >= beta:
                return static
            if may_pass and static >= beta and depth > 1 and board.side[white] ^ king ^ board.of[PAWNS[white]]:
                board.pass_on()
                value = -self._value(-beta, 1 - beta, depth - PASS_LESS - depth // 4, ply + 1, may_pass=False)
                board.go_back()
                if value >= beta:
                    return value if value < SURE else beta
        is_hopeless = is_narrow and depth <= CALM_DEPTH and static + HOPE[depth] <= alpha and not in_check
        enough = ENOUGH[depth] if is_narrow and depth <= CALM_DEPTH and not in_check else MOST_MOVES
        doubtful = -1 if in_check else king | shields(board)
        best, best_move, first_alpha, tried, tried_quiet = -INFINITE, NO_MOVE, alpha, 0, list[int]()
        for move in self._in_order(hint, ply, in_check=in_check):
            is_quiet = not (move >> TAKEN_AT & CODE or move >> BECOMES_AT & CODE != board.squares[move & SQUARE])
            if is_quiet and tried and (is_hopeless or len(tried_quiet) > enough):
                continue
            board.make(move)
            if (doubtful & BIT[move & SQUARE] or move & DOUBLE_STEP == EN_PASSANT) and board.left_attacked:
                board.go_back()
                continue
            tried += 1
            if tried == 1:
                value = -self._value(-beta, -alpha, depth - 1, ply + 1)
            else:
                less = 0
                if is_quiet and depth > 1 and tried > EARLY and not in_check:
                    less = 1 + (tried > LATE) + (depth > DEEP and tried > EARLY + 2)
                value = -self._value(-alpha - 1, -alpha, depth - 1 - less, ply + 1)
                if value > alpha and less:
                    value = -self._value(-alpha - 1, -alpha, depth - 1, ply + 1)
                if alpha < value < beta:
                    value = -self._value(-beta, -alpha, depth - 1, ply + 1)
            board.go_back()
            if value > best:
                best = value
                if value > alpha:
                    best_move, alpha = move, value
                    if value >= beta:
                        if is_quiet:
                            self._remember(move, tried_quiet, depth, ply)
                        break
            if is_quiet:
                tried_quiet.append(move)
        if not tried:
            return LOST + ply  # mated, or without a move: lost either way (C6)
        bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
        from_here = best + ply if best > SURE else best - ply if best < -SURE else best
        self._keep(key, depth, from_here, bound, best_move or hint)
        return best

    def _in_order(self, hint: int, ply: int, *, in_check: bool) -> Iterator[int]:
        """Yield the moves worth most first: that of the table, loud ones, those that refuted others here, the rest."""
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

    def _settled(self, alpha: int, beta: int, ply: int) -> int:
        """Return what the position is worth once captures and promotions are followed to their end."""
        self._count()
        board = self._board
        white = board.white
        foes = board.side[not white]
        if board.side[white] == board.of[KINGS[white]]:
            return LOST + ply
        best = evaluate(board)
        if best >= beta or ply >= DEEPEST_LINE - 1:
            return best
        alpha = max(alpha, best)
        least = alpha - best - SURPRISE if foes.bit_count() > FEW else -INFINITE
        squares, takes, guards = board.squares, PAWN_TAKES[white], board.of[PAWNS[not white]]
        for ordered in sorted(loud_moves(board, reaches_of(board)), reverse=True):
            move = ordered & MOVE
            code, end = squares[move & SQUARE], move >> END_AT & SQUARE
            gain = WORTH_OF[move >> TAKEN_AT & CODE] + WORTH_OF[move >> BECOMES_AT & CODE] - WORTH_OF[code]
            if gain < least or (gain < WORTH_OF[code] and takes[end] & guards):
                continue
            board.make(move)
            if board.left_attacked:
                board.go_back()
                continue
            value = -self._settled(-beta, -alpha, ply + 1)
            board.go_back()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    # --- what is counted and kept -----------------------------------------------------------------------------------

    def _count(self) -> None:
        """Count a position; raises Stopped where the limit is reached."""
        self.nodes += 1
        if self.nodes >= self._most:
            raise Stopped
        until = self._limit.until
        if until is not None and not self.nodes % LOOK_AT_CLOCK_EVERY and self._seconds() >= until:
            raise Stopped

    def _remember(self, move: int, before: Sequence[int], depth: int, ply: int) -> None:
        """Note that a quiet move refuted what led here, and that others tried before it did not."""
        last, _ = self._killers[ply]
        if move != last:
            self._killers[ply] = (move, last)
        history = self._history
        history[move >> END_AT & PLACED] += depth * depth
        for other in before:
            history[other >> END_AT & PLACED] -= depth

    def _keep(self, key: int, depth: int, value: int, bound: int, move: int) -> None:
        if len(self._young) >= KEPT:
            self._old, self._young = self._young, {}
        self._young[key] = (depth, value, bound, move)


def _is_decided(value: int, depth: int) -> bool:
    """Return whether looking further ahead can change nothing: the match is over before."""
    return abs(value) > SURE and depth > 1 and depth >= -LOST - abs(value)
