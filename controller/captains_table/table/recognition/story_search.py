"""The search for the cheapest story that ends with one move: who was lifted, who was set down, and what that costs.

A story gives each change of a switch a cause: a piece that was lifted or set down, or the magnet of one that was set
down on a neighbouring square. The search keeps every state the pieces may be in, with the least it costs to come there,
and goes on with each change; docs/recognition.md lists the costs.
"""

from collections.abc import Iterator, Mapping, Sequence

from captains_table.games.contract import Square
from captains_table.table.recognition.roles import From, Piece, Roles
from captains_table.table.recognition.story_ending import Endings
from captains_table.table.recognition.story_state import (
    NOTHING_FOUND,
    Echo,
    Ending,
    Held,
    Standing,
    State,
    noted,
    paid_beside,
    stands_as_at_first,
    unexplained,
)
from captains_table.table.recognition.switch_history import Change, are_neighbours

ECHOES = ((60, 0.5), (120, 1.0), (250, 2.0))
"""What a second square closed by one magnet costs, by the milliseconds between the two."""

ROCK_MS = 160
"""A piece that touches down again so soon after it was lifted, and for no longer, only rocks."""

OVERLAPS = ((60, 0.0), (120, 0.5), (160, 1.0))
"""What it costs that a slid piece reached the next switch before it left the last one, by the milliseconds between."""

FLICKER_MS = 60
"""A piece that is slid beside a square closes its switch for no longer, if it goes there only after that."""

AFRESH_MS = 25_000
"""Where all pieces have stood as at first for so long, a story begins afresh."""

TOO_DEAR = 9.0
FEW_STATES = 20
MOST_STATES = 200


class StorySearch:
    """The states in which the pieces may be, if a story is to end with one move.

    Args:
        roles: who does what in the move.
        occupied: where pieces stand at first.
        silent: the squares whose switch says nothing: a piece may have left them, or have been set there, unseen.
        states: what the search begins with, and what that cost already.
    """

    def __init__(
        self, roles: Roles, occupied: frozenset[Square], silent: frozenset[Square], states: Mapping[State, float]
    ) -> None:
        self._roles = roles
        self._occupied = occupied
        self._silent = silent
        self._endings = Endings(roles, occupied, silent)
        self._closed: list[Change] = []
        self._changed_ms = 0
        self._begins_here = bool(states)  # else it begins wherever another one is complete
        self.states = dict(states)

    @property
    def taken(self) -> frozenset[Square]:
        """The pieces that leave the board by the move."""
        return self._roles.taken

    def begin_also(self, state: State, cost: float) -> None:
        """Let the story begin in a further state."""
        self.states[state] = min(cost, self.states.get(state, cost))

    def follow(self, change: Change) -> None:
        """Go on with a change of a switch."""
        has_rested = change.at_ms - self._changed_ms >= AFRESH_MS
        if has_rested and self._begins_here and any(_is_at_first(state) for state in self.states):
            self.states = dict(self.states)
            self.begin_also(NOTHING_FOUND.state(), 0.0)
        self._changed_ms = change.at_ms
        following: dict[State, float] = {}
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

    # --- what a change may have been ------------------------------------------------------------------------------

    def _lifted(self, state: State, change: Change) -> Iterator[tuple[State, float]]:
        on_square = next((each for each in state.standing if each.square == change.square), None)
        if on_square is None and stands_as_at_first(state, self._occupied, change.square):
            yield from self._taken_up(state, Held(Piece(change.square), change.square, change.at_ms), 0.0)
        elif on_square is None:
            yield unexplained(state, change.square)
        elif isinstance(on_square.what, Echo):
            after = state._replace(standing=state.standing - {on_square})
            is_explained = on_square.what.price is not None or self._only_passed(after, on_square, change.at_ms)
            yield (after, 0.0) if is_explained else unexplained(after, change.square)
        else:
            piece = on_square.what
            stayed_ms = change.at_ms - on_square.since_ms
            after, price = self._price_of_stay(state, on_square, piece, stayed_ms)
            after = after._replace(standing=_left_by_magnet(after.standing - {on_square}, change))
            yield from self._taken_up(after, Held(piece, change.square, change.at_ms), price)

    def _price_of_stay(self, state: State, on_square: Standing, piece: Piece, stayed_ms: int) -> tuple[State, float]:
        """Pay for a piece that is lifted again; its own square was paid for when it was set there."""
        is_home = piece == Piece(on_square.square)
        if is_home and not (on_square.may_rock and stayed_ms > ROCK_MS):
            return state, 0.0
        return noted(state, self._roles.price(piece, on_square.square, stayed_ms), piece)

    def _taken_up(self, state: State, held: Held, price: float) -> Iterator[tuple[State, float]]:
        """Yield a piece in the hand, or on the next square already: between two a magnet closes both."""
        yield state._replace(hand=state.hand | {held}), price
        for each in state.standing:
            overlap = _price_within(OVERLAPS, held.since_ms - each.since_ms) if isinstance(each.what, Echo) else None
            if overlap is not None and are_neighbours(each.square, held.square):
                slid = each._replace(what=held.piece)
                reached = state.reached or each.square in self._roles.goals.get(held.piece.square, ())
                after = state._replace(standing=state.standing - {each} | {slid}, reached=reached)
                after, due = noted(after, self._roles.price(held.piece, each.square, 0), held.piece)
                yield after, price + due + overlap

    def _only_passed(self, state: State, echo: Standing, now_ms: int) -> bool:
        """Return whether a piece that is slid on the next square may have closed a switch for a moment."""
        is_beside = any(
            isinstance(each.what, Piece) and are_neighbours(each.square, echo.square) for each in state.standing
        )
        return is_beside and now_ms - echo.since_ms <= FLICKER_MS

    def _placed(self, state: State, change: Change) -> Iterator[tuple[State, float]]:
        if any(each.square == change.square for each in state.standing):
            return
        if stands_as_at_first(state, self._occupied, change.square):
            return
        explained, due = self._with_echoes_explained(state, change)
        for held in (*state.hand, *self._lifted_unseen(state)):
            after, price = self._set_down(explained, held, change)
            yield after, due + price
        for put in self._roles.beside:
            if not self._is_used(state, put):
                after, price = self._set_down(explained, Held(Piece(put, From.BESIDE), put, 0), change)
                yield after._replace(reached=after.reached or put == change.square), due + price
        for echo in {self._echo(state, change), Echo(change.at_ms, None)}:  # a magnet beside it, or one that comes yet
            standing = Standing(change.square, echo, change.at_ms)
            yield state._replace(standing=state.standing | {standing}), echo.price or 0.0

    def _lifted_unseen(self, state: State) -> Iterator[Held]:
        """Yield the pieces to be moved whose square says nothing, so that they may be in a hand."""
        for start in self._roles.goals.keys() & self._silent:
            if stands_as_at_first(state, self._occupied, start):
                yield Held(Piece(start), start, -ROCK_MS - 1)

    def _set_down(self, state: State, held: Held, change: Change) -> tuple[State, float]:
        """Set a piece down; where it may only pass or rock, what that costs is paid once it has stayed."""
        is_home = held.piece == Piece(change.square)
        may_rock = is_home and held.square == change.square and change.at_ms - held.since_ms <= ROCK_MS
        standing = Standing(change.square, held.piece, change.at_ms, may_rock)
        state = state._replace(standing=_held_by_magnet(state.standing, change.square))
        reached = state.reached or change.square in self._roles.goals.get(held.piece.square, ())
        after = state._replace(standing=state.standing | {standing}, hand=state.hand - {held}, reached=reached)
        if may_rock:
            return after, 0.0
        least = self._roles.price(held.piece, change.square, None if is_home else 0)  # what it costs if it only passes
        return noted(after, least, held.piece)

    def _is_used(self, state: State, put: Square) -> bool:
        piece = Piece(put, From.BESIDE)
        return any(held.piece == piece for held in state.hand) or any(each.what == piece for each in state.standing)

    # --- magnets beside a square ------------------------------------------------------------------------------------

    def _echo(self, state: State, change: Change) -> Echo:
        """Return an echo of the magnet that was set down beside a square last; it may be set down yet."""
        magnets = {each.square for each in state.standing if isinstance(each.what, Piece)}
        near = [each for each in self._closed if are_neighbours(each.square, change.square) and each.square in magnets]
        price = _echo_price(change.at_ms - near[-1].at_ms) if near else None
        return Echo(change.at_ms, price, near[-1].square if price is not None else None)

    def _with_echoes_explained(self, state: State, change: Change) -> tuple[State, float]:
        """Let a magnet that is set down explain the switches beside it that closed just before."""
        standing, due = set(state.standing), 0.0
        for each in state.standing:
            if isinstance(each.what, Echo) and each.what.price is None and are_neighbours(each.square, change.square):
                price = _echo_price(change.at_ms - each.since_ms)
                if price is not None:
                    due += price
                    standing.remove(each)
                    standing.add(each._replace(what=Echo(each.since_ms, price, change.square)))
        return (state, 0.0) if not due else (state._replace(standing=frozenset(standing)), due)

    # --- how it ends ------------------------------------------------------------------------------------------------

    def endings(self, states: Mapping[State, float]) -> Iterator[tuple[State, Ending]]:
        """Yield those of some states in which the story may end, with what it costs then."""
        for state, cost in states.items():
            ending = self._endings.of(state, cost)
            if ending is not None:
                yield state, ending

    def cheapest(self) -> Ending | None:
        """Return how the story ends at the least cost, `None` if it does not end with this move.

        One that rests on a switch which changed though nobody did that is only told where there is no other.
        """
        ends = [ending for _, ending in self.endings(self.states)]
        moved = self._roles.move.changed
        return min(ends, key=lambda each: (each.rests_on_noise(moved), each.cost, each.held, -each.began), default=None)


def _without_worse(states: Mapping[State, float]) -> dict[State, float]:
    """Return the states but for those that cost as much as others, and what they have paid for beside these."""
    kept: dict[State, float] = {}
    others: dict[tuple[object, ...], list[tuple[State, float]]] = {}
    for state, cost in sorted(states.items(), key=lambda item: (item[1], len(item[0].paid), len(item[0].hand))):
        alike = others.setdefault((state.standing, state.hand, state.reached), [])
        if not any(other.paid <= state.paid and cost >= less + paid_beside(state, other) for other, less in alike):
            alike.append((state, cost))
            kept[state] = cost
            if len(kept) == MOST_STATES:
                break
    return kept


def _is_at_first(state: State) -> bool:
    """Return whether every piece stands where it was at first."""
    is_none_lifted = all(held.piece.whence is From.TAKEN for held in state.hand)
    return is_none_lifted and all(each.what == Piece(each.square) for each in state.standing)


def _without_old_echoes(state: State, now_ms: int) -> tuple[State, float]:
    """Return the state in which each switch is paid for that closed too long ago for a magnet to be set down yet."""
    due = 0.0
    for each in state.standing:
        if isinstance(each.what, Echo) and _is_without_magnet(each.what, now_ms):
            explained = each._replace(what=Echo(each.since_ms, 0.0))
            state, price = unexplained(state, each.square)
            state = state._replace(standing=state.standing - {each} | {explained})
            due += price
    return state, due


def _is_without_magnet(echo: Echo, now_ms: int) -> bool:
    """Return whether a switch has been closed too long with no magnet beside it."""
    since_ms = echo.since_ms if echo.price is None else echo.left_ms
    return since_ms is not None and now_ms - since_ms > ECHOES[-1][0]


def _left_by_magnet(standing: frozenset[Standing], lifted: Change) -> frozenset[Standing]:
    """Return what stands once a piece is lifted that held switches beside it: they open soon."""
    held = [each for each in standing if isinstance(each.what, Echo) and each.what.of == lifted.square]
    left = [
        each._replace(what=each.what._replace(left_ms=lifted.at_ms)) for each in held if isinstance(each.what, Echo)
    ]
    return standing.difference(held).union(left)


def _held_by_magnet(standing: frozenset[Standing], square: Square) -> frozenset[Standing]:
    """Return what stands once a piece is set down again beside the switches that it held."""
    left = [each for each in standing if isinstance(each.what, Echo) and each.what.of == square]
    held = [each._replace(what=each.what._replace(left_ms=None)) for each in left if isinstance(each.what, Echo)]
    return standing.difference(left).union(held)


def _echo_price(after_ms: int) -> float | None:
    return _price_within(ECHOES, after_ms)


def _price_within(prices: Sequence[tuple[int, float]], after_ms: int) -> float | None:
    return next((price for within_ms, price in prices if after_ms <= within_ms), None)
