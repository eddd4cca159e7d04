"""Pig on nine squares as a state machine: `Pig.apply` is the one table of what each step accepts.

The rules, by the numbers that the page of rules gives them too:

P1  Two to four play. Each has one piece; it begins at home, in a corner: a1, c3, c1, a3.
P2  Whoever is on turn throws one die. A 2 to 6 is added to the turn's points; then he throws again or banks.
P3  A 1 ends the turn, and its points are lost.
P4  To bank is to add the turn's points to one's score, twice if one's piece stands in the mud, b2.
P5  After banking the piece may go one square in any direction, if that is vacant, or stay.
P6  It may also go where another's piece stands: that one is caught and goes home, and its owner pays.
P7  A piece whose home is not vacant, because it stands there itself or another does, cannot be caught.
P8  Whoever has reached the target has won, at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.common.dice import check_faces
from captains_table.games.contract import (
    DONE,
    ROLL,
    Action,
    Decide,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Result,
    Roll,
    Rolled,
    Square,
    Turn,
    check_names,
    check_offered,
    parse_square,
)
from pig_game.state import BOARD, HOMES, OPTIONS, PIECES, Agreed, State, Step

DIE: Final = (1,)  # dice are numbered from 1; there is one
BANK: Final = Option("bank", "Bank")
STAY: Final = DONE.called("Stay")
LOST: Final = 1  # the face that loses the turn's points
HOLD: Final = 20  # from here on a throw loses more than it wins, on average


class Pig(Game[State]):
    """The rules of Pig on nine squares."""

    key = "pig"
    title = "Pig on nine squares"
    seats = range(2, 5)
    shape = BOARD
    options = OPTIONS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state: every piece at home (P1); raises BadOption."""
        check_names(seats, self.seats)
        count = len(seats)
        return State(Agreed.read(options), tuple(seats), (0,) * count, HOMES[:count])

    def names(self, state: State) -> Sequence[str]:
        """Return the players in seat order."""
        return state.seats

    def turn(self, state: State) -> Turn:
        """Return what must happen next."""
        match state.step:
            case Step.FIRST_THROW:
                return Roll(state.seat, DIE, at_once=False, prompt=f"{state.name}: throw the die")
            case Step.NEXT_THROW:
                return Roll(state.seat, DIE, at_once=True, prompt="The die falls")
            case Step.CHOICE:
                return Decide(state.seat, _throw_or_bank(state))
            case Step.MOVE:
                return Decide(state.seat, _move_or_stay(state))
            case Step.OVER:
                return Over(Result(state.seat, state.scores))

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action; raises IllegalAction and changes nothing."""
        fresh = replace(state, latest_events=())
        match state.step, action:
            case Step.FIRST_THROW | Step.NEXT_THROW, Rolled(faces):
                check_faces(faces, len(DIE))
                return _fell(fresh, faces[0])
            case Step.CHOICE, Pick(id_):
                check_offered(self.turn(state), id_)
                return _bank(fresh) if id_ == BANK.id else replace(fresh, step=Step.NEXT_THROW)
            case Step.MOVE, Pick(id_):
                check_offered(self.turn(state), id_)
                return _next_turn(fresh) if id_ == STAY.id else _move(fresh, parse_square(id_[2:]))
            case Step.OVER, _:
                raise IllegalAction("the match is over")
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def score(self, state: State) -> Sequence[int]:
        """Return what everybody has banked and caught."""
        return state.scores

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each one's points of the turn in hand, and the total."""
        return [
            {"turn": state.points if seat == state.seat else 0, "total": score}
            for seat, score in enumerate(state.scores)
        ]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        """Return what happened in the one action between two states."""
        return () if after is before else after.latest_events

    def heading(self, state: State) -> str:
        """Return which turn it is, and what is played to."""
        return "The match is over" if state.step is Step.OVER else f"Turn {state.number}, to {state.agreed.target}"

    def pieces(self, state: State) -> Mapping[Square, str]:
        """Return where the pieces stand."""
        return {square: PIECES[seat] for seat, square in enumerate(state.squares)}

    def dice(self, state: State) -> Sequence[Die]:
        """Return the one die."""
        return (Die(state.face, throws_left=1 if state.step in (Step.FIRST_THROW, Step.CHOICE) else 0),)

    def details(self, state: State) -> Mapping[str, object]:
        """Return what tapes may look at beside the rest: the points at stake."""
        return {"points": state.points}


# --- what is asked --------------------------------------------------------------------------------------------------


def _throw_or_bank(state: State) -> PickAsk:
    wins = state.scores[state.seat] + state.bankable >= state.agreed.target
    default = BANK if wins or state.points >= HOLD else ROLL
    options = (ROLL.called("Throw again"), BANK.called(f"Bank {state.bankable}"))
    return PickAsk(f"{state.name}: {state.points} points, throw again or bank", options, default.id)


def _move_or_stay(state: State) -> PickAsk:
    here = state.squares[state.seat]
    moves = [Option(f"{here}{square}", _label(state, square), on_board=True) for square in state.targets()]
    return PickAsk(f"{state.name}: move a square, or stay", (*moves, STAY), STAY.id)


def _label(state: State, square: Square) -> str:
    victim = state.at(square)
    return f"To {square}" if victim is None else f"Catch {state.seats[victim]} on {square}"


# --- what an answer does --------------------------------------------------------------------------------------------


def _fell(state: State, face: int) -> State:
    """Add a face to the turn's points, or lose them all to a 1 (P2, P3)."""
    if face == LOST:
        words = f"{state.name} throws a 1 and loses {state.points}"
        told = GameEvent(EventKind.NOTE, state.seat, 0, words)
        return _next_turn(replace(state, face=face, latest_events=(told,)))
    return replace(state, step=Step.CHOICE, face=face, points=state.points + face)


def _bank(state: State) -> State:
    """Add the turn's points to the score, twice in the mud (P4)."""
    total = state.bankable
    mud = " in the mud" if total != state.points else ""
    told = GameEvent(EventKind.SCORE, state.seat, total, f"{state.name} banks {total}{mud}")
    banked = _with_points(replace(state, points=0, step=Step.MOVE, latest_events=(told,)), state.seat, total)
    return _won(banked) or (banked if banked.targets() else _next_turn(banked))


def _move(state: State, square: Square) -> State:
    """Put the piece on a square; whoever is caught there goes home and pays what he can (P5, P6)."""
    victim = state.at(square)
    moved = _with_square(state, state.seat, square)
    if victim is None:
        return _next_turn(moved)
    paid = min(state.agreed.catch, state.scores[victim])
    words = f"{state.name} catches {state.seats[victim]}"
    told = GameEvent(EventKind.CAPTURE, state.seat, paid, words, square, payer=victim)
    caught = replace(_with_square(moved, victim, HOMES[victim]), latest_events=(told,))
    caught = _with_points(_with_points(caught, state.seat, paid), victim, -paid)
    return _won(caught) or _next_turn(caught)


def _won(state: State) -> State | None:
    """Return the end of the match if the target is reached (P8); `None` if it is not."""
    if state.scores[state.seat] < state.agreed.target:
        return None
    told = GameEvent(EventKind.MATCH, state.seat, 0, f"{state.name} has {state.scores[state.seat]} and wins")
    return replace(state, step=Step.OVER, latest_events=(*state.latest_events, told))


def _next_turn(state: State) -> State:
    following = (state.seat + 1) % len(state.seats)
    return replace(state, seat=following, step=Step.FIRST_THROW, points=0, number=state.number + 1)


def _with_points(state: State, seat: int, points: int) -> State:
    scores = tuple(score + points if each == seat else score for each, score in enumerate(state.scores))
    return replace(state, scores=scores)


def _with_square(state: State, seat: int, square: Square) -> State:
    squares = tuple(square if each == seat else old for each, old in enumerate(state.squares))
    return replace(state, squares=squares)
