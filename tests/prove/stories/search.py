"""The search: one change after the other, every piece that may have been lifted or set down, the cheapest way kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from captains_table.games.contract import Square
from tests.prove.stories import prices
from tests.prove.stories.history import Change, History
from tests.prove.stories.roles import Roles, are_neighbours

HAND: Final = None


class Piece(NamedTuple):
    """A piece by where the move finds it; `home` is None for one from off the board."""

    sign: str
    home: Square | None
    is_spare: bool = False


Echo = tuple[Square, Square | None]
Echoes = frozenset[Echo]


class State(NamedTuple):
    """How far a story has come.

    Attributes:
        places: where each piece is, None in a hand or off the board.
        echoes: the switches that a neighbour's magnet holds closed, each with that magnet's square; None where that is
            not known, because it was so from the first.
        paid: what was paid for already.
        reached: whether a mover was where it goes.
    """

    places: tuple[Square | None, ...]
    echoes: Echoes
    paid: frozenset[tuple[int, Square]]
    reached: bool


class Began(NamedTuple):
    """What a story finds on the board besides its pieces: echoes, and taken pieces left there, with their squares."""

    echoes: Echoes
    strays: frozenset[tuple[str, Square]] = frozenset()


Starts = Mapping[int, Mapping[Began, float]]
"""Where stories begin: the number of the first change that is theirs, and what it costs by what it finds."""


class Search:
    """The stories of one move.

    Pieces off the board (`spares`) may be set down on it by mistake. Where stories forget, one begins afresh as soon as
    all its pieces stand as before the move.
    """

    def __init__(self, history: History, roles: Roles, spares: Sequence[str] = (), *, forgets: bool = False) -> None:
        self._history = history
        self._roles = roles
        self._most = prices.TOO_DEAR
        self._forgets = forgets
        touched = {*history.touched(), *(history.closed ^ roles.before.keys()), *history.silent}
        self._pieces = [Piece(roles.before[square], square) for square in sorted(touched) if square in roles.before]
        self._pieces += [Piece(sign, None) for _, sign in sorted(roles.promoted.items())]
        self._pieces += [Piece(sign, None, is_spare=True) for sign in spares]
        self._tracked = frozenset(piece.home for piece in self._pieces if piece.home is not None)
        self._checked = sorted(touched | roles.changed)
        self._home = self._first(1, Began(frozenset()))

    def cheapest(self, starts: Starts) -> float | None:
        """Return what the cheapest story costs that ends with the move made; None where there is none."""
        states = self._run(starts)
        ends = [(cost, self._price_of_end(state)) for state, cost in states.items()]
        return min((cost + price for cost, price in ends if price is not None), default=None)

    def made(self, starts: Starts) -> dict[int, dict[Began, float]]:
        """Return when the pieces stand as after the move, and the least that costs by what the next one finds then."""
        found: dict[int, dict[Began, float]] = {}
        self._run(starts, found)
        return found

    def taken_signs(self) -> list[str]:
        return [self._roles.before[square] for square in sorted(self._roles.taken)]

    # --- one change after the other ---------------------------------------------------------------------------------

    def _run(self, starts: Starts, made: dict[int, dict[Began, float]] | None = None) -> dict[State, float]:
        states: dict[State, float] = {}
        for number in range(len(self._history.changes) + 1):
            for began, cost in starts.get(number, {}).items():
                _keep(states, self._first(number, began), cost)
            if made is not None and number:
                self._note_made(states, made.setdefault(number, {}))
            if number < len(self._history.changes):
                states = self._after(states, number)
        return states

    def _first(self, number: int, began: Began) -> State:
        """Return how stories begin: every piece at home, but for those whose switch says otherwise from the first."""
        away = frozenset(self._roles.before) - self._history.closed if number == 0 else frozenset[Square]()
        away |= self._history.silent
        places = [None if piece.home in away else piece.home for piece in self._pieces]
        paid = set()
        for sign, square in began.strays:
            which = self._pieces.index(Piece(sign, None, is_spare=True))
            while places[which] is not None:
                which += 1  # the next one taken that looks like it
            places[which] = square
            paid.add((which, square))
        return State(tuple(places), began.echoes, frozenset(paid), reached=False)

    def _after(self, states: Mapping[State, float], number: int) -> dict[State, float]:
        change = self._history.changes[number]
        following: dict[State, float] = {}
        for state, cost in states.items():
            steps = self._set_down(state, number, change) if change.closed else self._lifted(state, number, change)
            for after, price in steps:
                if cost + price < self._most:
                    _keep(following, after, cost + price)
        if self._history.told is not None and self._history.told[0] == number + 1:
            following = {state: cost for state, cost in following.items() if self._is_as_told(state)}
        if self._forgets and any(state.places == self._home.places and not state.echoes for state in following):
            following[self._home] = 0.0
        return following

    def _is_as_told(self, state: State) -> bool:
        """Return whether the pieces stand as somebody said they did, as far as any switch speaks of it."""
        pieces = {} if self._history.told is None else self._history.told[1]
        where = {place: self._pieces[which] for which, place in enumerate(state.places) if place is not HAND}
        standing = {square: self._there(where, square) for square in self._checked}
        return all(
            (None if piece is None else piece.sign) == pieces.get(square)
            for square, piece in standing.items()
            if square not in self._history.silent
        )

    def _lifted(self, state: State, number: int, change: Change) -> Iterator[tuple[State, float]]:
        square = change.square
        echo = _echo_of(state, square)
        if echo is not None:
            yield state._replace(echoes=state.echoes - {echo}), 0.0
        elif square in state.places and not any(
            source == square and self._outlasts(number, held, square) for held, source in state.echoes
        ):
            yield state._replace(places=_moved(state.places, state.places.index(square), HAND)), 0.0

    def _outlasts(self, number: int, held: Square, magnet: Square) -> bool:
        """Return whether a switch stays closed long after the magnet next to it was lifted, which none can do."""
        until_ms, later = (
            self._history.changes[number].at_ms + prices.ECHOES[-1][0],
            self._history.changes[number + 1 :],
        )
        following = [change for change in later if change.at_ms <= until_ms]
        is_back = any(change.square == magnet and change.closed for change in following)
        has_opened = any(change.square == held and not change.closed for change in following)
        return len(later) > len(following) and not is_back and not has_opened

    def _set_down(self, state: State, number: int, change: Change) -> Iterator[tuple[State, float]]:
        square = change.square
        if _echo_of(state, square) is not None or square in state.places:
            return
        tried = set()
        for which, place in enumerate(state.places):
            piece = self._pieces[which]
            if place is not HAND or piece in tried or change.denies(piece.sign):
                continue
            tried.add(piece)
            price, reason = self._price_of_setting(piece, number, square)
            paid = state.paid
            if price and reason:
                key = (which, square)
                price, paid = (0.0, paid) if key in paid else (price, paid | {key})
            reached = state.reached or square in self._roles.goals.get(piece.home or square, ())
            yield State(_moved(state.places, which, square), state.echoes, paid, reached), price
        source = self._source_of_echo(state, number, change)
        if source is not None:
            after_ms, magnet = source
            price = next(price for within_ms, price in prices.ECHOES if after_ms <= within_ms)
            price += prices.MISPLACED if change.reads else 0.0  # no magnet, but a piece across a border
            yield state._replace(echoes=state.echoes | {(square, magnet)}), price

    # --- what it costs ----------------------------------------------------------------------------------------------

    def _price_of_setting(self, piece: Piece, number: int, square: Square) -> tuple[float, bool]:
        """Return what it costs to set a piece on a square, and whether that is paid once for however often."""
        roles, history, home = self._roles, self._history, piece.home
        if home is None:
            return (0.0, False) if not piece.is_spare and square in roles.promoted else (prices.MISPLACED, True)
        if home == square:
            return self._price_at_home(square, number)
        if home in roles.movers:
            return self._price_of_moving(home, square, history.lasts_ms(number))
        return prices.MISPLACED, True

    def _price_at_home(self, square: Square, number: int) -> tuple[float, bool]:
        lifted_ms, stood_ms = self._history.since_ms(number), self._history.lasts_ms(number)
        is_rocking = lifted_ms is not None and stood_ms is not None and max(lifted_ms, stood_ms) <= prices.ROCK_MS
        if is_rocking:
            return 0.0, False
        return (prices.PUT_HOME if square in self._roles.movers else prices.STRAIGHTENED), True

    def _price_of_moving(self, home: Square, square: Square, lasts_ms: int | None) -> tuple[float, bool]:
        roles = self._roles
        if square in roles.goals.get(home, ()) or (lasts_ms is not None and roles.is_on_the_way(home, square)):
            return 0.0, False
        if lasts_ms is not None and lasts_ms <= prices.BOW_MS and roles.is_beside_the_way(home, square):
            return 0.0, False
        if roles.may_go(home, square):
            is_passing = lasts_ms is not None and lasts_ms <= prices.PASSING_MS
            return (0.0, False) if is_passing else (prices.TRIED, True)
        return prices.MISPLACED, True

    def _source_of_echo(self, state: State, number: int, change: Change) -> tuple[int, Square] | None:
        """Return the piece set down next to a square nearest in time, and how near; an echo has no echo itself."""
        found = []
        for step in (-1, 1):
            at = number + step
            while 0 <= at < len(self._history.changes):
                other = self._history.changes[at]
                near_ms = abs(other.at_ms - change.at_ms)
                if near_ms > prices.ECHOES[-1][0]:
                    break
                is_echo = at < number and _echo_of(state, other.square) is not None
                is_alike = change.reads == other.reads  # a piece across a border is read on both squares
                if other.closed and is_alike and not is_echo and are_neighbours(other.square, change.square):
                    found.append((near_ms, other.square))
                at += step
        return min(found, default=None)

    # --- how it ends ------------------------------------------------------------------------------------------------

    def _note_made(self, states: Mapping[State, float], made: dict[Began, float]) -> None:
        for state, cost in states.items():
            began = Began(state.echoes, self._strays(state))
            if cost < made.get(began, self._most) and self._stands(state):
                made[began] = cost

    def _strays(self, state: State) -> frozenset[tuple[str, Square]]:
        taken = [which for which, piece in enumerate(self._pieces) if piece.home in self._roles.taken]
        return frozenset(
            (self._pieces[which].sign, place)
            for which in taken
            if (place := state.places[which]) is not None and place != self._pieces[which].home
        )

    def _stands(self, state: State) -> bool:
        """Return whether the pieces stand just as after the move, none in the hand."""
        price = self._price_of_end(state)
        return price is not None and price == 0

    def _price_of_end(self, state: State) -> float | None:
        """Return what is left to pay where the pieces end as the move has them; None if they do not."""
        roles, price, missing = self._roles, 0.0, list[tuple[str, Square, float]]()
        where = {place: self._pieces[which] for which, place in enumerate(state.places) if place is not HAND}
        if any(source is not None and source not in where for _, source in state.echoes):
            return None  # no magnet is there any more that could hold that switch closed
        for square in self._checked:
            there, wanted = self._there(where, square), roles.after.get(square)
            if (
                there is not None
                and there.sign == wanted
                and (there.home in (square, None) or there.home not in roles.taken)
            ):
                continue
            if there is None:
                if wanted is not None:
                    missing.append((wanted, square, 0.0 if square in self._history.silent else prices.IN_THE_HAND))
            elif wanted is None:
                stays = self._price_of_staying(there, square)
                if stays is None:
                    return None
                price += stays
            elif (
                there.home == square and square in roles.taken and wanted in self._history.reads.get(square, (wanted,))
            ):
                missing.append((wanted, square, prices.NEVER_OPENED))
            else:
                return None
        return self._price_of_missing(state, missing, price)

    def _there(self, where: Mapping[Square, Piece], square: Square) -> Piece | None:
        if square in where:
            return where[square]
        if square in self._tracked or square not in self._roles.before:
            return None
        return Piece(self._roles.before[square], square)

    def _price_of_staying(self, piece: Piece, square: Square) -> float | None:
        """Return what it costs that a piece stays where nothing should stand; None if it is not a taken one."""
        if not piece.is_spare and piece.home not in self._roles.taken:
            return None
        if piece.home == square:
            return None
        is_read = bool(self._history.reads.get(square))
        return (prices.LEFT_ON_FIRST if square in self._roles.movers else 0.0) + prices.READ_BESIDES * is_read

    def _price_of_missing(self, state: State, missing: list[tuple[str, Square, float]], price: float) -> float | None:
        """Return the price with what is still in a hand: each piece that is missing must be there."""
        roles = self._roles
        held = [piece for which, piece in enumerate(self._pieces) if state.places[which] is HAND]
        held = [piece for piece in held if not piece.is_spare and piece.home not in roles.taken]
        for sign, square, cost in missing:
            piece = _best(held, sign, square)
            if piece is None or (cost == prices.IN_THE_HAND and piece.home != square and not state.reached):
                return None
            held.remove(piece)
            price += cost
        leaving = roles.movers if roles.promoted else frozenset()
        stay = [piece for piece in held if piece.home is not None and piece.home not in leaving]
        return None if stay else price


def _echo_of(state: State, square: Square) -> Echo | None:
    return next((echo for echo in state.echoes if echo[0] == square), None)


def _best(held: Sequence[Piece], sign: str, square: Square) -> Piece | None:
    fitting = [piece for piece in held if piece.sign == sign]
    return min(fitting, key=lambda piece: piece.home != square, default=None)


def _moved(places: tuple[Square | None, ...], which: int, to: Square | None) -> tuple[Square | None, ...]:
    return (*places[:which], to, *places[which + 1 :])


def _keep(states: dict[State, float], state: State, cost: float) -> None:
    if cost < states.get(state, float("inf")):
        states[state] = cost
