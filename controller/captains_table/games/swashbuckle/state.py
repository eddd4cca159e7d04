"""The state of a match of Swashbuckle, in frozen, hashable values: score sheets and the turn in progress.

Also tells what follows from the state: displayed names, turns left, and whether the extra throw is allowed.

Source: docs/rules/swashbuckle.md.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from captains_table.games.common.dice import roman
from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.swashbuckle.options import SwashbuckleOptions
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE_COUNT, Sheet, box_title
from captains_table.games.swashbuckle.steps import SwashbuckleStep
from captains_table.phrases import say

SWASHBUCKLE_THROWS: Final = 3
DAVY_JONES: Final = "Davy Jones"
DISPLACED: Final = "Davy's Ghost"


@dataclass(frozen=True, slots=True)
class SwashbuckleTurn:
    """One player's turn so far.

    Attributes:
        faces: the faces of the five dice, or of four under a curse; `None` for a die that was not thrown yet.
        throws: the number of throws so far, without the piracy throw.
        fell_last: the dice (1-based) of the last throw.
        is_piracy: whether the present throw is for the box `piracy`.
        is_hornswaggled: whether the extra throw was taken; reset to false when the throw for piracy begins.
        filled: the box filled in this turn; `None` if no box was filled yet.
        column: the column, from 0, of the box that is filled or thrown for (N5).
        was_hornswaggled: whether the extra throw was taken before the throw for piracy began; false until then.
    """

    faces: tuple[int | None, ...] = (None,) * DICE_COUNT
    throws: int = 0
    fell_last: tuple[int, ...] = ()
    is_piracy: bool = False
    is_hornswaggled: bool = False
    filled: str | None = None
    column: int = 0
    was_hornswaggled: bool = False

    @property
    def all_dice(self) -> tuple[int, ...]:
        """The numbers of this turn's dice, from 1."""
        return tuple(range(1, len(self.faces) + 1))

    @property
    def lying(self) -> tuple[int, ...]:
        """The faces of the thrown dice."""
        return tuple(face for face in self.faces if face is not None)


def fresh_turn(*, cursed: bool) -> SwashbuckleTurn:
    """Return a new turn; a cursed turn has four dice (W7)."""
    return SwashbuckleTurn(faces=(None,) * (CURSED_DICE if cursed else DICE_COUNT))


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match.

    Attributes:
        options: the match's options.
        seats: the names that the players entered.
        step: the input that the game waits for.
        sheets: the sheets of all seats, seat by seat; each seat has as many as the option `columns` says (N5).
        seat: the seat on turn.
        cursed: the seats whose next turn has four dice (W7).
        davy_jones: the seat that earned the name Davy Jones last; `None` if no seat has (W6).
        turn: the turn in progress.
        accused: the seat that is asked to accept a penalty; `None` if no seat is asked (N2).
        spared: the seats that have refused a penalty since the last action that had nothing to do with penalties;
            displays do not offer to call another penalty on them (N2).
        accusations: the number of penalties called, so that the state after a refused penalty differs from the state
            before it.
    """

    options: SwashbuckleOptions
    seats: tuple[str, ...]
    step: SwashbuckleStep
    sheets: tuple[Sheet, ...]
    seat: int = 0
    cursed: frozenset[int] = frozenset()
    davy_jones: int | None = None
    turn: SwashbuckleTurn = field(default_factory=SwashbuckleTurn)
    accused: int | None = None
    spared: frozenset[int] = frozenset()
    accusations: int = 0

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat on turn; with several columns, the sheet of the turn's column (N5)."""
        return self.sheets[self.seat * self.options.columns + self.turn.column]

    @property
    def columns(self) -> tuple[Sheet, ...]:
        """The score sheets of the seat on turn, one for each column."""
        return self.columns_of(self.seat)

    def columns_of(self, seat: int) -> tuple[Sheet, ...]:
        """Return a seat's columns (N5); usually one."""
        count = self.options.columns
        return self.sheets[seat * count : (seat + 1) * count]

    def total(self, seat: int) -> int:
        """Return a seat's total plunder, the sum of its columns (N5)."""
        return sum(sheet.total for sheet in self.columns_of(seat))

    def turns_left(self, seat: int) -> int:
        """Return the number of a seat's turns left: one for each open box."""
        return sum(len(sheet.open_boxes()) for sheet in self.columns_of(seat))

    def is_full(self, seat: int) -> bool:
        """Return whether a seat has no turn left."""
        return all(sheet.is_full for sheet in self.columns_of(seat))

    @property
    def may_hornswaggle(self) -> bool:
        """Whether the seat on turn may take the extra throw: once for each column, and at most once a turn (W4, N5)."""
        is_spent = self.turn.is_hornswaggled or self.turn.was_hornswaggled
        return not is_spent and any(not sheet.hornswaggled for sheet in self.columns)

    @property
    def name(self) -> str:
        """The displayed name of the seat on turn."""
        return self.called(self.seat)

    def called(self, seat: int) -> str:
        """Return a seat's displayed name: its pirate name if it has one (N2), else the entered name.

        The player who earned the title Davy Jones is called `Davy Jones`. If another player was already called `Davy
        Jones`, that player is now called `Davy's Ghost` (W6).
        """
        if seat == self.davy_jones:
            return DAVY_JONES
        name = self.options.pirates[seat] or self.seats[seat]
        is_displaced = self.davy_jones is not None and name.casefold() == DAVY_JONES.casefold()
        return DISPLACED if is_displaced else name

    def cell_title(self, box: str, column: int) -> str:
        """Return the title of a box, such as `Ones`; with several columns, it includes the column: `II Ones` (N5)."""
        title = box_title(box)
        return title if self.options.columns == 1 else say("{column} {box}", roman(column + 1), title)

    def others(self) -> tuple[int, ...]:
        """Return the other seats, clockwise from the seat on turn."""
        count = len(self.seats)
        return tuple((self.seat + step) % count for step in range(1, count))


def with_sheet(state: State, seat: int, sheet: Sheet, column: int = 0) -> State:
    """Return the state with one column of a seat replaced by another sheet."""
    place = seat * state.options.columns + column
    return replace(state, sheets=(*state.sheets[:place], sheet, *state.sheets[place + 1 :]))
