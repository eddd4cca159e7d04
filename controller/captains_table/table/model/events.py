"""What goes into the referee (past tense) and what comes out of it (imperative). Plain frozen values."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from captains_table.games.contract import Action, EventKind, Square
from captains_table.table.model.entries import Entry
from captains_table.table.model.view import Hint, Lit, View


class Button(StrEnum):
    """The buttons a table may have; an encoder turned is next, turned back previous, pushed choose."""

    ROLL = "roll"
    NEXT = "next"
    PREVIOUS = "previous"
    CHOOSE = "choose"
    BACK = "back"


# --- events ---------------------------------------------------------------------------------------------------------


class SwitchChanged(Struct, frozen=True):
    """A switch closed or opened, and has settled: its scanner has debounced it.

    Attributes:
        square: whose switch it is.
        closed: what it says now.
        flickers: how often it flipped since it changed last, all in vain; 0 where its scanner does not count.
    """

    square: Square
    closed: bool
    flickers: int = 0


class BoardRead(Struct, frozen=True):
    """The whole board was read at once: at a start, or when its link came back."""

    occupied: frozenset[Square]


class PiecesPlaced(Struct, frozen=True):
    """All pieces were put at once where they stand now, as only the simulated table can."""

    occupied: frozenset[Square]


class BoardLost(Struct, frozen=True):
    """The board's link dropped; nothing is known about the switches until they are read again.

    Attributes:
        words: what is wrong and what may help, for glass and page; told again when it is something else.
    """

    words: str = "The board is not connected"


class SwitchMasked(Struct, frozen=True):
    """A switch was declared dead: from now on it says nothing."""

    square: Square


class ButtonPressed(Struct, frozen=True):
    """A button went down."""

    button: Button


class ButtonReleased(Struct, frozen=True):
    """A button came up."""

    button: Button


class DieToggled(Struct, frozen=True):
    """A die (1-based) that may stay was held, or let go, directly."""

    die: int


class Answered(Struct, frozen=True):
    """The ask was answered directly, as the web page does."""

    action: Action


class WordsGiven(Struct, frozen=True):
    """A player gave own words for the dice."""

    seat: int
    text: str


class ComputerAnswered(Struct, frozen=True):
    """A computer has thought about what it is to decide.

    Attributes:
        revision: of the match it thought about; of any other the answer is moot.
        action: its answer.
    """

    revision: int
    action: Action


class AdviceThought(Struct, frozen=True):
    """The advice that was asked for is there.

    Attributes:
        revision: of the match it is about; of any other it is moot.
        hint: the advice; `None` where there is none to give.
    """

    revision: int
    hint: Hint | None


class PlayerSeated(Struct, frozen=True):
    """Somebody else plays a seat from now on: a computer, as `aether:3`, or a person (empty)."""

    seat: int
    player: str


class TimersSwitched(Struct, frozen=True):
    """The game master stopped the time to bid and to act, or let it run on."""

    run: bool


class AdviceAsked(Struct, frozen=True):
    """Whoever must decide asked for advice."""


class DiceFell(Struct, frozen=True):
    """The dice that were to be thrown have fallen."""

    faces: tuple[int, ...]


class TimePassed(Struct, frozen=True):
    """Nothing happened but the time: timers that are due fire."""


Event = (
    SwitchChanged
    | BoardRead
    | PiecesPlaced
    | BoardLost
    | SwitchMasked
    | ButtonPressed
    | ButtonReleased
    | DieToggled
    | Answered
    | WordsGiven
    | ComputerAnswered
    | AdviceThought
    | PlayerSeated
    | TimersSwitched
    | AdviceAsked
    | DiceFell
    | TimePassed
)


class SignalKind(StrEnum):
    """What a signal by light and sound may be for: what happens in the game, or what needs attention.

    Throws, moves, captures and a clock that runs low are only heard; all else is seen too.
    """

    THROW = "throw"
    MOVE = "move"
    CAPTURE = EventKind.CAPTURE
    STRIKE = EventKind.STRIKE
    TREASURE = EventKind.TREASURE
    KING = EventKind.KING
    SETTLEMENT = EventKind.SETTLEMENT  # a round was won
    MATCH = EventKind.MATCH  # the match is over
    ILLEGAL = "illegal"
    CLOCK_LOW = "clock-low"


# --- effects --------------------------------------------------------------------------------------------------------


class Record(Struct, frozen=True):
    """Make this entry durable before anything later in the list is done."""

    entry: Entry


class Throw(Struct, frozen=True):
    """Throw this many dice and answer with `DiceFell`."""

    count: int


class Show(Struct, frozen=True):
    """Show this view on every display."""

    view: View


class Light(Struct, frozen=True):
    """Light these squares, the others dark."""

    marks: Mapping[Square, Lit]


class Signal(Struct, frozen=True):
    """Give the short signal, by light and sound, of what just happened.

    Attributes:
        kind: what for.
        square: where, if it has a place.
    """

    kind: SignalKind
    square: Square | None


Effect = Record | Throw | Show | Light | Signal
