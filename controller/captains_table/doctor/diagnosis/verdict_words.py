"""A verdict on the matrix in sentences, with squares and lines named as the hand meets them."""

from collections.abc import Iterable, Iterator
from typing import Final

from captains_table.doctor.diagnosis.electrical_test import Verdict
from captains_table.doctor.diagnosis.piece_rounds import Places
from captains_table.doctor.diagnosis.suspects import Suspect, SuspectKind, Suspects

MOST_UNUSUAL: Final = 2
HIDDEN: Final = "What else is wrong on it shows once it {}: run doctor again then."

HIDDEN_DIODE: Final = (
    "On a chip that takes 0.9 V for high, which is rare, a missing or bridged diode cannot be told without a meter."
)


def sentences(verdict: Verdict, places: Places) -> Iterator[str]:
    """Yield everything that is wrong with the matrix, a sentence or two each."""
    clear = verdict.certain if len(verdict.alternatives) > 1 else verdict.certain | verdict.alternatives[0]
    for suspect in _in_order(clear):
        yield _sentence(suspect, places)
    if len(verdict.alternatives) > 1:
        yield f"Cannot be told without a meter: {_either(verdict.alternatives, places)}."


def notes(verdict: Verdict, places: Places) -> Iterator[str]:
    """Yield what a chip would hide that takes for high what most take for low, unless this one is known not to."""
    if verdict.reads_ghosts:
        return
    if verdict.unusual:
        others = _either(verdict.unusual[:MOST_UNUSUAL], places)
        yield f"On a chip that takes 0.9 V for high, which is rare, it may also be this: {others}. A meter tells."
    yield HIDDEN_DIODE


def _in_order(suspects: Suspects) -> list[Suspect]:
    """Return faults of lines first, then those of squares, each in the order of the board."""
    return sorted(
        suspects, key=lambda each: (each.kind not in {SuspectKind.OPEN, SuspectKind.SHORT}, each.places, each.kind)
    )


def _either(alternatives: Iterable[Suspects], places: Places) -> str:
    return "; or ".join(" and ".join(_short(each, places) for each in _in_order(one)) for one in alternatives)


SAME_READING: Final = "its reed or its diode is broken, or its diode is turned round; to a reading all are the same"
BROKEN: Final = "its reed or its diode is broken"
SHORT_WORDS: Final = {
    SuspectKind.LINKED: "{0}: its diode is missing or bridged",
    SuspectKind.MUTE: f"{{0}} does not conduct ({SAME_READING})",
    SuspectKind.BROKEN: f"{{0}} does not conduct ({BROKEN})",
    SuspectKind.REVERSED: "{0}: its diode is reversed",
    SuspectKind.LEAKY: "{0}: its diode is missing or bridged, or the diode is turned round",
    SuspectKind.STUCK: "{0} is stuck",
    SuspectKind.WIDE: "{1} closes with a piece on {0}",
    SuspectKind.OPEN: "{0} is not connected",
}
WHOLE_WORDS: Final = {
    SuspectKind.LINKED: "{}. To a reading both are the same: look for solder or a wire across it.",
    SuspectKind.REVERSED: f"{{}}: it is dead until the diode is turned. {HIDDEN.format('conducts')}",
    SuspectKind.LEAKY: "{}. While its line is not connected all are the same to a reading.",
    SuspectKind.STUCK: "{}: its reed is closed with nothing on it.",
    SuspectKind.WIDE: "{}: a magnet too strong, or a reed out of its place.",
    SuspectKind.SHORT: "{}: a short.",
    SuspectKind.OPEN: f"{{}}, all of it is dead: follow it from its pin. {HIDDEN.format('is connected')}",
}


def _sentence(suspect: Suspect, places: Places) -> str:
    if suspect.kind in {SuspectKind.MUTE, SuspectKind.BROKEN}:
        cause = SAME_READING if suspect.kind is SuspectKind.MUTE else BROKEN
        square = places.square_name(suspect.places[0])
        return f"{square} is dead, it does not conduct: {cause}. {HIDDEN.format('conducts')}"
    short = _short(suspect, places)
    name = short if suspect.kind not in {SuspectKind.SHORT, SuspectKind.OPEN} else short[:1].upper() + short[1:]
    return WHOLE_WORDS[suspect.kind].format(name) + _at_crossing(suspect, places)


def _short(suspect: Suspect, places: Places) -> str:
    """Return a fault in a few words."""
    if suspect.kind is SuspectKind.SHORT:
        *most, last = map(places.line_name, suspect.places)
        return f"{', '.join(most)} and {last} touch"
    name = places.line_name if suspect.kind is SuspectKind.OPEN else places.square_name
    return SHORT_WORDS[suspect.kind].format(*map(name, suspect.places))


def _at_crossing(suspect: Suspect, places: Places) -> str:
    """Return where to look for a short between one file and one rank: it is the same as a square closed for good."""
    files = places.shape.files if suspect.kind is SuspectKind.SHORT else 0
    across = [line for line in suspect.places if line < files]
    along = [line - files for line in suspect.places if line >= files]
    if len(across) != 1 or len(along) != 1:
        return ""
    square = places.square_name(along[0] * files + across[0])
    return f" A reed of {square} that is stuck beside a bridged diode would read the same: look there too."
