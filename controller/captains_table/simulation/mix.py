"""How often each kind of noise happens: the named mixes, and the one table of rates that docs/recognition.md prints."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class NoiseMix:
    """The probability of each kind of noise.

    Attributes:
        slide: a piece is slid, not carried, where the way is free (each way a piece goes).
        bent: a slide leaves the straight line (each slide).
        mover_first: the capturing piece is lifted before its victim (each capture).
        swapped: the capturer is set down before the victim is taken off: its lift is never seen (each capture).
        any_order: castling, en passant and promotion in any order or all in the hand (each such move).
        rock: a piece touches down again while it is lifted or set down (each lift or set-down).
        hover: a piece is held in the air for long (each move).
        go_back: a piece is put back and lifted again (each move).
        try_other: a piece is put on another square first (each move).
        adjust: one piece or several are adjusted before or after (each move).
        knock: a piece is knocked over and put back (each move).
        two_hands: the opponent adjusts a piece while the mover moves (each move).
        bounce: a contact bounces for up to 3 ms (each change).
        dead_spot: a switch opens for a moment while a piece is set down (each set-down).
        neighbour: a strong magnet closes a vacant neighbour for a while (each set-down).
        chatter: some switch chatters for a while (each move).
        stuck_open: some switch sticks open for good (each move).
        stuck_closed: some switch sticks closed for good (each move).
        frame_lost: a frame of the serial board is lost and sent again (each frame).
        frame_doubled: a frame arrives twice (each frame).
        frame_late: the link stalls, and what happened meanwhile arrives in one burst (each frame).
    """

    slide: float = 0.0
    bent: float = 0.0
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
    bounce: float = 0.0
    dead_spot: float = 0.0
    neighbour: float = 0.0
    chatter: float = 0.0
    stuck_open: float = 0.0
    stuck_closed: float = 0.0
    frame_lost: float = 0.0
    frame_doubled: float = 0.0
    frame_late: float = 0.0


WHAT: dict[str, str] = {
    "slide": "a piece is slid, 20-400 ms a square; each vacant square it crosses is seen 9 times in 10",
    "bent": "of the slides, those that leave the straight line",
    "mover_first": "of the captures, those where the capturer is lifted first",
    "swapped": "of the captures, those where the victim's lift is never seen",
    "any_order": "of castling, en passant and promotion, those done in any order or all in the hand",
    "rock": "of lifts and set-downs, those where the piece touches down twice, 12-60 ms apart",
    "hover": "a piece is held in the air for 0.5-6 s",
    "go_back": "a piece is put back and lifted again",
    "try_other": "a piece is put on another square first, for 0.1-2.5 s",
    "adjust": "one to three pieces are adjusted before or after the move",
    "knock": "a piece is knocked over and put back 0.4-2.5 s later",
    "two_hands": "the opponent adjusts a piece while the mover moves",
    "bounce": "of the switch changes, those that bounce for 1-3 ms",
    "dead_spot": "of the set-downs, those where the switch opens again for 10-60 ms",
    "neighbour": "of the set-downs, those that close a vacant neighbour for 60-600 ms",
    "chatter": "some switch chatters for 0.3-4 s",
    "stuck_open": "some switch sticks open for good",
    "stuck_closed": "some switch sticks closed for good",
    "frame_lost": "of the serial frames, those lost and sent again 50 ms later",
    "frame_doubled": "of the serial frames, those that arrive twice",
    "frame_late": "of the serial frames, those that stall the link for 50-800 ms, then arrive in a burst",
}

QUIET = NoiseMix()
BOUNCE_AND_SLIDES = NoiseMix(bounce=0.9, slide=0.5, bent=0.2)
REALISTIC = NoiseMix(
    slide=0.3,
    bent=0.15,
    mover_first=0.4,
    swapped=0.01,
    any_order=0.5,
    rock=0.03,
    hover=0.03,
    go_back=0.02,
    try_other=0.02,
    adjust=0.05,
    knock=0.004,
    two_hands=0.01,
    bounce=0.9,
    dead_spot=0.05,
    neighbour=0.01,
    chatter=0.001,
    stuck_open=0.0001,
    stuck_closed=0.0001,
    frame_lost=0.003,
    frame_doubled=0.003,
    frame_late=0.003,
)

# One mix for each kind alone, often enough to be measured; a bent slide needs slides.
ALONE: dict[str, NoiseMix] = {
    field.name: replace(QUIET, **{field.name: max(0.3, getattr(REALISTIC, field.name))}) for field in fields(NoiseMix)
} | {
    "bent": NoiseMix(slide=1.0, bent=1.0),
    "chatter": NoiseMix(chatter=0.1),
    "stuck_open": NoiseMix(stuck_open=0.01),
    "stuck_closed": NoiseMix(stuck_closed=0.01),
}

MIXES: dict[str, NoiseMix] = {
    "quiet": QUIET,
    "bounce-and-slides": BOUNCE_AND_SLIDES,
    "realistic": REALISTIC,
    **{name.replace("_", "-"): mix for name, mix in ALONE.items()},
}


def rate_lines(mix: NoiseMix = REALISTIC) -> Iterator[str]:
    """Yield the rates of a mix as a Markdown table."""
    yield "| Kind | Rate | What it is |"
    yield "|---|---|---|"
    for field in fields(NoiseMix):
        yield f"| {field.name.replace('_', ' ')} | {getattr(mix, field.name):.2%} | {WHAT[field.name]} |"
