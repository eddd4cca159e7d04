"""What is to be seen: one pure value of which glass, lights, web page, terminal and club display are functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from captains_table.games.common.records import NO_HONOURS, Honours
from captains_table.games.contract import (
    Ask,
    Auction,
    Die,
    GameEvent,
    Option,
    PickAsk,
    Result,
    Shape,
    SheetRow,
    Slot,
    Square,
    Thing,
    Whereabouts,
)

NOWHERE: Final = Whereabouts()


class Phase(StrEnum):
    """Where a table stands."""

    IDLE = "idle"  # no match
    SETUP = "setup"  # the pieces of a round are being put up
    PLAYING = "playing"
    RESTORING = "restoring"  # the board differs from the match after an interruption
    OVER = "over"


class Mark(StrEnum):
    """What a square's light and its mark on the page mean."""

    LAST_MOVE = "last-move"
    MAY_MOVE = "may-move"
    TARGET = "target"
    STRIKE = "strike"
    TREASURE = "treasure"
    KING_TAKEN = "king-taken"
    PUT_HERE = "put-here"
    TAKE_AWAY = "take-away"
    NOT_THIS_DIE = "not-this-die"
    FAULTY = "faulty"


Lit = Mark | Thing
"""What a square's light may mean."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player: name, named tallies, whether he may act now, the seconds on his clock (`None`: there is no clock).

    `title` is shown in place of the name, if he has one; `computer` is who plays for him in words, such as "Aether
    (level 3)", empty for a person, and `is_thinking` whether that computer has to throw or to decide now. `bid` is what
    he bids in an auction that shows it, 0 for nothing; `at` is where he is, where players are pieces themselves.
    `honours` is what stands before his name for what he earned in earlier matches.
    """

    name: str
    tallies: Mapping[str, int]
    on_turn: bool
    seconds_left: int | None = None
    title: str = ""
    computer: str = ""
    is_thinking: bool = False
    bid: int = 0
    at: Whereabouts = NOWHERE
    honours: Honours = NO_HONOURS

    @property
    def called(self) -> str:
        """What displays call the player."""
        return self.title or self.name

    @property
    def is_absent(self) -> bool:
        """Whether no person at this table plays the seat."""
        return bool(self.computer)

    @property
    def played_by(self) -> str:
        """The computer that plays, beside the name: "level 3" where that says who it is, else "Aether, level 3"."""
        title, _, level = self.computer.rstrip(")").partition(" (")
        is_called_so = self.called == title or self.called.removeprefix(f"{title} ").isdecimal()
        return (level or title) if is_called_so else ", ".join(filter(None, (title, level)))

    @property
    def called_briefly(self) -> str:
        """The name, and which computer plays, for narrow displays: "Aether (3)", "Anne (Aether 3)"."""
        words = self.played_by.replace(", level ", " ").removeprefix("level ")
        return f"{self.called} ({words})" if words else self.called


CROWD: Final = 8
"""More seats than these are scrolled to whose turn it is, where a display has no room for all."""


def first_shown(cursor: int | None, count: int, room: int) -> int:
    """Return the first entry to be seen of a scrolled list: the cursor as near the middle as the ends allow."""
    return max(0, min((cursor or 0) - room // 2, count - room))


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One line of the menu: the id it stands for, its words, and for dice whether it is held."""

    id: str
    label: str
    held: bool | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """The ask as the buttons serve it: its lines and where the cursor stands (`None`: nothing to choose)."""

    entries: tuple[MenuEntry, ...] = ()
    cursor: int | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """How the board differs from what it should be: squares to fill, squares to empty."""

    missing: tuple[Square, ...] = ()
    extra: tuple[Square, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, who did it, and the words.

    `aloud` is said in place of the words, where they are written as players write them; empty: the words themselves.
    """

    seat: int | None
    words: str
    aloud: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice that was asked for.

    Attributes:
        words: what to do, in a few words.
        why: what that is worth and by which measure; empty where nothing is advised.
        id: the option meant, `None` where no option is.
        dice: the dice (1-based) that stay, `None` where it is not about that.
    """

    words: str
    why: str = ""
    id: str | None = None
    dice: tuple[int, ...] | None = None


THINKING: Final = Hint("Thinking about it")
"""Shown until the advice that was asked for is there."""


@dataclass(frozen=True, slots=True)
class LastThrow:
    """A throw that ended a turn, or decided who begins, as it lay: shown for a moment before the next player's dice.

    Attributes:
        seat: whose it was.
        dice: the dice as they lay, extra dice after the main ones.
        lit: 0-based indexes into `dice` of those that counted.
        words: what they came to ("Cargo 9"); empty where that needs no words.
        scored: what the action that decided it scored or changed.
    """

    seat: int
    dice: tuple[Die, ...]
    lit: tuple[int, ...] = ()
    words: str = ""
    scored: tuple[GameEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class RollOffer:
    """What pressing the roll button does now.

    Attributes:
        label: that in a few words ("Throw again: 2 dice").
        possible: whether it does anything.
        why: who is to do what before it does; empty where it is possible.
        dice: the dice (1-based) that would fall; empty where none would.
        choice: the dice (1-based) of which can be chosen which of them fall; empty where that is no question.
        in_vain: whether it was pressed in vain a moment ago, so that displays say why.
        aside: whether a sensible player would do something else now than to throw.
    """

    label: str = "Roll"
    possible: bool = False
    why: str = ""
    dice: tuple[int, ...] = ()
    choice: tuple[int, ...] = ()
    in_vain: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """A button that is held for long: what comes of it, what of letting go, and how much of it is done, 0 to 1."""

    words: str
    then: str
    share: float


@dataclass(frozen=True, slots=True)
class View:
    """Everything a display may show.

    Attributes:
        phase: where the table stands.
        game: the game's key, empty when idle.
        title: the game's name.
        heading: where in the match we are ("Round 1 of 3").
        prompt: what is waited for, most important line first.
        seat: index of who must decide or throw; `None` while several may bid, and when over or idle.
        seats: the players in seat order.
        dice: the dice as they lie; extra dice (Genie, treasure) after the main ones.
        has_dice: whether the game has dice at all.
        slots: places that certain dice must fill, in their order.
        tumbling: 0-based indexes into `dice` of those that tumble while the button is held.
        last_throw: the throw that ended a turn, or decided who begins, for a moment; `None` otherwise.
        roll: what pressing the roll button does now.
        pieces: square -> FEN letter, as the match has it.
        things: square -> what lies there beside a piece.
        switches: squares whose switch is closed.
        marks: square -> what is marked there.
        shining: square -> the thing that its light shows where nothing is marked.
        shape: the board, `None` for games of dice alone.
        ask: what must be decided, or who may bid; `None` while nothing is asked.
        calls: what anybody may pick now beside what is asked, whoever is on turn.
        asks_about_board: whether what is asked is what was done on the board.
        goes_back: whether *Back* leaves what is asked, and it is as if it had not been opened.
        menu: the ask as the buttons serve it.
        bell_seconds: after how many seconds the bell ends an auction; `None` where it is only rung by hand.
        takes_bell: whether the bell may be rung now.
        bell_then: what comes of the bell in a clause, where it ends no auction; empty where nothing is said of it.
        timers_stopped: whether a game master lets the time to bid and to act stand still.
        auction_since: the revision at which the auction in hand began, which a bid names; `None` while none is held.
        hint: the advice that was asked for, shown until something is done.
        boardless: whether pieces stand on no board that is read, so that moves are answers like any other.
        undoes: the seat whose last move may then be taken back by saying so; `None` where none may.
        wrong: how the board differs from what it should be.
        latest_events: what the last action scored.
        sheet: the score sheet, row by row, a cell for each seat.
        log: the last lines, oldest first.
        told: what is said of what changed last, in sentences: to screen readers, and by a voice.
        result: how the match ended.
        commitment: SHA-256 of the match's dice seed in hexadecimal; empty for dictated dice.
        dice_proof: what the dice prove, and to whom; empty where there is no seed.
        digest: SHA-256 of the match as it is exported, in hexadecimal, once nothing can be taken back any more; empty
            before, and for dictated dice.
        takes_words: whether players may still give own words for the dice.
        faults: sentences about what is broken (a masked switch, a lost link, a glass that does not answer).
        hold: a button that is held for long; `None` while none is.
        joining: the address of the page for other devices, or that there is no network yet; while nobody has pressed
            anything since the table started,
            and where it is asked for; empty otherwise, and where no other device reaches it.
        revision: counts the journal's entries; an answer to an older view is stale.
        details: what the game adds for displays (round, fen).
    """

    phase: Phase = Phase.IDLE
    game: str = ""
    title: str = "Captain's Table"
    heading: str = ""
    prompt: tuple[str, ...] = ()
    seat: int | None = None
    seats: tuple[SeatView, ...] = ()
    dice: tuple[Die, ...] = ()
    has_dice: bool = True
    slots: tuple[Slot, ...] = ()
    tumbling: tuple[int, ...] = ()
    last_throw: LastThrow | None = None
    roll: RollOffer = RollOffer()
    pieces: Mapping[Square, str] = field(default_factory=dict)
    things: Mapping[Square, Sequence[Thing]] = field(default_factory=dict)
    switches: frozenset[Square] = frozenset()
    marks: Mapping[Square, Mark] = field(default_factory=dict)
    shining: Mapping[Square, Thing] = field(default_factory=dict)
    shape: Shape | None = None
    ask: Ask | Auction | None = None
    calls: tuple[Option, ...] = ()
    asks_about_board: bool = False
    goes_back: bool = False
    menu: Menu = Menu()
    bell_seconds: int | None = None
    takes_bell: bool = False
    bell_then: str = ""
    timers_stopped: bool = False
    auction_since: int | None = None
    hint: Hint | None = None
    boardless: bool = False
    undoes: int | None = None
    wrong: Wrong = Wrong()
    latest_events: tuple[GameEvent, ...] = ()
    sheet: tuple[SheetRow, ...] = ()
    log: tuple[LogLine, ...] = ()
    told: str = ""
    result: Result | None = None
    commitment: str = ""
    dice_proof: str = ""
    digest: str = ""
    takes_words: bool = False
    faults: tuple[str, ...] = ()
    hold: Hold | None = None
    joining: str = ""
    revision: int = 0
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def lights(self) -> Mapping[Square, Lit]:
        """What each light means: what is marked, else what shines there, before the last move."""
        last_move = {square: mark for square, mark in self.marks.items() if mark is Mark.LAST_MOVE}
        others = {square: mark for square, mark in self.marks.items() if mark is not Mark.LAST_MOVE}
        return last_move | dict(self.shining) | others

    @property
    def leading(self) -> frozenset[int]:
        """The seats that bid most in the auction in hand; empty while nobody bids."""
        highest = max((seat.bid for seat in self.seats), default=0)
        return frozenset(number for number, seat in enumerate(self.seats) if highest and seat.bid == highest)

    @property
    def options(self) -> tuple[Option, ...]:
        """What a pick offers, as a page lists it: what fills the boxes of a score sheet in the sheet's order."""
        options = self.ask.options if isinstance(self.ask, PickAsk) else ()
        by_id = {option.id: option for option in options}
        rows = [prospect.id for row in self.sheet for prospect in row.prospects if prospect.id in by_id]
        in_order = iter(rows)
        return tuple(by_id[next(in_order)] if option.id in rows else option for option in options)
