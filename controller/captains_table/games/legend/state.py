"""The state of a match of Legend: options, steps of a turn, the turn in progress. Frozen, hashable values.

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
from captains_table.games.legend.position import LEGEND_START, ChessColour, LegendPosition

CARGO_DICE = (1, 2, 3, 4, 5)
LEGEND_DIE = 6
ALL_DICE = (*CARGO_DICE, LEGEND_DIE)
EXTRA_DICE = (7, 8)
LEGEND_THROWS = 3
MAX_OFFERS = 3
AETHER = "Aether"
T = TypeVar("T")
LEGEND_OPTIONS: Final = (
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
    """The step in which the buyer chooses to offer a price or a captured piece (L16a)."""

    kind: int


class BarterConsent(Struct, frozen=True):
    """The step in which the seller accepts a piece for a piece, refuses, or asks a price (L16a)."""

    kind: int
    given: int


class AskPrice(Struct, frozen=True):
    """The step in which the seller names a price (L16a)."""

    kind: int


class PriceConsent(Struct, frozen=True):
    """The step in which the buyer accepts or refuses the seller's price (L16a)."""

    kind: int
    price: int


BarterStep = BuyOffer | BarterConsent | AskPrice | PriceConsent


@dataclass(frozen=True, slots=True)
class LegendOptions:
    """The match's options; the rules mark them with a double dagger."""

    rounds: int = 3
    turn_limit: int = 0
    score: str = "die"
    barters: bool = False
    first_position: LegendPosition = LEGEND_START


def parse_legend_options(options: Mapping[str, str]) -> LegendOptions:
    """Return Legend's options; raises BadOption."""
    chosen = read_options(LEGEND_OPTIONS, options)
    position = first_position(chosen["fen"], LegendPosition.from_fen, LEGEND_START)
    barters = chosen["barter"] == "piece"
    return LegendOptions(int(chosen["rounds"]), int(chosen["turn_limit"]), chosen["score"], barters, position)


# --- the steps of a turn: the inputs that the game waits for --------------------------------------------------------


class LegendMain(Struct, frozen=True):
    """The main step, in which the player may throw, move, summon the Genie, buy a piece back or end the turn."""


class LegendThrowStep(Struct, frozen=True):
    """The step in which some dice are thrown at once (L5)."""

    dice: tuple[int, ...]


class LegendHoldStep(Struct, frozen=True):
    """The step in which the player chooses which dice stay."""


class Treasure(Struct, frozen=True):
    """The step in which the two dice of a hidden treasure are thrown (L14)."""


class GenieDice(Struct, frozen=True):
    """The step in which the Genie's two dice are thrown (L18)."""


class GenieHop(Struct, frozen=True):
    """The step in which the Genie carries the king to one of some squares (L19)."""

    squares: tuple[Square, ...]


class BuyPiece(Struct, frozen=True):
    """The step in which the buyer names a kind of piece (L15)."""


class BuyPrice(Struct, frozen=True):
    """The step in which the buyer names a price (L16)."""

    kind: int


class BuyConsent(Struct, frozen=True):
    """The step in which the seller accepts or refuses the price (L16)."""

    kind: int
    price: int


class Entering(Struct, frozen=True):
    """The step in which a piece bought back is put on a square (L15); `given`: the piece given for it (L16a)."""

    kind: int
    given: int | None = None


class AbandonConsent(Struct, frozen=True):
    """The step in which the opponent agrees or refuses to abandon the round (L3)."""


LegendStep = (
    LegendMain
    | LegendThrowStep
    | LegendHoldStep
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
    """A captured piece: its kind, whether it was a promoted pawn (L17), and the square of the capture."""

    kind: int
    promoted: bool
    square: Square

    @property
    def bought_as(self) -> int:
        """The kind of piece that the owner pays for and that enters: a pawn, if this was a promoted pawn."""
        return chess.PAWN if self.promoted else self.kind

    def may_enter_on(self, square: Square) -> bool:
        """Return whether the piece may enter on a square: a bishop only on its own colour (L15)."""
        return self.bought_as != chess.BISHOP or sum(self.square) % 2 == sum(square) % 2


@dataclass(frozen=True, slots=True)
class LegendTurn:
    """One player's turn so far: dice, throws, what was done, and the present step.

    `faces` are all six dice, the Legend die last (`None`: not thrown); `fell_last` the dice (1-based) thrown last.
    """

    faces: tuple[int | None, ...] = (None,) * 6
    fell_last: tuple[int, ...] = ()
    cargo_throws: int = 0
    legend_throws: int = 0
    legend_final: bool = False
    moved: bool = False
    king_taken: bool = False
    offers: int = 0
    extra_faces: tuple[int, ...] = ()
    step: LegendStep = field(default_factory=LegendMain)

    @property
    def die(self) -> int | None:
        """The Legend die's face; `None` before it was thrown."""
        return self.faces[LEGEND_DIE - 1]

    @property
    def cargo_faces(self) -> tuple[int | None, ...]:
        """The faces of the five cargo dice; `None`: not thrown."""
        return self.faces[:5]


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match; pairs hold a value for each seat, and `turns` counts the turns of the round."""

    options: LegendOptions
    seats: tuple[str, str]
    position: LegendPosition
    seat: int
    round: int = 1
    turns: int = 0
    cargo: tuple[int, int] = (0, 0)
    legend: tuple[int, int] = (0, 0)
    rounds_won: tuple[int, int] = (0, 0)
    captures: tuple[tuple[Captured, ...], tuple[Captured, ...]] = ((), ())
    genie_spent: tuple[bool, bool] = (False, False)
    turn: LegendTurn = field(default_factory=LegendTurn)

    @property
    def opponent(self) -> int:
        """The seat that is not on turn."""
        return 1 - self.seat

    @property
    def white_seat(self) -> int:
        """The seat that has White in this round."""
        return (self.round - 1) % 2

    def colour_of(self, seat: int) -> ChessColour:
        """Return a seat's colour in this round; colours swap each round (L1)."""
        return chess.WHITE if seat == self.white_seat else chess.BLACK

    @property
    def colour(self) -> ChessColour:
        """The colour of the seat on turn."""
        return self.colour_of(self.seat)


def with_step(state: State, step: LegendStep) -> State:
    """Return the state with its turn set to another step."""
    return replace(state, turn=replace(state.turn, step=step))


def with_seat(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Return a pair of values by seat with one seat's value replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def grand_scores(state: State) -> tuple[int, int]:
    """Return the sum of each seat's cargo and legend (L2)."""
    return state.cargo[0] + state.legend[0], state.cargo[1] + state.legend[1]


def credit(state: State, seat: int, game_event: GameEvent) -> State:
    """Return the state with an event and its points, which count as cargo or legend according to the event's kind."""
    if game_event.kind in CARGO_KINDS:
        state = replace(state, cargo=with_seat(state.cargo, seat, state.cargo[seat] + game_event.points))
    else:
        state = replace(state, legend=with_seat(state.legend, seat, state.legend[seat] + game_event.points))
    return emit(state, game_event)
