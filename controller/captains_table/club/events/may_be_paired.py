"""Whether the next round of an event can be paired at all: known at once, before anybody is paired with anybody."""

from captains_table.club.events.counting import is_finished
from captains_table.club.events.event import CannotBe, Event


class CannotPair(CannotBe):
    """A round cannot be paired, now or by the system's rules; the message says why."""


def check_may_be_paired(event: Event) -> None:
    """Raise CannotPair where a match counts nothing yet, or no round is left."""
    for round_ in event.rounds:
        if not is_finished(event, round_):
            raise CannotPair(f"round {round_.number} has matches without a result: expected all of them")
    if event.is_closed or event.next_round > event.rounds_planned:
        raise CannotPair(f"{event.made.title!r} has all its {event.rounds_planned} rounds, or was ended")
