"""The findings of the guided test, and the sentences about faults of the switch matrix."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.doctor.diagnosis.electrical_test import MatrixVerdict
from captains_table.doctor.diagnosis.piece_rounds import Places
from captains_table.doctor.diagnosis.steps import squares_text
from captains_table.doctor.diagnosis.suspects import Suspect, SuspectKind, Suspects
from captains_table.doctor.diagnosis.walk import SquareAnswer
from captains_table.doctor.diagnosis.wiring_faults import Diagnosis
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import Button
from captains_table.table.recognition.switches import Condition, SwitchReport

MOST_UNUSUAL: Final = 2
HIDDEN: Final = "What else is wrong on it shows once it {}: run doctor again then."

TURNED: Final = (
    "The board lies with its connector at the other side: write turned = true under [table], or false if true stands "
    "there."
)
HIDDEN_DIODE: Final = (
    "On a chip that takes 0.9 V for high, which is rare, a missing or bridged diode cannot be told without a meter."
)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of the guided test.

    Squares are named by the place where the person put the piece; only `health` names them as the table reads them.

    Attributes:
        switches: the square to which each switch really belongs, and the lines that are in the wrong order.
        matrix: sentences about faulty switches, diodes and lines.
        pieces: sentences about weak or missing magnets.
        corners: sentences about squares whose switch closes only if the piece is in the middle of the square.
        sticking: the squares whose switch did not open again.
        lights: sentences about faulty lights.
        light_places: the square where the light of each square really is; empty if every light is in its place.
        buttons: sentences about faulty buttons.
        button_places: the button that was really pressed, keyed by the button that the table registered; contains only
            exchanged buttons.
        notes: sentences about faults that the test may have missed.
        health: the changes and the condition of each switch, named by the square that the table reads.
        complete: whether the test has asked for every square.
    """

    switches: Diagnosis
    matrix: tuple[str, ...]
    pieces: tuple[str, ...]
    corners: tuple[str, ...]
    sticking: tuple[Square, ...]
    lights: tuple[str, ...]
    light_places: Mapping[Square, Square]
    buttons: tuple[str, ...]
    button_places: Mapping[Button, Button]
    notes: tuple[str, ...]
    health: tuple[SwitchReport, ...]
    complete: bool

    def lines(self) -> list[str]:
        """Return everything that is wrong, in sentences."""
        return [
            *self.matrix,
            *self.switches.wiring,
            *(f"{at} sticks: it closed and did not open again." for at in self.sticking),
            *self.corners,
            *self.pieces,
            *(f"{row.square} chatters: a loose joint?" for row in self.health if row.condition is Condition.CHATTERS),
            *self.lights,
            *self.buttons,
        ]


def symptom_sentences(diagnosis: Diagnosis, ghosts: tuple[Square, ...]) -> list[str]:
    """Return sentences about a board's symptoms, if the board has too many faults to identify each fault."""
    found = diagnosis
    return [
        *(f"{at} is dead: its switch never closed. Look at its joints and its diode." for at in found.dead),
        *(f"{at} is stuck: closed with nothing on it. A magnet, a short, a broken reed?" for at in found.stuck),
        *(f"{' and '.join(map(str, group))} close the same switch: a short?" for group in found.shared),
        *(f"{at} is a ghost: it closes with nothing on it." for at in ghosts),
        "Too much is wrong to tell its causes: mend what is named here, then run doctor again.",
    ]


def bought_board_sentences(shape: Shape, answers: Iterable[SquareAnswer], at_rest: frozenset[Square]) -> list[str]:
    """Return sentences about the squares of a board that people buy; without causes, as nobody mends its inside."""
    read = {answer.asked: answer.read for answer in answers if answer.asked not in at_rest}
    silent = [asked for asked, at in read.items() if at is None]
    words = [f"Read as occupied with nothing on it: {squares_text(at_rest)}."] if at_rest else []
    if silent and len(silent) == len(read):
        return [*words, "No square reads the piece: is it one of the board's own?"]
    if silent:
        words.append(f"The piece is not read on {squares_text(silent)}: try another one there.")
    seen = {asked: at for asked, at in read.items() if at is not None}
    if seen and all(at == shape.turned(asked) for asked, at in seen.items()):
        return [*words, TURNED]
    return words + [f"A piece on {asked} is read on {at}." for asked, at in seen.items() if asked != at]


# --- the matrix -----------------------------------------------------------------------------------------------------


def sentences(verdict: MatrixVerdict, places: Places) -> Iterator[str]:
    """Yield sentences about the faults of the matrix.

    If there are alternatives that only a meter can tell apart, the last sentence names them.
    """
    clear = verdict.certain if len(verdict.alternatives) > 1 else verdict.certain | verdict.alternatives[0]
    for suspect in _in_order(clear):
        yield _sentence(suspect, places)
    if len(verdict.alternatives) > 1:
        yield f"Cannot be told without a meter: {_either(verdict.alternatives, places)}."


def notes(verdict: MatrixVerdict, places: Places) -> Iterator[str]:
    """Yield sentences about the faults that the test would miss on a chip that reads 0.9 V as high.

    Yield nothing if the tested chip was seen to read 0.9 V as low.
    """
    if verdict.reads_ghosts:
        return
    if verdict.unusual:
        others = _either(verdict.unusual[:MOST_UNUSUAL], places)
        yield f"On a chip that takes 0.9 V for high, which is rare, it may also be this: {others}. A meter tells."
    yield HIDDEN_DIODE


def _in_order(suspects: Suspects) -> list[Suspect]:
    """Return the faults of lines first, then those of squares, both in the order of the board."""
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
    """Return a fault as a short phrase."""
    if suspect.kind is SuspectKind.SHORT:
        *most, last = map(places.line_name, suspect.places)
        return f"{', '.join(most)} and {last} touch"
    name = places.line_name if suspect.kind is SuspectKind.OPEN else places.square_name
    return SHORT_WORDS[suspect.kind].format(*map(name, suspect.places))


def _at_crossing(suspect: Suspect, places: Places) -> str:
    """Return a hint for a short between a file line and a rank line; empty for any other fault.

    The hint is that a stuck reed beside a bridged diode would be read in the same way.
    """
    files = places.shape.files if suspect.kind is SuspectKind.SHORT else 0
    across = [line for line in suspect.places if line < files]
    along = [line - files for line in suspect.places if line >= files]
    if len(across) != 1 or len(along) != 1:
        return ""
    square = places.square_name(along[0] * files + across[0])
    return f" A reed of {square} that is stuck beside a bridged diode would read the same: look there too."
