"""Cards for the room: what spectators are told large when a round or the match is over."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.games.contract import EventKind, GameEvent, is_nobodys
from captains_table.table.model.view import CROWD, Phase, View, first_shown

TOTAL = "total"
_NAMED = 6  # of a crowd
_ONE_LIST = 16  # more players than these stand in two lists beside each other
_ROUND_KINDS = frozenset({EventKind.ROUND, EventKind.SETTLEMENT, EventKind.PLAY_OFF})


@dataclass(frozen=True, slots=True)
class Card:
    """What is told large: whether it is about the whole match, a headline, and what came with it."""

    is_final: bool
    headline: str
    lines: tuple[str, ...] = ()


def card_of(view: View) -> Card | None:
    """Return the card of this moment; `None` while play goes on, and while the throw that decided is still shown."""
    if view.phase is Phase.OVER and view.result is not None:
        headline = view.prompt[0] if view.prompt else _outcome(view)
        return Card(is_final=True, headline=headline, lines=_words(view.latest_events, headline))
    if any(event.kind in _ROUND_KINDS for event in view.latest_events):
        return Card(is_final=False, headline=view.heading, lines=_words(view.latest_events, view.heading))
    return None


def prompt_of(view: View) -> Sequence[str]:
    """Return the lines of the prompt that no card has as its headline."""
    card = card_of(view)
    return view.prompt[1:] if card is not None and card.is_final else view.prompt


def standing_of(view: View) -> Sequence[tuple[int, int | None]]:
    """Return the seats as they are listed, each with its rank once the match is over; equal scores share a rank."""
    if view.phase is not Phase.OVER or view.result is None or len(view.result.scores) != len(view.seats):
        return [(seat, None) for seat in range(len(view.seats))]
    winner, scores = view.result.winner, view.result.scores
    worth = [(seat == winner, score) for seat, score in enumerate(scores)]
    ranked = sorted(range(len(scores)), key=worth.__getitem__, reverse=True)  # those who are level keep their order
    return [(seat, 1 + sum(other > worth[seat] for other in worth)) for seat in ranked]


def in_words(names: Sequence[str]) -> str:
    """Return who plays in a line: all of a few, the first of a crowd and how many more there are."""
    if len(names) > CROWD:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def lists_of(view: View) -> Sequence[Sequence[tuple[int, int | None]]]:
    """Return the seats as `standing_of` has them, in one list, or in two of the same length where one is too long."""
    standing = standing_of(view)
    if len(standing) <= _ONE_LIST:
        return [standing]
    half = (len(standing) + 1) // 2
    return [standing[:half], standing[half:]]


def columns_of(view: View) -> range:
    """Return the seats whose columns of the score sheet there is room for; of a crowd those around the one on turn."""
    seats = range(len(view.seats))
    turn = view.last_throw.seat if view.last_throw is not None else view.seat
    first = first_shown(turn, len(seats), CROWD)
    return seats[first : first + CROWD]


def main_tally(names: Sequence[str]) -> str:
    """Return the tally that is shown largest: the total, or else the last one; empty where there is none."""
    return TOTAL if TOTAL in names else names[-1] if names else ""


def _outcome(view: View) -> str:
    winner = None if view.result is None else view.result.winner
    if view.result is not None and is_nobodys(winner, view.result.scores):
        return "Nobody wins the match"
    return "The match is drawn" if winner is None else f"{view.seats[winner].called} wins the match"


def _words(events: Sequence[GameEvent], headline: str) -> tuple[str, ...]:
    return tuple(event.words for event in events if event.words != headline)
