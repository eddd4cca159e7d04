"""What a line of a tape may say: one class for each word, or for words that differ in little.

Source: docs/architecture.md Contract 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.games.contract import Action, Shape, Square
from captains_table.table.model.events import Button


@dataclass(frozen=True, slots=True)
class StartMatch:
    """`game KEY NAME... KEY=VALUE...`."""

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class QueueDice:
    """`dice FACE...`."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeedDice:
    """`dice seed N`."""

    number: int


@dataclass(frozen=True, slots=True)
class Press:
    """`press BUTTON` or `hold BUTTON MS`."""

    button: Button
    held_ms: int = 0


@dataclass(frozen=True, slots=True)
class MoveSwitch:
    """`lift SQUARE` or `place SQUARE`."""

    square: Square
    closed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """`pick ID`, `amount N`, `keep DIE...`, `bell`, `correct WHAT OF TO [WHY]` or `end`."""

    action: Action


@dataclass(frozen=True, slots=True)
class NamedBid:
    """`bid NAME N`: the bid of a player."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class SwitchTimers:
    """`timers stop` or `timers start`: the game master lets time stand still, or run on."""

    run: bool


@dataclass(frozen=True, slots=True)
class OwnWords:
    """`words NAME TEXT`: a player's own words for the dice."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """`board FEN`: what stands on the switches before the match, on a board of this shape."""

    pieces: Mapping[Square, str]
    shape: Shape


@dataclass(frozen=True, slots=True)
class Configure:
    """`config KEY=VALUE`."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Mask:
    """`mask SQUARE`."""

    square: Square


@dataclass(frozen=True, slots=True)
class Simple:
    """`set-up`, `advice`, `think`, `unplug`, `plug` or `cut`."""

    word: str


@dataclass(frozen=True, slots=True)
class Expect:
    """`expect PATH VALUE`."""

    path: str
    value: str


Directive = (
    StartMatch
    | QueueDice
    | SeedDice
    | Press
    | MoveSwitch
    | Answer
    | NamedBid
    | SwitchTimers
    | OwnWords
    | Standing
    | Configure
    | Mask
    | Simple
    | Expect
)


@dataclass(frozen=True, slots=True)
class TapeLine:
    """A directive and how many milliseconds after the line before it happens."""

    number: int
    after_ms: int
    directive: Directive
