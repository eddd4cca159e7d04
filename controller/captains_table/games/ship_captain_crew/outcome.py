"""What a throw of Ship, Captain and Crew came to: the cargo of a turn, or a place in the order."""

from collections.abc import Sequence

from captains_table.games.common.dice import missing_words, order_words
from captains_table.games.contract import EventKind, GameEvent, Outcome
from captains_table.games.ship_captain_crew.berths import WANTED, Berths, board, cargo_of


def outcome_of(events: Sequence[GameEvent], berths: Berths, faces: Sequence[int | None]) -> Outcome | None:
    """Return what the dice came to; `None` where the action scored nothing and decided nothing.

    Args:
        events: what the action did.
        berths: the dice that were aside before it.
        faces: the dice as they lay.
    """
    if any(event.kind is EventKind.CARGO for event in events):
        return _cargo(board(berths, faces), faces)
    told = [event.words for event in events if event.kind is EventKind.ORDER]
    return Outcome(tuple(range(1, len(faces) + 1)), order_words(faces, told[1:])) if told else None


def _cargo(berths: Berths, faces: Sequence[int | None]) -> Outcome:
    if not berths.is_complete:
        return Outcome(words=missing_words(WANTED[len(berths.dice)]))
    return Outcome(berths.loose(), f"Cargo {cargo_of(berths, faces)}")
