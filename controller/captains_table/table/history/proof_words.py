"""What is proven of a match, and to whom, in exactly the words that the page and `verify` use."""

from collections.abc import Sequence
from typing import Final

from captains_table.table.history.verify_clock import Interruption

LIMITS: Final = (
    "Words that somebody could guess before the seal was made prove nothing, "
    "and whoever reads the seed on the table knows the throws to come."
)


def dice_proof(names: Sequence[str], words_of: Sequence[int], *, computers: Sequence[int] = ()) -> str:
    """Return what the dice of a match prove, and to whom.

    Args:
        names: the players in seat order.
        words_of: the seats whose own words went into the salt, in that order.
        computers: the seats that are declared to be computers'.
    """
    if words_of:
        last = names[words_of[-1]]
        proof = (
            f"{last} gave the last own words after the seed was sealed: this proves the dice to {last}, "
            f"and to others as far as they trust {last}. {LIMITS}"
        )
    else:
        proof = (
            "The presses in the salt come from the machine that knows the seed: they convince nobody but its owner. "
            "Only own words, given before the first throw, prove the dice to whoever gave them."
        )
    return proof + (f" Declared computers, who press nothing: {_listed(names, computers)}." if computers else "")


def time_proof(interrupted: Sequence[Interruption], *, has_run: bool = True) -> str:
    """Return how often a clock was interrupted, how much was given back, and that no clock time is proven."""
    if not has_run:
        return "The clock never ran; no clock time is proven."
    if not interrupted:
        return "The clock was never interrupted; no clock time is proven."
    often = "once" if len(interrupted) == 1 else f"{len(interrupted)} times"
    each = "; ".join(
        f"at entry {each.entry} after {_span(each.away_s)}, given back at most {_span(each.given_back_s)}"
        for each in interrupted
    )
    return f"The match was taken up again {often}: {each}. No clock time is proven."


def _listed(names: Sequence[str], seats: Sequence[int]) -> str:
    return ", ".join(names[seat] for seat in seats)


def _span(seconds: int | None) -> str:
    if seconds is None:
        return "a time that cannot be said (the table's own clock went back)"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
