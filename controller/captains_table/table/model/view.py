"""The view: the immutable value from which the display, lights, web page, terminal and club pages are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from captains_table.phrases import ENGLISH, Language, Phrase, Rendered, in_language, say
from captains_table.table.model.player_clocks import StageProgress

NOWHERE: Final = Whereabouts()


class Phase(StrEnum):
    """The phase of a table: no match, pieces being set up, match in progress, board being restored, or match over."""

    IDLE = "idle"  # no match
    SETUP = "setup"  # the pieces of a round are being set up
    PLAYING = "playing"
    RESTORING = "restoring"  # the board differs from the match after an interruption
    OVER = "over"


class Mark(StrEnum):
    """The marks that a square may have, shown as a light on the board and as a mark on the page."""

    LAST_MOVE = "last-move"
    SPOKEN_OF = "spoken-of"
    MAY_MOVE = "may-move"
    TARGET = "target"
    STRIKE = "strike"
    TREASURE = "treasure"
    KING_TAKEN = "king-taken"
    PUT_HERE = "put-here"
    TAKE_AWAY = "take-away"
    NOT_THIS_DIE = "not-this-die"
    FAULTY = "faulty"


LightMeaning = Mark | Thing
"""The meaning of a square's light: a mark, or a thing that lies there."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player as displays show them.

    Attributes:
        name: the player's name.
        tallies: the player's counts, such as points, keyed by what is counted.
        on_turn: whether the player may act now.
        seconds_left: the seconds left on the player's clock; `None` without a clock.
        title: the title that is shown instead of the name; empty if there is none.
        computer: the name of the computer that plays the seat, such as "Aether"; empty for a person.
        level: its level in words, such as "casual"; empty if it has none.
        is_thinking: whether that computer must throw or decide now.
        bid: the player's bid in an auction with open bids; 0 if there is none.
        at: where the player is, in games in which players are pieces.
        honours: marks before the name, earned in earlier matches.
        delay_seconds: the seconds of the player's delay that are left; `None` without a delay in the match.
        stage: the stage in which the player's time is; `None` without stages in the match.
    """

    name: str
    tallies: Mapping[str, int]
    on_turn: bool
    seconds_left: int | None = None
    title: str = ""
    computer: str = ""
    level: str = ""
    is_thinking: bool = False
    bid: int = 0
    at: Whereabouts = NOWHERE
    honours: Honours = NO_HONOURS
    delay_seconds: int | None = None
    stage: StageProgress | None = None

    @property
    def called(self) -> str:
        """The name that displays show for the player."""
        return self.title or self.name

    @property
    def delay_running(self) -> int:
        """The seconds of delay that run down now, while the player's clock stands; 0 if none do."""
        return (self.delay_seconds or 0) if self.on_turn else 0

    @property
    def time_note(self) -> str:
        """What small displays write next to the clock: the seconds of delay that run down now, or else the stage."""
        if self.delay_running:
            return say("delay {seconds}", self.delay_running)
        return self.stage.brief if self.stage else ""

    @property
    def is_absent(self) -> bool:
        """Return whether no person at this table plays the seat."""
        return bool(self.computer)

    @property
    def computer_words(self) -> str:
        """The computer that plays the seat, with its level: "Aether (casual)"; empty for a person."""
        if not self.level:
            return self.computer
        return say("{computer} ({level})", self.computer, self.level)

    @property
    def played_by(self) -> str:
        """Return which computer plays the seat, in parentheses, for display after the seat's name.

        For example, the result is "(casual)" if the seat has the name "Aether", and "(Aether, casual)" if the seat has
        another name. The result is empty if a person plays the seat.
        """
        is_called_so = self.called == self.computer or self.called.removeprefix(f"{self.computer} ").isdecimal()
        if not self.computer:
            return ""
        if is_called_so or not self.level:
            return say("({player})", self.level or self.computer)
        return say("({computer}, {level})", self.computer, self.level)

    @property
    def full_name(self) -> str:
        """The seat's name and the computer that plays it: "Aether (casual)", "Anne (Aether, casual)"."""
        played_by = self.played_by
        return say("{name} {player}", self.called, played_by) if played_by else self.called


CROWD: Final = 8
"""Up to this many seats are shown unscrolled; more are scrolled to the one on turn on displays without room for all."""


def first_shown(cursor: int | None, count: int, room: int) -> int:
    """Return the index of the first visible entry of a list, scrolled so that its cursor is as central as possible."""
    return max(0, min((cursor or 0) - room // 2, count - room))


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One line of the menu.

    Attributes:
        id: the id of its option.
        label: its label.
        held: whether the die is held; `None` if the line is not for a die.
        name: the name of the player with which the label begins; empty if it begins with none.
    """

    id: str
    label: str
    held: bool | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """The current question as a menu for the buttons: its lines and the cursor's index (`None` without lines)."""

    entries: tuple[MenuEntry, ...] = ()
    cursor: int | None = None


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """The differences of the board from the match: squares that lack a piece, and squares with an extra one."""

    missing: tuple[Square, ...] = ()
    extra: tuple[Square, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: the seat that acted (`None` if no seat did) and the text.

    `aloud` is the spoken text if it differs from the written one, for example for chess notation; if it is empty,
    `words` is spoken.
    """

    seat: int | None
    words: str
    aloud: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice that a player asked for.

    Attributes:
        words: what to do, in a few words.
        why: the reason, such as the expected points; empty if nothing is advised.
        id: the id of the advised option; `None` if no option is advised.
        dice: the dice to keep, numbered from 1; `None` if the advice is not about dice.
    """

    words: str
    why: str = ""
    id: str | None = None
    dice: tuple[int, ...] | None = None


THINKING: Final = Hint(say("Thinking about it"))
"""Shown until the requested advice is ready."""


@dataclass(frozen=True, slots=True)
class LastThrow:
    """The throw that ended a turn or decided who begins, shown for a moment before the next player's dice.

    Attributes:
        seat: the seat that threw.
        dice: the dice as they fell, extra dice after the main ones.
        lit: the indexes into `dice`, from 0, of the dice that counted.
        words: the result ("Cargo 9"); empty if it needs no words.
        scored: the events of the action that ended the turn or decided who begins.
        slots: the places that certain dice filled.
    """

    seat: int
    dice: tuple[Die, ...]
    lit: tuple[int, ...] = ()
    words: str = ""
    scored: tuple[GameEvent, ...] = ()
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class RollOffer:
    """What pressing the roll button would do now.

    Attributes:
        label: what it would do, in a few words ("Throw again: 2 dice").
        possible: whether the button does anything.
        why: why the button does nothing now, such as what must be done first and by whom; empty if it does something.
        dice: the dice that would fall, numbered from 1; empty if none would.
        choice: the dice, numbered from 1, from which the player can choose the ones to throw; empty without a choice.
        in_vain: whether the button was just pressed without effect, so that displays say why.
        aside: whether a sensible player would do something other than throw now.
        option: the id of the option that the button picks now, or once the board is right; empty if it picks none.
    """

    label: str = say("Roll")
    possible: bool = False
    why: str = ""
    dice: tuple[int, ...] = ()
    choice: tuple[int, ...] = ()
    in_vain: bool = False
    aside: bool = False
    option: str = ""


@dataclass(frozen=True, slots=True)
class LongPress:
    """A long press in progress.

    Attributes:
        words: a text that says what holding the button on will do.
        then: a text that says what releasing the button now will do.
        share: the progress from 0 to 1.
    """

    words: str
    then: str
    share: float


@dataclass(frozen=True, slots=True)
class Coach:
    """What the coach of a lesson says now.

    Attributes:
        step: the number of the step, from 1; one more than the number of steps at the end.
        steps: the number of steps.
        heading: the step's title.
        words: what the coach says; a new word stands between asterisks.
        slip: what the coach says to something that was done in vain; empty if nothing was.
        pulses: whether nothing was done for a while, so that what is to be done is pointed out again.
        may_show: whether nothing was done for longer, so that the coach offers to do it.
    """

    step: int
    steps: int
    heading: str
    words: str
    slip: str = ""
    pulses: bool = False
    may_show: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Everything that displays may show.

    Attributes:
        phase: the phase of the table.
        game: the game's key, empty when idle.
        title: the game's name.
        heading: the current stage of the match ("Round 1 of 3").
        prompt: what the table waits for, the most important line first.
        seat: the seat that must decide or throw; `None` while several may bid, and when the match is over or none is
            played.
        seats: the players in seat order.
        dice: the dice as they fell; extra dice (Genie, treasure) after the main ones.
        has_dice: whether the game has dice at all.
        slots: places that certain dice must fill, in their order.
        tumbling: the indexes into `dice`, from 0, of the dice that tumble while the button is held, or before a
            computer's throw.
        pace: the pace of computers and dice, a key of `settings.PACES`.
        last_throw: the throw that ended a turn or decided who begins, while it is shown; `None` otherwise.
        past_throw: the same throw until the next one falls, for displays that keep it in sight longer.
        roll: what pressing the roll button would do now.
        pieces: the FEN letter of the piece on each occupied square, according to the match.
        things: the things that lie on a square in addition to a piece, keyed by square.
        movements: the move grids of each seat's piece, in games whose players are pieces.
        switches: the squares that count as occupied by a piece, according to the switches.
        marks: the mark of each marked square.
        shining: the thing that a square's light shows, keyed by square; some marks take precedence (`lights`).
        shape: the board; `None` for games that are played with dice alone.
        ask: what must be decided, or who may bid; `None` while nothing is asked.
        calls: the options that any player may pick now in addition to the ask, regardless of the turn.
        asks_about_board: whether the question is which move was made on the board.
        goes_back: whether *Back* closes the question as if it had not been opened.
        menu: the question as a menu for the buttons.
        bell_seconds: the seconds before the bell ends an auction; `None` if the bell rings only by hand.
        takes_bell: whether the bell may be rung now.
        bell_then: what the bell does, as a clause, if it does not end an auction; empty if that needs no explanation.
        timers_stopped: whether a game master has stopped the timers for bids and actions.
        auction_since: the revision at which the current auction began; `None` outside an auction. A bid that answers
            any view since then is accepted.
        hint: the requested advice, shown until the next action.
        boardless: whether no physical board is read, so that moves are entered as answers.
        undoes: the seat whose last move can be taken back by an answer; `None` if no move can be taken back.
        wrong: how the board differs from the match.
        latest_events: the events of the last action.
        sheet: the rows of the score sheet, each with a cell for every seat.
        log: the last lines, oldest first.
        earlier_log: the lines before them, for displays on which one scrolls.
        told: sentences about the last change, to be read by screen readers and spoken.
        result: how the match ended; `None` before its end.
        commitment: SHA-256 of the match's dice seed in hexadecimal; empty for dictated dice.
        dice_proof: what the dice prove, and to whom; empty if there is no seed.
        digest: SHA-256 of the match's export in hexadecimal, once no action can be taken back any more; empty before
            that, and for dictated dice.
        takes_words: whether players may still give text of their own for the dice.
        faults: sentences about what is broken (a masked switch, a lost link, a display that does not answer).
        hold: the long press in progress; `None` if there is none.
        joining: the address of the page for other devices, or that there is no network yet. It is shown until the first
            press after the start, and on request; it is empty otherwise, and if no other device can reach the page.
        revision: counts the match's actions and take-backs, and the steps in the lobby; an answer to an older view is
            refused.
        details: additional values of the game for displays (round, fen).
        target: the total that a player must reach to win; `None` in games without such a target.
        goal: what wins, in a few words; what follows a semicolon is left out on narrow pages.
        coach: what the coach says; `None` unless a lesson is held.
        reading: the title of a text over the match that the small display shows alone; the text is the prompt.
        language: the language of all texts; views of the table are English, displays translate them (`view_in`).
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
    pace: str = "usual"
    last_throw: LastThrow | None = None
    past_throw: LastThrow | None = None
    roll: RollOffer = RollOffer()
    pieces: Mapping[Square, str] = field(default_factory=dict)
    things: Mapping[Square, Sequence[Thing]] = field(default_factory=dict)
    movements: Sequence[Sequence[str]] = ()
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
    wrong: BoardDifference = BoardDifference()
    latest_events: tuple[GameEvent, ...] = ()
    sheet: tuple[SheetRow, ...] = ()
    log: tuple[LogLine, ...] = ()
    earlier_log: tuple[LogLine, ...] = ()
    told: str = ""
    result: Result | None = None
    commitment: str = ""
    dice_proof: str = ""
    digest: str = ""
    takes_words: bool = False
    faults: tuple[str, ...] = ()
    hold: LongPress | None = None
    joining: str = ""
    revision: int = 0
    details: Mapping[str, object] = field(default_factory=dict)
    target: int | None = None
    goal: str = ""
    coach: Coach | None = None
    reading: str = ""
    language: Language = ENGLISH

    @property
    def lights(self) -> Mapping[Square, LightMeaning]:
        """The meaning of each square's light, keyed by square: a mark, or a thing on the square, such as a crown.

        If a square has both, the light shows the mark. The mark of the last move is an exception: the light then shows
        the thing.
        """
        last_move = {square: mark for square, mark in self.marks.items() if mark is Mark.LAST_MOVE}
        others = {square: mark for square, mark in self.marks.items() if mark is not Mark.LAST_MOVE}
        return last_move | dict(self.shining) | others

    @property
    def leading(self) -> frozenset[int]:
        """The seats with the highest bid in the current auction; empty while nobody bids."""
        highest = max((seat.bid for seat in self.seats), default=0)
        return frozenset(number for number, seat in enumerate(self.seats) if highest and seat.bid == highest)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of a `PickAsk`; empty for any other question."""
        return tuple(self.ask.options) if isinstance(self.ask, PickAsk) else ()

    def said(self, text: str) -> str:
        """Return a text in the view's language, with its short form; text that is no phrase is returned itself."""
        return Rendered(text, self.language) if isinstance(text, Phrase) else text


def view_in(view: View, language: Language, *, keeps_short: bool = False) -> View:
    """Return a view with all its texts in a language; `keeps_short`: with their short forms, for a small display."""
    if language is ENGLISH:
        return view
    return replace(in_language(view, language, keeps_short=keeps_short), language=language)
