"""How each player fared, round by round: what pairings, standings, tables and files of an event are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from captains_table.club.events.counting import Count, count_of
from captains_table.club.events.entries import DRAW, LOSS, WIN, System
from captains_table.club.events.event import Entrant, Event, Match, Round


class How(StrEnum):
    """How a player spent a round."""

    PLAYED = "played"
    PENDING = "pending"  # his match has no result yet
    FORFEIT = "forfeit"  # his match was not played, because somebody did not come
    BYE = "bye"  # nobody was left to meet
    SAT_OUT = "sat-out"  # he asked for it
    AWAY = "away"  # he had not come yet, or had withdrawn


@dataclass(frozen=True, slots=True)
class Turnout:
    """What a round was for a player.

    Attributes:
        round: its number.
        how: how he spent it.
        opponents: whom he was to meet.
        began: whether he was the first of his match; `None` where he was to meet nobody.
        halves: the half points he got.
        score: what the game itself counted for him.
        best: whether nobody of his match did better, and somebody worse.
    """

    round: int
    how: How
    opponents: tuple[int, ...] = ()
    began: bool | None = None
    halves: int = 0
    score: int = 0
    best: bool = False


Records = Mapping[int, tuple[Turnout, ...]]
"""What every round was for each player, by his number."""


def records(event: Event, until: int | None = None) -> Records:
    """Return what every paired round was for each player; `until`: of the rounds up to this one only."""
    rounds = event.rounds[:until]
    found: dict[int, list[Turnout]] = {number: [] for number in event.entrants}
    for round_ in rounds:
        of_round = _of_round(event, round_)
        for number, entrant in event.entrants.items():
            found[number].append(of_round.get(number) or _idle(entrant, round_))
    return {number: tuple(turnouts) for number, turnouts in found.items()}


def halves_of_bye(event: Event) -> int:
    """Return what it counts that nobody was left to meet; in a round robin that happens to everybody alike."""
    return WIN if event.made.system is System.SWISS else LOSS


def _of_round(event: Event, round_: Round) -> dict[int, Turnout]:
    found = {number: Turnout(round_.number, How.BYE, halves=halves_of_bye(event)) for number in round_.byes}
    for match in round_.matches:
        count = count_of(event, match)
        for seat, number in enumerate(match.seated.seats):
            found[number] = _turnout(round_, match, seat, count)
    return found


def _turnout(round_: Round, match: Match, seat: int, count: Count | None) -> Turnout:
    seats = match.seated.seats
    opponents = tuple(other for other in seats if other != seats[seat])
    how = How.PENDING if count is None else How.PLAYED if count.played else How.FORFEIT
    return Turnout(
        round_.number,
        how,
        opponents,
        began=seat == 0,
        halves=0 if count is None else count.halves[seat],
        score=count.scores[seat] if count is not None and count.scores else 0,
        best=count is not None and min(count.halves) < max(count.halves) == count.halves[seat],
    )


def _idle(entrant: Entrant, round_: Round) -> Turnout:
    if entrant.is_away(round_.number):
        return Turnout(round_.number, How.AWAY)
    half = entrant.sits_out.get(round_.number, False)
    return Turnout(round_.number, How.SAT_OUT, halves=DRAW if half else LOSS)


def points(turnouts: tuple[Turnout, ...]) -> int:
    """Return the half points of a player's rounds."""
    return sum(turnout.halves for turnout in turnouts)


def seeding(event: Event) -> tuple[int, ...]:
    """Return all players in the order of their pairing numbers: by rating, the best first, then as they entered."""
    entrants = list(event.entrants.values())
    return tuple(entrant.number for entrant in sorted(entrants, key=lambda entrant: -(entrant.rating or 0)))


def pairing_numbers(event: Event) -> Mapping[int, int]:
    """Return each player's pairing number, from 1: his place in the seeding."""
    return {number: place for place, number in enumerate(seeding(event), 1)}
