"""How a story ends: whether the pieces stand as a move has them, and what is left to pay for if they do."""

from collections.abc import Iterable, Sequence

from captains_table.games.contract import Square
from captains_table.table.recognition.roles import MISPLACED, PUT_HOME, From, Piece, Price, Roles
from captains_table.table.recognition.story_state import (
    NOISE,
    UNEXPLAINED,
    Echo,
    Ending,
    Standing,
    State,
    noted,
    stands_as_at_first,
)

IN_THE_HAND = 1.0
NEVER_OPENED = 2.0
LEFT_ON_FIRST = 1.0
"""A taken piece left on the taker's first square: so much beside what setting it there costs, three in all."""


class Endings:
    """What stories of one move cost if they end.

    Args:
        roles: who does what in the move.
        occupied: where pieces stand at first.
        silent: the squares whose switch says nothing.
    """

    def __init__(self, roles: Roles, occupied: frozenset[Square], silent: frozenset[Square]) -> None:
        self._roles = roles
        self._occupied = occupied
        self._silent = silent

    def of(self, state: State, cost: float) -> Ending | None:
        """Return how a story ends in a state that cost so much to come to, `None` if it does not end with the move."""
        roles, missing = self._roles, set(self._roles.move.filled)
        besides, strays = set[Square](), set[Square]()
        unexplained = {square for square, reason in state.paid if reason == NOISE and isinstance(square, Square)}
        for each in state.standing:
            if isinstance(each.what, Echo):
                besides.add(each.square)
                if not self._is_explained(each.what, state) and each.square not in unexplained:
                    unexplained.add(each.square)
                    cost += UNEXPLAINED
                continue
            price = self._price_of_standing(each, missing)
            if price is None:
                return None
            if each.may_rock:
                state, due = noted(state, self._roles.price(each.what, each.square, None), each.what)
                cost += due
            if self._is_taken(each.what):
                strays.add(each.square)
                state, due = noted(state, Price(MISPLACED, f"misplaced {each.square}"), each.what)
                cost += due
            missing.discard(each.square)
            cost += price
        untouched = [
            start for start in (*roles.goals, *roles.taken) if stands_as_at_first(state, self._occupied, start)
        ]
        to_move = [Piece(start) for start in untouched if start in roles.goals]
        never_opened = [start for start in untouched if start in roles.taken - roles.retired - self._silent]
        hand = [*to_move, *(held.piece for held in state.hand)]
        unseen = self._set_down_unseen(hand, missing)
        hand = [piece for piece in hand if piece not in unseen]
        held = self._count_held(hand, missing - set(unseen.values()), never_opened)
        may_have_reached = state.reached or roles.move.filled & self._silent
        if held is None or (held and roles.move.filled and not may_have_reached):
            return None
        to_retire = [start for start in untouched if start in roles.retired]
        held += len(to_retire)
        cost += IN_THE_HAND * held + NEVER_OPENED * len(never_opened) + self._price_of_further_home(state)
        is_begun = any(piece in hand for piece in to_move) or bool(to_retire)
        is_complete = not held and not never_opened and not any(self._roles.moves(square) for square in strays)
        return Ending(
            cost,
            held,
            frozenset(besides),
            frozenset(strays),
            frozenset(unexplained),
            is_begun,
            is_complete,
            bool(never_opened),
            state.began,
        )

    def _is_explained(self, echo: Echo, state: State) -> bool:
        """Return whether the magnet still stands that holds a switch beside it."""
        if echo.price is None or echo.of is None:
            return echo.price is not None
        was_set_there = any(each.square == echo.of and isinstance(each.what, Piece) for each in state.standing)
        return was_set_there or stands_as_at_first(state, self._occupied, echo.of)

    def _price_of_standing(self, each: Standing, missing: set[Square]) -> float | None:
        """Return what it costs that a piece stands where it does at the end, `None` if the move is another one."""
        roles, piece = self._roles, each.what
        if not isinstance(piece, Piece):
            return None
        if piece.whence is From.BESIDE:
            return 0.0 if each.square == piece.square else None
        if self._is_taken(piece):
            return self._price_of_stray(each, piece)
        if piece.square in roles.goals:
            return 0.0 if each.square in roles.goals[piece.square] and each.square in missing else None
        return 0.0 if each.square == piece.square else None

    def _price_of_stray(self, each: Standing, piece: Piece) -> float | None:
        """Return what it costs that a taken piece stays where it was set down, which was paid for itself."""
        roles = self._roles
        if each.square in roles.move.filled or (piece.whence is From.BOARD and each.square == piece.square):
            return None
        return LEFT_ON_FIRST if roles.moves(each.square) and piece.whence is From.BOARD else 0.0

    def _is_taken(self, piece: Piece) -> bool:
        """Return whether a piece leaves the board by the move, or by the one before."""
        return piece.whence is From.TAKEN or (piece.whence is From.BOARD and piece.square in self._roles.taken)

    def _set_down_unseen(self, hand: Iterable[Piece], missing: set[Square]) -> dict[Piece, Square]:
        """Return which pieces may stand where they go because the switch there says nothing, and where that is."""
        found: dict[Piece, Square] = {}
        for piece in hand:
            goals = self._roles.goals.get(piece.square, frozenset()) & missing & self._silent - set(found.values())
            if piece.whence is From.BOARD and goals:
                found[piece] = min(goals)
        return found

    def _count_held(self, hand: Sequence[Piece], missing: set[Square], never_opened: Sequence[Square]) -> int | None:
        """Return how many pieces are still to be set down, `None` if what is missing cannot come from the hands.

        A piece that goes where one is to be taken whose switch never opened stands there, for all that is known.
        """
        roles, held, puts = self._roles, 0, set(missing)
        if not set(never_opened) <= puts:
            return None
        puts -= roles.beside & self._silent
        for piece in hand:
            if piece.whence is From.TAKEN or (piece.whence is From.BOARD and piece.square in roles.taken):
                continue
            goals = {piece.square} if piece.square not in roles.goals else set(roles.goals[piece.square] & puts)
            if piece.square in roles.goals or piece.whence is From.BESIDE:
                if not goals & puts:
                    return None
                puts -= {min(goals & puts)}
            held += not goals & set(never_opened)
        beside = puts & roles.beside
        return held + len(beside) if puts == beside else None

    def _price_of_further_home(self, state: State) -> float:
        """Where nothing was played one piece may have been meant to move; the others were straightened."""
        if not self._roles.plays_nothing:
            return 0.0
        return PUT_HOME * max(0, sum(reason == "home" for _, reason in state.paid) - 1)
