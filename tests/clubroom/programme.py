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


def plays_for(tables: int, *, short: bool = False) -> tuple[Play, ...]:
    """Return what is played at so many tables; with more than there are, some play the same."""
    return tuple(islice(cycle(SHORT if short else PLAYS), tables))
