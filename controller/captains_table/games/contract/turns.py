"""What must happen next: dice fall, a seat decides, or the match is over; and what a decision may be."""

from dataclasses import dataclass

from captains_table.games.contract.actions import IllegalAction


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a pick, and what the table must know about it.

    Attributes:
        id: what the answer is called in journals, tapes and by the page.
        label: what it is called on displays.
        on_board: it is made by moving pieces; until it is sealed it may be changed by moving them otherwise.
        confirm: it cannot be undone and is grave: it is asked twice, at the knob and on the page alike.
        opens_menu: it only leads to a further question to the same player; *Back* leaves that and nothing was done.
        keeps_move_open: it only asks or declines: a move on the board made before it may still be changed.
        secret: it is binding when made and shown to nobody else; neither *Back* nor a changed move undoes it. What the
            game shows of itself (heading, tallies, events) must not give it away either.
    """

    id: str
    label: str
    on_board: bool = False
    confirm: bool = False
    opens_menu: bool = False
    keeps_move_open: bool = False
    secret: bool = False

    def __post_init__(self) -> None:
        if self.secret and (self.on_board or self.opens_menu or self.keeps_move_open):
            raise ValueError(
                f"option {self.id!r} is secret, and so binding: expected it neither on the board, where everybody "
                "sees it, nor to open a menu or to keep a move open, which could undo it"
            )

    @property
    def seals(self) -> bool:
        """Whether a move on the board made before it cannot be changed any more."""
        return not (self.opens_menu or self.keeps_move_open)

    def called(self, label: str) -> "Option":
        """Return the same answer with another label, as games call reserved answers in their own words."""
        return Option(
            self.id,
            label,
            on_board=self.on_board,
            confirm=self.confirm,
            opens_menu=self.opens_menu,
            keeps_move_open=self.keeps_move_open,
            secret=self.secret,
        )


@dataclass(frozen=True, slots=True)
class PickAsk:
    """Pick one of these options; `default` is the id a sensible player chooses most."""

    prompt: str
    options: tuple[Option, ...]
    default: str | None = None


@dataclass(frozen=True, slots=True)
class KeepAsk:
    """Choose which of these dice (1-based) stay; `default` are those a sensible player keeps."""

    prompt: str
    dice: tuple[int, ...]
    default: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AmountAsk:
    """Name an amount between `lo` and `hi`, both included."""

    prompt: str
    lo: int
    hi: int
    default: int


Ask = PickAsk | KeepAsk | AmountAsk


@dataclass(frozen=True, slots=True)
class Roll:
    """These dice (1-based, extra dice after the main ones) must fall; `at_once`: no button is waited for."""

    seat: int
    dice: tuple[int, ...]
    at_once: bool
    prompt: str


@dataclass(frozen=True, slots=True)
class Decide:
    """This seat must answer this ask."""

    seat: int
    ask: Ask


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended: the winner's seat (`None` when shared) and every seat's score."""

    winner: int | None
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The match is over."""

    result: Result


Turn = Roll | Decide | Over


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player has, and what each press of the clock adds, in milliseconds."""

    base_ms: int
    increment_ms: int = 0


def offered_option(turn: Turn, id_: str) -> Option | None:
    """Return the option with this id that a turn offers; `None` where it offers no such option."""
    if not isinstance(turn, Decide) or not isinstance(turn.ask, PickAsk):
        return None
    return next((option for option in turn.ask.options if option.id == id_), None)


def check_offered(turn: Turn, id_: str) -> None:
    """Raise IllegalAction unless the turn asks to pick and offers this id."""
    if offered_option(turn, id_) is not None:
        return
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        offered = ", ".join(option.id for option in turn.ask.options)
        raise IllegalAction(f"{id_!r} is not offered: expected one of {offered}")
    raise IllegalAction(f"{id_!r}: nothing is to be picked now")
