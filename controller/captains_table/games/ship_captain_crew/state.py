"""The state of a match of Ship, Captain and Crew: options, steps, the turn in progress. Frozen values.

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP, ThrowStep
from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import ORDER, Choice, GameOption, Over, switch

CREW_DICE: Final = (1, 2, 3, 4, 5)
BERTHS: Final = ("ship", "captain", "crew")
WANTED: Final = (SHIP, CAPTAIN, CREW)
Faces = tuple[int | None, ...]
CREW_THROWS: Final = 3
CREW_OPTIONS: Final = (
    GameOption("mode", "Played", "target", (Choice("target", "to a target"), Choice("single", "one round"))),
    GameOption(
        "target",
        "Target",
        "50",
        bounds=(1, 999),
        hint="Whoever has as much first; counts only when playing to a target.",
    ),
    switch("finish_round", "The last round", "ends at the target", "is finished", default=True),
    GameOption(
        "cargo_dice",
        "Cargo is thrown again",
        "both",
        (Choice("both", "both dice together"), Choice("each", "each alone")),
    ),
    GameOption("stake", "Stake", "0", bounds=(0, 9999), hint="Counters that each player pays into the pot."),
    ORDER,
)


class Berths(Struct, frozen=True):
    """The dice set aside as ship, captain and crew, in this order, by number (1-based)."""

    dice: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether ship, captain and crew are set aside, so that the other two dice are cargo."""
        return len(self.dice) == len(BERTHS)

    def loose(self) -> tuple[int, ...]:
        """Return the numbers of the dice not set aside."""
        return tuple(die for die in CREW_DICE if die not in self.dice)

    def die_in(self, berth: int) -> int | None:
        """Return the number of the die in a berth (0: ship, 1: captain, 2: crew); `None` while it is empty."""
        return self.dice[berth] if berth < len(self.dice) else None


def fill_berths(berths: Berths, faces: Sequence[int | None]) -> Berths:
    """Return the berths after a throw: the next of ship, captain and crew are set aside at once if thrown (S2).

    Args:
        berths: the dice that were set aside before.
        faces: the faces of the five dice.
    """
    while not berths.is_complete:
        wanted = WANTED[len(berths.dice)]
        found = next((die for die in berths.loose() if faces[die - 1] == wanted), None)
        if found is None:
            break
        berths = Berths((*berths.dice, found))
    return berths


def cargo_of(berths: Berths, faces: Sequence[int | None]) -> int:
    """Return the cargo, the sum of the two dice not set aside; 0 while ship, captain or crew is missing (S3, S4)."""
    return sum(faces[die - 1] or 0 for die in berths.loose()) if berths.is_complete else 0


class CrewOptions(Struct, frozen=True):
    """The match's options; the rules mark them with a double dagger."""

    cargo_dice: str = "both"
    mode: str = "target"
    target: int = 50
    finish_round: bool = True
    stake: int = 0
    order: str = "throw"


# --- the steps of a match: the inputs that the game waits for -------------------------------------------------------


class CrewOrderStep(Struct, frozen=True):
    """The step in which players throw dice to decide who begins (S1).

    Attributes:
        seats: the seats that throw, in order.
        sums: their sums so far.
        dice: the dice that each throws: all five, or one to break a tie.
    """

    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()
    dice: tuple[int, ...] = CREW_DICE


class CargoChoiceStep(Struct, frozen=True):
    """The step after the crew is complete, in which the player stands or throws the cargo again (S3)."""


class CargoHoldStep(Struct, frozen=True):
    """The step in which the player chooses which cargo die stays (S3, option `cargo_dice=each`)."""


CrewStep = CrewOrderStep | ThrowStep | CargoChoiceStep | CargoHoldStep | Over


@dataclass(frozen=True, slots=True)
class CrewTurn:
    """One player's turn so far: the faces of the dice, the number of throws, and the dice set aside."""

    faces: Faces = (None,) * 5
    throws: int = 0
    berths: Berths = field(default_factory=Berths)

    @property
    def cargo(self) -> int:
        """The present cargo (S3, S4)."""
        return cargo_of(self.berths, self.faces)


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match.

    Attributes:
        playing: the seats that play this round, in order; in a play-off, the tied ones (S5).
        place: the index in `playing` of the seat on turn.
        round: the number of the round, from 1; play-offs count.
        play_off: the number of the play-off; 0 before the first.
        totals: every seat's points.
        cargo: the cargo of every seat's last turn; `None` before the first.
        purses: every seat's winnings from the pot less its stake (S6).
    """

    options: CrewOptions
    seats: tuple[str, ...]
    step: CrewStep
    playing: tuple[int, ...]
    totals: tuple[int, ...]
    cargo: tuple[int | None, ...]
    purses: tuple[int, ...]
    place: int = 0
    round: int = 1
    play_off: int = 0
    turn: CrewTurn = field(default_factory=CrewTurn)

    @property
    def seat(self) -> int:
        """The seat on turn."""
        if isinstance(self.step, CrewOrderStep):
            return self.step.seats[len(self.step.sums)]
        return self.playing[self.place]

    @property
    def name(self) -> str:
        """The name of the seat on turn."""
        return self.seats[self.seat]


def added_for_seat(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return values by seat with a number added to one seat's value."""
    return tuple(value + by if index == seat else value for index, value in enumerate(values))
