"""A result as a season remembers it: who played, how it ended, whose word that is, and what its export proves."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from captains_table.reporting.messages import Ending


class Word(StrEnum):
    """Whose word a result is."""

    ARBITER = "arbiter"  # he said how it ended, whatever was told
    PROVEN = "proven"  # its export was verified
    TOLD = "told"  # its table's alone: there came no export
    PENDING = "pending"  # its export has not been verified yet
    FAILED = "failed"  # its export is damaged, breaks the rules, or tells of another match


class Throw(Struct, frozen=True):
    """A throw held against what was to be expected before it.

    Attributes:
        seat: whose it was.
        luck: by how many points of the score it was better; below 0: worse.
        words: the dice, as the log says them.
        heading: where in the match that was.
        place: of its action among all that stand.
    """

    seat: int
    luck: float
    words: str
    heading: str
    place: int


class SeatLuck(Struct, frozen=True):
    """Where a seat's points came from: what throws and what decisions changed about what was to be expected."""

    luck: float
    skill: float


class ProvenMatch(Struct, frozen=True, kw_only=True):
    """What a verified export says of a match, worked out once.

    Attributes:
        names: what the players are remembered as, in seat order: a computer with its level.
        options: what it was played with.
        turns: how many turns a player alone needed, `None` where that is not what counts.
        luck: of each seat; empty where nothing measures it.
        throws: of each seat the luckiest and the unluckiest, in the order of the match.
    """

    names: tuple[str, ...]
    options: Mapping[str, str]
    turns: int | None = None
    luck: tuple[SeatLuck, ...] = ()
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonMatch:
    """The result of a match.

    Attributes:
        seal: its commitment: it is known by this.
        rev: the revision of what was told.
        evening: the number of the evening it belongs to.
        user: the table that told it.
        game: the game's key.
        names: what the players are remembered as, in seat order.
        options: what it was played with.
        ending: how it ended; `None`: it was left for good.
        began: when, by the table's clock, as it was told.
        word: whose word that is.
        proven: what its export says, `None` where it proves nothing.
    """

    seal: str
    rev: int
    evening: int
    user: str
    game: str
    names: tuple[str, ...]
    options: Mapping[str, str]
    ending: Ending | None
    began: str
    word: Word
    proven: ProvenMatch | None = None

    @property
    def counts(self) -> bool:
        """Whether it counts for records: it was played to its end, and its word is taken."""
        return self.ending is not None and self.word not in {Word.PENDING, Word.FAILED}

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands in the season: by evening, then by its table's clock; never by when it arrived."""
        return self.evening, self.began, self.seal
