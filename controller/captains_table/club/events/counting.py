"""Computes the points of a match from the arbiter's ruling, known absences or a table's report.

The module also tells whether a round is finished, what the arbiter should check, and whether the next round may be
paired.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from captains_table.club.events.entries import DRAW, LOSS, WIN, PairedMatch, Reported, System
from captains_table.club.events.event import FULL_SHARE, PAIR, CannotBe, ClubEvent, EventMatch, EventRound
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import is_nobodys
from captains_table.reporting.messages import FinalScore
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.seating import declared_names
from captains_table.table.renamed_match import player_initials


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """The points of a match for each seat.

    Attributes:
        halves: half points in the order of the pairing's seats.
        played: whether the match counts as played; False if a player did not come.
        scores: the scores in the game itself, in the same order; empty if the match does not count as played, if the
            arbiter ruled against the report, or if no report states one score for each paired player.
    """

    halves: tuple[int, ...]
    played: bool
    scores: tuple[int, ...] = ()


def match_points(event: ClubEvent, match: EventMatch) -> MatchPoints | None:
    """Return the points of a match; `None` while they are open.

    The arbiter's ruling counts first. Without a ruling, players who are known to be absent lose, and the others win. If
    nobody is known to be absent, the table's report counts. The points are open if no finished match was reported, or
    if the ending needs a ruling.
    """
    scores = _scores(event, match)
    if match.ruling is not None:
        told = match_points(event, replace(match, ruling=None))
        is_as_told = match.ruling.played and told is not None and told.halves == match.ruling.halves
        return MatchPoints(match.ruling.halves, match.ruling.played, scores if is_as_told else ())
    if match.seated.absent:
        return MatchPoints(
            tuple(LOSS if seat in match.seated.absent else WIN for seat in match.seated.seats), played=False
        )
    report = counting_report(match)
    if report is None or report.ending is None or _is_unclear(event, match, report.ending):
        return None
    order = _order(event, match, report)
    halves = half_points_of(event, report.ending)
    return MatchPoints(tuple(halves[seat] for seat in order), played=True, scores=scores)


def counting_report(match: EventMatch) -> Reported | None:
    """Return the report that counts for a match: the first one that states an ending; `None` if there is none."""
    return next((report for report in match.reports.values() if report.ending is not None), None)


def doubts(event: ClubEvent, match: EventMatch) -> tuple[str, ...]:
    """Return a text for each thing that the arbiter should check in a match.

    The result is empty if nothing is unusual, if the arbiter has ruled, or if there is no report yet.
    """
    if match.ruling is not None or not match.reports:
        return ()
    report, found = counting_report(match), []
    if report is None or report.ending is None:
        return ("it was left: say what it counts",)
    if _is_unclear(event, match, report.ending):
        found.append("it ended without a winner among those who were paired: say what it counts")
    if not _is_everybody(seated_as(event, match.seated, report.seats), match):
        names = _called(event, match.seated)[0]
        found.append(f"there sat {', '.join(report.seats)}: expected {', '.join(names)}")
    if sum(other.ending is not None for other in match.reports.values()) > 1:
        found.append("it was played more than once: the first counts")
    return tuple(found)


def half_points_of(event: ClubEvent, ending: FinalScore) -> tuple[int, ...]:
    """Return each seat's points for an ending, in the event's units (half points), in the table's seat order.

    Except in groups, the winner gets a point; without a winner, both players get half a point. In a group, the winner
    is first, and the others are ranked by score. In events with `group_shares`, a player gets 100 points times the
    share of the other players whom the player beats; level players count half. In other events, the first place gets
    `group_size` points, and each following place gets one point less, but at least 0. Players of equal rank get the
    mean of the points of the places they share.
    """
    if event.made.system is not System.GROUPS:
        if ending.winner is None:
            return (DRAW,) * len(ending.scores)
        return tuple(WIN if seat == ending.winner else LOSS for seat in range(len(ending.scores)))
    keys = [(seat == ending.winner, score) for seat, score in enumerate(ending.scores)]
    best_first = sorted(keys, reverse=True)
    return tuple(_group_points(event, len(keys), best_first, key) for key in keys)


def half_points_of_places(event: ClubEvent, places: Sequence[int | None]) -> tuple[int, ...]:
    """Return each seat's points in a group, in the event's units, given the places that the arbiter ruled.

    `None` (absent) gets 0, and is beaten by all who were there. Players with the same place share this place and the
    following ones; each player gets the mean of the points of the shared places.
    """
    keys = [(False, -place) for place in places if place is not None]
    best_first = sorted(keys, reverse=True)
    return tuple(
        LOSS if place is None else _group_points(event, len(places), best_first, (False, -place)) for place in places
    )


def _group_points(event: ClubEvent, seats: int, best_first: Sequence[tuple[bool, int]], key: tuple[bool, int]) -> int:
    first = best_first.index(key)
    last = first + best_first.count(key) - 1
    if event.made.group_shares:
        beaten_twice = 2 * (seats - 1) - first - last  # a level player counts once, half a beaten one
        return FULL_SHARE * event.point_units * beaten_twice // (2 * (seats - 1))
    most = event.made.group_size
    return max(most - first, 0) + max(most - last, 0)


def has_played_half(event: ClubEvent, player: int) -> bool:
    """Return whether a player of a round robin has played half of the planned matches (C.05, 6.6)."""
    field_ = sum(entrant.since == 1 for entrant in event.entrants.values())
    own = [match_points(event, match) for _, match in event.matches() if player in match.seated.seats]
    return 2 * sum(points is not None and points.played for points in own) >= event.made.rounds * (field_ - 1)


def is_finished(event: ClubEvent, round_: EventRound) -> bool:
    """Return whether every match of a round has points."""
    return all(match_points(event, match) is not None for match in round_.matches)


def _is_unclear(event: ClubEvent, match: EventMatch, ending: FinalScore) -> bool:
    """Return whether an ending leaves open which of the paired players won.

    This is so if the number of scores differs from the number of players. Unless the players are paired in groups, it
    is also so if no winner is named but a single player has the highest score.
    """
    if len(ending.scores) != len(match.seated.seats):
        return True
    return event.made.system is not System.GROUPS and is_nobodys(ending.winner, ending.scores)


def _scores(event: ClubEvent, match: EventMatch) -> tuple[int, ...]:
    report = counting_report(match)
    if report is None or report.ending is None or len(report.ending.scores) != len(match.seated.seats):
        return ()
    return tuple(report.ending.scores[seat] for seat in _order(event, match, report))


def _order(event: ClubEvent, match: EventMatch, report: Reported) -> tuple[int, ...]:
    """Return the seat of each paired player in the reported match, in the order of the pairing.

    Seats are found by the players' names. If the reported names are not the names of the paired players, or a name
    occurs twice, the seats are returned in the table's order.
    """
    places = seated_as(event, match.seated, report.seats, by_initials=False)
    seats = tuple(range(len(report.seats)))
    return tuple(map(places.index, seats)) if _is_everybody(places, match) else seats


def _is_everybody(places: Sequence[int | None], match: EventMatch) -> bool:
    return len(places) == len(match.seated.seats) and None not in places


def seated_as(
    event: ClubEvent, seated: PairedMatch, told: Sequence[str], *, by_initials: bool = True
) -> tuple[int | None, ...]:
    """Return which player of a pairing each name means that a table told.

    Present names come first, then names that the arbiter has set right since, then initials of all of these.

    Args:
        event: the event.
        seated: the pairing.
        told: the names, or initials, in the table's seat order.
        by_initials: whether players are also found by their initials.

    Returns:
        for each name the player's place in `seated.seats`, each place at most once; `None` for nobody's name.
    """
    names, initials = _called(event, seated)
    earlier = [event.entrants[number].earlier_names for number in seated.seats]
    forms = [(told, [{name} for name in names]), (told, [set(each) for each in earlier])]
    if by_initials:
        all_initials = [
            {own, *map(_initials, old)} for own, old in zip(map(_unnumbered, initials), earlier, strict=True)
        ]
        forms.append((tuple(map(_unnumbered, told)), all_initials))
    found: dict[int, int] = {}
    for said, known in forms:
        for seat, name in enumerate(said):
            free = (place for place, own in enumerate(known) if name in own and place not in found.values())
            if seat not in found and (place := next(free, None)) is not None:
                found[seat] = place
    return tuple(found.get(seat) for seat in range(len(told)))


def _unnumbered(initials: str) -> str:
    """Return initials without the number that tells two players of the same initials apart."""
    return initials.partition(" (")[0]


def _initials(name: str) -> str:
    return player_initials(MatchStarted("", (name,), {}, "", ("human",)))[0]


def _called(event: ClubEvent, seated: PairedMatch) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players' names in the two forms in which tables may report them: in full, and as initials."""
    names = tuple(event.name(seat) for seat in seated.seats)
    kinds: tuple[SeatKind, ...] = tuple("computer" if _is_computer(name) else "human" for name in names)
    started = MatchStarted(event.made.game, names, {}, "", kinds)
    return declared_names(started), declared_names(msgspec.structs.replace(started, seats=player_initials(started)))


def _is_computer(name: str) -> bool:
    try:
        ComputerSeat.parsed(name)
    except NoSuchOpponent:
        return False
    return True


class CannotPair(CannotBe):
    """The next round cannot be paired; the message says why."""


def players_to_pair(event: ClubEvent) -> list[int]:
    """Return the numbers of the players who play the next round; raises CannotPair if there are fewer than two."""
    players = event.next_players
    if len(players) < PAIR:
        raise CannotPair(f"{len(players)} would play round {event.next_round}: expected two at least")
    return players


def numbered_matches(event: ClubEvent, seats: Sequence[tuple[int, ...]], prefix: str) -> tuple[PairedMatch, ...]:
    """Return a match of the next round, with its id and board, for each tuple of players.

    A match gets board 0 if one of its players is known to be absent.

    Args:
        event: the event.
        seats: the players of each match, in seat order.
        prefix: the beginning of the ids of the event's matches.
    """
    found: list[PairedMatch] = []
    board = 0
    for place, seated in enumerate(seats, event.matches_made + 1):
        absent = tuple(seat for seat in seated if not event.entrants[seat].plays(event.next_round))
        board += not absent
        found.append(PairedMatch(id=f"{prefix}{place}", board=0 if absent else board, seats=seated, absent=absent))
    return tuple(found)


def check_may_be_paired(event: ClubEvent) -> None:
    """Raise CannotPair if a match has no points yet, no planned round is left, or the event was ended."""
    for round_ in event.rounds:
        if not is_finished(event, round_):
            raise CannotPair(f"round {round_.number} has matches without a result: expected all of them")
    if event.is_closed or event.next_round > event.rounds_planned:
        raise CannotPair(f"{event.made.title!r} has all its {event.rounds_planned} rounds, or was ended")
