"""Results as the arbiter sees them, whether they are of an event or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from captains_table.club.pages.day_time import time_of_day
from captains_table.club.pages.event_words import ending_words
from captains_table.club.pages.news import title_of
from captains_table.club.store.kept import Correction, KeptResult, Proof


@dataclass(frozen=True, slots=True)
class ResultShown:
    """A result, and what a form to set it right holds.

    Attributes:
        match: its seal.
        who: the players.
        ended: how it ended, in words.
        where: the game, the table whose word it is, and when it came.
        seats: the players one by one.
        winner: the winner's seat, `shared` or `left`.
        scores: as the form has them.
        of_event: whether it is a match of an event.
        corrected: whether the arbiter has set it right.
        proves_nothing: why its export proves nothing, so that it counts in no record; empty where nothing is wrong.
    """

    match: str
    who: str
    ended: str
    where: str
    seats: tuple[str, ...]
    winner: int | str
    scores: str
    of_event: bool
    corrected: bool
    proves_nothing: str = ""


def shown_result(kept: KeptResult, titles: Mapping[str, str]) -> ResultShown:
    """Return a result as the arbiter sees it; `titles`: what the tables are called, by user."""
    outcome, ending = kept.outcome, kept.ending
    winner = "left" if ending is None else "shared" if ending.winner is None else ending.winner
    return ResultShown(
        outcome.match,
        ", ".join(outcome.seats),
        ending_words(ending, outcome.seats).removeprefix("that "),
        f"{title_of(outcome.game)}, {titles.get(kept.user, kept.user)}, {time_of_day(kept.received_s)}",
        outcome.seats,
        winner,
        "" if ending is None else " : ".join(str(score) for score in ending.scores),
        of_event=bool(outcome.pairing),
        corrected=kept.correction is not None,
        proves_nothing=kept.proof_words if kept.proof is Proof.FAILED and kept.correction is None else "",
    )


def correction_words(correction: Correction, seats: Sequence[str]) -> str:
    """Return in words what the arbiter set right of a match between these."""
    was, ending = (ending_words(each, seats).removeprefix("that ") for each in (correction.was, correction.ending))
    return f"{time_of_day(correction.at_s)} {', '.join(seats)}: {was}; now {ending} ({correction.why})"
