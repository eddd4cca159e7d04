"""Legend's state: a match, its round, the turn in hand, and the step of that turn. Frozen, hashable values.

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

import chess
from msgspec import Struct

from captains_table.games.common.latest_events import WithLatestEvents, emit
from captains_table.games.common.option_values import first_position
from captains_table.games.contract import Choice, EventKind, GameEvent, GameOption, Over, Square, read_options
from captains_table.games.legend.position import START, Colour, Position

CARGO_DICE = (1, 2, 3, 4, 5)
LEGEND_DIE = 6
ALL_DICE = (*CARGO_DICE, LEGEND_DIE)
EXTRA_DICE = (7, 8)
MAX_THROWS = 3
MAX_OFFERS = 3
AETHER = "Aether"
T = TypeVar("T")
OPTIONS: Final = (
    GameOption("rounds", "Rounds", "3", bounds=(1, 99), hint="The players change colours after each."),
    GameOption(
        "turn_limit", "Turns a round", "0", bounds=(0, 9999), hint="Both players' turns together; 0 for no limit."
    ),
    GameOption(
        "score", "Legend for a turn", "die", (Choice("die", "the die's value"), Choice("piece", "the piece's value"))
    ),
    GameOption(
        "barter",
        "A piece is bought back",
        "price",
        (Choice("price", "for a price"), Choice("piece", "for a price or a piece")),
        hint="With pieces the seller may also ask a price of his own.",
    ),
    GameOption(
        "fen",
        "Starting position",
        is_free=True,
        hint="FEN; empty for the usual one. Only the first round begins there.",
    ),
)
CARGO_KINDS = frozenset({EventKind.CARGO, EventKind.TREASURE, EventKind.SETTLEMENT, EventKind.SALE})


class BuyOffer(Struct, frozen=True):
    """The buyer chooses whether he offers a price, or a captured piece he holds (L16a)."""

    kind: int


class BarterConsent(Struct, frozen=True):
    """The opponent agrees to a piece for a piece, refuses, or asks a price (L16a)."""

    kind: int
    given: int


class AskPrice(Struct, frozen=True):
    """The seller names a price of his own (L16a)."""

    kind: int


class PriceConsent(Struct, frozen=True):
    """The buyer agrees to the seller's price, or refuses (L16a)."""

    kind: int
    price: int


BarterStep = BuyOffer | BarterConsent | AskPrice | PriceConsent


@dataclass(frozen=True, slots=True)
class Options:
    """The rules' options (those marked with a double dagger)."""

    rounds: int = 3
    turn_limit: int = 0
    score: str = "die"
    barters: bool = False
    first_position: Position = START


def parse_options(options: Mapping[str, str]) -> Options:
    """Return Legend's options; raises BadOption."""
    chosen = read_options(OPTIONS, options)
    position = first_position(chosen["fen"], Position.from_fen, START)
    barters = chosen["barter"] == "piece"
    return Options(int(chosen["rounds"]), int(chosen["turn_limit"]), chosen["score"], barters, position)


# --- the steps of a turn: what is waited for ------------------------------------------------------------------------


class Main(Struct, frozen=True):
    """The player may throw, move, ask for other things, or end the turn."""


class Throwing(Struct, frozen=True):
    """These dice are falling (L5)."""

    dice: tuple[int, ...]


class HoldDecision(Struct, frozen=True):
    """The player chooses which dice stay."""


class Treasure(Struct, frozen=True):
    """The two dice of a hidden treasure are due (L14)."""


class GenieDice(Struct, frozen=True):
    """The Genie's two dice are due (L18)."""


class GenieHop(Struct, frozen=True):
    """The king goes to one of these squares (L19)."""

    squares: tuple[Square, ...]


class BuyPiece(Struct, frozen=True):
    """The buyer names a piece (L15)."""


class BuyPrice(Struct, frozen=True):
    """The buyer names a price (L16)."""

    kind: int


class BuyConsent(Struct, frozen=True):
    """The opponent agrees or refuses (L16)."""

    kind: int
    price: int


class Entering(Struct, frozen=True):
    """The piece bought back is put on one of its squares (L15); `given`: the piece it was bartered for (L16a)."""

    kind: int
    given: int | None = None


class AbandonConsent(Struct, frozen=True):
    """The opponent agrees to abandon the round, or not (L3)."""


Step = (
    Main
    | Throwing
    | HoldDecision
    | Treasure
    | GenieDice
    | GenieHop
    | BuyPiece
    | BuyPrice
    | BuyConsent
    | BarterStep
    | Entering
    | AbandonConsent
    | Over
)


class Captured(Struct, frozen=True):
    """A captured piece as it was when taken, whether it had been promoted (L17), and where it was taken."""

    kind: int
    promoted: bool
    square: Square

    @property
    def bought_as(self) -> int:
        """The kind it costs and enters as."""
        return chess.PAWN if self.promoted else self.kind

    def may_enter_on(self, square: Square) -> bool:
        """Return whether a square has this piece's colour, which binds a bishop (L15)."""
        return self.bought_as != chess.BISHOP or sum(self.square) % 2 == sum(square) % 2


@dataclass(frozen=True, slots=True)
class TurnInHand:
    """One player's turn so far."""

    faces: tuple[int | None, ...] = (None,) * 6
    fell_last: tuple[int, ...] = ()
    cargo_throws: int = 0
    legend_throws: int = 0
    legend_final: bool = False
    moved: bool = False
    king_taken: bool = False
    offers: int = 0
    extra_faces: tuple[int, ...] = ()
    step: Step = field(default_factory=Main)

    @property
    def die(self) -> int | None:
        """The Legend die's face; `None` before it fell."""
        return self.faces[LEGEND_DIE - 1]

    @property
    def cargo_faces(self) -> tuple[int | None, ...]:
        """The five cargo dice."""
        return self.faces[:5]


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """A match of Legend."""

    options: Options
    seats: tuple[str, str]
    position: Position
    seat: int
    round: int = 1
    turns: int = 0
    cargo: tuple[int, int] = (0, 0)
    legend: tuple[int, int] = (0, 0)
    rounds_won: tuple[int, int] = (0, 0)
    captures: tuple[tuple[Captured, ...], tuple[Captured, ...]] = ((), ())
    genie_spent: tuple[bool, bool] = (False, False)
    turn: TurnInHand = field(default_factory=TurnInHand)

    @property
    def opponent(self) -> int:
        """The seat that is not on turn."""
        return 1 - self.seat

    @property
    def white_seat(self) -> int:
        """The seat that has White this round."""
        return (self.round - 1) % 2

    def colour_of(self, seat: int) -> Colour:
        """Return the colour a seat has this round: they swap each round (L1)."""
        return chess.WHITE if seat == self.white_seat else chess.BLACK

    @property
    def colour(self) -> Colour:
        """The colour of the seat on turn."""
        return self.colour_of(self.seat)


def with_step(state: State, step: Step) -> State:
    """Return the state waiting for something else."""
    return replace(state, turn=replace(state.turn, step=step))


def changed(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Return what each seat has, with one seat's replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def grand_scores(state: State) -> tuple[int, int]:
    """Return each seat's cargo and legend together (L2)."""
    return state.cargo[0] + state.legend[0], state.cargo[1] + state.legend[1]


def credit(state: State, seat: int, game_event: GameEvent) -> State:
    """Return the state with a happening's points credited: its kind says to which tally."""
    if game_event.kind in CARGO_KINDS:
        state = replace(state, cargo=changed(state.cargo, seat, state.cargo[seat] + game_event.points))
    else:
        state = replace(state, legend=changed(state.legend, seat, state.legend[seat] + game_event.points))
    return emit(state, game_event)
