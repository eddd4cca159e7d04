"""How often each kind of noise happens: the named mixes, and the one table of rates that docs/recognition.md prints."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from captains_table.simulation.noisy_switches import REALISTIC as PAGES
from captains_table.simulation.reeds import Noise


@dataclass(frozen=True, slots=True)
class NoiseMix(Noise):
    """The probability of each kind of noise, those of the page's noisy board included; `KINDS` says what each is."""

    mover_first: float = 0.0
    swapped: float = 0.0
    any_order: float = 0.0
    rock: float = 0.0
    hover: float = 0.0
    go_back: float = 0.0
    try_other: float = 0.0
    adjust: float = 0.0
    knock: float = 0.0
    two_hands: float = 0.0
    chatter: float = 0.0
    stuck_open: float = 0.0
    stuck_closed: float = 0.0
    frame_lost: float = 0.0
    frame_doubled: float = 0.0
    frame_late: float = 0.0


class NoiseKind(NamedTuple):
    """A kind of noise: how often it happens in the realistic mix, and what it is."""

    rate: float
    what: str


KINDS: dict[str, NoiseKind] = {
    "slide": NoiseKind(
        PAGES.slide, "a piece is slid, 20-400 ms a square; each vacant square it crosses is seen 9 times in 10"
    ),
    "bent": NoiseKind(PAGES.bent, "of the slides, those that leave the straight line"),
    "mover_first": NoiseKind(0.4, "of the captures, those where the capturer is lifted first"),
    "swapped": NoiseKind(0.01, "of the captures, those where the victim's lift is never seen"),
    "any_order": NoiseKind(0.5, "of castling, en passant and promotion, those done in any order or all in the hand"),
    "rock": NoiseKind(0.03, "of lifts and set-downs, those where the piece touches down twice, 12-60 ms apart"),
    "hover": NoiseKind(0.03, "a piece is held in the air for 0.5-6 s"),
    "go_back": NoiseKind(0.02, "a piece is put back and lifted again"),
    "try_other": NoiseKind(0.02, "a piece is put on another square first, for 0.1-2.5 s"),
    "adjust": NoiseKind(0.05, "one to three pieces are adjusted before or after the move"),
    "knock": NoiseKind(0.004, "a piece is knocked over and put back 0.4-2.5 s later"),
    "two_hands": NoiseKind(0.01, "the opponent adjusts a piece while the mover moves"),
    "bounce": NoiseKind(PAGES.bounce, "of the switch changes, those that bounce for 1-3 ms"),
    "dead_spot": NoiseKind(PAGES.dead_spot, "of the set-downs, those where the switch opens again for 10-60 ms"),
    "neighbour": NoiseKind(PAGES.neighbour, "of the set-downs, those that close a vacant neighbour for 60-600 ms"),
    "chatter": NoiseKind(0.001, "some switch chatters for 0.3-4 s"),
    "stuck_open": NoiseKind(0.0001, "some switch sticks open for good"),
    "stuck_closed": NoiseKind(0.0001, "some switch sticks closed for good"),
    "frame_lost": NoiseKind(0.003, "of the serial frames, those lost and sent again 50 ms later"),
    "frame_doubled": NoiseKind(0.003, "of the serial frames, those that arrive twice"),
    "frame_late": NoiseKind(
        0.003, "of the serial frames, those that stall the link for 50-800 ms, then arrive in a burst"
    ),
}

QUIET = NoiseMix()
BOUNCE_AND_SLIDES = NoiseMix(bounce=0.9, slide=0.5, bent=0.2)
REALISTIC = NoiseMix(**{name: kind.rate for name, kind in KINDS.items()})

# One mix for each kind alone, often enough to be measured; a bent slide needs slides.
ALONE: dict[str, NoiseMix] = {
    **{name: NoiseMix(**{name: max(0.3, kind.rate)}) for name, kind in KINDS.items()},
    "bent": NoiseMix(slide=1.0, bent=1.0),
    "chatter": NoiseMix(chatter=0.1),
    "stuck_open": NoiseMix(stuck_open=0.01),
    "stuck_closed": NoiseMix(stuck_closed=0.01),
}

OF_THE_BOARD = (
    *("bounce", "dead_spot", "neighbour", "chatter", "stuck_open", "stuck_closed"),
    *("frame_lost", "frame_doubled", "frame_late"),
)
"""What our own board does, and not the hands."""
HANDS = replace(REALISTIC, **dict.fromkeys(OF_THE_BOARD, 0.0))

MIXES: dict[str, NoiseMix] = {
    "quiet": QUIET,
    "bounce-and-slides": BOUNCE_AND_SLIDES,
    "realistic": REALISTIC,
    "hands": HANDS,
    **{name.replace("_", "-"): mix for name, mix in ALONE.items()},
}


def rate_lines() -> Iterator[str]:
    """Yield the rates of the realistic mix as a Markdown table."""
    yield "| Kind | Rate | What it is |"
    yield "|---|---|---|"
    for name, kind in KINDS.items():
        yield f"| {name.replace('_', ' ')} | {kind.rate:.2%} | {kind.what} |"
