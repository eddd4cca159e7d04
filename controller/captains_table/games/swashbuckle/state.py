"""Swashbuckle's state: the sheets, the turn in hand, and what is waited for. Frozen, hashable values.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import ORDER, Choice, GameOption, read_options, switch
from captains_table.games.swashbuckle.boxes import CURSED_DICE, DICE, Values
from captains_table.games.swashbuckle.sheet import Sheet

MAX_THROWS: Final = 3
MOST_WITHOUT_TIES: Final = 8  # players whose ties count 0 when they throw for the start (W1, W9)
DAVY_JONES: Final = "Davy Jones"
DISPLACED: Final = "Davy's Ghost"
OPTIONS: Final = (
    ORDER,
    GameOption(
        "captain", "Captain", of_players=True, empty_text="by rank", hint="Who begins; empty: whoever holds that rank."
    ),
    switch("voluntary_scuttle", "Scuttling", "only when nothing scores", "whenever one likes"),
    GameOption("pillage", "A raid", "steal", (Choice("steal", "takes from a victim"), Choice("add", "only adds"))),
    GameOption(
        "captain_pillage",
        "A Captain who is raided",
        "single",
        (Choice("single", "loses it"), Choice("double", "loses twice as much")),
    ),
    GameOption("aces_high", "Aces high", "45", (Choice("sum", "the sum of the dice"),), (1, 99)),
    GameOption("succession_4", "Succession of 4", "30", bounds=(1, 99)),
    GameOption("succession_5", "Succession of 5", "40", bounds=(1, 99)),
    GameOption("pieces_of_8", "Pieces of 8", "45", bounds=(1, 99)),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What was agreed before the match.

    Attributes:
        values: the points the source does not print.
        voluntary_scuttle: whether a box may be scuttled while another takes points (W3).
        pillage: "steal" takes a raid's points from a victim, "add" only adds them.
        captain_pillage: "double": a Captain who is pillaged loses twice as much.
        captain: the seat that holds the rank Captain and so begins (W1); `None` if nobody does.
        seated: the first named begins.
    """

    values: Values = field(default_factory=Values)
    voluntary_scuttle: bool = False
    pillage: str = "steal"
    captain_pillage: str = "single"
    captain: int | None = None
    seated: bool = False


def parse_options(options: Mapping[str, str], seats: Sequence[str]) -> Options:
    """Return Swashbuckle's options; raises BadOption."""
    chosen = read_options(OPTIONS, options, seats)
    return Options(
        Values(
            aces_high=None if chosen["aces_high"] == "sum" else int(chosen["aces_high"]),
            succession_4=int(chosen["succession_4"]),
            succession_5=int(chosen["succession_5"]),
            pieces_of_8=int(chosen["pieces_of_8"]),
        ),
        voluntary_scuttle=chosen["voluntary_scuttle"] == "true",
        pillage=chosen["pillage"],
        captain_pillage=chosen["captain_pillage"],
        captain=seats.index(chosen["captain"]) if chosen["captain"] else None,
        seated=chosen["order"] == "seated",
    )


# --- what is waited for ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ordering:
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


@dataclass(frozen=True, slots=True)
class Choosing:
    """The player fills a box, or throws again (W2)."""


@dataclass(frozen=True, slots=True)
class HoldDecision:
    """The player chooses which dice stay; `hornswaggle`: for the one extra throw (W4)."""

    hornswaggle: bool = False


@dataclass(frozen=True, slots=True)
class PiracyFallen:
    """The piracy throw lies there: stand, or hornswaggle (W6)."""


@dataclass(frozen=True, slots=True)
class Raiding:
    """Somebody is to be pillaged of these points (W6)."""

    points: int


@dataclass(frozen=True, slots=True)
class Cursing:
    """The turn is over; somebody may be cursed (W7)."""


Step = Ordering | Throwing | Choosing | HoldDecision | PiracyFallen | Raiding | Cursing | Finished


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
    """

    faces: tuple[int | None, ...] = (None,) * DICE
    throws: int = 0
    fell_last: tuple[int, ...] = ()
    is_piracy: bool = False
    is_hornswaggled: bool = False
    filled: str | None = None

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
        seat: whose turn it is.
        cursed: the seats whose next turn has four dice (W7).
        davy_jones: the seat that is called Davy Jones now, if one is (W6).
    """

    options: Options
    seats: tuple[str, ...]
    step: Step
    sheets: tuple[Sheet, ...]
    seat: int = 0
    cursed: frozenset[int] = frozenset()
    davy_jones: int | None = None
    turn: TurnInHand = field(default_factory=TurnInHand)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat on turn."""
        return self.sheets[self.seat]

    @property
    def name(self) -> str:
        """What the seat on turn is called."""
        return self.called(self.seat)

    def called(self, seat: int) -> str:
        """Return what a seat is called: there is one Davy Jones, an earlier one bears another name (W6)."""
        if seat == self.davy_jones:
            return DAVY_JONES
        is_displaced = self.davy_jones is not None and self.seats[seat].casefold() == DAVY_JONES.casefold()
        return DISPLACED if is_displaced else self.seats[seat]

    def others(self) -> tuple[int, ...]:
        """Return the other seats, clockwise from the one on turn."""
        count = len(self.seats)
        return tuple((self.seat + step) % count for step in range(1, count))


def with_sheet(state: State, seat: int, sheet: Sheet) -> State:
    """Return the state with one seat's sheet replaced."""
    return replace(state, sheets=(*state.sheets[:seat], sheet, *state.sheets[seat + 1 :]))
