"""What is played at the tables of the demonstration: each game of the house, under people's names, by computers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final


@dataclass(frozen=True, slots=True)
class Play:
    """What is played at a table, again and again.

    Attributes:
        game: the game's key.
        players: who sits there.
        mind: the computer that plays for each of them.
        options: the game's.
    """

    game: str
    players: tuple[str, ...]
    mind: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contest:
    """A Swiss; its matches take the first tables.

    Attributes:
        title: what it is called.
        game: the game's key.
        players: who takes part.
        rounds: how many.
        options: the game's.
    """

    title: str
    game: str
    players: tuple[str, ...]
    rounds: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def tables(self) -> int:
        """How many tables a round takes."""
        return len(self.players) // 2


CONTEST: Final = Contest(
    "Friday's cup", "captains-chess", ("Anke", "Bram", "Cato", "Daan", "Eefje", "Floor", "Guus", "Hein"), rounds=3
)
MATE_IN_ONE: Final = "k8/9/1K7/9/9/9/9/7R1 w - - 0 1"
SHORT_CONTEST: Final = Contest(
    "A quick cup", "captains-chess", ("Anke", "Bram", "Cato"), rounds=2, options={"fen": MATE_IN_ONE}
)

PLAYS: Final = (
    Play("legend", ("Anne", "Bart"), "aether:2", {"rounds": "1"}),
    Play("swashbuckle", ("Clara", "Dirk", "Els"), "eurus:2"),
    Play("captains-chess", ("Femke", "Gijs"), "boreas:2"),
    Play("ship-captain-crew", ("Hanna", "Ivo", "Jet", "Kees"), "zephyr:2"),
    Play("crowns", ("Lotte", "Maarten"), "notus:1"),
    Play("legend", ("Noor", "Olaf"), "aether:1", {"rounds": "1"}),
    Play("captains-chess", ("Pien", "Quinten"), "boreas:1"),
    Play("swashbuckle", ("Roos", "Sjoerd"), "eurus:1"),
    Play("ship-captain-crew", ("Tess", "Umberto"), "zephyr:1"),
    Play("crowns", ("Vera", "Wim", "Xandra"), "notus:2"),
    Play("legend", ("Yara", "Zeger"), "aether:2", {"rounds": "1"}),
    Play("captains-chess", ("Aafke", "Bas"), "boreas:1"),
)

SHORT: Final = (
    Play("ship-captain-crew", ("Hanna", "Ivo"), "zephyr:1", {"mode": "single"}),
    Play("ship-captain-crew", ("Tess", "Umberto"), "zephyr:1", {"mode": "single"}),
)
"""Matches of a few throws: results come soon."""
MINDS: Final = {play.game: play.mind for play in reversed(PLAYS)}
"""Who plays for people in a match that the club paired."""


def contest_for(tables: int, *, short: bool = False) -> Contest | None:
    """Return what is held at so many tables; `None` where they are too few for it."""
    contest = SHORT_CONTEST if short else CONTEST
    return contest if contest.tables <= tables else None


def plays_for(tables: int, *, short: bool = False) -> tuple[Play, ...]:
    """Return what is played at so many tables; with more than there are, some play the same."""
    return tuple(islice(cycle(SHORT if short else PLAYS), tables))
