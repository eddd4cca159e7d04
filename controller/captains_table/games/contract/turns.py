"""What must happen next and what is done: dice fall, a seat decides, several bid, or the match is over.

A match is its options and its actions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from msgspec import Struct


class IllegalAction(ValueError):
    """The action is not one the state asks for; nothing was changed."""


class Tagged(Struct, frozen=True, tag_field="type"):
    """An action; in JSON its `type` is the class's tag, beside its fields (table/model/codec.py)."""


class Pick(Tagged, frozen=True, tag="pick"):
    """One option of a pick was chosen."""

    id: str


class Keep(Tagged, frozen=True, tag="keep"):
    """These dice (1-based) stay; the others that may be thrown are thrown again."""

    dice: tuple[int, ...]


class Amount(Tagged, frozen=True, tag="amount"):
    """An amount was named."""

    value: int


class Rolled(Tagged, frozen=True, tag="rolled"):
    """The dice that were due have fallen, in the order of `Roll.dice`."""

    faces: tuple[int, ...]


class TimeUp(Tagged, frozen=True, tag="time-up"):
    """The time of whoever must act has run out."""


class Bid(Tagged, frozen=True, tag="bid"):
    """A seat bids this much in an auction."""

    seat: int
    value: int


class Bell(Tagged, frozen=True, tag="bell"):
    """The bell rings and ends an auction: somebody rang it, or its time is over."""


class Correct(Tagged, frozen=True, tag="correct"):
    """The game master sets something right, or punishes, against or beside the rules.

    Attributes:
        what: what is corrected, such as `gold`; see `Correctable`.
        of: whose it is, or which one.
        to: what it becomes, or by how much a number changes: `7`, `+3`, `-2`.
        why: the reason in the master's own words; may be empty.
    """

    what: str
    of: str
    to: str
    why: str = ""


class EndMatch(Tagged, frozen=True, tag="end"):
    """The game master ends the match, and nobody wins."""


Reply = Pick | Keep | Amount | Bid | Bell
"""What a player may say, at the page and on a tape; dice and time are the table's."""

MasterAction = Correct | EndMatch
"""What only a game master may do, in games that have one, whoever is to act."""

Action = Reply | MasterAction | Rolled | TimeUp


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
        says_move: it answers what came of the move on the board made before it, as which prize a pawn gets: whoever
            gives it says that this move was made, and not that none was.
        in_vain: the rules allow it, but it would lead to nothing, such as an offer by somebody who cannot pay: no
            display offers it; tapes and scripts may answer it all the same.
        wasteful: it gives away what another answer keeps, such as a box for nothing while throws are left: no display
            makes it look like an offer, and it is asked twice.
        declines: it does nothing and lets the turn go by: no display proposes it while something else may be done.
        then: what comes of it, in a sentence, for somebody who does not know the rules; as mere words it makes no
            option another one.
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
    then: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.secret and (self.on_board or self.opens_menu or self.keeps_move_open):
            raise ValueError(
                f"option {self.id!r} is secret, and so binding: expected it neither on the board, where everybody "
                "sees it, nor to open a menu or to keep a move open, which could undo it"
            )

    @property
    def asked_twice(self) -> bool:
        """Whether a first press only asks for a second one."""
        return self.confirm or self.wasteful

    @property
    def seals(self) -> bool:
        """Whether a move on the board made before it cannot be changed any more."""
        return not (self.opens_menu or self.keeps_move_open)

    def called(self, label: str) -> "Option":
        """Return the same answer with another label, as games call reserved answers in their own words."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True)
class PickAsk:
    """Pick one of these options; `default` is the id a sensible player chooses most.

    Every ask's `prompt` names who is asked and says what to do; `then` is the line below it: what else may be done, or
    what comes of it. Displays that are short of room leave `then` out; as mere words it makes no ask another one.
    """

    prompt: str
    options: tuple[Option, ...]
    default: str | None = None
    then: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class KeepAsk:
    """Choose which of these dice (1-based) stay; `default` are those a sensible player keeps."""

    prompt: str
    dice: tuple[int, ...]
    default: tuple[int, ...] = ()
    then: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class AmountAsk:
    """Name an amount between `lo` and `hi`, both included."""

    prompt: str
    lo: int
    hi: int
    default: int
    then: str = field(default="", compare=False)


Ask = PickAsk | KeepAsk | AmountAsk


def proposed_option(ask: PickAsk) -> str | None:
    """Return the id of the answer that displays propose; `None` where what is wanted most is done on the board.

    That is the ask's default; but where this only declines, the one other answer there is, or none of several.
    """
    if not any(option.declines for option in ask.options if option.id == ask.default):
        return ask.default
    others = [option for option in ask.options if not (option.declines or option.in_vain)]
    if not others:
        return ask.default
    return others[0].id if len(others) == 1 and not others[0].on_board else None


@dataclass(frozen=True, slots=True)
class Roll:
    """These dice (1-based, extra dice after the main ones) must fall; `at_once`: no button is waited for.

    `prompt` and `then` as in `PickAsk`.
    """

    seat: int
    dice: tuple[int, ...]
    at_once: bool
    prompt: str
    then: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Decide:
    """This seat must answer this ask.

    Attributes:
        seat: who is asked.
        ask: what is asked.
        takes_bell: whether the bell may be rung meanwhile: the game says what comes of it.
        deadline_ms: how long after it was asked the bell rings by itself; `None`: only when somebody rings it.
        bell_then: what comes of the bell, in a clause for whoever rings it, such as "Anne passes".
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
    """A seat that may bid now, and from how much to how much, both included."""

    seat: int
    least: int
    most: int

    def __post_init__(self) -> None:
        if self.seat < 0 or not 0 <= self.least <= self.most:
            raise ValueError(f"{self}: expected a seat, and a least bid from 0 to the most it may bid")


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A seat that may not bid now, why not in a few words, and the number of the rule that says so."""

    seat: int
    words: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.words} ({self.rule})" if self.rule else self.words


@dataclass(frozen=True, slots=True)
class Auction:
    """A turn of several seats at once: each of these may bid, and raise, as often as it likes, until the bell.

    The table holds bids against the bounds before the game sees them, so `apply` gets none of a seat that may not bid.

    Attributes:
        prompt: what is auctioned, or what is to be done.
        bidders: who may bid now, in the order they are shown; a seat that cannot raise any more is left out.
        deadline_ms: how long after the auction began the bell rings by itself; `None`: only when somebody rings it.
            The table measures it; every bell, and so every auction a game holds after one, begins a new one.
        bids: what each seat bids so far, for all to see, 0 for nothing; empty where the game shows none.
        kept_out: who may not bid and why, as far as the game says so.
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
        """Return within which bounds a seat may bid; `None` where it may not."""
        return next((bidder for bidder in self.bidders if bidder.seat == seat), None)

    def why_not(self, seat: int) -> str:
        """Return why a seat may not bid, such as "acted last (T2)"; empty where the game does not say."""
        return "".join(str(each) for each in self.kept_out if each.seat == seat)


def _check_deadline(deadline_ms: int | None) -> None:
    if deadline_ms is not None and deadline_ms <= 0:
        raise ValueError(f"a deadline of {deadline_ms} ms: expected some time, or None for none")


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended: the winner's seat (`None` when shared) and every seat's score."""

    winner: int | None
    scores: tuple[int, ...]


def is_nobodys(winner: int | None, scores: Sequence[int]) -> bool:
    """Return whether a match was won by nobody, though somebody leads: it is not shared either."""
    return winner is None and len(scores) > 1 and list(scores).count(max(scores)) == 1


@dataclass(frozen=True, slots=True)
class Over:
    """The match is over."""

    result: Result


Turn = Roll | Decide | Auction | Over


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player has, and what each press of the clock adds, in milliseconds.

    `from_press`: nobody's time runs before the clock is first pressed, and that press adds nothing; else time runs from
    when the pieces stand.
    """

    base_ms: int
    increment_ms: int = 0
    from_press: bool = False


def offered_option(turn: Turn, id_: str, calls: Sequence[Option] = ()) -> Option | None:
    """Return the option with this id that a turn offers, or that is a call; `None` where there is no such option."""
    asked = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
    return next((option for option in chain(calls, asked) if option.id == id_), None)


def check_offered(turn: Turn, id_: str) -> None:
    """Raise IllegalAction unless the turn asks to pick and offers this id."""
    if offered_option(turn, id_) is not None:
        return
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        offered = ", ".join(option.id for option in turn.ask.options)
        raise IllegalAction(f"{id_!r} is not offered: expected one of {offered}")
    raise IllegalAction(f"{id_!r}: nothing is to be picked now")


def check_auction(turn: Turn, action: Action) -> None:
    """Raise IllegalAction unless a bid or the bell fits the turn.

    Bids belong to an auction, and the bell too, or to a decision that takes it; in an auction there is nothing else but
    what a game master does at any time (`check_correction`).
    """
    match turn, action:
        case Auction(), Bid(seat, value):
            bidder = turn.bidder(seat)
            if bidder is None:
                raise IllegalAction("this player may not bid now")
            if not bidder.least <= value <= bidder.most:
                raise IllegalAction(f"{value} is no bid of this player")
        case Auction(), Pick() | Keep() | Amount() | Rolled() | TimeUp():
            raise IllegalAction("an auction is held now")
        case _, Bid():
            raise IllegalAction("no auction is held now")
        case _, Bell() if not takes_bell(turn):
            raise IllegalAction("no auction is held now, and nothing else that waits for a bell")


def goes_on_with_time(action: Action) -> bool:
    """Return whether an action leaves the time to the bell running: a bid, and what a game master sets right."""
    return isinstance(action, Bid | Correct)


def deadline_of(turn: Turn) -> int | None:
    """Return after how many milliseconds the bell rings by itself; `None` where it does not."""
    return turn.deadline_ms if isinstance(turn, Auction | Decide) else None


def takes_bell(turn: Turn) -> bool:
    """Return whether the bell may be rung now."""
    return isinstance(turn, Auction) or (isinstance(turn, Decide) and turn.takes_bell)


def acting_seat(turn: Turn, action: Action, calls: Sequence[Option] = ()) -> int | None:
    """Return whose an action is: the bidder's, nobody's for the bell, a master's and a call, else of who has to act.

    Args:
        turn: what must happen next.
        action: what is done.
        calls: what may be picked beside the turn (`Game.calls`).
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


# Reserved answers: options whose id the table, its players or several games treat in a way of their own. A game offers
# them as they stand, or in its own words: `ROLL.called("Throw all six dice")`.

ROLL: Final = Option("roll", "Throw the dice")
"""Throws dice: the roll button chooses it."""

THROW_AGAIN: Final = Option("throw-again", "Throw again", opens_menu=True)
"""Asks which dice stay, where there is a choice: dice kept on the page choose it, and so does the roll button."""

PRESS_CLOCK: Final = Option("press-clock", "Press the clock")
"""Ends a move on time: the roll button chooses it, the increment is added, and the opponent may have begun to move."""

STAND: Final = Option("stand", "Stand")
"""Takes the dice as they lie."""

DONE: Final = Option("done", "End the turn")
"""Ends the turn, and so seals the move made in it."""

AGREE: Final = Option("agree", "Agree")
"""Says yes to another seat."""

REFUSE: Final = Option("refuse", "Refuse", keeps_move_open=True)
"""Says no to another seat."""

TAKE_UP: Final = Option("take-up", "Begin")
"""Takes up a match that rests until this seat comes: nothing but this is asked, and the table may be left meanwhile."""

OFFER_DRAW: Final = Option("offer-draw", "Offer a draw", keeps_move_open=True)
"""Asks the opponent to share the match."""

CLAIM_DRAW: Final = Option("claim-draw", "Claim a draw")
"""Ends the match shared, as the rules give the right to."""

RESIGN: Final = Option("resign", "Resign", confirm=True, then="The match is lost, and over")
"""Gives the match up."""

ABANDON: Final = Option(
    "abandon",
    "Abandon the round",
    confirm=True,
    keeps_move_open=True,
    then="If both agree, the round ends and nobody wins it",
)
"""Asks the opponent to give the round up together."""

GIVING_UP: Final = frozenset({ABANDON.id, AGREE.id, RESIGN.id})
"""What a random player of a match leaves alone while anything else is left: it gives up, or sells."""

SHYNESS: Final[Mapping[str, float]] = {OFFER_DRAW.id: 0.1, CLAIM_DRAW.id: 0.3, AGREE.id: 0.02, RESIGN.id: 0.002}
"""The share of chances at which these are taken where a game is tried by random matches: they would end it too soon.

An agreement is shy where it ends the match.
"""


def consent(prompt: str, then: str = "") -> PickAsk:
    """Return the fourth kind of ask: agree or refuse, addressed to another seat."""
    return PickAsk(prompt, (AGREE, REFUSE), default=REFUSE.id, then=then)
