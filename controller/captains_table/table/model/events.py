"""The referee's events (named in the past tense) and effects (named as commands), as immutable values."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from captains_table.games.contract import Action, EventKind, Square
from captains_table.phrases import say
from captains_table.table.model.entries import Entry
from captains_table.table.model.view import Hint, LightMeaning, View


class Button(StrEnum):
    """The buttons that a table may have; an encoder is turned for next and previous and pushed for choose."""

    ROLL = "roll"
    NEXT = "next"
    PREVIOUS = "previous"
    CHOOSE = "choose"
    BACK = "back"


# --- events ---------------------------------------------------------------------------------------------------------


class SwitchChanged(Struct, frozen=True):
    """The switch of a square closed or opened, after debouncing by its scanner.

    Attributes:
        square: the square of the switch.
        closed: whether it is closed now.
        flickers: how often the switch bounced without settling since its last change; 0 if its scanner does not count
            bounces.
        reading: what the board reads of the piece that came, such as `N` or the number of a chip; empty if it reads
            only that a piece is there. A closed square may report another piece without having opened.
    """

    square: Square
    closed: bool
    flickers: int = 0
    reading: str = ""


class BoardRead(Struct, frozen=True):
    """All switches of the board were read at once, at the start or after the link to the board was restored.

    Attributes:
        occupied: the squares with a piece.
        readings: what the board reads of these pieces, as far as it does.
    """

    occupied: frozenset[Square]
    readings: Mapping[Square, str] = field(default_factory=dict)


class PiecesPlaced(Struct, frozen=True):
    """All pieces were placed on their current squares at once; only a simulated board can do that."""

    occupied: frozenset[Square]


class BoardLost(Struct, frozen=True):
    """The link to the board was lost; the states of the switches are unknown until they are read again.

    Attributes:
        words: what is wrong and what may help, for display and page; the event is repeated when these words change.
    """

    words: str = say("The board is not connected")


class SwitchMasked(Struct, frozen=True):
    """A switch was declared dead; it is ignored from now on."""

    square: Square


class ButtonPressed(Struct, frozen=True):
    """A button was pressed down."""

    button: Button


class ButtonReleased(Struct, frozen=True):
    """A button was released."""

    button: Button


class DieToggled(Struct, frozen=True):
    """A player held or released a die, numbered from 1, directly instead of through the menu."""

    die: int


class Answered(Struct, frozen=True):
    """A player answered the current question directly, for example on the web page, instead of through the menu."""

    action: Action


class WordsGiven(Struct, frozen=True):
    """A player gave a text of their own, which is mixed into the dice."""

    seat: int
    text: str


class ComputerAnswered(Struct, frozen=True):
    """A computer has decided.

    Attributes:
        revision: the revision of the match that the computer thought about; at any other revision the answer is
            ignored.
        action: the computer's decision.
    """

    revision: int
    action: Action


class AdviceThought(Struct, frozen=True):
    """The requested advice is ready.

    Attributes:
        revision: the revision of the match that the advice is about; at any other revision the advice is ignored.
        hint: the advice; `None` if there is none.
    """

    revision: int
    hint: Hint | None


class PlayerSeated(Struct, frozen=True):
    """A seat is played from now on by the computer `player`, such as `aether:3`, or by a person (empty `player`)."""

    seat: int
    player: str


class TimersSwitched(Struct, frozen=True):
    """The timers for bids and actions were stopped, or started again (`run`)."""

    run: bool


class AdviceAsked(Struct, frozen=True):
    """The player who must decide asked for advice."""


class DiceFell(Struct, frozen=True):
    """The requested dice have fallen."""

    faces: tuple[int, ...]


class TimePassed(Struct, frozen=True):
    """Time has passed and nothing else happened; timers that are due fire."""


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
    """The reasons for a signal by light and sound: events of the game, and problems that need attention.

    Throws, moves, captures and a clock that is nearly used up give only a sound; all other signals also flash lights.
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
    """The effect of storing an entry durably; effects listed after it are carried out only once the entry is stored."""

    entry: Entry


class ThrowDice(Struct, frozen=True):
    """Throw this many dice and report the faces with `DiceFell`."""

    count: int


class Show(Struct, frozen=True):
    """Show this view on every display."""

    view: View


class Light(Struct, frozen=True):
    """Light these squares and turn off the lights of all others."""

    marks: Mapping[Square, LightMeaning]


class Signal(Struct, frozen=True):
    """Give a short signal by light and sound about what just happened.

    Attributes:
        kind: the reason.
        square: the square where it happened; `None` if it happened on no square.
    """

    kind: SignalKind
    square: Square | None


class TurnBoard(Struct, frozen=True):
    """Read the board the other way round from now on, because it lies with its connector at the other side."""


Effect = Record | ThrowDice | Show | Light | Signal | TurnBoard
