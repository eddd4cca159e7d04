"""The search for the cheapest story that ends with one move.

A story gives each change of a switch a cause: a piece was lifted, a piece was set down, or the magnet of a piece that
was set down closed a neighbouring switch. A change without such a cause has a high cost. The search keeps the states in
which the pieces may be, each with its lowest cost, and extends each state by every new change. States that cost too
much are dropped. Further rules say in which states the story may end, and what the ending costs. docs/recognition.md
lists the costs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from captains_table.games.contract import Square
from captains_table.table.recognition.board_reports import PieceReadings, SwitchChange, are_neighbours
from captains_table.table.recognition.story_state import (
    MISPLACED,
    MISREAD,
    NO_LEFTOVERS,
    NOISE,
    PUT_HOME,
    UNEXPLAINED,
    Echo,
    HeldPiece,
    Piece,
    PieceSource,
    Price,
    Roles,
    StoryEnding,
    StoryState,
    TouchedSquare,
    charge_piece,
    charge_unexplained,
    extra_charges,
    was_never_lifted,
)

IN_THE_HAND = 1.0
NEVER_OPENED = 2.0
LEFT_ON_FIRST = 1.0
"""The extra cost of a taken piece left on its taker's first square: 3 with the cost of setting it down there."""
ECHOES = ((60, 0.5), (120, 1.0), (250, 2.0))
"""The cost of a second switch closed by one magnet: pairs of the greatest delay in milliseconds and the cost."""
LAG_MS = 600
"""A board that reads pieces one square after the other shows a piece on its new square so long before the old opens."""
ROCK_MS = 160
"""A piece that touches down within this time after it was lifted, and stays no longer, is only rocking."""
OVERLAPS = ((60, 0.0), (120, 0.5), (160, 1.0))
"""The cost of a slid piece that closes a switch before it opens the last: pairs of the longest time in ms and cost."""
FLICKER_MS = 60
"""A piece that is slid past a square closes that square's switch for at most this long."""
AFRESH_MS = 25_000
"""A story begins afresh once all pieces have stood on their first squares for this long."""
MOST_HELD = 8
"""Who holds more pieces makes no move but clears the board; the costs of all orders would take minutes to compute."""
TOO_DEAR = 9.0
FEW_STATES = 20
MOST_STATES = 200


class EndingRules:
    """The rules by which a story (a hypothesis of what hands did) may end with one move, and the cost of each ending.

    Args:
        roles: the roles of the pieces in the move.
        occupied: the squares occupied when the search began.
        silent: the squares whose switch is ignored.
    """

    def __init__(self, roles: Roles, occupied: frozenset[Square], silent: frozenset[Square]) -> None:
        self._roles = roles
        self._occupied = occupied
        self._silent = silent

    def of(self, state: StoryState, cost: float) -> StoryEnding | None:
        """Return the ending of a story; `None` if the move cannot end in the story's last state.

        A story is a hypothesis of what hands did on the board.

        Args:
            state: the last state of the story.
            cost: the cost of the story up to this state.
        """
        roles, missing = self._roles, set(self._roles.move.filled)
        echoes, strays = set[Square](), set[Square]()
        unexplained = {square for square, reason in state.paid if reason == NOISE and isinstance(square, Square)}
        for each in state.standing:
            if isinstance(each.what, Echo):
                echoes.add(each.square)
                if not self._is_explained(each.what, state) and each.square not in unexplained:
                    unexplained.add(each.square)
                    cost += UNEXPLAINED
                continue
            price = self._price_of_standing(each, missing)
            if price is None:
                return None
            if each.may_rock:
                state, due = charge_piece(state, self._roles.price(each.what, each.square, None), each.what)
                cost += due
            if self._is_taken(each.what):
                strays.add(each.square)
                state, due = charge_piece(state, Price(MISPLACED, f"misplaced {each.square}"), each.what)
                cost += due
            missing.discard(each.square)
            cost += price
        untouched = [start for start in (*roles.goals, *roles.taken) if was_never_lifted(state, self._occupied, start)]
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
        return StoryEnding(
            cost,
            held,
            frozenset(echoes),
            frozenset(strays),
            frozenset(unexplained),
            is_begun,
            is_complete,
            bool(never_opened),
            state.began,
        )

    def _is_explained(self, echo: Echo, state: StoryState) -> bool:
        """Return whether the magnet of a neighbouring piece explains an echo (a closed switch under an empty square).

        An echo whose cost is not known yet is not explained. Any other echo is explained in two cases: the square of
        the neighbouring piece is unknown, or a piece stands on that square.
        """
        if echo.price is None or echo.of is None:
            return echo.price is not None
        was_set_there = any(each.square == echo.of and isinstance(each.what, Piece) for each in state.standing)
        return was_set_there or was_never_lifted(state, self._occupied, echo.of)

    def _price_of_standing(self, each: TouchedSquare, missing: set[Square]) -> float | None:
        """Return the cost of leaving a piece on its square; `None` if the move cannot end with the piece there."""
        roles, piece = self._roles, each.what
        if not isinstance(piece, Piece):
            return None
        if piece.source is PieceSource.OFF_BOARD:
            return 0.0 if each.square == piece.square else None
        if self._is_taken(piece):
            return self._price_of_stray(each, piece)
        if piece.square in roles.goals:
            return 0.0 if each.square in roles.goals[piece.square] and each.square in missing else None
        return 0.0 if each.square == piece.square else None

    def _price_of_stray(self, each: TouchedSquare, piece: Piece) -> float | None:
        """Return the extra cost of leaving a captured piece on a square; `None` if it may not be left there."""
        roles = self._roles
        if each.square in roles.move.filled or (piece.source is PieceSource.BOARD and each.square == piece.square):
            return None
        return LEFT_ON_FIRST if roles.moves(each.square) and piece.source is PieceSource.BOARD else 0.0

    def _is_taken(self, piece: Piece) -> bool:
        """Return whether the move takes the piece off the board, or an earlier move captured the piece."""
        return piece.source is PieceSource.TAKEN or (
            piece.source is PieceSource.BOARD and piece.square in self._roles.taken
        )

    def _set_down_unseen(self, hand: Iterable[Piece], missing: set[Square]) -> dict[Piece, Square]:
        """Return the pieces that seem to be in the hand but may already stand on a target whose switch is ignored.

        The result maps each of these pieces to its target.
        """
        found: dict[Piece, Square] = {}
        for piece in hand:
            goals = self._roles.goals.get(piece.square, frozenset()) & missing & self._silent - set(found.values())
            if piece.source is PieceSource.BOARD and goals:
                found[piece] = min(goals)
        return found

    def _count_held(self, hand: Sequence[Piece], missing: set[Square], never_opened: Sequence[Square]) -> int | None:
        """Return how many pieces must still be set down; `None` if the move cannot end with these pieces in the hand.

        The held pieces, together with pieces from off the board, must be able to fill all missing squares. A piece that
        goes to the square of a captured piece counts as set down if the switch of that square never opened. A piece
        from off the board counts as set down if the switch of its target is ignored.

        Args:
            hand: the pieces that are not set down yet.
            missing: the squares that the move must still fill.
            never_opened: the squares of captured pieces whose switch never opened. The move cannot end if one of these
            squares is not among the missing squares.
        """
        roles, held, puts = self._roles, 0, set(missing)
        if not set(never_opened) <= puts:
            return None
        puts -= roles.entering & self._silent
        for piece in hand:
            if piece.source is PieceSource.TAKEN or (piece.source is PieceSource.BOARD and piece.square in roles.taken):
                continue
            goals = {piece.square} if piece.square not in roles.goals else set(roles.goals[piece.square] & puts)
            if piece.square in roles.goals or piece.source is PieceSource.OFF_BOARD:
                if not goals & puts:
                    return None
                puts -= {min(goals & puts)}
            held += not goals & set(never_opened)
        entering = puts & roles.entering
        return held + len(entering) if puts == entering else None

    def _price_of_further_home(self, state: StoryState) -> float:
        """Return the extra cost of a story in which pieces were lifted and put back, but no move was made.

        The first piece costs nothing extra, because a player may have meant to move it. Each further piece costs
        PUT_HOME. A story with a move has no extra cost.
        """
        if not self._roles.plays_nothing:
            return 0.0
        return PUT_HOME * max(0, sum(reason == "home" for _, reason in state.paid) - 1)


class StorySearch:
    """The search for the cheapest story that ends with one move: all states reached so far, with their least cost.

    Args:
        roles: the roles of the pieces in the move.
        occupied: the squares occupied when the search began.
        silent: the squares whose switch is ignored, where pieces may have been lifted or set down unseen.
        states: the states with which the search begins, each with its cost so far; empty if `begin_also` will add all
            of them.
        readings: what the readings of the board mean.

    Attributes:
        taken: the squares of the pieces that leave the board.
        states: the states reached so far, each with its lowest cost.
    """

    def __init__(
        self,
        roles: Roles,
        occupied: frozenset[Square],
        silent: frozenset[Square],
        states: Mapping[StoryState, float],
        readings: PieceReadings,
    ) -> None:
        self._roles = roles
        self._readings = readings
        self._occupied = occupied
        self._silent = silent
        self._endings = EndingRules(roles, occupied, silent)
        self._closed: list[SwitchChange] = []
        self._changed_ms = 0
        self.taken = roles.taken
        self._begins_here = bool(states)  # else it begins wherever the move before it is complete
        self.states = dict(states)

    def begin_also(self, state: StoryState, cost: float) -> None:
        """Add a state from which the search may start, and its cost; of two costs of a state, the lower one counts."""
        self.states[state] = min(cost, self.states.get(state, cost))

    def follow(self, change: SwitchChange) -> None:
        """Explain one more switch change: extend every possible state of the search by it.

        The move may also begin only now. This is considered if no switch changed for `AFRESH_MS`, and all pieces may
        still be where they were at the start of the search. It is never considered if the search started without
        states.
        """
        has_rested = change.at_ms - self._changed_ms >= AFRESH_MS
        if has_rested and self._begins_here and any(_is_at_first(state) for state in self.states):
            self.states = dict(self.states)
            self.begin_also(NO_LEFTOVERS.state(), 0.0)
        self._changed_ms = change.at_ms
        following: dict[StoryState, float] = {}
        for before, cost in self.states.items():
            state, due = _without_old_echoes(before, change.at_ms)
            causes = self._placed(state, change) if change.closed else self._lifted(state, change)
            for after, price in causes:
                total = cost + due + price
                if total < TOO_DEAR and total < following.get(after, TOO_DEAR):
                    following[after] = total
        self.states = following if len(following) <= FEW_STATES else _without_worse(following)
        if change.closed:
            self._closed.append(change)

    # --- possible causes of a change ----------------------------------------------------------------------------------

    def _lifted(self, state: StoryState, change: SwitchChange) -> Iterator[tuple[StoryState, float]]:
        on_square = next((each for each in state.standing if each.square == change.square), None)
        if on_square is None and was_never_lifted(state, self._occupied, change.square):
            held = HeldPiece(Piece(change.square), change.square, change.at_ms, change.reading)
            yield from self._taken_up(state, held, 0.0)
        elif on_square is None:
            yield charge_unexplained(state, change.square)
        elif isinstance(on_square.what, Echo):
            after = state._replace(standing=state.standing - {on_square})
            is_explained = on_square.what.price is not None or self._only_passed(after, on_square, change.at_ms)
            yield (after, 0.0) if is_explained else charge_unexplained(after, change.square)
        else:
            piece = on_square.what
            stayed_ms = change.at_ms - on_square.since_ms
            after, price = self._price_of_stay(state, on_square, piece, stayed_ms)
            after = after._replace(standing=_with_magnet(after.standing - {on_square}, change.square, change.at_ms))
            yield from self._taken_up(after, HeldPiece(piece, change.square, change.at_ms, change.reading), price)

    def _price_of_stay(
        self, state: StoryState, on_square: TouchedSquare, piece: Piece, stayed_ms: int
    ) -> tuple[StoryState, float]:
        """Charge a piece that is lifted now for its stay on a square; return the state and the added cost.

        On a square where the piece did not stand at first, the cost depends on the length of the stay. On the piece's
        original square, the cost is normally 0, because the stay was charged when the piece was set down. If the piece
        might only have been rocking there (`may_rock`), a stay longer than `ROCK_MS` is charged now.
        """
        is_home = piece == Piece(on_square.square)
        if is_home and not (on_square.may_rock and stayed_ms > ROCK_MS):
            return state, 0.0
        return charge_piece(state, self._roles.price(piece, on_square.square, stayed_ms), piece)

    def _taken_up(self, state: StoryState, held: HeldPiece, price: float) -> Iterator[tuple[StoryState, float]]:
        """Yield the states after a lift, each with its cost: the piece is in the hand or slid to a neighbouring square.

        `price` is the cost of the lift itself.
        """
        if len(state.hand) < MOST_HELD:
            yield state._replace(hand=state.hand | {held}), price
        for each in state.standing:
            overlap = self._price_of_overlap(each.what, each.square, held) if isinstance(each.what, Echo) else None
            if overlap is not None:
                slid = each._replace(what=held.piece)
                reached = state.reached or each.square in self._roles.goals.get(held.piece.square, ())
                after = state._replace(standing=state.standing - {each} | {slid}, reached=reached)
                after, due = charge_piece(after, self._roles.price(held.piece, each.square, 0), held.piece)
                yield after, price + due + overlap

    def _price_of_overlap(self, echo: Echo, square: Square, held: HeldPiece) -> float | None:
        """Return the cost if a piece reached a square before its last one opened; `None` if it cannot be there."""
        if echo.reading:
            is_same = held.reading == echo.reading and held.since_ms - echo.since_ms <= LAG_MS
            return 0.0 if is_same else None
        return _price_within(OVERLAPS, held.since_ms - echo.since_ms) if are_neighbours(square, held.square) else None

    def _only_passed(self, state: StoryState, echo: TouchedSquare, now_ms: int) -> bool:
        """Return whether a piece sliding past on a neighbouring square may have closed the switch of `echo` briefly."""
        is_adjacent = any(
            isinstance(each.what, Piece) and are_neighbours(each.square, echo.square) for each in state.standing
        )
        return is_adjacent and now_ms - echo.since_ms <= FLICKER_MS

    def _placed(self, state: StoryState, change: SwitchChange) -> Iterator[tuple[StoryState, float]]:
        if any(each.square == change.square for each in state.standing):
            return
        if was_never_lifted(state, self._occupied, change.square):
            return
        explained, due = self._with_echoes_explained(state, change)
        for held in (*state.hand, *self._lifted_unseen(state)):
            after, price = self._set_down(explained, held, change)
            yield after, due + price
        for put in self._roles.entering:
            if not self._is_used(state, put):
                after, price = self._set_down(explained, HeldPiece(Piece(put, PieceSource.OFF_BOARD), put, 0), change)
                yield after._replace(reached=after.reached or put == change.square), due + price
        if change.reading:
            ahead = TouchedSquare(change.square, Echo(change.at_ms, None, reading=change.reading), change.at_ms)
            yield state._replace(standing=state.standing | {ahead}), 0.0
            return
        for echo in {self._echo(state, change), Echo(change.at_ms, None)}:  # its magnet came before, or comes yet
            standing = TouchedSquare(change.square, echo, change.at_ms)
            yield state._replace(standing=state.standing | {standing}), echo.price or 0.0

    def _lifted_unseen(self, state: StoryState) -> Iterator[HeldPiece]:
        """Yield the pieces that may have been lifted unseen, because the switch of their square is ignored."""
        for start in self._roles.goals.keys() & self._silent:
            if was_never_lifted(state, self._occupied, start):
                yield HeldPiece(Piece(start), start, -ROCK_MS - 1)

    def _set_down(self, state: StoryState, held: HeldPiece, change: SwitchChange) -> tuple[StoryState, float]:
        """Return the state after a piece is set down, and the added cost.

        The piece may only be passing over the square, or rocking on it. Therefore the full cost is not charged until
        the piece has stayed.
        """
        is_home = held.piece == Piece(change.square)
        may_rock = is_home and held.square == change.square and change.at_ms - held.since_ms <= ROCK_MS
        standing = TouchedSquare(change.square, held.piece, change.at_ms, may_rock)
        state = state._replace(standing=_with_magnet(state.standing, change.square, None))
        reached = state.reached or change.square in self._roles.goals.get(held.piece.square, ())
        after = state._replace(standing=state.standing | {standing}, hand=state.hand - {held}, reached=reached)
        misread = 0.0
        if self._is_misread(held, change):
            after, misread = charge_piece(after, Price(MISREAD, f"misread {change.square}"), held.piece)
        if may_rock:
            return after, misread
        least = self._roles.price(held.piece, change.square, None if is_home else 0)  # the cost if it only passes
        after, due = charge_piece(after, least, held.piece)
        return after, due + misread

    def _is_misread(self, held: HeldPiece, change: SwitchChange) -> bool:
        """Return whether the board reads another piece than this one on the square where it is set down."""
        if held.piece.source is PieceSource.OFF_BOARD:
            return self._readings.deny(change.reading, self._roles.move.puts.get(held.piece.square, ""))
        return self._readings.differ(held.reading, change.reading)

    def _is_used(self, state: StoryState, put: Square) -> bool:
        piece = Piece(put, PieceSource.OFF_BOARD)
        return any(held.piece == piece for held in state.hand) or any(each.what == piece for each in state.standing)

    # --- magnets of neighbouring pieces -------------------------------------------------------------------------------

    def _echo(self, state: StoryState, change: SwitchChange) -> Echo:
        """Return the echo that explains a closed switch by the magnet of a piece on a neighbouring square.

        The neighbouring piece that was set down last counts as the cause. If no neighbouring piece was set down
        recently, the cause and the cost stay open, because the switch may have reacted to a piece that is still in a
        hand.
        """
        magnets = {each.square for each in state.standing if isinstance(each.what, Piece)}
        near = [each for each in self._closed if are_neighbours(each.square, change.square) and each.square in magnets]
        price = _price_within(ECHOES, change.at_ms - near[-1].at_ms) if near else None
        return Echo(change.at_ms, price, near[-1].square if price is not None else None)

    def _with_echoes_explained(self, state: StoryState, change: SwitchChange) -> tuple[StoryState, float]:
        """Explain echoes by the piece that `change` sets down; return the new state and the cost of the explanations.

        An echo is a switch that the magnet of a neighbouring piece closed. The piece explains an echo if no set-down
        piece explains the echo yet, the echo is next to the piece, and it began shortly before the piece was set down.
        """
        standing, due = set(state.standing), 0.0
        for each in state.standing:
            is_open = isinstance(each.what, Echo) and each.what.price is None and not each.what.reading
            if is_open and are_neighbours(each.square, change.square):
                price = _price_within(ECHOES, change.at_ms - each.since_ms)
                if price is not None:
                    due += price
                    standing.remove(each)
                    standing.add(each._replace(what=Echo(each.since_ms, price, change.square)))
        return (state, 0.0) if not due else (state._replace(standing=frozenset(standing)), due)

    # --- endings ------------------------------------------------------------------------------------------------------

    def endings(self, states: Mapping[StoryState, float]) -> Iterator[tuple[StoryState, StoryEnding]]:
        """Yield the states in which the story may end, each with its ending."""
        for state, cost in states.items():
            ending = self._endings.of(state, cost)
            if ending is not None:
                yield state, ending

    def cheapest(self) -> StoryEnding | None:
        """Return the cheapest ending of the story; `None` if the story has no ending.

        An ending that an unexplained switch change makes doubtful is returned only if every ending is doubtful.
        """
        ends = [ending for _, ending in self.endings(self.states)]
        moved = self._roles.move.changed
        return min(ends, key=lambda each: (each.rests_on_noise(moved), each.cost, each.held, -each.began), default=None)


def _without_worse(states: Mapping[StoryState, float]) -> dict[StoryState, float]:
    """Return the cheapest states, at most `MOST_STATES`, without superfluous states.

    State A is superfluous if there is a state B with these properties:

    - A and B have the same `standing`, `hand` and `reached`.
    - A has paid all charges that B has paid.
    - B costs no more than A, even if the charges that only A has paid are added to the cost of B.
    """
    kept: dict[StoryState, float] = {}
    others: dict[tuple[object, ...], list[tuple[StoryState, float]]] = {}
    for state, cost in sorted(states.items(), key=lambda item: (item[1], len(item[0].paid), len(item[0].hand))):
        alike = others.setdefault((state.standing, state.hand, state.reached), [])
        if not any(other.paid <= state.paid and cost >= less + extra_charges(state, other) for other, less in alike):
            alike.append((state, cost))
            kept[state] = cost
            if len(kept) == MOST_STATES:
                break
    return kept


def _is_at_first(state: StoryState) -> bool:
    """Return whether every piece is where it was when the search began, and no switch of an empty square is closed.

    Only pieces that the previous move captured may be in a hand.
    """
    is_none_lifted = all(held.piece.source is PieceSource.TAKEN for held in state.hand)
    return is_none_lifted and all(each.what == Piece(each.square) for each in state.standing)


def _without_old_echoes(state: StoryState, now_ms: int) -> tuple[StoryState, float]:
    """Charge each echo that has outlasted its magnet; return the new state and the added cost.

    An echo is a switch that is closed by the magnet of a neighbouring piece. A charged echo is not charged again.
    """
    due = 0.0
    for each in state.standing:
        if isinstance(each.what, Echo) and _is_without_magnet(each.what, now_ms):
            explained = each._replace(what=Echo(each.since_ms, 0.0))
            state, price = charge_unexplained(state, each.square)
            state = state._replace(standing=state.standing - {each} | {explained})
            due += price
    return state, due


def _is_without_magnet(echo: Echo, now_ms: int) -> bool:
    """Return whether the switch of an echo has been closed too long without a neighbouring piece.

    An echo is a closed switch that is explained by the magnet of a piece on a neighbouring square.
    """
    since_ms = echo.since_ms if echo.price is None else echo.left_ms
    return since_ms is not None and now_ms - since_ms > (LAG_MS if echo.reading else ECHOES[-1][0])


def _with_magnet(standing: frozenset[TouchedSquare], square: Square, left_ms: int | None) -> frozenset[TouchedSquare]:
    """Return the touched squares after a piece was lifted or set down, with the echoes of this piece updated.

    An echo is a closed switch that is explained by the magnet of a piece on a neighbouring square.

    Args:
        standing: what is on the touched squares.
        square: the square of the piece.
        left_ms: when the piece was lifted; `None` if it was set down.
    """
    held = {
        each: each._replace(what=each.what._replace(left_ms=left_ms))
        for each in standing
        if isinstance(each.what, Echo) and each.what.of == square
    }
    return standing.difference(held).union(held.values())


def _price_within(prices: Sequence[tuple[int, float]], after_ms: int) -> float | None:
    return next((price for within_ms, price in prices if after_ms <= within_ms), None)
