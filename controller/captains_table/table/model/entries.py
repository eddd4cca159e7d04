"""The entries of a match's journal, one per line; no entry is ever deleted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from captains_table.games.contract import Action, Reply
from captains_table.table.model.codec import Codec

LATEST_MS = (1 << 53) - 1
"""The largest table time in milliseconds: the largest integer that is exact in JSON (2^53 - 1), 285,000 years."""


class NoSuchMatch(LookupError):
    """No match has this number."""


class EntryBase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="entry"):
    """The base class of all journal entries; in JSON, `entry` holds the class's tag, and the fields follow as declared.

    Old journals and exports hold these entries: never rename or move a field, and give every added field a default.
    """


SeatKind = Literal["human", "computer"]

StopReason = Literal["left", "hand", "asked"]
"""Why a clock stopped: players left the match, a hand makes a computer's move, or the table asks what was done."""


class MatchStarted(EntryBase, frozen=True, tag="started"):
    """A match began: the game's key, the names as given, in seat order (a computer's as `aether:3`), the options.

    `commitment` is the SHA-256 of the dice seed in hexadecimal, empty when the dice are dictated. `kinds` is the kind
    of each seat in seat order (all human if it is unset). `at_ms` is the table's time. `master` says whether the table
    had a game master's page. Entries of earlier programs lack the last three fields.
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str = ""
    kinds: tuple[SeatKind, ...] | UnsetType = UNSET
    at_ms: int | UnsetType = UNSET
    master: bool | UnsetType = UNSET

    def is_program(self, seat: int) -> bool:
        """Return whether a seat was declared as a program's; the seat's name, records and dice proof depend on that."""
        return self._kind(seat) == "computer"

    def is_absent(self, seat: int) -> bool:
        """Return whether a seat was declared as not played by a person at this table."""
        return self._kind(seat) != "human"

    def _kind(self, seat: int) -> SeatKind:
        kinds = self.kinds or ()
        return kinds[seat] if 0 <= seat < len(kinds) else "human"


class Acted(EntryBase, frozen=True, tag="acted"):
    """An action; `seq` numbers actions and take-backs from 1.

    `seat` is the seat that acted. It is `None` for the bell, a game master's action, and an option that any player may
    pick out of turn.
    """

    seq: int
    seat: int | None
    at_ms: int
    action: Action


class TakenBack(EntryBase, frozen=True, tag="taken-back"):
    """The seat that did the action `of_seq` took it back, together with all later actions; earlier actions remain."""

    seq: int
    seat: int | None
    at_ms: int
    of_seq: int


class Salted(EntryBase, frozen=True, tag="salted"):
    """A seat's first button press lasted this many milliseconds, which are mixed into the dice before they fall.

    If the dice fall at once after an answer, it is the time that the decision took.
    """

    seat: int
    held_ms: int


class SaltText(EntryBase, frozen=True, tag="words"):
    """A seat gave a text of its own before the first throw; it is mixed into the dice instead of all presses."""

    seat: int
    text: str


class SeatChanged(EntryBase, frozen=True, tag="seated"):
    """A computer, such as `aether:3`, or a person (empty) plays a seat from now on; the seat keeps its name."""

    seat: int
    player: str


class Masked(EntryBase, frozen=True, tag="masked"):
    """The switch of a square was declared dead and is ignored from now on."""

    square: str


class Unsure(EntryBase, frozen=True, tag="unsure"):
    """The switches' reports since the action `since_seq` (0 for the start) fit more than one move.

    `changes` are the settled switch changes, each with its time, its square and whether the switch closed. It is empty
    once the move is clear, or if the players are asked while pieces are being moved. `beside` are the squares whose
    switch a piece on a neighbouring square had closed before these changes; `asked` says whether the players were
    asked. The entry holds until the next action or take-back after `after_seq`, also across a power cut.
    """

    after_seq: int
    since_seq: int
    changes: tuple[tuple[int, str, bool], ...]
    beside: tuple[str, ...] = ()
    asked: bool = False


class Advised(EntryBase, frozen=True, tag="advised"):
    """A seat asked for advice on the decision that followed the action `after_seq`, and got this text."""

    seat: int
    after_seq: int
    words: str


class ClockStopped(EntryBase, frozen=True, tag="clock-stopped"):
    """The clock stopped, and the time until then was charged to the seat that had to act (`None` if no seat had to).

    Entries of earlier programs lack `why`.
    """

    seat: int | None
    at_ms: int
    why: StopReason | UnsetType = UNSET


class Resumed(EntryBase, frozen=True, tag="resumed"):
    """The match was resumed at a time of day (`at`, ISO 8601 with UTC offset) and a table time (`at_ms`).

    If no `clock-stopped` entry precedes it, the power was cut, and the thinking time since the last entry is given
    back. `master` says whether the table has a game master's page now; entries of earlier programs lack that field.
    """

    at: str
    at_ms: int
    master: bool | UnsetType = UNSET


class ClockWentOn(EntryBase, frozen=True, tag="clock-went-on"):
    """The clock runs again after a stop; the time since the stop is charged to no seat."""

    at_ms: int


class TimersStopped(EntryBase, frozen=True, tag="timers-stopped"):
    """The game master stopped the timers after the action `after_seq`, `left_ms` before the bell.

    `left_ms` is `None` if the bell does not ring by itself.
    """

    after_seq: int
    at_ms: int
    left_ms: int | None


class TimersWentOn(EntryBase, frozen=True, tag="timers-went-on"):
    """The game master let the timers run again after the action `after_seq`."""

    after_seq: int
    at_ms: int


class MatchEnded(EntryBase, frozen=True, tag="ended"):
    """The match is over: the winner's seat (`None` if nobody wins alone) and the scores in seat order."""

    winner: int | None
    scores: tuple[int, ...]


Entry = (
    MatchStarted
    | Acted
    | TakenBack
    | Salted
    | SaltText
    | Masked
    | Unsure
    | Advised
    | ClockStopped
    | Resumed
    | ClockWentOn
    | MatchEnded
    | SeatChanged
    | TimersStopped
    | TimersWentOn
)

ACTIONS: Codec[Action] = Codec(Action, "action")
REPLIES: Codec[Reply] = Codec(Reply, "action")
JOURNAL_ENTRIES: Codec[Entry] = Codec(Entry, "entry", ACTIONS)


@dataclass(frozen=True, slots=True)
class ResumeInfo:
    """What a match needs from its journal, besides the actions, to be resumed.

    Attributes:
        resumed: whether anything was played, so that a board that differs is restored, not set up.
        ended: whether the end of the match is recorded.
        masked: the names of the squares whose switch was declared dead.
        unsure: the entry that says that the last move is ambiguous; `None` if no such entry holds.
    """

    resumed: bool = False
    ended: bool = False
    masked: frozenset[str] = frozenset()
    unsure: Unsure | None = None


def resume_info_of(entries: Iterable[Entry], *, resumed: bool) -> ResumeInfo:
    """Return what a match needs from its journal, besides the actions, to be resumed."""
    entries = list(entries)
    return ResumeInfo(
        resumed=resumed,
        ended=any(isinstance(entry, MatchEnded) for entry in entries),
        masked=frozenset(entry.square for entry in entries if isinstance(entry, Masked)),
        unsure=_unsure_now(entries),
    )


def _unsure_now(entries: Sequence[Entry]) -> Unsure | None:
    """Return the last `Unsure` entry; `None` if the move is clear, or if an action or take-back followed the entry."""
    last = next((entry for entry in reversed(entries) if isinstance(entry, Acted | TakenBack | Unsure)), None)
    return last if isinstance(last, Unsure) and last.changes else None


def standing_actions(entries: Iterable[Entry]) -> list[Acted]:
    """Return the actions that were not taken back; a take-back removes its action and all later ones."""
    standing: list[Acted] = []
    for entry in entries:
        if isinstance(entry, Acted):
            standing.append(entry)
        elif isinstance(entry, TakenBack):
            standing = [acted for acted in standing if acted.seq < entry.of_seq]
    return standing


def advice_by_action(entries: Iterable[Entry]) -> dict[int, list[Advised]]:
    """Return the advice that was given before each action, keyed by the action's `seq`, without actions taken back."""
    entries = list(entries)
    standing = [acted.seq for acted in standing_actions(entries)]
    given: dict[int, list[Advised]] = {}
    for entry in entries:
        if isinstance(entry, Advised):
            following = next((seq for seq in standing if seq > entry.after_seq), None)
            if following is not None:
                given.setdefault(following, []).append(entry)
    return given
