"""The state of Ship, Captain and Crew: a match, the round, the turn in hand, and what is waited for. Frozen values.

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP, Throwing
from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import ORDER, Choice, GameOption, Over, switch

DICE: Final = (1, 2, 3, 4, 5)
BERTHS: Final = ("ship", "captain", "crew")
WANTED: Final = (SHIP, CAPTAIN, CREW)
Faces = tuple[int | None, ...]
MAX_THROWS: Final = 3
OPTIONS: Final = (
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
    """The numbers (1-based) of the dice set aside, in the order ship, captain, crew."""

    dice: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether ship, captain and crew are aside, so that the other two dice are cargo."""
        return len(self.dice) == len(BERTHS)

    def loose(self) -> tuple[int, ...]:
        """Return the numbers of the dice not set aside."""
        return tuple(die for die in DICE if die not in self.dice)

    def die_in(self, berth: int) -> int | None:
        """Return the number of the die in a berth, counted from 0; `None` while it is empty."""
        return self.dice[berth] if berth < len(self.dice) else None


def board(berths: Berths, faces: Sequence[int | None]) -> Berths:
    """Return the berths after a throw: what was found in its order is set aside at once and stays (S2).

    Args:
        berths: what was aside before.
        faces: the five dice as they lie.
    """
    while not berths.is_complete:
        wanted = WANTED[len(berths.dice)]
        found = next((die for die in berths.loose() if faces[die - 1] == wanted), None)
        if found is None:
            break
        berths = Berths((*berths.dice, found))
    return berths


def cargo_of(berths: Berths, faces: Sequence[int | None]) -> int:
    """Return the sum of the two dice beside ship, captain and crew; 0 while one of them is missing (S3, S4)."""
    return sum(faces[die - 1] or 0 for die in berths.loose()) if berths.is_complete else 0


class Options(Struct, frozen=True):
    """The rules' options (those marked with a double dagger)."""

    cargo_dice: str = "both"
    mode: str = "target"
    target: int = 50
    finish_round: bool = True
    stake: int = 0
    order: str = "throw"


# --- what is waited for ---------------------------------------------------------------------------------------------


class Ordering(Struct, frozen=True):
    """These seats throw for the start, all five dice first, then one to break a tie; these sums fell so far (S1)."""

    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()
    dice: tuple[int, ...] = DICE


class Choosing(Struct, frozen=True):
    """The crew is complete: stand, or throw the cargo again (S3)."""


class HoldDecision(Struct, frozen=True):
    """The player chooses which cargo die stays (S3, `cargo_dice` each)."""


Step = Ordering | Throwing | Choosing | HoldDecision | Over


@dataclass(frozen=True, slots=True)
class TurnInHand:
    """One player's turn so far."""

    faces: Faces = (None,) * 5
    throws: int = 0
    berths: Berths = field(default_factory=Berths)

    @property
    def cargo(self) -> int:
        """The cargo as it lies (S3, S4)."""
        return cargo_of(self.berths, self.faces)


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """A match.

    Attributes:
        playing: the seats that play this round, in their order; the tied ones in a play-off (S5).
        place: whose turn it is, an index into `playing`.
        round: counts the rounds, play-offs too.
        play_off: counts the play-offs; 0 before the first.
        totals: every seat's points.
        cargo: every seat's last turn; `None` before his first.
        purses: what every seat has won or paid (S6).
    """

    options: Options
    seats: tuple[str, ...]
    step: Step
    playing: tuple[int, ...]
    totals: tuple[int, ...]
    cargo: tuple[int | None, ...]
    purses: tuple[int, ...]
    place: int = 0
    round: int = 1
    play_off: int = 0
    turn: TurnInHand = field(default_factory=TurnInHand)

    @property
    def seat(self) -> int:
        """The seat on turn."""
        if isinstance(self.step, Ordering):
            return self.step.seats[len(self.step.sums)]
        return self.playing[self.place]

    @property
    def name(self) -> str:
        """The name of the seat on turn."""
        return self.seats[self.seat]


def changed(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return tallies with one seat's changed."""
    return tuple(value + by if index == seat else value for index, value in enumerate(values))
