"""Turns and actions: what a game asks for next (a throw, a decision, bids), and the actions that answer it.

A game master's actions, checks of actions, the result of a match and its time control are here too. So are the
reserved options, such as *Resign*, whose ids the table treats specially. Functions and constants tell which option
displays preselect, and which options random players avoid.

A match is fully described by its players' names, its options and its actions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import Final

from msgspec import Struct

from captains_table.phrases import listed, say


class IllegalAction(ValueError):
    """The action does not fit the state; nothing was changed."""


class Tagged(Struct, frozen=True, tag_field="type"):
    """The base class of actions; in JSON (table/model/codec.py) the field `type` holds the action's tag."""


class Pick(Tagged, frozen=True, tag="pick"):
    """The choice of an option of a `PickAsk`, or of a call (`Game.calls`)."""

    id: str


class Keep(Tagged, frozen=True, tag="keep"):
    """The answer to a `KeepAsk`: the numbers, from 1, of the dice to keep.

    The other dice of the question are thrown again.
    """

    dice: tuple[int, ...]


class Amount(Tagged, frozen=True, tag="amount"):
    """The whole number that answers an `AmountAsk`."""

    value: int


class Rolled(Tagged, frozen=True, tag="rolled"):
    """The faces of the dice that were thrown for a `Roll`, in the order of `Roll.dice`."""

    faces: tuple[int, ...]


class TimeUp(Tagged, frozen=True, tag="time-up"):
    """The clock of the player who must act has run out."""


class Bid(Tagged, frozen=True, tag="bid"):
    """A seat's bid in an auction."""

    seat: int
    value: int


class Bell(Tagged, frozen=True, tag="bell"):
    """The bell in an auction or a timed decision: somebody rang it, or it rang by itself because the time is over."""


class Correct(Tagged, frozen=True, tag="correct"):
    """A correction by the game master, outside the rules.

    Attributes:
        what: the kind of value, such as `gold`; see `Correctable`.
        of: which value of this kind it is; see `Correctable`.
        to: the new value, such as `7`, or the difference to add to a number, such as `+3` or `-2`.
        why: the game master's reason; may be empty.
    """

    what: str
    of: str
    to: str
    why: str = ""


class EndMatch(Tagged, frozen=True, tag="end"):
    """The game master's action that ends the match without a winner."""


Reply = Pick | Keep | Amount | Bid | Bell
"""The actions of players, on the page and on tapes; throws and time come from the table."""

MasterAction = Correct | EndMatch
"""The actions of a game master, in games that have one; allowed at any time."""

Action = Reply | MasterAction | Rolled | TimeUp


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a `PickAsk`, and how displays treat it.

    Attributes:
        id: its id in journals, tapes and on the page.
        label: its text on displays.
        on_board: whether it is chosen by moving pieces. Until a later choice makes the move final (see `seals`), moving
            the pieces differently changes the choice.
        confirm: whether it is serious and cannot be undone, so that the knob and the page ask for confirmation.
        opens_menu: whether it only opens a further question to the same player; *Back* leads back and has no effect on
            the match.
        keeps_move_open: whether it only asks or declines something, so that an earlier move on the board may still be
            changed.
        secret: whether it is binding at once and hidden from the other players. Neither *Back* nor a changed move
            undoes it, and the game's heading, tallies and events must not reveal it.
        says_move: whether it answers a question that follows from the move just made on the board, such as which prize
            a pawn gets; choosing it therefore confirms that move.
        in_vain: whether the rules allow it although it cannot succeed, such as an offer by a player who cannot pay. No
            display offers it, but tapes and scripts may choose it.
        wasteful: whether it gives away what another option keeps, such as filling a box with 0 while throws are left.
            Displays do not advertise it, and ask for confirmation.
        declines: whether it does nothing and passes the turn; no display proposes it while anything else can be chosen.
        ends: whether it gives up the match or a round, or proposes to end it; displays list it last, and propose any
            other option first.
        under: for an option that is rarely chosen, the words behind which pages fold it; empty for all others.
        then: the consequence, a sentence for a player who does not know the rules; ignored when options are compared.
    """

    id: str
    label: str
    on_board: bool = False
    confirm: bool = False
    opens_menu: bool = False
    keeps_move_open: bool = False
    secret: bool = False
    says_move: bool = False
    in_vain: bool = False
    wasteful: bool = False
    declines: bool = False
    ends: bool = False
    under: str = field(default="", compare=False)
    then: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.secret and (self.on_board or self.opens_menu or self.keeps_move_open):
            raise ValueError(
                f"option {self.id!r} is secret, and so binding: expected it neither on the board, where everybody "
                "sees it, nor to open a menu or to keep a move open, which could undo it"
            )

    @property
    def asked_twice(self) -> bool:
        """Whether the choice must be confirmed by a second press."""
        return self.confirm or self.wasteful or self.ends

    @property
    def seals(self) -> bool:
        """Whether choosing this option makes an earlier move on the board final."""
        return not (self.opens_menu or self.keeps_move_open)

    def called(self, label: str) -> "Option":
        """Return the option with another label, such as a game's own label for a reserved option."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True)
class PickAsk:
    """A question with several options, one of which is picked.

    Attributes:
        prompt: the question, which says who is asked and what to do.
        options: the options.
        default: the id of the option that a sensible player chooses most often; `None` if there is no such option.
        then: a second line with alternatives or consequences. Small displays omit it, and comparisons ignore it.
        throw_may_gain: whether another throw may well bring more than the default, so that displays dim it not.
    """

    prompt: str
    options: tuple[Option, ...]
    default: str | None = None
    then: str = field(default="", compare=False)
    throw_may_gain: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class KeepAsk:
    """A question about which dice stay and which are thrown again.

    Attributes:
        prompt: the question, as in `PickAsk`.
        dice: the numbers, from 1, of the dice that may stay or be thrown again.
        default: the numbers of the dice that a sensible player keeps.
        then: a second line, as in `PickAsk`.
    """

    prompt: str
    dice: tuple[int, ...]
    default: tuple[int, ...] = ()
    then: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class AmountAsk:
    """A question for a whole number from `lo` to `hi`, both included; the other attributes are as in `PickAsk`."""

    prompt: str
    lo: int
    hi: int
    default: int
    then: str = field(default="", compare=False)


Ask = PickAsk | KeepAsk | AmountAsk


def proposed_option(ask: PickAsk) -> str | None:
    """Return the id of the option that displays preselect; `None` if displays should preselect no option.

    Normally the default is preselected; without a default no option is. If the default does nothing (`declines`), the
    number of useful options decides. A useful option does something and is not in vain.

    - No useful option: the default is preselected.
    - One useful option: this option is preselected. If it is a move on the board, no option is preselected.
    - Several useful options: no option is preselected.
    """
    if not any(option.declines for option in ask.options if option.id == ask.default):
        return ask.default
    others = [option for option in ask.options if not (option.declines or option.in_vain)]
    if not others:
        return ask.default
    return others[0].id if len(others) == 1 and not others[0].on_board else None


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of some dice by one seat.

    Attributes:
        seat: the seat that throws.
        dice: the numbers of the dice, from 1; extra dice are numbered after the main dice.
        at_once: whether the dice are thrown without waiting for the roll button.
        prompt: what to do, as in `PickAsk`.
        then: a second line, as in `PickAsk`.
    """

    seat: int
    dice: tuple[int, ...]
    at_once: bool
    prompt: str
    then: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Decide:
    """A decision by one seat.

    Attributes:
        seat: the seat that must answer.
        ask: the question.
        takes_bell: whether the bell may be rung before the answer; the game defines the bell's effect.
        deadline_ms: the time in milliseconds after which the bell rings by itself; `None` if it does not.
        bell_then: the effect of the bell in words, as a clause such as "Anne passes".
    """

    seat: int
    ask: Ask
    takes_bell: bool = False
    deadline_ms: int | None = None
    bell_then: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check_deadline(self.deadline_ms)
        if self.deadline_ms is not None and not self.takes_bell:
            raise ValueError(f"a deadline of {self.deadline_ms} ms, and no bell that may ring: expected both or none")


@dataclass(frozen=True, slots=True)
class Bidder:
    """A seat that may bid now, with its lowest (`least`) and highest (`most`) possible bid."""

    seat: int
    least: int
    most: int

    def __post_init__(self) -> None:
        if self.seat < 0 or not 0 <= self.least <= self.most:
            raise ValueError(f"{self}: expected a seat, and a least bid from 0 to the most it may bid")


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A seat that may not bid now, with the reason (`words`) and the number of the rule, which is not shown."""

    seat: int
    words: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Auction:
    """A turn of several seats at once: each bidder may bid, and raise, any number of times until the bell rings.

    The table checks bids against their bounds first, so `Game.apply` never gets a bid of a seat that may not bid.

    Attributes:
        prompt: what is auctioned, or what to do.
        bidders: the seats that may bid or raise now, in the order in which they are shown. A seat that has already bid
            the most it can is not among them.
        deadline_ms: the time in milliseconds after which the bell rings by itself; `None` if it does not. The time
            starts with the auction, and starts again after each bell.
        bids: each seat's public bid so far, 0 for none; empty if the game hides bids.
        kept_out: the seats that may not bid and for which the game gives a reason.
        then: the line below the prompt, as in `PickAsk`.
    """

    prompt: str
    bidders: tuple[Bidder, ...]
    deadline_ms: int | None = None
    bids: tuple[int, ...] = ()
    kept_out: tuple[KeptOut, ...] = field(default=(), compare=False)
    then: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if len({bidder.seat for bidder in self.bidders}) != len(self.bidders):
            raise ValueError(f"{self.bidders}: expected every seat to bid once")
        _check_deadline(self.deadline_ms)

    def bidder(self, seat: int) -> Bidder | None:
        """Return a seat with its lowest and highest possible bid; `None` if the seat may not bid now."""
        return next((bidder for bidder in self.bidders if bidder.seat == seat), None)

    def why_not(self, seat: int) -> str:
        """Return why a seat may not bid, such as "acted last"; empty if the game gives no reason."""
        return "".join(each.words for each in self.kept_out if each.seat == seat)


def _check_deadline(deadline_ms: int | None) -> None:
    if deadline_ms is not None and deadline_ms <= 0:
        raise ValueError(f"a deadline of {deadline_ms} ms: expected some time, or None for none")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match.

    Attributes:
        winner: the winner's seat; `None` if the match is drawn or nobody won.
        scores: every seat's score.
        why: why the match ended so, in words, such as "Bart resigns"; empty if the last events say it.
    """

    winner: int | None
    scores: tuple[int, ...]
    why: str = field(default="", compare=False)


def is_nobodys(winner: int | None, scores: Sequence[int]) -> bool:
    """Return whether nobody won a match of several seats, although a single seat has the highest score.

    Such a match is not drawn.
    """
    return winner is None and len(scores) > 1 and list(scores).count(max(scores)) == 1


@dataclass(frozen=True, slots=True)
class Over:
    """The end of the match."""

    result: Result


Turn = Roll | Decide | Auction | Over


class TimeAddition(StrEnum):
    """The ways in which a stage of a time control adds time, or spares it (docs/rules/clocks.md Z6-Z9)."""

    NONE = "none"
    FISCHER = "fischer"
    DELAY = "delay"
    BRONSTEIN = "bronstein"
    HOURGLASS = "hourglass"


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a time control (docs/rules/clocks.md Z1).

    Attributes:
        base_ms: the time that the stage adds when it begins, in milliseconds.
        moves: the number of moves after which it ends; `None` if it does not end.
        kind: the way in which it adds time.
        extra_ms: the stage's time for each move, in milliseconds; what it does depends on `kind`.
    """

    base_ms: int
    moves: int | None = None
    kind: TimeAddition = TimeAddition.NONE
    extra_ms: int = 0

    def __post_init__(self) -> None:
        if self.base_ms < 0 or self.extra_ms < 0 or (self.moves is not None and self.moves < 1):
            raise ValueError(f"{self}: expected times of at least 0, and at least 1 move")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control as in chess: each player's time, and the time added at each press of the clock.

    Attributes:
        base_ms: each player's time in milliseconds; with stages, the least base of the players' first stages.
        increment_ms: the time added at each press of the clock, in milliseconds; with stages, the least `extra_ms` of
            the players' first stages.
        from_press: whether the time starts to run at the first press of the clock; this press adds no increment. If
            false, the time runs as soon as the pieces are set up.
        stages: each seat's stages, or one entry for all seats; empty for one Fischer stage of base and increment.
    """

    base_ms: int
    increment_ms: int = 0
    from_press: bool = False
    stages: tuple[tuple[Stage, ...], ...] = ()

    def __post_init__(self) -> None:
        for stages in self.stages:
            if not stages or any(stage.moves is None for stage in stages[:-1]):
                raise ValueError(f"{stages}: expected at least one stage, and a number of moves in all but the last")

    def stages_of(self, seat: int) -> tuple[Stage, ...]:
        """Return the stages of a seat."""
        if not self.stages:
            return (Stage(self.base_ms, kind=TimeAddition.FISCHER, extra_ms=self.increment_ms),)
        return self.stages[seat if len(self.stages) > 1 else 0]


def offered_option(turn: Turn, id_: str, calls: Sequence[Option] = ()) -> Option | None:
    """Return the option with the given id; `None` if there is none.

    `calls` (`Game.calls`) is searched before the options of the turn.
    """
    asked = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
    return next((option for option in chain(calls, asked) if option.id == id_), None)


def check_offered(turn: Turn, id_: str) -> None:
    """Raise IllegalAction unless the turn offers an option with this id; calls (`Game.calls`) do not count."""
    if offered_option(turn, id_) is not None:
        return
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        offered = listed([option.id for option in turn.ask.options], ",")
        raise IllegalAction(say("{id} is not offered: expected one of {ids}", repr(id_), offered))
    raise IllegalAction(say("{id}: nothing is to be picked now", repr(id_)))


def check_auction(turn: Turn, action: Action) -> None:
    """Raise IllegalAction for a bid or bell that is not allowed now, and for an action that an auction does not allow.

    A bid is allowed only in an auction in which its seat may bid that much. The bell is allowed only in an auction, or
    in a decision that takes the bell. An auction allows no other actions. A game master's actions are always allowed
    here; `check_correction` checks them.
    """
    match turn, action:
        case Auction(), Bid(seat, value):
            bidder = turn.bidder(seat)
            if bidder is None:
                raise IllegalAction(say("this player may not bid now"))
            if not bidder.least <= value <= bidder.most:
                raise IllegalAction(say("{bid} is no bid of this player", value))
        case Auction(), Pick() | Keep() | Amount() | Rolled() | TimeUp():
            raise IllegalAction(say("an auction is held now"))
        case _, Bid():
            raise IllegalAction(say("no auction is held now"))
        case _, Bell() if not takes_bell(turn):
            raise IllegalAction(say("no auction is held now, and nothing else that waits for a bell"))


def goes_on_with_time(action: Action) -> bool:
    """Return whether the timer keeps running after an action: after a bid or a game master's correction."""
    return isinstance(action, Bid | Correct)


def deadline_of(turn: Turn) -> int | None:
    """Return the time in milliseconds after which the bell rings by itself; `None` if it does not."""
    return turn.deadline_ms if isinstance(turn, Auction | Decide) else None


def takes_bell(turn: Turn) -> bool:
    """Return whether the bell may be rung now."""
    return isinstance(turn, Auction) or (isinstance(turn, Decide) and turn.takes_bell)


def acting_seat(turn: Turn, action: Action, calls: Sequence[Option] = ()) -> int | None:
    """Return the seat that takes an action: the bidder's seat for a bid, else the seat that must throw or decide.

    The result is `None` for the bell, a game master's action and a call. Except for bids, it is also `None` if no
    single seat must throw or decide, as in an auction and after the end of the match.

    Args:
        turn: the turn before the action.
        action: the action.
        calls: the options that any player may pick out of turn (`Game.calls`).
    """
    match turn, action:
        case _, Bid(seat):
            return seat
        case _, Bell() | Correct() | EndMatch():
            return None
        case _, Pick(id_) if any(call.id == id_ for call in calls):
            return None
        case Roll(seat=seat) | Decide(seat=seat), _:
            return seat
        case _:
            return None


# Reserved options: the table, computer players or several games treat their ids specially. A game offers them as they
# are, or with a label of its own: `ROLL.called("Throw all six dice")`.

ROLL: Final = Option("roll", say("Throw the dice"))
"""Throws dice: the roll button chooses it."""

THROW_AGAIN: Final = Option("throw-again", say("Throw again"), opens_menu=True)
"""Throws again, after asking which dice stay; the roll button picks it, and so does keeping dice on the page."""

PRESS_CLOCK: Final = Option("press-clock", say("Press the clock"))
"""Ends a move on the clock and adds the increment; the roll button picks it, even after the opponent began to move."""

STAND: Final = Option("stand", say("Stand"))
"""Accepts the dice as they lie."""

DONE: Final = Option("done", say("End the turn"))
"""Ends the turn, which makes the move in it final."""

AGREE: Final = Option("agree", say("Agree"))
"""Says yes to another seat."""

REFUSE: Final = Option("refuse", say("Refuse"), keeps_move_open=True)
"""Says no to another seat."""

TAKE_UP: Final = Option("take-up", say("Begin"))
"""Resumes a match that waits for this seat's player: it is the only option, and the table may be left meanwhile."""

OFFER_DRAW: Final = Option("offer-draw", say("Offer a draw"), keeps_move_open=True, ends=True)
"""Offers the opponent a draw."""

CLAIM_DRAW: Final = Option("claim-draw", say("Claim a draw"))
"""Ends the match as a draw, which the rules allow the player to claim now."""

RESIGN: Final = Option("resign", say("Resign"), confirm=True, ends=True, then=say("The match is lost, and over"))
"""Resigns the match."""

ABANDON: Final = Option(
    "abandon",
    say("Abandon the round"),
    confirm=True,
    keeps_move_open=True,
    ends=True,
    then=say("If both agree, the round ends and nobody wins it"),
)
"""Proposes to the opponent to end the round without a winner."""

GIVING_UP: Final = frozenset({ABANDON.id, AGREE.id, RESIGN.id})
"""The options that a random player avoids while there are others, since they give up the match or sell something."""

SHYNESS: Final[Mapping[str, float]] = {OFFER_DRAW.id: 0.1, CLAIM_DRAW.id: 0.3, AGREE.id: 0.02, RESIGN.id: 0.002}
"""The probability that a random test match picks an offered option; such options would end the match too soon.

For AGREE it applies only where agreeing ends the match.
"""


def consent(prompt: str, then: str = "") -> PickAsk:
    """Return a question with the options to agree and to refuse, for a seat whose consent is needed.

    The default is to refuse. The arguments are the attributes of `PickAsk` with the same names.
    """
    return PickAsk(prompt, (AGREE, REFUSE), default=REFUSE.id, then=then)
