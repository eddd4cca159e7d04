"""The smallest game there can be, as somebody else might write it: one die each, the highest wins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from captains_table.catalog import GameEntry
from captains_table.games.common.dice import check_faces
from captains_table.games.contract import (
    Action,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Over,
    Result,
    Roll,
    Rolled,
    Turn,
    check_names,
    read_options,
)


@dataclass(frozen=True, slots=True)
class State:
    """Who plays, and what has fallen so far."""

    seats: tuple[str, ...]
    faces: tuple[int, ...] = ()


class Toss(Game[State]):
    """Each throws a die once."""

    key = "toss"
    title = "Toss"
    seats = range(2, 5)

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state; raises BadOption."""
        check_names(seats, self.seats)
        read_options(self.options, options)
        return State(tuple(seats))

    def names(self, state: State) -> Sequence[str]:
        """Return the players."""
        return state.seats

    def turn(self, state: State) -> Turn:
        """Return whose die must fall."""
        seat = len(state.faces)
        if seat < len(state.seats):
            return Roll(seat, (1,), at_once=False, prompt=f"{state.seats[seat]}: throw the die")
        best = max(state.faces)
        return Over(Result(state.faces.index(best) if state.faces.count(best) == 1 else None, state.faces))

    def apply(self, state: State, action: Action) -> State:
        """Return the state after a die fell; raises IllegalAction."""
        match self.turn(state), action:
            case Roll(dice=dice), Rolled(faces):
                check_faces(faces, len(dice))
                return replace(state, faces=state.faces + faces)
        raise IllegalAction(f"{action} is not what is due")

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return what each has thrown."""
        return [{"total": score} for score in self._scores(state)]

    def score(self, state: State) -> Sequence[int]:
        """Return what each has thrown."""
        return self._scores(state)

    def _scores(self, state: State) -> tuple[int, ...]:
        return (*state.faces, *(0 for _ in state.seats[len(state.faces) :]))

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        """Return what fell."""
        seat = len(before.faces)
        words = f"{before.seats[seat]} throws {after.faces[seat]}"
        return [GameEvent(EventKind.SCORE, seat, after.faces[seat], words)]

    def heading(self, state: State) -> str:
        """Return how many have thrown."""
        return f"Throw {min(len(state.faces) + 1, len(state.seats))} of {len(state.seats)}"

    def dice(self, state: State) -> Sequence[Die]:
        """Return the die."""
        return (Die(state.faces[-1] if state.faces else None),)


ENTRY = GameEntry(game=Toss())
