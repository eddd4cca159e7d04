"""What an action did, kept in the state it led to: the way in which a game answers `Game.game_events`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from captains_table.games.contract import EventKind, GameEvent, Square


@dataclass(frozen=True, slots=True)
class WithLatestEvents:
    """A state that keeps what the last action did; each action begins with nothing kept.

    Attributes:
        latest_events: what happened, in order.
    """

    latest_events: tuple[GameEvent, ...] = field(default=(), kw_only=True)

    def with_event(
        self, kind: EventKind, seat: int | None, points: int, words: str, square: Square | None = None, rule: str = ""
    ) -> Self:
        """Return the state with one more event of this action; the arguments are those of `GameEvent`."""
        return emit(self, GameEvent(kind, seat, points, words, square, rule=rule))


S = TypeVar("S", bound=WithLatestEvents)


def emit(state: S, game_event: GameEvent) -> S:
    """Return the state with one more event of this action."""
    return replace(state, latest_events=(*state.latest_events, game_event))


def events_between(before: S, after: S) -> Sequence[GameEvent]:
    """Return what the one action between two states did; nothing where it left the state as it was."""
    return () if after is before else after.latest_events
