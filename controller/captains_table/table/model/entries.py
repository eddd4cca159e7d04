"""What is journalled of a match: one entry a line of history, nothing ever deleted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from captains_table.games.contract import Action, Reply
from captains_table.table.model.codec import Codec

LATEST_MS = (1 << 53) - 1
"""The last time of a table, which every reader of JSON can still count to: 285,000 years."""


class NoSuchMatch(LookupError):
    """No match has this number."""


class Written(Struct, frozen=True, forbid_unknown_fields=True, tag_field="entry"):
    """An entry; in JSON its `entry` is the class's tag, beside its fields in this order.

    Journals and exports of years hold them: a field is never renamed or moved, and one that is added has a default.
    """


SeatKind = Literal["human", "computer"]

StopReason = Literal["left", "hand", "asked"]
"""Why a clock stands: the match was left, a hand makes a computer's move, or the table asks what was done."""


class MatchStarted(Written, frozen=True, tag="started"):
    """A match began: the game's key, the names in seat order as given (a computer's as `aether:3`), its options.

    `commitment` is the SHA-256 of the dice seed in hexadecimal, empty when the dice are dictated; `kinds` says in seat
    order who plays, humans where it says nothing; `at_ms` is the table's time; `master` says whether the table had a
    game master's page. Earlier programs wrote none of the three.
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str = ""
    kinds: tuple[SeatKind, ...] | UnsetType = UNSET
    at_ms: int | UnsetType = UNSET
    master: bool | UnsetType = UNSET

    def is_program(self, seat: int) -> bool:
        """Return whether a seat is declared to be played by a program: it is named, remembered and proven as one."""
        return self._kind(seat) == "computer"

    def is_absent(self, seat: int) -> bool:
        """Return whether no person at this table plays a seat, as declared: nobody presses or types for it here."""
        return self._kind(seat) != "human"

    def _kind(self, seat: int) -> SeatKind:
        kinds = self.kinds or ()
        return kinds[seat] if 0 <= seat < len(kinds) else "human"


class Acted(Written, frozen=True, tag="acted"):
    """A seat's action, nobody's (`None`) where a bell rang; `seq` counts actions and take-backs from 1."""

    seq: int
    seat: int | None
    at_ms: int
    action: Action


class TakenBack(Written, frozen=True, tag="taken-back"):
    """The action `of_seq` was taken back, by whose it was; the history before it stands."""

    seq: int
    seat: int | None
    at_ms: int
    of_seq: int


class Salted(Written, frozen=True, tag="salted"):
    """A seat's first press was held this long, which goes into the dice before they fall."""

    seat: int
    held_ms: int


class Words(Written, frozen=True, tag="words"):
    """A seat's own words, given before the match's first throw, which go into the dice in place of all presses."""

    seat: int
    text: str


class Seated(Written, frozen=True, tag="seated"):
    """A computer plays a seat from here on, written `aether:3`, or a person does (empty); what it owes stays."""

    seat: int
    player: str


class Masked(Written, frozen=True, tag="masked"):
    """A switch was declared dead."""

    square: str


class Unsure(Written, frozen=True, tag="unsure"):
    """More than one move may have been made by what the switches said since the action `since_seq` (0: from the first).

    `changes` are those switches that settled, each with its time, square and whether it closed; none where it is clear
    again, and none where the players are asked while hands are at work. `beside` are the squares whose switch was held
    by a piece beside them before that; `asked` says whether the players were asked. It counts until the next action or
    take-back after `after_seq`, over a power cut too.
    """

    after_seq: int
    since_seq: int
    changes: tuple[tuple[int, str, bool], ...]
    beside: tuple[str, ...] = ()
    asked: bool = False


class Advised(Written, frozen=True, tag="advised"):
    """A seat asked for advice on what follows the action `after_seq`, and got this."""

    seat: int
    after_seq: int
    words: str


class ClockStopped(Written, frozen=True, tag="clock-stopped"):
    """The clock stopped: the seat that had to act (`None` if nobody had) used the time until then.

    Earlier programs did not write `why`.
    """

    seat: int | None
    at_ms: int
    why: StopReason | UnsetType = UNSET


class Resumed(Written, frozen=True, tag="resumed"):
    """The match was taken up again at a wall time, ISO 8601 with UTC offset, and a time of the table.

    Where no `clock-stopped` came before it the power was cut, and what was thought since the last entry is given back.
    `master` says whether the table has a game master's page now; earlier programs did not write it.
    """

    at: str
    at_ms: int
    master: bool | UnsetType = UNSET


class ClockWentOn(Written, frozen=True, tag="clock-went-on"):
    """The clock went on after it stood still; nobody used the time before."""

    at_ms: int


class TimersStopped(Written, frozen=True, tag="timers-stopped"):
    """The game master let time stand still after the action `after_seq`, so long before the bell (`None`: none)."""

    after_seq: int
    at_ms: int
    left_ms: int | None


class TimersWentOn(Written, frozen=True, tag="timers-went-on"):
    """The game master let the time run on, after the action `after_seq`."""

    after_seq: int
    at_ms: int


class MatchEnded(Written, frozen=True, tag="ended"):
    """The match is over: the winner's seat (`None` when shared) and the scores in seat order."""

    winner: int | None
    scores: tuple[int, ...]


Entry = (
    MatchStarted
    | Acted
    | TakenBack
    | Salted
    | Words
    | Masked
    | Unsure
    | Advised
    | ClockStopped
    | Resumed
    | ClockWentOn
    | MatchEnded
    | Seated
    | TimersStopped
    | TimersWentOn
)

ACTIONS: Codec[Action] = Codec(Action, "action")
REPLIES: Codec[Reply] = Codec(Reply, "action")
ENTRIES: Codec[Entry] = Codec(Entry, "entry", ACTIONS)


@dataclass(frozen=True, slots=True)
class ResumeInfo:
    """What a journal holds of a match beside its actions.

    Attributes:
        resumed: whether anything was played, so that a board that differs is restored, not set up.
        ended: whether the end of the match is written.
        masked: names of the squares whose switch was declared dead.
        unsure: what the switches said if that left open which move was made last, else None.
    """

    resumed: bool = False
    ended: bool = False
    masked: frozenset[str] = frozenset()
    unsure: Unsure | None = None


def resume_info_of(entries: Iterable[Entry], *, resumed: bool) -> ResumeInfo:
    """Return what a journal holds beside the actions."""
    entries = list(entries)
    return ResumeInfo(
        resumed=resumed,
        ended=any(isinstance(entry, MatchEnded) for entry in entries),
        masked=frozenset(entry.square for entry in entries if isinstance(entry, Masked)),
        unsure=_unsure_now(entries),
    )


def _unsure_now(entries: Sequence[Entry]) -> Unsure | None:
    """Return what the journal says last of a move that is not clear, if nothing was done since."""
    last = next((entry for entry in reversed(entries) if isinstance(entry, Acted | TakenBack | Unsure)), None)
    return last if isinstance(last, Unsure) and last.changes else None


def folded(entries: Iterable[Entry]) -> list[Acted]:
    """Return the actions that stand: a take-back removes its action and whatever followed it."""
    standing: list[Acted] = []
    for entry in entries:
        if isinstance(entry, Acted):
            standing.append(entry)
        elif isinstance(entry, TakenBack):
            standing = [acted for acted in standing if acted.seq < entry.of_seq]
    return standing


def advice_by_action(entries: Iterable[Entry]) -> dict[int, list[Advised]]:
    """Return the advice that was asked for before each action that stands, by the action's `seq`."""
    entries = list(entries)
    standing = [acted.seq for acted in folded(entries)]
    given: dict[int, list[Advised]] = {}
    for entry in entries:
        if isinstance(entry, Advised):
            following = next((seq for seq in standing if seq > entry.after_seq), None)
            if following is not None:
                given.setdefault(following, []).append(entry)
    return given
