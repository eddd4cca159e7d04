"""What the page needs of a table: to see it, to touch it if it is simulated, and to start and resume matches."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from captains_table.games.common.records import Ranking, SolitaireBest, Tally
from captains_table.games.contract import Action, Bell, Bid, Correctable, MasterAction, Shape, Square
from captains_table.players.common.luck import MatchLuck
from captains_table.table.history.review import Decision, Story
from captains_table.table.lobby.match_setup import Paired, Start
from captains_table.table.model.events import Button
from captains_table.table.model.view import View
from captains_table.table.recognition.switches import SwitchReport
from captains_table.web.kept_designs import KeptDesigns


class StaleAnswer(RuntimeError):
    """The answer was meant for an older view; nothing was done."""


class TooLate(StaleAnswer):
    """The auction that was bid in, or whose bell was rung, is over; nothing was done."""


def stale(view: View, action: Action, revision: int) -> StaleAnswer | None:
    """Return why an answer comes too late for what is to be seen now; `None` where it does not.

    A bid, and the bell of an auction, name the auction they are for by any revision at which it was shown: others may
    bid meanwhile. Any other answer fits only what is shown at its own revision.

    Args:
        view: what is to be seen now.
        action: what was answered.
        revision: at which it was shown.
    """
    words = f"this answers revision {revision}; by now it is {view.revision}"
    is_of_auction = view.auction_since is not None and view.auction_since <= revision <= view.revision
    if revision == view.revision or (isinstance(action, Bid | Bell) and is_of_auction):
        return None
    return TooLate(words) if isinstance(action, Bid) else StaleAnswer(words)


class CannotResume(RuntimeError):
    """A match cannot be taken up again; the sentence says why."""


class NoSuchForm(ValueError):
    """A match cannot be written in this form."""


class NoSuchSeat(ValueError):
    """The match in hand has no such seat that a person plays."""


class TableStopped(RuntimeError):
    """The table does nothing more, because what is done can no longer be kept."""


class CannotRead(RuntimeError):
    """The journal cannot be read any more, as a failing disk leaves it; the message says what was found."""


@dataclass(frozen=True, slots=True)
class PhysicalBoard:
    """What stands on the simulated board, what is in the hand (last lifted last), what lies beside it.

    Attributes:
        pieces: square -> FEN letter.
        hand: FEN letters.
        beside: FEN letters.
        noisy: whether its switches behave as those of a real board.
        undoes: the seat whose last move may still be taken back; None where none may.
    """

    pieces: Mapping[Square, str]
    hand: tuple[str, ...]
    beside: tuple[str, ...]
    noisy: bool = False
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list: its number, game, names, when it began (ISO 8601, local), how many actions, how it ended.

    `forms` are those it can be exported in. `how_far` says of one that is not over how far it is, or who is waited for.
    `damage` says what of it cannot be read; nobody can go on with it then, and
    where its beginning cannot be read it has neither game nor names.
    """

    number: int
    game: str
    seats: tuple[str, ...]
    began: str
    actions: int
    outcome: str | None
    is_current: bool
    forms: tuple[str, ...] = ("json",)
    damage: str | None = None
    how_far: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """A match looked back on, as anybody may see it.

    Attributes:
        number: its number.
        began: when it began, ISO 8601.
        game: its game's key; empty where its beginning cannot be read.
        forms: those it can be exported in.
        is_current: whether it is the match in hand.
        story: its moments; `None` where it cannot be replayed: the game is not installed, or see `why_not`.
        luck: where each seat's points come from; `None` where nothing says what a state is worth.
        material: by how much White's pieces outweigh Black's, at the beginning and after each turn; empty where that
            means nothing.
        why_not: why it does not replay.
        damage: what of it cannot be read.
        digest: SHA-256 of the match as it is exported, in hexadecimal; empty while it is played, and where `verify` has
            nothing to prove.
    """

    number: int
    began: str
    game: str
    forms: tuple[str, ...] = ("json",)
    is_current: bool = False
    story: Story | None = None
    luck: MatchLuck | None = None
    material: tuple[int, ...] = ()
    why_not: str = ""
    damage: str | None = None
    digest: str = ""

    def but(self, **changed: Any) -> "Review":  # noqa: ANN401 - any of its fields
        """Return the same with some fields changed."""
        return replace(self, **changed)


class NoSuchPairing(LookupError):
    """The club wants no such match to be played here: why, in a sentence."""


class CannotAnalyse(RuntimeError):
    """The decisions of a match cannot be judged: why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What is remembered over matches: rankings, wins by game, the best played alone.

    `missing` counts the finished matches of games that are not installed, by the game's key.
    """

    rankings: Sequence[Ranking] = ()
    tallies: Sequence[Tally] = ()
    solitaire: Sequence[SolitaireBest] = ()
    missing: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the match in hand, and the key that opens it; None where there is none now."""

    seat: int
    name: str
    key: str | None
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A signal that was given, or a sentence that was said.

    Attributes:
        number: counts what was heard since the table started, from 1.
        at_s: when, by the event loop's clock.
        sound: the kind of the signal (`SignalKind`), empty where it was said.
        words: the sentence, empty where it was a signal.
    """

    number: int
    at_s: float
    sound: str = ""
    words: str = ""


class SeatKeys(Protocol):
    """The links to the seats of the match in hand. All methods are called on the event loop."""

    def seat_of(self, key: str) -> int | None:
        """Return the seat that a key opens now, or None if it opens none; takes as long for any key."""

    def links(self) -> Sequence[SeatLink]:
        """Return every seat with its key; empty where no match is in hand."""

    def renew(self, seat: int) -> None:
        """Draw a new key for a seat in place of the one it has; raises NoSuchSeat."""

    def revoke(self, seat: int) -> None:
        """Let no key open a seat; raises NoSuchSeat."""


class Hands(Protocol):
    """The hands at a simulated board, which the page moves. All methods are called on the event loop."""

    def physical(self) -> PhysicalBoard:
        """Return what stands where."""

    def click(self, square: Square) -> None:
        """Lift the piece on a square, or put the one in the hand there.

        With a piece in the hand, an occupied square is emptied first (the piece goes beside the board). An empty hand
        brings to an empty square the one piece from beside the board that may be set there now.
        """

    def take(self, piece: str) -> None:
        """Take a piece that lies beside the board into the hand; raises ValueError if it is not there."""

    def put_beside(self) -> None:
        """Lay the piece in the hand beside the board."""

    def take_back(self) -> None:
        """Put the pieces as they stood before the last move; raises IllegalAction where that cannot be taken back."""

    def make_noisy(self, *, noisy: bool) -> None:
        """Let the switches behave as those of a real board, or each say once what happened."""

    def set_up(self) -> None:
        """Put every piece where the table wants it."""


class TablePort(Protocol):
    """A table as the page sees it. All methods are called on the event loop."""

    def view(self) -> View:
        """Return what is to be seen now."""

    def heard(self) -> Sequence[Heard]:
        """Return the last things that were heard, oldest first."""

    def hands(self) -> Hands | None:
        """Return the hands at a simulated board, or None where the board is a real one."""

    def seat_keys(self) -> SeatKeys | None:
        """Return the links to the seats, or None where nobody could follow them: the page is for this machine only."""

    def designs(self) -> KeptDesigns:
        """Return the pieces of players' own that are kept here."""

    def switches(self) -> Sequence[SwitchReport]:
        """Return how every switch of the board is doing; nothing where no match has a board."""

    def display_png(self) -> bytes:
        """Return the picture on the glass, 128x64 pixels, as PNG."""

    def changes(self) -> AsyncGenerator[None, None]:
        """Yield at once and then whenever view, board or glass changed; end when the table stops."""

    def press(self, button: Button) -> None:
        """Press a button down."""

    def release(self, button: Button) -> None:
        """Let a button go."""

    def mask(self, square: Square) -> None:
        """Let the switch of a square say nothing from now on."""

    def toggle(self, die: int) -> None:
        """Hold a die (1-based) that may stay, or let it go; raises IllegalAction."""

    def answer(self, action: Action, revision: int) -> None:
        """Answer the ask shown at this revision; raises TooLate, StaleAnswer (see `stale`) or IllegalAction."""

    def corrections(self) -> Sequence[Correctable]:
        """Return what a game master may set right in the match in hand; nothing where he has nothing to do."""

    def master(self, action: MasterAction) -> None:
        """Do what a game master does, whoever is to act; raises IllegalAction or BoardUnclear."""

    def switch_timers(self, *, run: bool) -> None:
        """Let the time to bid and to act stand still, or run on; raises IllegalAction."""

    def give_words(self, seat: int, text: str) -> None:
        """Let a player's own words go into the dice, before the match's first throw; raises IllegalAction."""

    def seat_player(self, seat: int, player: str) -> None:
        """Let a computer, as `aether:3`, or a person (empty), play a seat of the match in hand from now on.

        Raises:
            IllegalAction: the seat is played so already, or there is no such seat or match.
            NoSuchOpponent: this game has no such computer.
        """

    def advise(self) -> None:
        """Show advice to whoever must decide; the match records it."""

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Start a match, leaving the current one to be resumed later; raises BadOption or UnknownGame."""

    def paired(self) -> Sequence[Paired]:
        """Return the matches that the club wants to be played here; raises CannotRead."""

    def begin_paired(self, pairing: str) -> None:
        """Start a match that the club wants to be played here, or go on with it.

        Raises:
            NoSuchPairing, BadOption, UnknownGame, CannotResume: it cannot be played.
        """

    @property
    def calls_arbiter(self) -> bool | None:
        """Whether an arbiter is called; `None` where the table belongs to no club."""

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask the club for an arbiter, or for none any more."""

    def known_names(self) -> Sequence[str]:
        """Return everybody who has played here, whoever played last first; raises CannotRead."""

    def rematch(self) -> Start | None:
        """Return how the match that was started last may be played again, or None; raises CannotRead."""

    def leave_ms(self) -> int:
        """Return how long *back* is held to leave a match."""

    def board_shape(self) -> Shape | None:
        """Return the shape of a real board, or None where the board takes the shape of the game."""

    def matches(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first."""

    def resume(self, number: int) -> None:
        """Take up a match again; raises NoSuchMatch or CannotResume."""

    async def analyse(self, number: int) -> Sequence[Decision]:
        """Return what each decision of a finished match cost; raises NoSuchMatch, CannotRead or CannotAnalyse."""

    async def review(self, number: int) -> Review:
        """Return a match looked back on; raises NoSuchMatch or CannotRead."""

    def records(self) -> Standings:
        """Return what is remembered over matches."""

    def export(self, number: int, form: str) -> str:
        """Return a match as text in one of its forms; raises NoSuchMatch or NoSuchForm."""
