"""What a match of Pig is at any moment: one frozen value, and what its words mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Self

from captains_table.games.contract import GameEvent, GameOption, Shape, Square, parse_square, read_options, switch

BOARD: Final = Shape(3, 3)
MUD: Final = parse_square("b2")
HOMES: Final = tuple(map(parse_square, ("a1", "c3", "c1", "a3")))
PIECES: Final = ("P", "p", "N", "n")  # by seat, as FEN letters: that is how displays know pieces
OPTIONS: Final = (
    GameOption("target", "Played to", "100", bounds=(10, 500)),
    GameOption("catch", "A catch takes", "10", bounds=(0, 100), hint="Points, as far as the caught player has them."),
    switch("mud", "In the mud", "a bank counts once", "a bank counts twice", default=True),
)


class Step(Enum):
    """What is waited for."""

    FIRST_THROW = auto()
    CHOICE = auto()  # throw again, or bank
    NEXT_THROW = auto()  # it was chosen, and the die falls
    MOVE = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players agreed on before the match."""

    target: int
    catch: int
    mud: bool

    @classmethod
    def read(cls, options: Mapping[str, str]) -> Self:
        """Return what some options say; raises BadOption."""
        chosen = read_options(OPTIONS, options)
        return cls(int(chosen["target"]), int(chosen["catch"]), chosen["mud"] == "true")


@dataclass(frozen=True, slots=True)
class State:
    """A match of Pig.

    Attributes:
        agreed: what was agreed on.
        seats: the players.
        scores: what each has banked or caught.
        squares: where each one's piece stands.
        seat: whose turn it is.
        step: what is waited for.
        face: how the die lies; `None` before the first throw of a turn.
        points: what the turn has brought so far, and a 1 would lose.
        number: which turn of the match this is, counted from 1.
        latest_events: what the last action did.
    """

    agreed: Agreed
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    squares: tuple[Square, ...]
    seat: int = 0
    step: Step = Step.FIRST_THROW
    face: int | None = None
    points: int = 0
    number: int = 1
    latest_events: tuple[GameEvent, ...] = ()

    @property
    def name(self) -> str:
        """Whose turn it is."""
        return self.seats[self.seat]

    @property
    def bankable(self) -> int:
        """What a bank would bring now (P4)."""
        return self.points * (2 if self.agreed.mud and self.squares[self.seat] == MUD else 1)

    def at(self, square: Square) -> int | None:
        """Return whose piece stands on a square; `None` on a vacant one."""
        return self.squares.index(square) if square in self.squares else None

    def targets(self) -> list[Square]:
        """Return where the piece of the seat on turn may go: a king's step to a vacant square or a catch (P5 - P7)."""
        here = self.squares[self.seat]
        near = [square for square in BOARD.squares() if _is_beside(here, square)]
        return [square for square in near if self._may_enter(square)]

    def _may_enter(self, square: Square) -> bool:
        victim = self.at(square)
        return victim is None or self.at(HOMES[victim]) is None


def _is_beside(one: Square, other: Square) -> bool:
    return one != other and abs(one.file - other.file) <= 1 and abs(one.rank - other.rank) <= 1
