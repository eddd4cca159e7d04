"""The ranks and titles that players of Swashbuckle earn by the totals of their matches, and the ranking of players.

The module also names the Captain, who begins a match. Players are identified by the names they entered.

Source: docs/rules/swashbuckle.md "Ranks", W1 and W10.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.common.records import NO_HONOURS, Honours, Placing, RankedPlayer, Ranking
from captains_table.phrases import computed, noun, say, with_spaces

# The lowest total of each rank, from the worst rank; `None`: totals without a rank.
RANKS: Final = (
    (0, noun("shark bait")),
    (130, noun("knave")),
    (138, noun("cabin boy")),
    (147, noun("scallywag")),
    (157, noun("sea hag")),
    (169, noun("rascalion")),
    (181, None),
    (229, noun("buccaneer")),
    (243, noun("seadog")),
    (255, noun("swashbuckler")),
    (267, noun("coxswain")),
    (290, noun("quartermaster")),
    (301, noun("first mate")),
    (341, noun("captain")),
)
LOWEST: Final = tuple(lowest for lowest, _ in RANKS)
CAPTAIN_FROM: Final = RANKS[-1][0]
FIRST_MATE: Final = len(RANKS) - 2
SCOURGE: Final = say("Scourge of the 7 Seas")
SCOURGE_MATCHES: Final = 3
KRAKEN: Final = say("Kraken")
KRAKEN_ABOVE: Final = 330
KRAKEN_MATCHES: Final = 6
KRAKEN_PLAYERS: Final = 3


@dataclass(frozen=True, slots=True)
class Pirate:
    """A player's ranks and titles over all finished matches.

    Attributes:
        name: the player's name.
        grade: the index in `RANKS` of the best rank ever earned; `None` if none was earned yet.
        best: the highest total; `None` before the first match.
        matches: the number of finished matches.
        as_captain: the number of matches with a total of at least 341, which is enough for the rank `captain`.
        run: the number of latest matches in a row with more than 330 points and at least three players, for the title
            Kraken.
        is_kraken: whether the title Kraken was earned; it is permanent.
        is_captain: whether the player is the Captain; there is at most one.
    """

    name: str
    grade: int | None = None
    best: int | None = None
    matches: int = 0
    as_captain: int = 0
    run: int = 0
    is_kraken: bool = False
    is_captain: bool = False

    @property
    def rank(self) -> str:
        """The rank in words; empty if the player has none.

        At most one player, the Captain, has the rank `captain`. All other players with enough points for this rank have
        the rank `first mate`.
        """
        if self.grade is None:
            return ""
        return RANKS[self.grade if self.is_captain else min(self.grade, FIRST_MATE)][1] or ""

    @property
    def honours(self) -> Honours:
        """The titles shown before the name: Scourge if earned, the rank, and Kraken if earned (W10).

        The short form is the rank alone.
        """
        rank = say("{Rank}", self.rank) if self.rank else ""
        words = (SCOURGE if self.as_captain >= SCOURGE_MATCHES else "", rank, KRAKEN if self.is_kraken else "")
        return Honours(computed(with_spaces, *words), rank)

    @property
    def title(self) -> str:
        """The player's name, preceded by the player's titles."""
        return computed(with_spaces, self.honours.words, self.name)


def grade_of(total: int) -> int | None:
    """Return the index in `RANKS` of the rank that a total earns; `None` for totals from 181 to 228."""
    grade = max(0, bisect_right(LOWEST, total) - 1)
    return grade if RANKS[grade][1] is not None else None


def earned_rank(total: int) -> str:
    """Return the rank that a total earns, in words; empty if it earns none."""
    grade = grade_of(total)
    return "" if grade is None else RANKS[grade][1] or ""


def pirates_of(matches: Iterable[tuple[Sequence[str], Sequence[int]]]) -> dict[str, Pirate]:
    """Return every player's ranks and titles after some finished matches, keyed by name.

    Args:
        matches: the names and totals of each match in seat order; matches are in the order in which they ended.
    """
    pirates: dict[str, Pirate] = {}
    for names, totals in matches:
        for name, total in zip(names, totals, strict=True):
            pirates[name] = _after(pirates.get(name, Pirate(name)), total, len(names))
        _appoint(pirates)
    return pirates


def _after(pirate: Pirate, total: int, players: int) -> Pirate:
    grade = grade_of(total)
    known = [each for each in (pirate.grade, grade) if each is not None]
    run = pirate.run + 1 if total > KRAKEN_ABOVE and players >= KRAKEN_PLAYERS else 0
    return replace(
        pirate,
        grade=max(known, default=None),
        best=total if pirate.best is None else max(pirate.best, total),
        matches=pirate.matches + 1,
        as_captain=pirate.as_captain + (total >= CAPTAIN_FROM),
        run=run,
        is_kraken=pirate.is_kraken or run >= KRAKEN_MATCHES,
    )


def _appoint(pirates: dict[str, Pirate]) -> None:
    """Mark in `pirates` who is the Captain: the player with the highest total of all matches, if it is at least 341.

    If players are tied for the highest total, the present Captain remains.
    """
    eligible = [pirate for pirate in pirates.values() if (pirate.best or 0) >= CAPTAIN_FROM]
    if not eligible:
        return
    captain = max(eligible, key=lambda pirate: (pirate.best or 0, pirate.is_captain))
    for pirate in eligible:
        pirates[pirate.name] = replace(pirate, is_captain=pirate.name == captain.name)


def captain_among(pirates: Mapping[str, Pirate], names: Iterable[str]) -> str | None:
    """Return the Captain if the Captain is among the named players, else `None`; the Captain begins a match (W1)."""
    return next((name for name in names if name in pirates and pirates[name].is_captain), None)


# --- the functions of `RecordRules` ---------------------------------------------------------------------------------


def captain_begins(matches: Sequence[Placing], names: Sequence[str]) -> dict[str, str]:
    """Return the option `captain`, which names the Captain in a new match; empty if the Captain does not play (W1).

    Past matches decide who is the Captain.

    Args:
        matches: the past matches.
        names: the players of the new match.
    """
    captain = captain_among(pirates_of(matches), names)
    return {} if captain is None else {"captain": captain}


def honours_of(matches: Sequence[Placing], names: Sequence[str]) -> list[Honours]:
    """Return the titles that the named players earned in some finished matches, in the order of the names (W10)."""
    pirates = pirates_of(matches)
    return [pirates[name].honours if name in pirates else NO_HONOURS for name in names]


def ranking_of(matches: Sequence[Placing]) -> Ranking:
    """Return the ranking of all players by their highest totals; the players are shown with their titles."""
    pirates = sorted(pirates_of(matches).values(), key=lambda pirate: (-(pirate.best or 0), pirate.name))
    players = [
        RankedPlayer(pirate.title, pirate.best, pirate.matches, pirate.is_captain, pirate.name) for pirate in pirates
    ]
    return Ranking(say("Swashbucklers"), say("Best plunder"), players)
