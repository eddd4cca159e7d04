"""Swashbuckle's state: the sheets, the turn in hand, and what is waited for. Frozen, hashable values.

Source: docs/rules/swashbuckle.md.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from msgspec import Struct

from captains_table.games.common.dice import Throwing, roman
from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import Over
from captains_table.games.swashbuckle.agreed import Options
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE, Sheet, title_of

MAX_THROWS: Final = 3
MOST_WITHOUT_TIES: Final = 8  # players whose ties count 0 when they throw for the start (W1, W9)
DAVY_JONES: Final = "Davy Jones"
DISPLACED: Final = "Davy's Ghost"


# --- what is waited for ---------------------------------------------------------------------------------------------


class Ordering(Struct, frozen=True):
    """Every seat throws a die for the start (W1), or those who threw highest do once more (W9).

    Attributes:
        thrown: what fell so far, in the order of the throwers.
        among: the seats that throw; empty for all of them.
    """

    thrown: tuple[int, ...] = ()
    among: tuple[int, ...] = ()

    @property
    def thrower(self) -> int:
        """The seat that throws next."""
        return self.among[len(self.thrown)] if self.among else len(self.thrown)

    @staticmethod
    def ties_throw_again(players: int) -> bool:
        """Return whether so many throw that those who tie for the highest throw again, as ties would leave nobody."""
        return players > MOST_WITHOUT_TIES


class Resting(Struct, frozen=True):
    """A challenge sheet lies there until the seat on turn takes it up (N1)."""


class Choosing(Struct, frozen=True):
    """The player fills a box, or throws again (W2)."""


class HoldDecision(Struct, frozen=True):
    """The player chooses which dice stay; `hornswaggle`: for the one extra throw (W4)."""

    hornswaggle: bool = False


class PiracyFallen(Struct, frozen=True):
    """The piracy throw lies there: stand, or hornswaggle (W6)."""


class Raiding(Struct, frozen=True):
    """Somebody is to be pillaged of these points (W6)."""

    points: int


class Cursing(Struct, frozen=True):
    """The turn is over; somebody may be cursed (W7)."""


Step = Ordering | Resting | Throwing | Choosing | HoldDecision | PiracyFallen | Raiding | Cursing | Over


@dataclass(frozen=True, slots=True)
class TurnInHand:
    """One player's turn so far.

    Attributes:
        faces: the dice as they lie, four under a curse.
        throws: how often dice fell, the piracy throw not counted.
        fell_last: the dice (1-based) that fell last.
        is_piracy: whether the dice are thrown for the box `piracy`.
        is_hornswaggled: whether the extra throw was taken in this turn; for piracy, on the piracy throw.
        filled: the box that was filled in this turn, `None` while none was.
        column: the column, from 0, of the box that is filled or thrown for (N5).
        was_hornswaggled: for piracy, whether the extra throw was taken before the piracy throw.
    """

    faces: tuple[int | None, ...] = (None,) * DICE
    throws: int = 0
    fell_last: tuple[int, ...] = ()
    is_piracy: bool = False
    is_hornswaggled: bool = False
    filled: str | None = None
    column: int = 0
    was_hornswaggled: bool = False

    @property
    def all_dice(self) -> tuple[int, ...]:
        """The numbers of the dice this turn has."""
        return tuple(range(1, len(self.faces) + 1))

    @property
    def lying(self) -> tuple[int, ...]:
        """The faces of dice that have all fallen."""
        return tuple(face for face in self.faces if face is not None)


def fresh_turn(*, cursed: bool) -> TurnInHand:
    """Return a turn that has not begun; a cursed one has four dice (W7)."""
    return TurnInHand(faces=(None,) * (CURSED_DICE if cursed else DICE))


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """A match.

    Attributes:
        sheets: every column of every seat, seat by seat; of each one unless more were agreed (N5).
        seat: whose turn it is.
        cursed: the seats whose next turn has four dice (W7).
        davy_jones: the seat that is called Davy Jones now, if one is (W6).
        accused: the seat that is asked about a penalty, `None` while nobody is (N2).
        spared: the seats that refused a penalty since anything else was done: displays offer none on them (N2).
        accusations: how many penalties were called, so that a refused one leaves another state behind.
    """

    options: Options
    seats: tuple[str, ...]
    step: Step
    sheets: tuple[Sheet, ...]
    seat: int = 0
    cursed: frozenset[int] = frozenset()
    davy_jones: int | None = None
    turn: TurnInHand = field(default_factory=TurnInHand)
    accused: int | None = None
    spared: frozenset[int] = frozenset()
    accusations: int = 0

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat on turn; of several columns the one in hand (N5)."""
        return self.sheets[self.seat * self.options.columns + self.turn.column]

    @property
    def columns(self) -> tuple[Sheet, ...]:
        """The columns of the seat on turn."""
        return self.columns_of(self.seat)

    def columns_of(self, seat: int) -> tuple[Sheet, ...]:
        """Return a seat's columns (N5); one unless more were agreed."""
        count = self.options.columns
        return self.sheets[seat * count : (seat + 1) * count]

    def total(self, seat: int) -> int:
        """Return a seat's total plunder: that of all its columns (N5)."""
        return sum(sheet.total for sheet in self.columns_of(seat))

    def turns_left(self, seat: int) -> int:
        """Return how many boxes a seat has still to fill."""
        return sum(len(sheet.open_boxes()) for sheet in self.columns_of(seat))

    def is_full(self, seat: int) -> bool:
        """Return whether a seat has no turn left."""
        return all(sheet.is_full for sheet in self.columns_of(seat))

    @property
    def may_hornswaggle(self) -> bool:
        """Whether the extra throw is left: once a column, and once a turn (W4, N5)."""
        is_spent = self.turn.is_hornswaggled or self.turn.was_hornswaggled
        return not is_spent and any(not sheet.hornswaggled for sheet in self.columns)

    @property
    def name(self) -> str:
        """What the seat on turn is called."""
        return self.called(self.seat)

    def called(self, seat: int) -> str:
        """Return what a seat is called: by its pirate name if it has one (N2).

        There is one Davy Jones, an earlier one bears another name (W6).
        """
        if seat == self.davy_jones:
            return DAVY_JONES
        name = self.options.pirates[seat] or self.seats[seat]
        is_displaced = self.davy_jones is not None and name.casefold() == DAVY_JONES.casefold()
        return DISPLACED if is_displaced else name

    def cell_title(self, box: str, column: int) -> str:
        """Return what a box is called: `Ones`; with several columns their number stands before it: `II Ones` (N5)."""
        title = title_of(box)
        return title if self.options.columns == 1 else f"{roman(column + 1)} {title}"

    def others(self) -> tuple[int, ...]:
        """Return the other seats, clockwise from the one on turn."""
        count = len(self.seats)
        return tuple((self.seat + step) % count for step in range(1, count))


def with_sheet(state: State, seat: int, sheet: Sheet, column: int = 0) -> State:
    """Return the state with a column of one seat replaced."""
    place = seat * state.options.columns + column
    return replace(state, sheets=(*state.sheets[:place], sheet, *state.sheets[place + 1 :]))
