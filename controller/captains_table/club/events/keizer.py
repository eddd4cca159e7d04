"""Computes the standings of an event by the Keizer system.

Each place in the ranking has a value, which falls by 1 from place to place. A win counts the value of the opponent, a
draw half of it, and a round without a match a fraction of the player's own value. The ranking gives new values to the
players, with which all rounds are counted anew, until the ranking does not change any more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import Final

from captains_table.club.events.entries import DRAW, LOSS, WIN, Absence, KeizerSettings
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, counted_rounds, seeding

MOST_PASSES: Final = 100
"""How often all rounds are counted anew at most, after each round."""
KeizerRanking = tuple[int, ...]
Share = tuple[int, Fraction]
"""What a round counts: a fraction of the value of the player with this number."""


@dataclass(frozen=True, slots=True)
class KeizerLine:
    """A player of a Keizer event.

    Attributes:
        player: the player's number.
        value: the value of the player's place.
        score: the sum by which the player is ranked.
        gain: what the last round added to it.
    """

    player: int
    value: int
    score: Fraction
    gain: Fraction


def keizer_lines(event: ClubEvent, until: int | None = None) -> tuple[KeizerLine, ...]:
    """Return the ranking of a Keizer event after the round `until` (`None`: after all rounds), the best first."""
    return keizer_table(event.keizer, seeding(event), counted_rounds(event, until))


def keizer_table(
    settings: KeizerSettings, seeded: Sequence[int], history: Mapping[int, Sequence[PlayerRound]]
) -> tuple[KeizerLine, ...]:
    """Return the ranking after the rounds in `history`, the best first; level players are ranked as in `seeded`.

    The ranking after a round is found from the one before it, by counting all rounds with the values of that ranking,
    and then again with those of the ranking that results. This ends as soon as a ranking results for the second time:
    it is either unchanged, or the search has come round in a circle; and after `MOST_PASSES` passes. In any case, the
    result is in the order of the scores, which are counted with the values of the ranking before.

    Args:
        settings: the settings of the event.
        seeded: all players, the highest rated first: the ranking before the first round.
        history: each player's rounds, by the player's number; equally many for all players.
    """
    shares = {player: _shares(settings, player, history[player]) for player in seeded}
    unit = lcm(*(part.denominator for rounds in shares.values() for _, part in rounds))
    owed = {player: {player: unit if settings.own_value else 0} for player in seeded}
    values = place_values(settings, len(seeded))
    ranking: KeizerRanking = tuple(seeded)
    counted: Mapping[int, int] = dict(zip(ranking, values, strict=True))
    for number in range(max(map(len, shares.values()), default=0)):
        for player, rounds in shares.items():
            of, part = rounds[number]
            owed[player][of] = owed[player].get(of, 0) + int(part * unit)
        ranking, counted = _ranked(settings, seeded, owed, ranking)
    gains = {player: rounds[-1][1] * counted[rounds[-1][0]] for player, rounds in shares.items() if rounds}
    return tuple(
        KeizerLine(player, value, Fraction(_sum(owed[player], counted), unit), gains.get(player, Fraction(0)))
        for player, value in zip(ranking, values, strict=True)
    )


def may_have_bye(event: ClubEvent, history: PlayerRounds, players: Iterable[int]) -> set[int]:
    """Return those of the players who may have the bye: those with the fewest byes, or all if byes are not spread."""
    if not event.keizer.spreads_byes:
        return {*players}
    byes = {player: sum(turnout.how is How.BYE for turnout in history[player]) for player in players}
    return {player for player in byes if byes[player] == min(byes.values())}


def place_values(settings: KeizerSettings, players: int) -> tuple[int, ...]:
    """Return the value of each place among so many players; the value of a place is at least 1.

    If only a ratio is set, the first place has the number of players times ratio / (ratio - 1), rounded, halves up.
    """
    ratio = Fraction(settings.ratio)
    top = settings.top or floor(players * ratio / (ratio - 1) + Fraction(1, 2))
    return tuple(max(top - place, 1) for place in range(players))


def _ranked(
    settings: KeizerSettings, seeded: Sequence[int], owed: Mapping[int, Mapping[int, int]], ranking: KeizerRanking
) -> tuple[KeizerRanking, Mapping[int, int]]:
    """Return the ranking that follows from the one before, and the players' values with which it was counted.

    Args:
        settings: the settings of the event.
        seeded: all players, in the order in which level players are ranked.
        owed: for each player, how much the player gets of the value of each player.
        ranking: the ranking after the round before.
    """
    values, seen = place_values(settings, len(seeded)), set[KeizerRanking]()
    for _ in range(MOST_PASSES if settings.until_stable else 1):
        counted = dict(zip(ranking, values, strict=True))
        scores = {player: _sum(parts, counted) for player, parts in owed.items()}
        ranking = tuple(sorted(seeded, key=lambda player: -scores[player]))
        if ranking in seen:
            break
        seen.add(ranking)
    return ranking, counted


def _sum(parts: Mapping[int, int], values: Mapping[int, int]) -> int:
    return sum(part * values[of] for of, part in parts.items())


def _shares(settings: KeizerSettings, player: int, turnouts: Sequence[PlayerRound]) -> list[Share]:
    """Return what each round of a player counts; excused and unexcused rounds beyond the limit count nothing."""
    found, paid = list[Share](), 0
    for turnout in turnouts:
        of, part = _share(settings, player, turnout)
        if part and _is_absence(turnout):
            paid += 1
            part *= settings.most_paid is None or paid <= settings.most_paid
        found.append((of, part))
    return found


def _is_absence(turnout: PlayerRound) -> bool:
    lost = turnout.how is How.FORFEIT and turnout.halves == LOSS
    return lost or (turnout.how is How.SAT_OUT and turnout.absence is not Absence.CLUB)


def _share(settings: KeizerSettings, player: int, turnout: PlayerRound) -> Share:
    match turnout.how:
        case How.PLAYED:
            counts = {WIN: "1", DRAW: "1/2", LOSS: settings.loss}
            return turnout.opponents[0], Fraction(counts[turnout.halves])
        case How.FORFEIT if turnout.halves:
            return turnout.opponents[0], Fraction(1)
        case How.FORFEIT:
            return player, Fraction(settings.unexcused)
        case How.BYE:
            return player, Fraction(settings.bye)
    parts = {Absence.EXCUSED: settings.excused, Absence.UNEXCUSED: settings.unexcused, Absence.CLUB: settings.club}
    return player, Fraction(0 if turnout.absence is None else parts[turnout.absence])
