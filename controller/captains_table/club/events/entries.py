"""The entries that make up the history of an event (a tournament); they are only appended, and stored as JSON.

The module also defines the pairing systems, the tie-breaks and the editions of FIDE's regulations that entries name.
Points are counted in half points, so that they are whole numbers.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from captains_table.reporting.messages import FinalScore
from captains_table.table.model.codec import Codec

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0
BROADCAST_DELAY_MIN: Final = 15


class System(StrEnum):
    """A pairing system."""

    SWISS = "swiss"  # FIDE's Dutch system
    ROUND_ROBIN = "round-robin"  # everybody meets everybody, by Berger's tables
    GROUPS = "groups"  # matches of several players, in new groups each round
    KEIZER = "keizer"  # neighbours in the ranking meet, and a win counts the opponent's value


class Edition(StrEnum):
    """An edition of FIDE's tie-break regulations (Handbook C.07)."""

    FIDE_2024 = "2024"  # 1 August 2024
    FIDE_2026 = "2026"  # 1 March 2026


class TieBreak(StrEnum):
    """A tie-break: a criterion that ranks players of equal points."""

    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT_1 = "buchholz-cut-1"
    BUCHHOLZ_CUT_2 = "buchholz-cut-2"
    BUCHHOLZ_MEDIAN_1 = "buchholz-median-1"
    BUCHHOLZ_MEDIAN_2 = "buchholz-median-2"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT_ENCOUNTER = "direct-encounter"
    WINS = "wins"
    SCORE = "score"  # the sum of the scores in the game itself


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
    System.KEIZER: (),
}


class Absence(StrEnum):
    """Why a player of a Keizer event sits out a round."""

    EXCUSED = "excused"
    UNEXCUSED = "unexcused"  # stays away without a word
    CLUB = "club"  # plays for the club's team


class KeizerSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a Keizer event.

    Fractions are text such as "1/3". Those from `excused` to `bye` are fractions of the player's own value, and `loss`
    is a fraction of the opponent's value.

    Attributes:
        top: the value of the first place; `None` if it follows from `ratio`.
        ratio: how many times the value of the last place the first place has, about; more than 1.
        own_value: whether the own value is added once to the score.
        rounds_apart: in how many rounds after a match the same two players do not meet again.
        excused: for a round that the player sat out with an excuse.
        unexcused: for a round that the player sat out without a word, and for a match to which the player did not come.
        club: for a round in which the player played for the club's team.
        bye: for a round in which the pairing left no opponent.
        loss: for a lost match.
        most_paid: how many excused and unexcused rounds count at most, the first ones; `None` for all of them.
        spreads_byes: whether nobody has another bye before everybody has had as many.
        until_stable: whether all rounds are valued anew until the ranking does not change any more; otherwise they are
            valued anew once after each round, by the ranking before it.
    """

    top: int | None = None
    ratio: str = "3"
    own_value: bool = True
    rounds_apart: int = 3
    excused: str = "1/3"
    unexcused: str = "0"
    club: str = "2/3"
    bye: str = "2/3"
    loss: str = "0"
    most_paid: int | None = 5
    spreads_byes: bool = True
    until_stable: bool = True


class BaseEventEntry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="entry"):
    """The base class of entries; in JSON, the field `entry` with the class's tag comes first, then the declared fields.

    Old events are read for years: a field is never renamed or moved, and a new field has a default.
    """


class OfPlayer(BaseEventEntry, frozen=True, kw_only=True):
    """An entry about a player of the event, who is identified by the player's number in the club."""

    player: int


class OfRound(BaseEventEntry, frozen=True, kw_only=True):
    """An entry about a round; `round` is the round's number."""

    round: int


class OfMatch(BaseEventEntry, frozen=True, kw_only=True):
    """An entry about a match; `pairing` is the id of the match's pairing."""

    pairing: str


class Made(BaseEventEntry, frozen=True, kw_only=True, tag="made"):
    """The event was made; this is the first entry.

    Attributes:
        title: the event's name.
        game: the key of its game.
        options: the options of the game.
        system: the pairing system.
        rounds: the number of rounds; in a round robin, how often everybody meets everybody (1 or 2).
        group_size: how many players a match has at most; always 2, except in groups.
        forfeit_min: how many minutes after a round's publication a match without a report is overdue, so that the
            arbiter is reminded to rule on absent players; 0 for no limit.
        number_one_begins: whether the player with pairing number 1 has the first seat in the first round.
        is_drawn: whether the lot decided that.
        tie_breaks: the tie-breaks in order; empty for the usual ones of the system.
        edition: the edition of the tie-breaks; `None` in events older than this field, which use the edition of 2024.
        place, federation: where the event is played; empty if unknown.
        broadcast_delay_min: how many minutes old a move must be before the broadcast of the event shows it.
        group_shares: whether a player in groups gets the share of the group that the player beats, from 0 to 100
            points; False in events older than this field, where each place in a group has its points.
        keizer: the settings of a Keizer event; `None` for the usual ones.
    """

    title: str
    game: str
    options: Mapping[str, str] = {}
    system: System
    rounds: int
    group_size: int = 2
    forfeit_min: int = 0
    number_one_begins: bool = True
    is_drawn: bool = False
    tie_breaks: tuple[TieBreak, ...] = ()
    edition: Edition | None = None
    place: str = ""
    federation: str = ""
    broadcast_delay_min: int = BROADCAST_DELAY_MIN
    group_shares: bool = False
    keizer: KeizerSettings | None = None


class Revised(BaseEventEntry, frozen=True, kw_only=True, tag="revised"):
    """The arbiter changed settings of the event.

    Attributes:
        made: all settings, as they are from then on.
        changed: in words, what was changed.
    """

    made: Made
    changed: str = ""


class Entered(OfPlayer, frozen=True, kw_only=True, tag="entered"):
    """A player enters the event, from the next round that is paired.

    Attributes:
        name: the player's name.
        rating: the player's rating; `None` if unknown.
        halves: for how many of the rounds missed before, the last ones, the player gets half a point each.
    """

    name: str
    rating: int | None = None
    halves: int = 0


class Removed(OfPlayer, frozen=True, kw_only=True, tag="removed"):
    """A player who was entered by mistake, and was in no round yet, is taken off the event."""


class Mended(OfPlayer, frozen=True, kw_only=True, tag="mended"):
    """The arbiter set right a player's name or rating; `was` and `was_rated` are those before.

    Tables may have reported matches under the name before, and may still do so.
    """

    name: str
    rating: int | None = None
    was: str = ""
    was_rated: int | None = None


class Withdrew(OfPlayer, frozen=True, kw_only=True, tag="withdrew"):
    """A player withdraws from the event, beginning with the next round that is paired.

    Attributes:
        why: the arbiter's reason.
        annuls: for a player who leaves a round robin before half of the matches, whether they count for nobody in the
            standings (FIDE's General Regulations C.05, 6.6); `None` for all others.
    """

    why: str = ""
    annuls: bool | None = None


class Returned(OfPlayer, frozen=True, kw_only=True, tag="returned"):
    """A player who had withdrawn takes part again, from the next round that is paired."""


class SatOut(OfPlayer, frozen=True, kw_only=True, tag="sat-out"):
    """A player asks not to be paired in a future round.

    Attributes:
        round: the round's number.
        half: whether the player gets half a point for it; otherwise no point.
        absence: why the player is absent, in a Keizer event; `None` in other events.
    """

    round: int
    half: bool = False
    absence: Absence | None = None


class SatIn(OfPlayer, frozen=True, kw_only=True, tag="sat-in"):
    """A player who had asked to sit out a future round plays it after all."""

    round: int


class PairedMatch(Struct, frozen=True, kw_only=True):
    """A match of a round.

    Attributes:
        id: its id, unique in the whole club; entries and reports call it `pairing`.
        board: its number in the round, from 1; 0 if it is not played.
        seats: the numbers of the players in seat order; the first one begins.
        absent: the players of the match who are known to be absent; if there are any, the match is not played.
    """

    id: str
    board: int
    seats: tuple[int, ...]
    absent: tuple[int, ...] = ()


class RoundPaired(OfRound, frozen=True, kw_only=True, tag="round-paired"):
    """A round was paired.

    Attributes:
        matches: its matches.
        byes: the players for whom the pairing left no opponent.
        by_hand: whether the arbiter paired it.
        why: the rules that the pairing by hand breaks, in words; empty if it breaks none.
        day: the date of the round as YYYY/MM/DD, if a report says so; else empty.
    """

    matches: tuple[PairedMatch, ...]
    byes: tuple[int, ...] = ()
    by_hand: bool = False
    why: str = ""
    day: str = ""


class RoundDropped(OfRound, frozen=True, kw_only=True, tag="round-dropped"):
    """The last round's pairings were taken back, before any of its matches had a report or a ruling."""

    why: str = ""


class RoundPublished(OfRound, frozen=True, kw_only=True, tag="round-published"):
    """A round was published to the tables at `at_s` (Unix seconds).

    Attributes:
        tables: the user name of the table assigned to each match, by the match's id.
    """

    at_s: int
    tables: Mapping[str, str] = {}


class Moved(OfMatch, frozen=True, kw_only=True, tag="moved"):
    """A match is assigned to another table; reports of its earlier tables still count."""

    table: str


class Reported(OfMatch, frozen=True, kw_only=True, tag="reported"):
    """A table reported how a match ended.

    Of all reports with the same seal, the one with the highest `(rev, correction)` counts.

    Attributes:
        match: the seal of the match that was played. The seal is the commitment to the match's dice, and identifies it.
        rev: the revision of the report.
        seats: the players in the table's seat order, as the table reported them: names, or initials.
        ending: how the match ended; `None` if it was abandoned.
        correction: the number of the club's correction that gave this ending; 0 if the table reported the ending.
        table: the table's user name.
    """

    match: str
    rev: int
    seats: tuple[str, ...]
    ending: FinalScore | None
    correction: int = 0
    table: str = ""


class Ruled(OfMatch, frozen=True, kw_only=True, tag="ruled"):
    """The arbiter rules how many points each player of a match gets; the latest ruling counts, whatever was reported.

    Attributes:
        halves: each seat's half points.
        played: whether the match counts as played; otherwise it counts as a forfeit.
        why: the arbiter's reason.
    """

    halves: tuple[int, ...]
    played: bool
    why: str = ""


class RulingDropped(OfMatch, frozen=True, kw_only=True, tag="ruling-dropped"):
    """The arbiter takes a ruling back: the table's report, if any, counts again."""

    why: str = ""


class Closed(BaseEventEntry, frozen=True, kw_only=True, tag="closed"):
    """The event is over: no more rounds are paired, even if some are left; results can still be corrected.

    Attributes:
        why: the arbiter's reason.
        edition: the edition of the tie-break regulations that the event uses; `None` if the event ended before editions
            were recorded. Its tie-breaks are then computed by the method used at that time.
    """

    why: str = ""
    edition: Edition | None = None


class Reopened(BaseEventEntry, frozen=True, kw_only=True, tag="reopened"):
    """The arbiter opens an event again that was over; `why` is the reason."""

    why: str = ""


PlayerEntry = Entered | Removed | Mended | Withdrew | Returned | SatOut | SatIn
RoundEntry = RoundPaired | RoundDropped | RoundPublished
MatchEntry = Moved | Reported | Ruled | RulingDropped
EventEntry = Made | Revised | PlayerEntry | RoundEntry | MatchEntry | Closed | Reopened

EVENT_ENTRIES: Final[Codec[EventEntry]] = Codec(EventEntry, "entry")
