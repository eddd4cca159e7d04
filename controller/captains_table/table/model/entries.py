"""The entries of a match's journal, their codecs, and what follows from them; no entry is ever deleted.

From the entries follow the actions that were not taken back, the advice before each action, and the facts that are
needed to resume the match.
"""

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

StopReason = Literal["left", "hand", "asked", "put-back"]
"""Why a clock stopped: players left the match, a hand makes a computer's move, the table asks what was done, or players
put the pieces back after they agreed to take moves back.
"""


class MatchStarted(EntryBase, frozen=True, tag="started"):
    """A match began.

    `game` is the game's key. `seats` are the names as given, in seat order; a computer is written as `aether:3`.
    `options` are the agreed options. `commitment` is the SHA-256 of the dice seed in hexadecimal; it is empty if the
    dice are dictated. `kinds` is the kind of each seat in seat order; all are human if it is unset. `at_ms` is the
    table's time. `master` says whether the table had a game master's page. Entries of earlier programs lack `master`,
    and the oldest also lack `kinds` and `at_ms`.
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str = ""
    kinds: tuple[SeatKind, ...] | UnsetType = UNSET
    at_ms: int | UnsetType = UNSET
    master: bool | UnsetType = UNSET

    def is_program(self, seat: int) -> bool:
        """Return whether a seat was declared as a computer's.

        The declaration decides how the player is named, recorded and treated in the proof of the dice.
        """
        kinds = self.kinds or ()
        return 0 <= seat < len(kinds) and kinds[seat] == "computer"


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
    """The action `of_seq` and all later actions were taken back.

    `seq` is the number of this take-back, and `seat` is the seat that did the action `of_seq`.
    """

    seq: int
    seat: int | None
    at_ms: int
    of_seq: int


class Salted(EntryBase, frozen=True, tag="salted"):
    """A seat pressed the button before its first throw; the length of the press is mixed into the dice.

    `held_ms` is the length of the press in milliseconds. If an answer makes the dice fall without a press, `held_ms` is
    the time that the player took to answer. If a computer has taken over the seat, `held_ms` is a fixed time.
    """

    seat: int
    held_ms: int


class SaltText(EntryBase, frozen=True, tag="words"):
    """The text that a seat gave before the match's first throw, to be mixed into the dice.

    If no seat gives a text, the durations of button presses are mixed into the dice instead.
    """

    seat: int
    text: str


class SeatChanged(EntryBase, frozen=True, tag="seated"):
    """A computer or a person plays a seat from now on; the seat keeps its name.

    `player` is the computer, such as `aether:3`; it is empty for a person.
    """

    seat: int
    player: str


class Masked(EntryBase, frozen=True, tag="masked"):
    """The switch of a square was declared dead and is ignored from now on."""

    square: str


class Unsure(EntryBase, frozen=True, tag="unsure"):
    """The latest switch changes may fit more than one move.

    The entry is valid until the next action or take-back, also across a power cut.

    Attributes:
        after_seq: the number of the last action or take-back before this entry; 0 if there is none.
        since_seq: the number of the action after which the changes began; 0 for the start of the match.
        changes: the settled switch changes, each as the time in milliseconds, the square, and whether the switch
            closed; empty once the move is clear, or if the players are asked while pieces are being moved.
        beside: the squares whose switch was closed before these changes by a piece on a neighbouring square.
        asked: whether the players were asked.
        readings: for each of the changes, what the board read of the piece that came or left; unset if it reads only
            which squares are occupied.
    """

    after_seq: int
    since_seq: int
    changes: tuple[tuple[int, str, bool], ...]
    beside: tuple[str, ...] = ()
    asked: bool = False
    readings: tuple[str, ...] | UnsetType = UNSET


class Advised(EntryBase, frozen=True, tag="advised"):
    """A seat got the advice `words` on a decision; `after_seq` is the number of the action or take-back before it."""

    seat: int
    after_seq: int
    words: str


class ClockStopped(EntryBase, frozen=True, tag="clock-stopped"):
    """The clock stopped, and the time until then was charged to the seat that had to act.

    The seat is `None` if no seat had to act. `why` is the reason for the stop; entries of earlier programs lack it.
    """

    seat: int | None
    at_ms: int
    why: StopReason | UnsetType = UNSET


class Resumed(EntryBase, frozen=True, tag="resumed"):
    """The match was resumed at a time of day (`at`, ISO 8601 with UTC offset) and a table time (`at_ms`).

    If the clock still ran according to the earlier entries, the power was cut. The thinking time since the last entry
    is then charged to no seat. `master` says whether the table has a game master's page now; entries of older
    program versions lack this field.
    """

    at: str
    at_ms: int
    master: bool | UnsetType = UNSET


class ClockWentOn(EntryBase, frozen=True, tag="clock-went-on"):
    """The clock starts, or runs again after a stop; the time for which it stood still is charged to no seat."""

    at_ms: int


class TimersStopped(EntryBase, frozen=True, tag="timers-stopped"):
    """The game master stopped the timers after the action or take-back `after_seq`.

    `left_ms` is how many milliseconds were left before the bell; `None` if the bell does not ring by itself.
    """

    after_seq: int
    at_ms: int
    left_ms: int | None


class TimersWentOn(EntryBase, frozen=True, tag="timers-went-on"):
    """The timers were started again after the action or take-back `after_seq`."""

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
        resumed: whether the match is continued, so that players restore its position instead of setting up the pieces.
        ended: whether the end of the match is recorded.
        masked: the names of the squares whose switch was declared dead.
        unsure: the entry that says that the last move is ambiguous; `None` if the last move is clear.
    """

    resumed: bool = False
    ended: bool = False
    masked: frozenset[str] = frozenset()
    unsure: Unsure | None = None


def resume_info_of(entries: Iterable[Entry], *, resumed: bool) -> ResumeInfo:
    """Collect the facts in a match's journal, besides the actions, that are needed to resume the match.

    Args:
        entries: the entries of the journal.
        resumed: whether the match is continued; false for a new match.
    """
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
    """Return the advice that was given before each action that was not taken back, keyed by the action's `seq`.

    Advice before an action that was taken back is listed under the next action that was not taken back.
    """
    entries = list(entries)
    standing = [acted.seq for acted in standing_actions(entries)]
    given: dict[int, list[Advised]] = {}
    for entry in entries:
        if isinstance(entry, Advised):
            following = next((seq for seq in standing if seq > entry.after_seq), None)
            if following is not None:
                given.setdefault(following, []).append(entry)
    return given
