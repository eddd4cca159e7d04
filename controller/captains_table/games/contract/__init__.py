"""What a game owes the table, and the words both use: actions, turns, asks, dice, happenings.

A game is pure: a frozen state and an action give the next state. Chance is an action like any other (`Rolled`), so a
saved game is its options and its list of actions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from captains_table.games.contract.options import GameOption


class IllegalAction(ValueError):  # noqa: N818 - named as the design names it
    """The action is not one the state asks for; nothing was changed."""


class BadOption(ValueError):  # noqa: N818 - a condition, like its neighbour
    """A game's option is unknown or has a value the game cannot use.

    Args:
        words: what was wrong and what was expected.
        option: the name of the option that is to be changed, if it is one of the game's.
    """

    def __init__(self, words: str, option: str = "") -> None:
        super().__init__(words)
        self.option = option


# --- the board ------------------------------------------------------------------------------------------------------


class Square(NamedTuple):
    """A square as zero-based file and rank, printed a1 ... i8."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"


def parse_square(name: str) -> Square:
    """Return the square of a name such as `e4`.

    Raises:
        ValueError: the name is not a letter followed by a number.
    """
    if len(name) < 2 or not "a" <= name[0] <= "z" or not name[1:].isdecimal() or name[1] == "0":  # noqa: PLR2004
        raise ValueError(f"{name!r} is not a square: expected a letter and a number, such as e4")
    return Square(ord(name[0]) - ord("a"), int(name[1:]) - 1)


@dataclass(frozen=True, slots=True)
class Shape:
    """How many files and ranks of switches a game needs."""

    files: int
    ranks: int

    def __str__(self) -> str:
        return f"{self.files} files and {self.ranks} ranks"

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.file < self.files and 0 <= square.rank < self.ranks

    def squares(self) -> list[Square]:
        """Return every square, rank by rank from a1."""
        return [Square(file, rank) for rank in range(self.ranks) for file in range(self.files)]


# --- actions --------------------------------------------------------------------------------------------------------


class Tagged(Struct, frozen=True, tag_field="type"):
    """An action; in JSON its `type` is the class's tag, beside its fields (table/model/codec.py)."""


class Pick(Tagged, frozen=True, tag="pick"):
    """One option of a pick was chosen."""

    id: str


class Keep(Tagged, frozen=True, tag="keep"):
    """These dice (1-based) stay; the others that may be thrown are thrown again."""

    dice: tuple[int, ...]


class Amount(Tagged, frozen=True, tag="amount"):
    """An amount was named."""

    value: int


class Rolled(Tagged, frozen=True, tag="rolled"):
    """The dice that were due have fallen, in the order of `Roll.dice`."""

    faces: tuple[int, ...]


class TimeUp(Tagged, frozen=True, tag="time-up"):
    """The time of whoever must act has run out."""


Reply = Pick | Keep | Amount
"""What a player may say, at the page and on a tape; dice and time are the table's."""

Action = Reply | Rolled | TimeUp


# --- turns and asks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a pick: its id, its words, and whether it is made on the board."""

    id: str
    label: str
    on_board: bool = False


@dataclass(frozen=True, slots=True)
class PickAsk:
    """Pick one of these options; `default` is the id a sensible player chooses most."""

    prompt: str
    options: tuple[Option, ...]
    default: str | None = None


@dataclass(frozen=True, slots=True)
class KeepAsk:
    """Choose which of these dice (1-based) stay; `default` are those a sensible player keeps."""

    prompt: str
    dice: tuple[int, ...]
    default: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AmountAsk:
    """Name an amount between `lo` and `hi`, both included."""

    prompt: str
    lo: int
    hi: int
    default: int


Ask = PickAsk | KeepAsk | AmountAsk

AGREE = Option("agree", "Agree")
REFUSE = Option("refuse", "Refuse")


def consent(prompt: str) -> PickAsk:
    """Return the fourth kind of ask: agree or refuse, addressed to another seat."""
    return PickAsk(prompt, (AGREE, REFUSE), default=REFUSE.id)


@dataclass(frozen=True, slots=True)
class Roll:
    """These dice (1-based, extra dice after the main ones) must fall; `at_once`: no button is waited for."""

    seat: int
    dice: tuple[int, ...]
    at_once: bool
    prompt: str


@dataclass(frozen=True, slots=True)
class Decide:
    """This seat must answer this ask."""

    seat: int
    ask: Ask


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended: the winner's seat (none when shared) and every seat's score."""

    winner: int | None
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The match is over."""

    result: Result


Turn = Roll | Decide | Over


# --- what displays show ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies: its face (none: not thrown), how it is drawn, held or not, throws left.

    `extra` marks dice that are only there for a moment, such as the Genie's.
    """

    face: int | None
    kind: str = "pips"  # or "roman"
    held: bool = False
    throws_left: int = 0
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that waits for a die with this face, and the die (1-based) that stands in it; none while it is empty."""

    name: str
    face: int
    die: int | None = None


class RowKind(StrEnum):
    """How a row of a score sheet is drawn."""

    BOX = "box"  # to be filled
    NOTE = "note"  # counts, but is no box
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the score sheet: its title, and a cell for each seat in words, empty where nothing is written yet."""

    title: str
    cells: tuple[str, ...]
    kind: RowKind = RowKind.BOX


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that just scored or changed the match: its kind, whose it is, points and words."""

    kind: str
    seat: int
    points: int
    words: str
    square: Square | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that only the dice, or the king's safety, forbid: the board after it, and the reason in words."""

    id: str
    label: str
    reason: str
    pieces: Mapping[Square, str]


S = TypeVar("S")


class Game(Protocol[S]):
    """A game's rules. `S` is its state: a frozen, hashable value.

    A game inherits from this; one without dice, board or score sheet inherits the empty answers.
    """

    key: str
    title: str
    seats: range
    shape: Shape | None = None
    options: "Sequence[GameOption]" = ()

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> S:
        """Return the first state; raises BadOption."""
        ...

    def names(self, state: S) -> Sequence[str]:
        """Return the players in seat order; a game may seat one more than were named (solitaire)."""
        ...

    def turn(self, state: S) -> Turn:
        """Return what must happen next."""
        ...

    def apply(self, state: S, action: Action) -> S:
        """Return the state after the action; raises IllegalAction and changes nothing."""
        ...

    def tallies(self, state: S) -> Sequence[Mapping[str, int]]:
        """Return each seat's named tallies."""
        ...

    def game_events(self, before: S, after: S) -> Sequence[GameEvent]:
        """Return what happened in the one action between two states."""
        ...

    def heading(self, state: S) -> str:
        """Return where in the match we are, in a few words."""
        ...

    def pieces(self, state: S) -> Mapping[Square, str]:  # noqa: ARG002 - games with a board answer for theirs
        """Return the pieces on the board."""
        return {}

    def dice(self, state: S) -> Sequence[Die]:  # noqa: ARG002 - games with dice answer for theirs
        """Return each die as it lies."""
        return ()

    def slots(self, state: S) -> Sequence[Slot]:  # noqa: ARG002 - games whose dice have places answer for theirs
        """Return the places that certain dice must fill, in their order."""
        return ()

    def refused(self, state: S) -> Sequence[Refused]:  # noqa: ARG002 - games with board and dice answer for theirs
        """Return the moves that only the dice forbid."""
        return ()

    def sheet(self, state: S) -> Sequence[SheetRow]:  # noqa: ARG002 - games with a score sheet answer for theirs
        """Return the rows of the score sheet."""
        return ()

    def titles(self, state: S) -> Sequence[str]:  # noqa: ARG002 - most players keep their names
        """Return what displays show in place of seats' names, empty for the name itself; nothing if all keep theirs."""
        return ()

    def details(self, state: S) -> Mapping[str, object]:  # noqa: ARG002 - games that add something answer for theirs
        """Return what the game adds to a tape's final object."""
        return {}
