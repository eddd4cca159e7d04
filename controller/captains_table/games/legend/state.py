"""The state of a match of Legend, in frozen, hashable values: options, captured pieces and the turn in progress.

The state holds the points, captures and rounds won. The options are declared and parsed here, and `credit` adds the
points of a game event.

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

import chess
from msgspec import Struct

from captains_table.games.common.latest_events import WithLatestEvents, emit
from captains_table.games.common.option_values import first_position
from captains_table.games.contract import Choice, EventKind, GameEvent, GameOption, Square, advanced, read_options
from captains_table.games.legend.position import LEGEND_START, ChessColour, LegendPosition
from captains_table.games.legend.steps import LegendMain, LegendStep
from captains_table.phrases import say

CARGO_DICE = (1, 2, 3, 4, 5)
LEGEND_DIE = 6
ALL_DICE = (*CARGO_DICE, LEGEND_DIE)
EXTRA_DICE = (7, 8)
LEGEND_THROWS = 3
MAX_OFFERS = 3
AETHER = "Aether"
T = TypeVar("T")
LEGEND_OPTIONS: Final = (
    GameOption("rounds", say("Rounds"), "3", bounds=(1, 99), hint=say("The players change colours after each.")),
    *advanced(
        GameOption(
            "turn_limit",
            say("Turns a round"),
            "0",
            bounds=(0, 9999),
            hint=say("Both players' turns together; 0 for no limit."),
        ),
        GameOption(
            "score",
            say("Legend for a turn"),
            "die",
            (Choice("die", say("the die's value")), Choice("piece", say("the piece's value"))),
        ),
        GameOption(
            "barter",
            say("A piece is bought back"),
            "price",
            (Choice("price", say("for a price")), Choice("piece", say("for a price or a piece"))),
            hint=say("With pieces the seller may also name a price."),
        ),
        GameOption(
            "fen",
            say("Starting position"),
            is_free=True,
            hint=say("FEN; empty for the usual one. Only the first round begins there."),
        ),
    ),
)
CARGO_KINDS = frozenset({EventKind.CARGO, EventKind.TREASURE, EventKind.SETTLEMENT, EventKind.SALE})


@dataclass(frozen=True, slots=True)
class LegendOptions:
    """The match's options, which the rules mark with a double dagger.

    Attributes:
        rounds: the number of rounds.
        turn_limit: the number of turns, of both players together, after which a round ends; 0 for no limit.
        score: the legend for a move: "die" for the Legend die's face, "piece" for the moved piece's value.
        barters: whether the buyer may offer a captured piece instead of a price, and the seller may ask a price.
        first_position: the starting position of the first round.
    """

    rounds: int = 3
    turn_limit: int = 0
    score: str = "die"
    barters: bool = False
    first_position: LegendPosition = LEGEND_START


def parse_legend_options(options: Mapping[str, str]) -> LegendOptions:
    """Return the match's options; raises BadOption if one is unknown or invalid."""
    chosen = read_options(LEGEND_OPTIONS, options)
    position = first_position(chosen["fen"], LegendPosition.from_fen, LEGEND_START)
    barters = chosen["barter"] == "piece"
    return LegendOptions(int(chosen["rounds"]), int(chosen["turn_limit"]), chosen["score"], barters, position)


class Captured(Struct, frozen=True):
    """A captured piece: its kind, whether it was a promoted pawn (L17), and the square of the capture."""

    kind: int
    promoted: bool
    square: Square

    @property
    def bought_as(self) -> int:
        """The kind of piece that the owner can buy back; a captured promoted pawn is bought back as a pawn."""
        return chess.PAWN if self.promoted else self.kind

    def may_enter_on(self, square: Square) -> bool:
        """Return whether the colour of a square allows the piece to enter there (L15).

        Only bishops are limited: a bishop enters on a square of the same colour as the square of its capture.
        """
        return self.bought_as != chess.BISHOP or sum(self.square) % 2 == sum(square) % 2


@dataclass(frozen=True, slots=True)
class LegendTurn:
    """One player's turn so far.

    Attributes:
        faces: the faces of all six dice, the Legend die last; `None` for a die that was not thrown yet.
        fell_last: the numbers (1-based) of the dice thrown last.
        cargo_throws: the number of throws of cargo dice.
        legend_throws: the number of throws of the Legend die.
        legend_final: whether the Legend die may not be thrown again.
        moved: whether the turn's move was made.
        gained: the legend that the turn's move scored.
        king_taken: whether the move captured the king.
        offers: the number of offers in the turn: the buyer's offers and the prices that the seller asked (L16, L16a).
        extra_faces: the faces of the two extra dice of a treasure or the Genie; empty if they were not thrown.
        step: the input that the game waits for.
    """

    faces: tuple[int | None, ...] = (None,) * 6
    fell_last: tuple[int, ...] = ()
    cargo_throws: int = 0
    legend_throws: int = 0
    legend_final: bool = False
    moved: bool = False
    gained: int = 0
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
        """The faces of the five cargo dice; `None` for a die that was not thrown yet."""
        return self.faces[:5]


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match; each pair holds a value for each seat.

    Attributes:
        options: the match's options.
        seats: the players' names.
        position: the present position.
        seat: the seat on turn.
        round: the number of the round, from 1.
        turns: the number of turns that were ended in the round.
        cargo: the cargo points.
        legend: the legend points.
        rounds_won: the number of rounds won.
        captures: the captured pieces that the seat holds; cleared at the end of a round.
        genie_spent: whether the seat has summoned the Genie in the round.
        turn: the turn in progress.
    """

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
    """Return the state with the present turn at another step."""
    return replace(state, turn=replace(state.turn, step=step))


def with_seat(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Return a pair with the value of one seat replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def grand_scores(state: State) -> tuple[int, int]:
    """Return each seat's grand score: the sum of the seat's cargo and legend points (L2)."""
    return state.cargo[0] + state.legend[0], state.cargo[1] + state.legend[1]


def credit(state: State, seat: int, game_event: GameEvent) -> State:
    """Return the state with an event added and its points credited to a seat.

    The event's kind decides whether the points are cargo or legend. If another seat pays the points, the caller must
    subtract them from that seat.
    """
    if game_event.kind in CARGO_KINDS:
        state = replace(state, cargo=with_seat(state.cargo, seat, state.cargo[seat] + game_event.points))
    else:
        legend = with_seat(state.legend, seat, state.legend[seat] + game_event.points)
        turn = replace(state.turn, gained=state.turn.gained + game_event.points)
        state = replace(state, legend=legend, turn=turn)
    return emit(state, game_event)
