"""The state and options of a match of Ship, Captain and Crew, in frozen values: steps, totals and turn in progress.

Also finds the dice that are set aside after a throw, and counts the cargo (S2 to S4).

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from msgspec import Struct

from captains_table.games.common.dice import CAPTAIN, CREW, CREW_WORDS, SHIP, ThrowStep
from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import ORDER, Choice, GameOption, Over, advanced, switch
from captains_table.phrases import say

CREW_DICE: Final = (1, 2, 3, 4, 5)
BERTHS: Final = tuple(CREW_WORDS.values())
WANTED: Final = (SHIP, CAPTAIN, CREW)
Faces = tuple[int | None, ...]
CREW_THROWS: Final = 3
CREW_OPTIONS: Final = (
    GameOption(
        "mode", say("Played"), "target", (Choice("target", say("to a target")), Choice("single", say("one round")))
    ),
    GameOption(
        "target",
        say("Target"),
        "50",
        bounds=(1, 999),
        hint=say("Whoever has as much first: 20 is soon reached, 50 is a long match."),
        proposed="20",
        detail_of="mode",
        moot_at="single",
    ),
    *advanced(
        replace(
            switch("finish_round", say("The last round"), say("ends at the target"), say("is finished"), default=True),
            detail_of="mode",
            moot_at="single",
        ),
        GameOption(
            "cargo_dice",
            say("Cargo is thrown again"),
            "both",
            (Choice("both", say("both dice together")), Choice("each", say("each alone"))),
        ),
        GameOption(
            "stake", say("Stake"), "0", bounds=(0, 9999), hint=say("Counters that each player pays into the pot.")
        ),
        ORDER,
    ),
)


class Berths(Struct, frozen=True):
    """The numbers (1-based) of the dice set aside, in the order ship, captain, crew; at most three."""

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
    """Return the berths after a throw, with ship, captain and crew set aside as far as the dice show them (S2).

    The captain is set aside only if there is a ship, and the crew only if there are both.

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
    """The options of a match; the rules mark them with a double dagger.

    Attributes:
        cargo_dice: "both" if the cargo dice are thrown again together, "each" if one of them may stay.
        mode: "target" to play to a target, "single" for one round.
        target: the points to reach in the mode "target".
        finish_round: whether the round in which a player reaches the target is played to its end.
        stake: the counters that each player pays into the pot.
        order: who begins: "throw" for the player with the highest throw, "seated" for the player named first.
    """

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
        sums: the sums thrown so far, in the order of `seats`.
        dice: the numbers of the dice that each of these seats throws: all five, or one to break a tie.
    """

    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()
    dice: tuple[int, ...] = CREW_DICE


class CargoChoiceStep(Struct, frozen=True):
    """The step after the crew is complete, in which the player stands or throws the cargo again (S3)."""


class CargoHoldStep(Struct, frozen=True):
    """The step in which the player may keep one of the two cargo dice (S3, option `cargo_dice=each`)."""


CrewStep = CrewOrderStep | ThrowStep | CargoChoiceStep | CargoHoldStep | Over


@dataclass(frozen=True, slots=True)
class CrewTurn:
    """One player's turn so far: the faces of the dice, the number of throws, and the dice set aside."""

    faces: Faces = (None,) * 5
    throws: int = 0
    berths: Berths = field(default_factory=Berths)

    @property
    def cargo(self) -> int:
        """The present cargo; 0 while ship, captain or crew is missing (S3, S4)."""
        return cargo_of(self.berths, self.faces)


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match.

    Attributes:
        options: the match's options.
        seats: the players' names.
        step: the input that the game waits for.
        playing: the seats that play this round, in order; in a play-off, the tied seats (S5).
        place: the index in `playing` of the seat on turn.
        round: the number of the round, from 1; each play-off counts as a round.
        play_off: the number of the play-off, from 1; 0 before the first.
        totals: every seat's points.
        cargo: the cargo of every seat's last turn; `None` before the first.
        purses: the counters that every seat has won from the pot, less its stake (S6).
        turn: the turn in progress.
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
        """The seat on turn, or the seat that throws next to decide who begins."""
        if isinstance(self.step, CrewOrderStep):
            return self.step.seats[len(self.step.sums)]
        return self.playing[self.place]

    @property
    def name(self) -> str:
        """The name of the player of `seat`."""
        return self.seats[self.seat]


def added_for_seat(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return the values of all seats, with `by` added to the value of one seat."""
    return tuple(value + by if index == seat else value for index, value in enumerate(values))
