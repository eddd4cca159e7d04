"""What the guided test found out, in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.doctor.diagnosis.wiring_faults import Diagnosis
from captains_table.games.contract import Square
from captains_table.table.model.events import Button
from captains_table.table.recognition.switches import Condition, SwitchReport


@dataclass(frozen=True, slots=True)
class Findings:
    """What the test found out; squares are where the hand was.

    Attributes:
        switches: which square each switch really belongs to, and what is wired in another order.
        matrix: what is wrong with switches, diodes and lines.
        pieces: what is wrong with magnets.
        corners: squares that close only in their middle.
        sticking: squares whose switch did not open again.
        lights: what is wrong with the lights.
        light_places: square that is lit -> square where that light really is; empty if none is elsewhere.
        buttons: what is wrong with the buttons.
        button_places: button that answers -> button that it really is, for those exchanged.
        notes: what the test could not tell.
        health: what each switch did, by the square it is read as.
        complete: whether all squares were asked.
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
        """Return everything that is wrong."""
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


def as_they_were_seen(diagnosis: Diagnosis, ghosts: tuple[Square, ...]) -> list[str]:
    """Return what was seen of a board whose readings no few faults explain."""
    found = diagnosis
    return [
        *(f"{at} is dead: its switch never closed. Look at its joints and its diode." for at in found.dead),
        *(f"{at} is stuck: closed with nothing on it. A magnet, a short, a broken reed?" for at in found.stuck),
        *(f"{' and '.join(map(str, group))} close the same switch: a short?" for group in found.shared),
        *(f"{at} is a ghost: it closes with nothing on it." for at in ghosts),
        "Too much is wrong to tell its causes: mend what is named here, then run doctor again.",
    ]
