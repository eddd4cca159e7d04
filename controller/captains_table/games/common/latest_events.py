"""A base class for game states that store the events of the latest action, which `Game.game_events` returns."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from captains_table.games.contract import EventKind, GameEvent, Square


@dataclass(frozen=True, slots=True)
class WithLatestEvents:
    """A state that stores the events of the latest action; a game clears them at the start of each action.

    Attributes:
        latest_events: the events in order.
    """

    latest_events: tuple[GameEvent, ...] = field(default=(), kw_only=True)

    def with_event(
        self, kind: EventKind, seat: int | None, points: int, words: str, square: Square | None = None, rule: str = ""
    ) -> Self:
        """Return the state with an event of the present action added at the end.

        The arguments are the fields of `GameEvent` with the same names.
        """
        return emit(self, GameEvent(kind, seat, points, words, square, rule=rule))


S = TypeVar("S", bound=WithLatestEvents)


def emit(state: S, game_event: GameEvent) -> S:
    """Return the state with an event of the present action added at the end."""
    return replace(state, latest_events=(*state.latest_events, game_event))


def events_between(before: S, after: S) -> Sequence[GameEvent]:
    """Return the events of the single action that led from one state to the next; empty if the state is the same."""
    return () if after is before else after.latest_events
