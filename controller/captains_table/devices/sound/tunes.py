"""What a buzzer sounds for what just happened: one table for a buzzer on the Pico and one on the Pi."""

from collections.abc import Mapping
from typing import Final

from captains_table.table.model.events import SignalKind

Tune = list[tuple[int, int]]

SILENCE: Final = 0

TUNES: Final[Mapping[str, Tune]] = {
    SignalKind.STRIKE: [(880, 80), (SILENCE, 30), (1175, 120)],
    SignalKind.TREASURE: [(784, 90), (988, 90), (1175, 90), (1568, 180)],
    SignalKind.KING: [(392, 200), (SILENCE, 50), (392, 100), (523, 100), (659, 100), (784, 400)],
    SignalKind.ILLEGAL: [(247, 140), (SILENCE, 40), (196, 220)],
    SignalKind.SETTLEMENT: [(523, 120), (659, 120), (784, 120), (1047, 300)],  # a round was won
    SignalKind.MATCH: [(523, 120), (523, 120), (659, 120), (784, 240), (659, 120), (784, 120), (1047, 500)],
}
"""Signal (`SignalKind`) -> tones as (hertz, milliseconds), 16 at most for the Pico; 0 Hz is silence."""
