"""Computes the rounds and pairing numbers of an event's players, the basis of pairings, standings and report files."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from captains_table.club.events.counting import MatchPoints, match_points
from captains_table.club.events.entries import LOSS, WIN, Absence, System
from captains_table.club.events.event import ClubEvent, Entrant, EventMatch, EventRound


class How(StrEnum):
    """The way in which a player spent a round."""

    PLAYED = "played"
    PENDING = "pending"  # the match has no result yet
    FORFEIT = "forfeit"  # the match was not played, because a player did not come
    BYE = "bye"  # the pairing left no opponent
    SAT_OUT = "sat-out"  # the player asked not to be paired
    AWAY = "away"  # the player had not entered yet, or had withdrawn


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """How a player spent a round, and what the round gave.

    Attributes:
        round: the round's number.
        how: how the player spent it.
        opponents: the numbers of the opponents; empty if there was no match.
        began: whether the player had the first seat; `None` if there was no match.
        halves: the points the player got, in the event's units (half points); 0 while the result is open.
        score: the player's score in the game itself; 0 if unknown.
        best: whether no other player of the match got more points, and at least one got fewer.
        absence: why the player sat the round out, in a Keizer event.
    """

    round: int
    how: How
    opponents: tuple[int, ...] = ()
    began: bool | None = None
    halves: int = 0
    score: int = 0
    best: bool = False
    absence: Absence | None = None


PlayerRounds = Mapping[int, tuple[PlayerRound, ...]]
"""Each player's rounds, by the player's number."""


def player_rounds(event: ClubEvent, until: int | None = None) -> PlayerRounds:
    """Return, for each player, all paired rounds in order; with `until`, only those up to and including that round."""
    rounds = event.rounds[:until]
    found: dict[int, list[PlayerRound]] = {number: [] for number in event.entrants}
    for round_ in rounds:
        of_round = _of_round(event, round_)
        for number, entrant in event.entrants.items():
            found[number].append(of_round.get(number) or _idle(event, entrant, round_))
    return {number: tuple(turnouts) for number, turnouts in found.items()}


def counted_rounds(event: ClubEvent, until: int | None = None) -> PlayerRounds:
    """Return the players' rounds as the standings count them: a match with an annulled player is a round without one.

    The arguments are those of `player_rounds`.
    """
    annulled = {number for number, entrant in event.entrants.items() if entrant.is_annulled}

    def counted(player: int, turnout: PlayerRound) -> PlayerRound:
        is_annulled = bool(annulled & {player, *turnout.opponents})
        return PlayerRound(turnout.round, How.BYE) if is_annulled else turnout

    history = player_rounds(event, until)
    return {player: tuple(counted(player, turnout) for turnout in history[player]) for player in history}


def halves_of_bye(event: ClubEvent) -> int:
    """Return the half points of a bye: 2 (a whole point) in a Swiss event, and 0 in the other systems.

    In a round robin every player has the same number of byes; groups have none.
    """
    return WIN if event.made.system is System.SWISS else LOSS


def _of_round(event: ClubEvent, round_: EventRound) -> dict[int, PlayerRound]:
    found = {number: PlayerRound(round_.number, How.BYE, halves=halves_of_bye(event)) for number in round_.byes}
    for match in round_.matches:
        count = match_points(event, match)
        for seat, number in enumerate(match.seated.seats):
            found[number] = _turnout(round_, match, seat, count)
    return found


def _turnout(round_: EventRound, match: EventMatch, seat: int, count: MatchPoints | None) -> PlayerRound:
    seats = match.seated.seats
    opponents = tuple(other for other in seats if other != seats[seat])
    how = How.PENDING if count is None else How.PLAYED if count.played else How.FORFEIT
    return PlayerRound(
        round_.number,
        how,
        opponents,
        began=seat == 0,
        halves=0 if count is None else count.halves[seat],
        score=count.scores[seat] if count is not None and count.scores else 0,
        best=count is not None and min(count.halves) < max(count.halves) == count.halves[seat],
    )


def _idle(event: ClubEvent, entrant: Entrant, round_: EventRound) -> PlayerRound:
    half = entrant.sits_out.get(round_.number, False)
    has_half_for_late_entry = half and round_.number < entrant.since
    if entrant.is_away(round_.number) and not has_half_for_late_entry:
        return PlayerRound(round_.number, How.AWAY)
    absence = entrant.absences.get(round_.number)
    return PlayerRound(round_.number, How.SAT_OUT, halves=event.draw_units if half else LOSS, absence=absence)


def total_halves(turnouts: tuple[PlayerRound, ...]) -> int:
    """Return the sum of a player's points over the rounds, counted in half points."""
    return sum(turnout.halves for turnout in turnouts)


def seeding(event: ClubEvent) -> tuple[int, ...]:
    """Return all players in the order of their pairing numbers: by rating, the highest first, then in order of entry.

    A player without a rating counts as rated 0.
    """
    entrants = list(event.entrants.values())
    return tuple(entrant.number for entrant in sorted(entrants, key=lambda entrant: -(entrant.rating or 0)))


def pairing_numbers(event: ClubEvent) -> Mapping[int, int]:
    """Return each player's pairing number (the place in the seeding, from 1), by the player's number in the club."""
    return {number: place for place, number in enumerate(seeding(event), 1)}
