"""The luck measure of Legend: the points that a turn is expected to bring from the cargo dice and from the move.

The expected cargo is exact. A move counts only for the points that it brings at once, as in `dice_advice`. Calling the
Genie and buying a piece back are not expected. Therefore these decisions can bring more points than were expected.
Afterwards the gain on the best square counts.

Source: docs/rules/legend.md L5 - L20.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import product

from captains_table.games.contract import Over
from captains_table.games.legend import asks, effects, steps
from captains_table.games.legend.state import CARGO_DICE, LEGEND_DIE, LEGEND_THROWS, LegendTurn, State, grand_scores
from captains_table.players.common.hold_solver import FACES
from captains_table.players.legend.dice_advice import gain, gains, to_be_paid
from captains_table.players.legend.dice_solver import before_first_throw, cargo_policy, stop_or_throw

OWN = 1  # the factor of a settlement in a seat's own score
REMEMBERED_POSITIONS = 64


class TurnMeasure:
    """The points that seats may expect in Legend: the score, plus the expected gain of a turn that has begun.

    Use a new instance for each match, because it caches positions.
    """

    judges_choices = False  # of a move it sees what its own turn brings

    def __init__(self) -> None:
        self._values = lru_cache(maxsize=REMEMBERED_POSITIONS)(_DieValues)

    def expected(self, state: State, seat: int) -> float:
        """Return a seat's score plus, once the seat's turn has begun, the turn's expected gain under best play."""
        score, turn = grand_scores(state)[seat], state.turn
        has_begun = turn.cargo_throws > 0 or turn.legend_throws > 0
        if seat != state.seat or not has_begun or isinstance(turn.step, Over):
            return float(score)
        return float(score + _cargo(turn) + self._legend(state))

    def promised(self, state: State, seat: int) -> float:
        """Return the expected gain of the turn that the seat begins with the next throw; 0 if it begins no turn."""
        turn = state.turn
        begins = isinstance(turn.step, steps.LegendThrowStep) and not (turn.cargo_throws or turn.legend_throws)
        if seat != state.seat or not begins:
            return 0.0
        return float(cargo_policy().expected() + self._values(_bare(state)).before)

    def _legend(self, state: State) -> Fraction:
        turn = state.turn
        if turn.moved:
            return Fraction(to_be_paid(state, OWN))
        values = self._values(_bare(state))
        if turn.legend_throws == 0:
            return values.before
        if turn.legend_final:
            return _other_than_by_die(state, values.lying(turn))
        falls = isinstance(turn.step, steps.LegendThrowStep) and LEGEND_DIE in turn.step.dice
        return values.best(turn.die or 1, LEGEND_THROWS - turn.legend_throws, falls=falls)


class _DieValues:
    """The expected gains of the Legend die in a position, for each face and number of throws left (L9).

    Args:
        bare: the state, with only the values on which the gain of a move depends (see `_bare`).

    Attributes:
        best: returns the expected gain with a face and a number of throws left, under best play; results are cached.
    """

    def __init__(self, bare: State) -> None:
        self._scored = gains(bare, 1, settled=OWN)
        self._unscored = gains(bare, LEGEND_THROWS, settled=OWN)
        self.best = cache(self._best)

    @cached_property
    def before(self) -> Fraction:
        """Return the expected gain before the turn's first throw."""
        return before_first_throw(self._scored, self._unscored)

    def lying(self, turn: LegendTurn) -> Fraction:
        """Return the expected gain with the face that the Legend die shows, if the die may not be thrown again."""
        return (self._scored if turn.legend_throws < LEGEND_THROWS else self._unscored)[turn.die or 1]

    def _best(self, face: int, left: int, *, falls: bool) -> Fraction:
        """Return the expected gain with a face and a number of throws left.

        With `falls` the die is being thrown now. Without `falls` the player takes the better of stopping and throwing.
        """
        choice = stop_or_throw(face, left, self._scored, self._unscored)
        return choice.throwing if falls or not choice.stops else choice.stopping


def _cargo(turn: LegendTurn) -> Fraction:
    """Return the expected cargo of a turn under best play."""
    dice, left = cargo_policy(), LEGEND_THROWS - turn.cargo_throws
    faces = [face for face in turn.cargo_faces if face is not None]
    if turn.cargo_throws == 0:
        return dice.expected()
    falling = turn.step.dice if isinstance(turn.step, steps.LegendThrowStep) else ()
    if any(die in falling for die in CARGO_DICE):
        return dice.kept_value([face for die, face in zip(CARGO_DICE, faces, strict=True) if die not in falling], left)
    return dice.best(faces, left).expected


def _bare(state: State) -> State:
    """Return a state with only what the gain of a move depends on, as a cache key."""
    return replace(state, turn=LegendTurn(), legend=(0, 0), latest_events=(), turns=0)


def _other_than_by_die(state: State, lying: Fraction) -> Fraction:
    """Return the expected gain of the turn's move once the Legend die cannot be thrown again (`legend_final`).

    If the player must choose a square, the gain on the best square counts. The square is for the king that the Genie
    carries, or for a bought piece. If the Genie's dice must still be thrown, the mean gain over all throws counts.
    Otherwise the result is `lying`, the gain of a move by the Legend die.
    """
    match state.turn.step:
        case steps.GenieHop(squares):
            return Fraction(max(gain(state, effects.genie_hop(state, square), OWN) for square in squares))
        case steps.Entering(kind):
            entered = [effects.enter(state, kind, square) for square in asks.entry_squares(state, kind)]
            return Fraction(max(gain(state, after, OWN) for after in entered))
        case steps.GenieDice():
            return _by_the_genie(state, lying)
        case _:
            return lying


def _by_the_genie(state: State, otherwise: Fraction) -> Fraction:
    """Return the expected gain of a turn in which the Genie's dice must still be thrown.

    A throw gives two squares, and the square with the greater gain counts. If both squares are occupied, `otherwise`
    counts: the gain of a move by the Legend die.
    """
    hops = {
        square: gain(state, effects.genie_hop(state, square), OWN)
        for faces in product(FACES, repeat=2)
        for square in asks.genie_squares(state, faces)
    }
    total = Fraction()
    for faces in product(FACES, repeat=2):
        squares = asks.genie_squares(state, faces)
        total += max(hops[square] for square in squares) if squares else otherwise
    return total / len(FACES) ** 2
