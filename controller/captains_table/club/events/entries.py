"""What is written of an event: one entry a line of history, nothing ever deleted; what an event is follows from it.

Points are counted in half points, so that they are whole numbers.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from captains_table.reporting.messages import Ending
from captains_table.table.model.codec import Codec

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0


class System(StrEnum):
    """How it is decided who meets whom."""

    SWISS = "swiss"  # FIDE's Dutch system
    ROUND_ROBIN = "round-robin"  # everybody meets everybody, by Berger's tables
    GROUPS = "groups"  # of several players, another mixture each round


class Edition(StrEnum):
    """An edition of FIDE's tie-break regulations (Handbook C.07)."""

    FIDE_2024 = "2024"  # 1 August 2024
    FIDE_2026 = "2026"  # 1 March 2026


class TieBreak(StrEnum):
    """What parts those of equal points."""

    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT_1 = "buchholz-cut-1"
    BUCHHOLZ_CUT_2 = "buchholz-cut-2"
    BUCHHOLZ_MEDIAN_1 = "buchholz-median-1"
    BUCHHOLZ_MEDIAN_2 = "buchholz-median-2"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT_ENCOUNTER = "direct-encounter"
    WINS = "wins"
    SCORE = "score"  # what the game itself counts, summed up


BUCHHOLZ_FAMILY: Final = frozenset(tie_break for tie_break in TieBreak if tie_break.startswith("buchholz"))

TIE_BREAKS: Final[Mapping[System, tuple[TieBreak, ...]]] = {
    System.SWISS: (
        TieBreak.BUCHHOLZ_CUT_1,
        TieBreak.BUCHHOLZ,
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.SONNEBORN_BERGER,
        TieBreak.WINS,
    ),
    System.ROUND_ROBIN: (TieBreak.SONNEBORN_BERGER, TieBreak.DIRECT_ENCOUNTER, TieBreak.WINS),
    System.GROUPS: (TieBreak.WINS, TieBreak.SCORE, TieBreak.BUCHHOLZ),
}


class Written(Struct, frozen=True, forbid_unknown_fields=True, tag_field="entry"):
    """An entry; in JSON its `entry` is the class's tag, beside its fields in this order.

    Evenings of years hold them: a field is never renamed or moved, and one that is added has a default.
    """


class OfPlayer(Written, frozen=True, kw_only=True):
    """Something about a player of the event, who is known by his number in the club."""

    player: int


class OfRound(Written, frozen=True, kw_only=True):
    """Something about a round, which is known by its number."""

    round: int


class OfMatch(Written, frozen=True, kw_only=True):
    """Something about a match, which is known by the id of its pairing."""

    pairing: str


class Made(Written, frozen=True, kw_only=True, tag="made"):
    """An event was made; it is the first entry.

    Attributes:
        title: what it is called.
        game: the key of the game that is played.
        options: what it is played with.
        system: who meets whom.
        rounds: how many; of a round robin how often everybody meets everybody, once or twice.
        group_size: how many play a match, at most; 2 but for groups.
        forfeit_min: after how many minutes of a round who is not there has lost; 0: never.
        number_one_begins: whether number one begins in the first round, as was drawn by lot.
        tie_breaks: what parts those of equal points; none: what the system is usually parted by.
        edition: by which edition tie-breaks are counted; `None`: made before editions were named, by that of 2024.
    """

    title: str
    game: str
    options: Mapping[str, str] = {}
    system: System
    rounds: int
    group_size: int = 2
    forfeit_min: int = 0
    number_one_begins: bool = True
    tie_breaks: tuple[TieBreak, ...] = ()
    edition: Edition | None = None


class Entered(OfPlayer, frozen=True, kw_only=True, tag="entered"):
    """A player takes part, from the next round that is paired."""

    name: str
    rating: int | None = None


class Withdrew(OfPlayer, frozen=True, kw_only=True, tag="withdrew"):
    """A player takes no part any more, from the next round that is paired."""

    why: str = ""


class Returned(OfPlayer, frozen=True, kw_only=True, tag="returned"):
    """A player who had withdrawn takes part again, from the next round that is paired."""


class SatOut(OfPlayer, frozen=True, kw_only=True, tag="sat-out"):
    """A player asked not to be paired in a round that is still to come, for half a point or for none."""

    round: int
    half: bool = False


class SatIn(OfPlayer, frozen=True, kw_only=True, tag="sat-in"):
    """A player who had asked to sit out a round that is still to come plays it after all."""

    round: int


class Seated(Struct, frozen=True, kw_only=True):
    """A match of a round.

    Attributes:
        id: by which its result is known, in the whole club.
        board: its number in the round from 1, 0 where it is not played.
        seats: the numbers of the players; the first begins.
        absent: who of them is known not to come: the match is not played.
    """

    id: str
    board: int
    seats: tuple[int, ...]
    absent: tuple[int, ...] = ()


class RoundPaired(OfRound, frozen=True, kw_only=True, tag="round-paired"):
    """A round was paired; `byes` are those who meet nobody because nobody is left."""

    matches: tuple[Seated, ...]
    byes: tuple[int, ...] = ()


class RoundDropped(OfRound, frozen=True, kw_only=True, tag="round-dropped"):
    """The last round's pairings were taken back before anything of it was played."""

    why: str = ""


class RoundPublished(OfRound, frozen=True, kw_only=True, tag="round-published"):
    """A round was told to the tables, in Unix seconds of the server's clock; `tables`: which one plays which match."""

    at_s: int
    tables: Mapping[str, str] = {}


class Moved(OfMatch, frozen=True, kw_only=True, tag="moved"):
    """A match is played at another table from here on; what its earlier tables tell of it counts still."""

    table: str


class Reported(OfMatch, frozen=True, kw_only=True, tag="reported"):
    """A table told how a match ended, or that it was left; the highest `(rev, correction)` of a match holds.

    Attributes:
        match: its seal.
        rev: the revision of what is said of it.
        seats: who sat where, as the table says: names, or initials.
        ending: how it ended; `None`: it was left for good.
        correction: the number of the club's correction that says so, 0 where the table does.
        table: the table's user.
    """

    match: str
    rev: int
    seats: tuple[str, ...]
    ending: Ending | None
    correction: int = 0
    table: str = ""


class Ruled(OfMatch, frozen=True, kw_only=True, tag="ruled"):
    """The arbiter says what a match counts, whatever any table says; the latest word holds.

    Attributes:
        halves: each seat's half points.
        played: whether it counts as played; a player who did not come has not played.
        why: the arbiter's words.
    """

    halves: tuple[int, ...]
    played: bool
    why: str = ""


class RulingDropped(OfMatch, frozen=True, kw_only=True, tag="ruling-dropped"):
    """The arbiter takes back what he said of a match: what its table says counts again."""

    why: str = ""


class Closed(Written, frozen=True, kw_only=True, tag="closed"):
    """The event is over: no more is paired, whether or not its rounds are played; corrections may follow.

    Attributes:
        why: the arbiter's words.
        edition: by which edition its tie-breaks count; `None`: it ended before editions were named, and its tie-breaks
            count as they did then.
    """

    why: str = ""
    edition: Edition | None = None


Entry = (
    Made
    | Entered
    | Withdrew
    | Returned
    | SatOut
    | SatIn
    | RoundPaired
    | RoundDropped
    | RoundPublished
    | Moved
    | Reported
    | Ruled
    | RulingDropped
    | Closed
)

ENTRIES: Final[Codec[Entry]] = Codec(Entry, "entry")
