"""The sounds of the table.

Every signal has the same tones on a buzzer of the Pico, on a buzzer of the Pi, and on the page. `PlayedSound` tells
which sound or sentence was played, and when.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from captains_table.table.model.events import SignalKind

SILENCE: Final = 0

Tone = tuple[int, int]
"""Hertz and milliseconds; 0 Hz is silence."""


class Timbre(StrEnum):
    """The timbre of a sound on the page; a piezo buzzer has only one."""

    WOOD = "wood"  # a knock: dice and pieces
    BELL = "bell"
    BRASS = "brass"


class Sound(NamedTuple):
    """A sound: a sequence of tones, at most 16 for the Pico, and its timbre on the page."""

    tones: tuple[Tone, ...]
    timbre: Timbre


SOUNDS: Final[Mapping[str, Sound]] = {
    SignalKind.THROW: Sound(((1568, 15), (0, 35), (1319, 15), (0, 30), (1760, 15), (0, 50), (1175, 25)), Timbre.WOOD),
    SignalKind.MOVE: Sound(((440, 30),), Timbre.WOOD),
    SignalKind.CAPTURE: Sound(((523, 30), (0, 60), (294, 60)), Timbre.WOOD),
    SignalKind.STRIKE: Sound(((880, 80), (0, 30), (1175, 120)), Timbre.BRASS),
    SignalKind.TREASURE: Sound(((784, 90), (988, 90), (1175, 90), (1568, 180)), Timbre.BELL),
    SignalKind.KING: Sound(((392, 200), (0, 50), (392, 100), (523, 100), (659, 100), (784, 400)), Timbre.BRASS),
    SignalKind.ILLEGAL: Sound(((247, 140), (0, 40), (196, 220)), Timbre.BRASS),
    SignalKind.CLOCK_LOW: Sound(((1760, 60), (0, 120), (1760, 60)), Timbre.BELL),
    SignalKind.SETTLEMENT: Sound(((523, 120), (659, 120), (784, 120), (1047, 300)), Timbre.BELL),  # a round was won
    SignalKind.MATCH: Sound(
        ((523, 120), (523, 120), (659, 120), (784, 240), (659, 120), (784, 120), (1047, 500)), Timbre.BRASS
    ),
}
"""Map each signal (`SignalKind`) to its sound; no two are equal."""


@dataclass(frozen=True, slots=True)
class PlayedSound:
    """A sound or a sentence that the table played.

    Attributes:
        number: the number of this sound or sentence among all that were played since the table started, from 1.
        at_s: the time by the event loop's clock, in seconds.
        sound: the kind of the signal (`SignalKind`); empty for a sentence.
        words: the sentence; empty for a signal.
    """

    number: int
    at_s: float
    sound: str = ""
    words: str = ""
