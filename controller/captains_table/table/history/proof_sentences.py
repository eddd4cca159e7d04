"""The sentences on what a match's export proves, to whom, and what it cannot prove, for the page and for `verify`."""

from collections.abc import Sequence
from typing import Final

from captains_table.phrases import computed, listed, say, with_spaces
from captains_table.table.history.verify_clock import Interruption, Pause
from captains_table.table.model.entries import StopReason
from captains_table.table.model.player_clocks import SECOND_MS, clock_face

LIMITS: Final = say(
    "Words that somebody could guess before the seal was made prove nothing, "
    "and whoever reads the seed on the table knows the throws to come."
)

UNPROVEN_CLAIMS: Final = (
    "Names, wall times, advice, options, who was a person and who a computer, and what a game master did "
    "are as the table tells them: anybody who holds the file could have written others."
)


def dice_proof(names: Sequence[str], words_of: Sequence[int], *, computers: Sequence[int] = ()) -> str:
    """Return a paragraph about what the dice of a match prove, and to whom.

    Args:
        names: the players' names in seat order.
        words_of: the seats whose text went into the salt, in the order in which they gave it.
        computers: the seats that were declared as computers'.
    """
    if words_of:
        given = say(
            "{name} gave the last own words after the seed was sealed: this proves the dice to {name}, "
            "and to others as far as they trust {name}.",
            names[words_of[-1]],
        )
        proof = [given, LIMITS]
    else:
        given = say(
            "Presses of the button stir the dice too, as the table counts them: they convince only its owner. "
            "Own words, given before the first throw, prove the dice to the player who gave them."
        )
        proof = [given]
    if computers:
        named = listed([names[seat] for seat in computers], ",")
        proof.append(say("Declared computers, who press nothing: {computers}.", named))
    return computed(with_spaces, *proof)


def time_proof(interrupted: Sequence[Interruption], pauses: Sequence[Pause] = (), *, has_run: bool = True) -> str:
    """Return sentences that say how often and how long the clock was interrupted, and that no clock time is proven.

    Args:
        interrupted: the interruptions after which the match was resumed.
        pauses: the pauses of the clock during play.
        has_run: whether the clock ever ran.
    """
    if not has_run:
        return "The clock never ran; no clock time is proven."
    if not interrupted and not pauses:
        return "The clock was never interrupted; no clock time is proven."
    sentences = []
    if interrupted:
        each = "; ".join(
            f"at entry {each.entry} after {_span(each.away_s)}, given back at most {_span(each.given_back_s)}"
            for each in interrupted
        )
        sentences.append(f"The match was taken up again {_often(len(interrupted))}: {each}.")
    for why, words in _STOOD.items():
        stood_ms = [pause.stood_ms for pause in pauses if pause.why == why]
        if stood_ms:
            span = _span(round(sum(stood_ms) / SECOND_MS))
            sentences.append(f"The clock stood still {_often(len(stood_ms))}, for {span} in all, {words}.")
    if not all(pause.is_recorded for pause in pauses):
        sentences.append("An earlier program did not write why: that is taken from what was done before.")
    return " ".join((*sentences, "No clock time is proven."))


_STOOD: Final[dict[StopReason, str]] = {
    "hand": "while a hand made a computer's move",
    "put-back": "while pieces were put back",
    "asked": "while the table asked what was done on the board",
}


def unproven_claims(master: bool | None, unknown: Sequence[str] = ()) -> str:  # noqa: FBT001 - what the export says
    """Return sentences about the parts of an export that are claims without proof.

    Args:
        master: whether there was a game master; `None` if the export does not say.
        unknown: the computers that this installation does not know.
    """
    tells = {None: "It does not say whether there was a", True: "It tells of a", False: "It tells of no"}
    known = f" Not known here, and taken as told: {', '.join(dict.fromkeys(unknown))}." if unknown else ""
    return f"{UNPROVEN_CLAIMS} {tells[master]} game master.{known}"


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _span(seconds: int | None) -> str:
    if seconds is None:
        return "a time that cannot be said (the table's own clock went back, or was not set)"
    return clock_face(seconds)
