"""The events that go into the referee (past tense) and the effects that come out (imperative), as frozen values."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from captains_table.games.contract import Action, EventKind, Square
from captains_table.table.model.entries import Entry
from captains_table.table.model.view import Hint, LightMeaning, View


class Button(StrEnum):
    """The buttons a table may have; turning an encoder is next or previous, pushing it is choose."""

    ROLL = "roll"
    NEXT = "next"
    PREVIOUS = "previous"
    CHOOSE = "choose"
    BACK = "back"


# --- events ---------------------------------------------------------------------------------------------------------


class SwitchChanged(Struct, frozen=True):
    """A square's switch closed or opened, and its scanner has debounced it.

    Attributes:
        square: the square of the switch.
        closed: whether it is closed now.
        flickers: how often it bounced without settling since its last change; 0 if its scanner does not count.
    """

    square: Square
    closed: bool
    flickers: int = 0


class BoardRead(Struct, frozen=True):
    """All switches of the board were read at once: at the start, or after its link came back."""

    occupied: frozenset[Square]


class PiecesPlaced(Struct, frozen=True):
    """All pieces were put on their present squares at once; only a simulated board can do that."""

    occupied: frozenset[Square]


class BoardLost(Struct, frozen=True):
    """The link to the board dropped; the switches' states are unknown until they are read again.

    Attributes:
        words: what is wrong and what may help, for display and page; the event is repeated when this changes.
    """

    words: str = "The board is not connected"


class SwitchMasked(Struct, frozen=True):
    """A switch was declared dead; it is ignored from now on."""

    square: Square


class ButtonPressed(Struct, frozen=True):
    """A button went down."""

    button: Button


class ButtonReleased(Struct, frozen=True):
    """A button came up."""

    button: Button


class DieToggled(Struct, frozen=True):
    """A player held or released a die, numbered from 1, directly and not through the menu."""

    die: int


class Answered(Struct, frozen=True):
    """A player answered the current ask directly, as on the web page, and not through the menu."""

    action: Action


class WordsGiven(Struct, frozen=True):
    """A player gave text of their own to be mixed into the dice."""

    seat: int
    text: str


class ComputerAnswered(Struct, frozen=True):
    """A computer has decided.

    Attributes:
        revision: the revision of the match it thought about; at any other revision the answer is ignored.
        action: its answer.
    """

    revision: int
    action: Action


class AdviceThought(Struct, frozen=True):
    """The requested advice is ready.

    Attributes:
        revision: the revision of the match it is about; at any other revision the advice is ignored.
        hint: the advice; `None` if there is none.
    """

    revision: int
    hint: Hint | None


class PlayerSeated(Struct, frozen=True):
    """From now on another player plays a seat: a computer, such as `aether:3`, or a person (empty)."""

    seat: int
    player: str


class TimersSwitched(Struct, frozen=True):
    """The game master stopped the timers for bids and actions, or let them run again."""

    run: bool


class AdviceAsked(Struct, frozen=True):
    """The player who must decide asked for advice."""


class DiceFell(Struct, frozen=True):
    """The requested dice have fallen."""

    faces: tuple[int, ...]


class TimePassed(Struct, frozen=True):
    """Only time has passed: timers that are due fire."""


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
    """The reasons for a signal by light and sound: events of the game, or problems that need attention.

    Throws, moves, captures and a clock that runs low give only a sound; all others also flash lights.
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
    """Make this entry durable before carrying out any later effect of the list."""

    entry: Entry


class ThrowDice(Struct, frozen=True):
    """Throw this many dice and report the faces with `DiceFell`."""

    count: int


class Show(Struct, frozen=True):
    """Show this view on every display."""

    view: View


class Light(Struct, frozen=True):
    """Light these squares and switch all others off."""

    marks: Mapping[Square, LightMeaning]


class Signal(Struct, frozen=True):
    """Give a short signal by light and sound about what just happened.

    Attributes:
        kind: the reason.
        square: the square it happened on, if any.
    """

    kind: SignalKind
    square: Square | None


Effect = Record | ThrowDice | Show | Light | Signal
