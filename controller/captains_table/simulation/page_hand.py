"""The page's hand at a quiet simulated board: it moves pieces as the match allows, and refuses what would spoil them.

A click is judged by the moves that the match offers, and by the changes of a move that may still be changed. A piece
that no move concerns does not come up, and a piece put where it may not go returns to its square. A click on another
piece that may move lifts that piece instead. A move of several pieces is made as a whole. Where the board shows neither
the match's position nor a move of it, pieces must be put right, and any of them may be lifted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Decide, Game, Over, Pick, PickAsk, Square
from captains_table.phrases import say
from captains_table.simulation.simulated_board import SimulatedBoard, SwitchMove
from captains_table.table.model.match import Match
from captains_table.table.recognition.footprint import differing_squares, footprint, named_squares
from captains_table.table.recognition.instructions import forbidden_move


class HandRefusal(NamedTuple):
    """The reason why the hand refused an action, and the piece's square; `None` for a piece next to the board."""

    why: str
    square: Square | None


class Handled(NamedTuple):
    """What the hand did.

    Attributes:
        moves: the switches that change, in order.
        refusal: what the hand refused; `None` if it refused nothing.
        made: whether a move was made.
    """

    moves: list[SwitchMove]
    refusal: HandRefusal | None = None
    made: bool = False


class _Way(NamedTuple):
    """One move by its two clicks.

    Attributes:
        start: the square that the piece leaves; `None` if the piece comes from next to the board.
        end: the square that it enters; `None` if it leaves the board.
        after: the position after the move.
        state: the game's state after the move.
        rook: the square of the rook by which a castling move is named; `None` for all others.
    """

    start: Square | None
    end: Square | None
    after: Mapping[Square, str]
    state: Any
    rook: Square | None = None


class _Stand(NamedTuple):
    """A position that the board shows, except for a piece in the hand.

    Attributes:
        pieces: the position.
        ways: the moves from there.
        start: the square of the piece in the hand; `None` without such a piece or square.
    """

    pieces: Mapping[Square, str]
    ways: Sequence[_Way]
    start: Square | None


class PageHand:
    """Carries out one action of the page on a simulated board.

    Args:
        board: the board, whose hand holds the pieces.
        match: the match in progress.
        puts_right: whether the pieces must be put right, so that no move can be made.
    """

    def __init__(self, board: SimulatedBoard, match: Match, *, puts_right: bool) -> None:
        self._board = board
        self._match = match
        self._stand = _stand_of(board, match, may_move=not puts_right)

    @property
    def may_leave(self) -> bool:
        """Whether a move takes the piece in the hand off the board, so that it may be put down next to it."""
        stand = self._stand
        return stand is None or stand.start is None or any(self._ways(stand.start, None))

    def click(self, square: Square, *, dropped: bool = False) -> Handled:
        """Lift a square's piece, or put the piece in the hand there.

        Args:
            square: the square.
            dropped: whether a dragged piece is dropped there; it then goes there or back to its square.
        """
        if dropped and not self._board.hand:
            return Handled([])
        if self._stand is None:
            return self._put_right(square)
        if not self._board.hand:
            return self._lift(self._stand, square)
        return self._put(self._stand, square, may_change=not dropped)

    def put_back(self) -> Handled:
        """Return the pieces in the hand to their squares; a piece whose square is unknown is put next to the board."""
        board, start = self._board, None if self._stand is None else self._stand.start
        if start is None and self._stand is None and board.hand:
            home = self._match.pieces()
            lacking = [each for each in home if each not in board.pieces and home[each] == board.hand[-1]]
            start = lacking[0] if len(lacking) == 1 else None
        moves = [] if start is None else board.place(start)
        board.put_beside()
        return Handled(moves)

    def take(self, piece: str) -> Handled:
        """Pick up a piece from next to the board, if a move brings it in; raises ValueError if none lies there.

        A piece that is in the hand is put back first.
        """
        stand, board = self._stand, self._board
        enters = stand is None or any(
            way.start is None and way.end is not None and way.after[way.end] == piece for way in stand.ways
        )
        if piece in board.beside and not enters:
            return Handled([], HandRefusal(say("No {piece} comes to the board now", piece_name(piece)), None))
        moves = self.put_back().moves if stand is not None and board.hand else []
        board.take(piece)
        return Handled(moves)

    def lay_beside(self) -> Handled:
        """Put the pieces in the hand down next to the board; a piece that may not leave it returns to its square."""
        if self._stand is None or self._stand.start is None:
            self._board.put_beside()
            return Handled([])
        leaving = self._ways(self._stand.start, None)
        if not leaving:
            return Handled(self.put_back().moves, HandRefusal(say("That piece stays on the board"), self._stand.start))
        self._board.put_beside()
        return Handled(self._board.rearrange(leaving[0].after), made=True)

    # --- pieces that must be put right ------------------------------------------------------------------------------

    def _put_right(self, square: Square) -> Handled:
        """Lift any piece, or put a piece on a free square or on its own; the piece that was there leaves the board."""
        board, home = self._board, self._match.pieces()
        if not board.hand:
            return Handled(board.lift(square))
        belongs = home.get(square) == board.hand[-1] != board.pieces.get(square)
        if square in board.pieces and not belongs:
            return Handled([], HandRefusal(say("Put down the piece in the hand first"), square))
        return Handled(board.click(square))

    # --- pieces in their places -------------------------------------------------------------------------------------

    def _lift(self, stand: _Stand, square: Square) -> Handled:
        board = self._board
        if square not in board.pieces:
            starts = {way.start for way in stand.ways if way.end is not None}
            only = next(iter(starts)) if len(starts) == 1 and self._match.provisional is None else None
            if only is not None and self._ways(only, square):  # a move that was made is not changed by one click
                return Handled([*board.lift(only), *self._make(self._ways(only, square))], made=True)
            coming = {way.after[square] for way in stand.ways if way.start is None and way.end == square}
            if len(coming) != 1 or not coming.issubset(board.beside):
                return Handled([], HandRefusal(_nothing_comes_to(square), square) if None in starts else None)
            board.take(coming.pop())
            return Handled(board.place(square), made=True)
        if any(square in differing_squares(stand.pieces, way.after) for way in stand.ways):
            return Handled(board.lift(square))
        return Handled([], HandRefusal(self._why_not_lifted(square), square))

    def _put(self, stand: _Stand, square: Square, *, may_change: bool) -> Handled:
        board, start = self._board, stand.start
        if square == start:
            return self.put_back()
        ways = self._ways(start, square) or self._castling(stand, square)
        if ways:
            return Handled(self._make(ways), made=True)
        back = self.put_back().moves
        if may_change and any(way.start == square for way in stand.ways):
            return Handled([*back, *board.lift(square)])
        shaken = square if square in board.pieces else start
        return Handled(back, HandRefusal(self._why_not_there(stand, square), shaken))

    def _ways(self, start: Square | None, end: Square | None) -> list[_Way]:
        ways = () if self._stand is None else self._stand.ways
        found = [way for way in ways if (way.start, way.end) == (start, end)]
        if start is None and end is not None:
            found = [way for way in found if way.after[end] == self._board.hand[-1]]
        return found

    def _castling(self, stand: _Stand, square: Square) -> list[_Way]:
        """Return the moves of the piece in the hand that also carry another piece, the one of this square."""
        carrying = [way for way in stand.ways if way.start == stand.start is not None]
        return [way for way in carrying if square in {way.rook, *footprint(stand.pieces, way.after).carried}]

    def _make(self, ways: Sequence[_Way]) -> list[SwitchMove]:
        """Make a move whole; if several moves that differ in their squares fit, only put the piece down."""
        board, way = self._board, ways[0]
        if way.end is None:
            return []
        held = board.hand[-1]
        moves = board.click(way.end)
        after = {**way.after, way.end: held}  # a promoted piece is exchanged once the move is recognised
        is_clear = all(other.after.keys() == way.after.keys() for other in ways)
        return [*moves, *board.rearrange(after)] if is_clear and board.pieces != after else moves

    # --- reasons ----------------------------------------------------------------------------------------------------

    def _why_not_lifted(self, square: Square) -> str:
        match = self._match
        if isinstance(match.turn, Over):
            return say("The match is over")
        if match.absent_decides and match.seat is not None:
            return say("It is {name}'s turn", match.called(match.state)[match.seat])
        hindrance = match.game.hindrance(match.state, square)
        if hindrance is None:
            return say("The {piece} has no move now", piece_name(self._board.pieces[square]))
        return hindrance.words

    def _why_not_there(self, stand: _Stand, square: Square) -> str:
        match, start = self._match, stand.start
        if start is None:
            return _nothing_comes_to(square)
        there = {*stand.pieces, square} - {start}
        refused = forbidden_move(match.game.refused(match.state), there, ())
        if refused is not None and stand.pieces == match.pieces():
            return say("{move}: {reason}", refused.label, refused.reason)
        return say("The {piece} cannot go to {square} now", piece_name(stand.pieces[start]), str(square))


def _stand_of(board: SimulatedBoard, match: Match, *, may_move: bool) -> _Stand | None:
    """Return the position that the board shows: the match's, or that after a move not yet recognised.

    Return `None` if the board shows neither.
    """
    home, last = match.pieces(), _last_way(match)
    ways = _ways_at_home(match, last) if may_move else []
    if _is_shown(board, home, None if last is None else last.end):
        return _Stand(home, ways, _lifted_from(board, home))
    made = next((way for way in ways if _is_shown(board, way.after, way.end)), None)
    if made is None:
        return None
    others = _changes(made, home, match.state, ways)
    return _Stand(made.after, [*others, *_ways_of(match.game, made.state)], _lifted_from(board, made.after))


def _is_shown(board: SimulatedBoard, pieces: Mapping[Square, str], end: Square | None) -> bool:
    """Return whether the board shows a position, except for at most one piece in the hand.

    Args:
        board: the board.
        pieces: the position.
        end: the square of a piece that may still be unpromoted; `None` if there is none.
    """
    missing = pieces.keys() - board.pieces.keys()
    if len(board.hand) > 1 or len(missing) > len(board.hand) or board.pieces.keys() - pieces.keys():
        return False
    shown = {**board.pieces, **dict.fromkeys(missing, "".join(board.hand))}
    return all(shown[square] == pieces[square] for square in pieces if square != end)


def _lifted_from(board: SimulatedBoard, pieces: Mapping[Square, str]) -> Square | None:
    return next(iter(pieces.keys() - board.pieces.keys()), None)


def _last_way(match: Match) -> _Way | None:
    """Return the last move; `None` if it may not be changed any more."""
    last = match.provisional
    if last is None or last.option is None:
        return None
    return _way(match.game.pieces(last.before), last.option.id, match.game, last.before)


def _ways_at_home(match: Match, last: _Way | None) -> list[_Way]:
    """Return the next moves, and the changes of the last move, which is given if it may still be changed."""
    ways = [] if match.absent_decides else list(_ways_of(match.game, match.state))
    if last is None or match.provisional is None:
        return ways
    before = match.provisional.before
    return [*ways, *_changes(last, match.game.pieces(before), before, _ways_of(match.game, before))]


def _changes(made: _Way, before: Mapping[Square, str], state: object, ways: Iterable[_Way]) -> list[_Way]:
    """Return the ways to take a move back, and to move its piece on to another square.

    Args:
        made: the move.
        before: the position before the move.
        state: the game's state before the move.
        ways: the moves that could be made instead.
    """
    start, end = made.start, made.end
    if end is None:
        return []
    others = [way for way in ways if way.start == start is not None and way.end not in {end, None}]
    return [_Way(end, start, before, state), *(way._replace(start=end) for way in others)]


def _ways_of(game: Game[Any], state: object) -> Iterator[_Way]:
    turn = game.turn(state)
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        now = game.pieces(state)
        for option in turn.ask.options:
            way = _way(now, option.id, game, state) if option.on_board else None
            if way is not None:
                yield way


def _way(now: Mapping[Square, str], id_: str, game: Game[Any], state: object) -> _Way | None:
    """Return an option's move by its two clicks; `None` if it is no move of one piece and its id names no squares."""
    moved = game.apply(state, Pick(id_))
    after = game.pieces(moved)
    named = named_squares(id_)
    if named is not None and named[0] in now:
        start, end = named
        if end in now and after.get(end) in (None, now[end]):  # a king that castles is named with its rook's square
            king_to = next(square for square in after if after[square] == now[start])
            return _Way(start, king_to, after, moved, rook=end)
        if end in after:
            return _Way(start, end, after, moved)
    seen = footprint(now, after)
    if seen.origin is not None:
        return _Way(seen.origin, seen.target, after, moved)
    match sorted(seen.left), sorted(seen.filled):
        case [gone], []:
            return _Way(gone, None, after, moved)
        case [], [come]:
            return _Way(None, come, after, moved)
        case _:
            return None


def _nothing_comes_to(square: Square) -> str:
    return say("No piece comes to {square} now", str(square))
