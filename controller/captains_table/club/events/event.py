"""Computes the state of an event (a tournament) from its entries, and checks which entry may follow."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Final

from captains_table.club.events import entries
from captains_table.club.events.entries import DRAW, WIN, Absence, Edition, EventEntry, KeizerSettings, Made, System
from captains_table.games.contract import BadOption, check_names
from captains_table.phrases import say
from captains_table.reporting.table_view import MOST_SEATS, NAME_LIMIT

PAIR: Final = 2
KIND: Final = ("game", "system", "edition", "group_shares")
"""The settings of an event that are never changed."""
SETTLED: Final = ("options", "group_size", "number_one_begins", "keizer")
"""The settings of an event on which the pairings rest; they are not changed after the first round was paired."""
MOST_ROUNDS: Final = 99
MOST_CYCLES: Final = 2
MOST_VALUE: Final = 9999
FRACTION: Final = re.compile(r"[0-9]{1,7}(/[1-9][0-9]{0,6})?")
FULL_SHARE: Final = 100
"""The points of a player who beats all others of a group, if the players get shares (`Made.group_shares`)."""


class CannotBe(ValueError):
    """A change of an event is not allowed, or the event has no match with the given id; the message says why."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of an event.

    Attributes:
        number: the player's number in the club.
        name: the player's name.
        rating: the player's rating, as it was entered or set right; `None` if unknown.
        since: the first round the player may play.
        gone: a pair for each withdrawal: the first round missed, and the first round after the return (`None` if the
            player has not returned).
        is_annulled: whether the player's matches count for nobody in the standings.
        sits_out: the rounds that the player asked not to play; the value is True if the round gives half a point, and
            False if it gives no point. Rounds missed before a late entry are among them if they give half a point.
        absences: in a Keizer event, why the player sits out these rounds.
        earlier_names: the names that the arbiter set right; tables may have reported matches under them.
    """

    number: int
    name: str
    rating: int | None
    since: int = 1
    gone: tuple[tuple[int, int | None], ...] = ()
    is_annulled: bool = False
    sits_out: Mapping[int, bool] = field(default_factory=dict)
    absences: Mapping[int, Absence] = field(default_factory=dict)
    earlier_names: tuple[str, ...] = ()

    @property
    def is_gone(self) -> bool:
        """Whether the player has withdrawn and not returned."""
        return bool(self.gone) and self.gone[-1][1] is None

    def is_away(self, round_number: int) -> bool:
        """Return whether the player misses a round, because the player has not entered yet or has withdrawn."""
        left = any(first <= round_number and (last is None or round_number < last) for first, last in self.gone)
        return left or round_number < self.since

    def rests(self, round_number: int) -> bool:
        """Return whether the player asked not to play a round, but takes part in the event."""
        return round_number in self.sits_out and not self.is_away(round_number)

    def plays(self, round_number: int) -> bool:
        """Return whether the player takes part in the event in a round, and has not asked to sit that round out."""
        return not self.is_away(round_number) and round_number not in self.sits_out


@dataclass(frozen=True, slots=True)
class EventMatch:
    """A match of a round, with its reports and ruling.

    Attributes:
        seated: the pairing: who plays whom, and on which board.
        reports: the latest report of each match that tables played for this pairing, keyed by the seal that identifies
            the played match, in the order in which the seals were first reported.
        ruling: the arbiter's latest ruling; `None` if there is none.
        tables: the user names of the tables to which the match was assigned, the current one last.
    """

    seated: entries.PairedMatch
    reports: Mapping[str, entries.Reported] = field(default_factory=dict)
    ruling: entries.Ruled | None = None
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventRound:
    """A round: its number from 1, its matches, the players with a bye, and when it was published.

    `published_s` is in Unix seconds, and `None` before the round is published. `day` is the date that a report states.
    """

    number: int
    matches: tuple[EventMatch, ...]
    byes: tuple[int, ...]
    published_s: int | None = None
    day: str = ""


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """The state of an event, such as a Swiss tournament.

    Attributes:
        made: its title, game, system and other settings.
        entrants: its players by number, in the order they entered.
        rounds: the paired rounds.
        matches_made: how many matches were ever paired, also in dropped rounds; it keeps ids from being reused.
        is_closed: whether the arbiter has ended it.
        removed: players who were entered by mistake and are in it no more; the log has their names.
        keeps_old_places: whether the event ended before the program recorded which edition of FIDE's regulations
            applies; the tie-breaks are then computed in the old way, so that the places stay the same.
    """

    made: Made
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    rounds: tuple[EventRound, ...] = ()
    matches_made: int = 0
    is_closed: bool = False
    removed: Mapping[int, Entrant] = field(default_factory=dict)
    keeps_old_places: bool = False

    @property
    def edition(self) -> Edition:
        """The edition of FIDE's regulations by which the event's tie-breaks are computed."""
        return self.made.edition or Edition.FIDE_2024

    @property
    def keizer(self) -> KeizerSettings:
        """The settings of a Keizer event."""
        return self.made.keizer or KeizerSettings()

    @property
    def point_units(self) -> int:
        """How many units a point has, so that all points are whole numbers of units.

        There are 2 units (half points), and more if players in groups get shares of groups of different sizes.
        """
        return 2 * lcm(*range(1, self.made.group_size)) if self.made.group_shares else 2

    @property
    def draw_units(self) -> int:
        """The points of a draw, in units; in groups with shares, those of half of the group."""
        return FULL_SHARE * self.point_units // 2 if self.made.group_shares else DRAW

    @property
    def next_round(self) -> int:
        """The number of the round that is paired next."""
        return len(self.rounds) + 1

    @property
    def rounds_planned(self) -> int:
        """The number of planned rounds.

        In a round robin, it follows from the number of players who entered before the first round, and from how often
        everybody meets everybody.
        """
        if self.made.system is not System.ROUND_ROBIN:
            return self.made.rounds
        field_ = [entrant for entrant in self.entrants.values() if entrant.since == 1]
        return self.made.rounds * max(len(field_) - 1 + len(field_) % 2, 1)

    @property
    def next_players(self) -> list[int]:
        """The numbers of the players who play the next round."""
        return [number for number, entrant in self.entrants.items() if entrant.plays(self.next_round)]

    def matches(self) -> Iterator[tuple[EventRound, EventMatch]]:
        """Yield a pair (round, match) for every match of the paired rounds, in order."""
        return ((round_, match) for round_ in self.rounds for match in round_.matches)

    def match(self, pairing: str) -> EventMatch:
        """Return the match with this id; raises CannotBe if no paired round has such a match."""
        for _, match in self.matches():
            if match.seated.id == pairing:
                return match
        raise CannotBe(f"there is no match {pairing!r} in {self.made.title!r}: its round may have been taken back")

    def name(self, number: int) -> str:
        """Return the name of the event's player with this number in the club, who may have been removed."""
        return (self.entrants.get(number) or self.removed[number]).name


def may_be_dropped(event: ClubEvent) -> bool:
    """Return whether the last round may be taken back: none of its matches has a report or a ruling."""
    return bool(event.rounds) and not any(match.reports or match.ruling for match in event.rounds[-1].matches)


def may_be_removed(event: ClubEvent, player: int) -> bool:
    """Return whether a player was in no round yet; in a round robin, all players are in its first round."""
    if event.made.system is System.ROUND_ROBIN:
        return not event.rounds
    seated = (seat for _, match in event.matches() for seat in match.seated.seats)
    return player not in {*seated, *(bye for round_ in event.rounds for bye in round_.byes)}


def event_of(log: Iterable[EventEntry]) -> ClubEvent:
    """Return the state of an event after all its entries.

    Raises:
        CannotBe: the first entry does not make an event, or another entry cannot follow the earlier ones.
    """
    each = iter(log)
    made = next(each, None)
    if not isinstance(made, Made):
        raise CannotBe(say("an event begins with what it is: expected the entry 'made'"))
    event = new_event(made)
    for entry in each:
        event = event_after(event, entry)
    return event


def new_event(made: Made) -> ClubEvent:
    """Return the state of an event after its first entry; raises CannotBe if a setting is not allowed."""
    if not 1 <= len(made.title.strip()) <= NAME_LIMIT:
        raise CannotBe(say("an event's title: expected 1 to {most} characters", NAME_LIMIT))
    most = MOST_CYCLES if made.system is System.ROUND_ROBIN else MOST_ROUNDS
    if not 1 <= made.rounds <= most:
        raise CannotBe(say("{count} rounds: expected 1 to {most}", made.rounds, most))
    seats = range(PAIR + 1, MOST_SEATS + 1) if made.system is System.GROUPS else range(PAIR, PAIR + 1)
    if made.group_size not in seats:
        raise CannotBe(f"{made.group_size} players a match: expected {seats[0]} to {seats[-1]}")
    for name, value in made.options.items():
        if max(len(name), len(value)) > NAME_LIMIT:
            raise CannotBe(f"the option {name[:NAME_LIMIT]!r}: expected at most {NAME_LIMIT} characters")
    check_tie_breaks(made.system, made.edition, made.tie_breaks)
    if made.forfeit_min < 0:
        raise CannotBe(say("{count} minutes: expected 0 or more", made.forfeit_min))
    if made.keizer is not None:
        _check_keizer(made.keizer)
    return ClubEvent(made)


def _check_keizer(keizer: KeizerSettings) -> None:
    """Raise CannotBe if a setting of a Keizer event is not allowed."""
    if keizer.top is not None and not 1 <= keizer.top <= MOST_VALUE:
        raise CannotBe(say("the value {value} of the first: expected 1 to {most}", keizer.top, MOST_VALUE))
    if not FRACTION.fullmatch(keizer.ratio) or Fraction(keizer.ratio) <= 1:
        raise CannotBe(f"the first has {keizer.ratio} times the value of the last: expected more than 1, such as 3")
    for what in ("excused", "unexcused", "club", "bye", "loss"):
        part: str = getattr(keizer, what)
        if not FRACTION.fullmatch(part) or Fraction(part) > 1:
            raise CannotBe(f"{part} of a value ({what}): expected a fraction from 0 to 1, such as 1/3")
    for rounds in (keizer.rounds_apart, keizer.most_paid or 0):
        if not 0 <= rounds <= MOST_ROUNDS:
            raise CannotBe(f"{rounds} rounds (without a rematch, or paid): expected 0 to {MOST_ROUNDS}")


def check_tie_breaks(system: System, edition: Edition | None, tie_breaks: Iterable[entries.TieBreak]) -> None:
    """Raise CannotBe if the pairing system, or the edition of the regulations, does not allow one of the tie-breaks."""
    if system is System.KEIZER and {*tie_breaks}:
        raise CannotBe(say("Keizer has no tie-breaks: who is level is ranked by rating"))
    if system is System.ROUND_ROBIN and edition is Edition.FIDE_2026 and entries.BUCHHOLZ_FAMILY & {*tie_breaks}:
        raise CannotBe(
            "FIDE's tie-breaks of 2026 have no Buchholz in a round robin (C.07, Article 8): expected Sonneborn-Berger "
            "(SB), direct encounter (DE) or wins (WIN)"
        )


def event_after(event: ClubEvent, entry: EventEntry) -> ClubEvent:
    """Return the event after one more entry; raises CannotBe if the event does not permit this entry now."""
    match entry:
        case entries.OfPlayer():
            return _players_after(event, entry)
        case entries.OfRound():
            return _rounds_after(event, entry)
        case entries.OfMatch():
            return _with_match(event, _match_after(event, event.match(entry.pairing), entry))
        case entries.Revised():
            return _revised(event, entry.made)
        case entries.Closed() if not event.is_closed:
            return replace(event, is_closed=True, keeps_old_places=event.made.edition is entry.edition is None)
        case entries.Reopened() if event.is_closed:
            return replace(event, is_closed=False, keeps_old_places=False)
        case entries.Reopened():
            raise CannotBe(say("{event} is not over", repr(event.made.title)))
    raise CannotBe(f"{event.made.title!r} is {'over already' if event.is_closed else 'made already'}")


def _revised(event: ClubEvent, made: Made) -> ClubEvent:
    """Return an event with other settings; raises CannotBe if it cannot have them, or not any more."""
    new_event(made)
    if event.is_closed:
        raise CannotBe(say("{event} is over: its settings stay", repr(event.made.title)))
    is_fixed_field = made.system is System.ROUND_ROBIN and bool(event.rounds)
    fixed = (*KIND, *(SETTLED if event.rounds else ()), *(("rounds",) if is_fixed_field else ()))
    for name in fixed:
        if getattr(made, name) != getattr(event.made, name):
            raise CannotBe(f"the setting {name.replace('_', ' ')} of {event.made.title!r} cannot be changed any more")
    revised = replace(event, made=made)
    if revised.rounds_planned < len(event.rounds):
        raise CannotBe(f"{event.made.title!r} has had {len(event.rounds)} rounds: expected so many at least")
    return revised


def _without(event: ClubEvent, player: int) -> ClubEvent:
    """Return an event without a player; raises CannotBe if it has no such player, or has had one in a round."""
    entrant = event.entrants.get(player)
    if entrant is None or event.is_closed or not may_be_removed(event, player):
        who = f"player {player}" if entrant is None else entrant.name
        raise CannotBe(f"{who} cannot be taken off {event.made.title!r}: expected a player who was in no round yet")
    others = {number: kept for number, kept in event.entrants.items() if number != player}
    return replace(event, entrants=others, removed={**event.removed, player: entrant})


def _players_after(event: ClubEvent, entry: entries.PlayerEntry) -> ClubEvent:
    if isinstance(entry, entries.Removed):
        return _without(event, entry.player)
    entrant = _mended(event, entry) if isinstance(entry, entries.Mended) else _entrant_after(event, entry)
    return replace(event, entrants={**event.entrants, entry.player: entrant})


def _entrant_after(event: ClubEvent, entry: entries.PlayerEntry) -> Entrant:
    entrant, upcoming = event.entrants.get(entry.player), event.next_round
    if event.is_closed:
        raise CannotBe(say("{event} is over: nobody enters or leaves", repr(event.made.title)))
    if isinstance(entry, entries.Entered):
        return _entered(event, entry)
    if entrant is None:
        raise CannotBe(f"player {entry.player} takes no part in {event.made.title!r}")
    match entry:
        case entries.Withdrew() if not entrant.is_gone:
            return _withdrawn(event, entrant, annuls=bool(entry.annuls))
        case entries.Returned() if entrant.is_gone:
            back = (*entrant.gone[:-1], (entrant.gone[-1][0], upcoming))
            return replace(entrant, gone=back, is_annulled=False)
        case entries.SatOut(round=number) if number >= upcoming and event.made.system is not System.ROUND_ROBIN:
            return _sitting_out(event, entrant, entry)
        case entries.SatIn(round=number) if number >= upcoming and number in entrant.sits_out:
            return replace(entrant, sits_out={kept: half for kept, half in entrant.sits_out.items() if kept != number})
        case entries.SatOut():
            raise CannotBe(f"{entrant.name} cannot sit out round {entry.round}: expected one that is not paired yet")
        case entries.SatIn():
            expected = "expected a round to come that the player sits out"
            raise CannotBe(f"{entrant.name} cannot play round {entry.round} after all: {expected}")
    raise CannotBe(f"{entrant.name} {'takes part' if isinstance(entry, entries.Returned) else 'has withdrawn'} already")


def _sitting_out(event: ClubEvent, entrant: Entrant, entry: entries.SatOut) -> Entrant:
    is_keizer = event.made.system is System.KEIZER
    if is_keizer and entry.half:
        raise CannotBe(f"half a point for {entrant.name}: in Keizer the kind of absence says what it counts")
    if entry.absence is not None and not is_keizer:
        raise CannotBe(f"{entrant.name} sits out, {entry.absence}: only in Keizer absences are of different kinds")
    absences = {**entrant.absences, entry.round: entry.absence or Absence.EXCUSED} if is_keizer else {}
    return replace(entrant, sits_out={**entrant.sits_out, entry.round: entry.half}, absences=absences)


def _withdrawn(event: ClubEvent, entrant: Entrant, *, annuls: bool) -> Entrant:
    if annuls and event.made.system is not System.ROUND_ROBIN:
        raise CannotBe(f"the matches of {entrant.name} count: only in a round robin they may count for nobody")
    return replace(entrant, gone=(*entrant.gone, (event.next_round, None)), is_annulled=annuls)


def _entered(event: ClubEvent, entry: entries.Entered) -> Entrant:
    if entry.player in event.entrants or any(entry.name == known.name for known in event.entrants.values()):
        raise CannotBe(say("{name} takes part already", entry.name))
    _check_name(entry.name)
    if event.rounds and event.made.system is System.ROUND_ROBIN:
        raise CannotBe(say("nobody enters a round robin that has begun: who meets whom is fixed from its first round"))
    if not 0 <= entry.halves <= len(event.rounds) or (entry.halves and event.made.system is not System.SWISS):
        raise CannotBe(f"{entry.name} missed {len(event.rounds)} rounds: expected half a point for so many at most")
    missed = range(event.next_round - entry.halves, event.next_round)
    return Entrant(entry.player, entry.name, entry.rating, event.next_round, sits_out=dict.fromkeys(missed, True))


def _mended(event: ClubEvent, entry: entries.Mended) -> Entrant:
    entrant = event.entrants.get(entry.player)
    if entrant is None or event.is_closed:
        raise CannotBe(f"{event.made.title!r} {'is over' if event.is_closed else 'has no such player'}")
    others = [other for other in event.entrants.values() if other.number != entrant.number]
    if any(entry.name in {other.name, *other.earlier_names} for other in others):
        raise CannotBe(f"{entry.name} is, or was, another player of {event.made.title!r}: expected a name that is not")
    _check_name(entry.name)
    earlier = tuple(dict.fromkeys((*entrant.earlier_names, entrant.name)))
    return replace(entrant, name=entry.name, rating=entry.rating, earlier_names=earlier)


def _check_name(name: str) -> None:
    try:
        check_names((name,), range(1, 2))
    except BadOption as error:
        raise CannotBe(str(error)) from error


def _rounds_after(event: ClubEvent, entry: entries.RoundEntry) -> ClubEvent:
    if isinstance(entry, entries.RoundPaired):
        return _paired(event, entry)
    last = event.rounds[-1] if event.rounds else None
    if last is None or last.number != entry.round:
        raise CannotBe(say("round {round} is not the last one that was paired", entry.round))
    if isinstance(entry, entries.RoundPublished):
        matches = tuple(_given(match, entry.tables.get(match.seated.id)) for match in last.matches)
        return replace(event, rounds=(*event.rounds[:-1], replace(last, published_s=entry.at_s, matches=matches)))
    begun_ = [match for match in last.matches if match.reports or match.ruling]
    if begun_:
        raise CannotBe(f"round {entry.round} cannot be taken back: match {begun_[0].seated.board} has a result")
    entrants = {number: _moved_up(entrant, entry.round) for number, entrant in event.entrants.items()}
    return replace(event, entrants=entrants, rounds=event.rounds[:-1])


def _moved_up(entrant: Entrant, upcoming: int) -> Entrant:
    """Return an entrant after the pairing of the round `upcoming` was dropped.

    An entry, withdrawal or return made after the pairing was to take effect only in the following round. It now takes
    effect in the round `upcoming`.
    """
    gone = tuple((min(first, upcoming), None if last is None else min(last, upcoming)) for first, last in entrant.gone)
    is_late = entrant.since > upcoming  # and misses this round no more
    sits_out = {number: half for number, half in entrant.sits_out.items() if not (is_late and number == upcoming)}
    return replace(entrant, since=min(entrant.since, upcoming), gone=gone, sits_out=sits_out)


def _paired(event: ClubEvent, entry: entries.RoundPaired) -> ClubEvent:
    if event.is_closed or entry.round != event.next_round or entry.round > event.rounds_planned:
        raise CannotBe(f"round {entry.round} cannot be paired: expected {event.next_round} of {event.rounds_planned}")
    seats = [seat for seated in entry.matches for seat in seated.seats] + list(entry.byes)
    wrong = [seat for seat in seats if seat not in event.entrants or seats.count(seat) > 1]
    if wrong:
        raise CannotBe(f"player {wrong[0]} cannot be paired in round {entry.round}: unknown, or paired twice")
    known = {match.seated.id for _, match in event.matches()}
    twice = [seated.id for seated in entry.matches if seated.id in known]
    if twice:
        raise CannotBe(say("the id {match} is another match's", repr(twice[0])))
    played = EventRound(entry.round, tuple(EventMatch(seated) for seated in entry.matches), entry.byes, day=entry.day)
    return replace(event, rounds=(*event.rounds, played), matches_made=event.matches_made + len(entry.matches))


def _given(match: EventMatch, table: str | None) -> EventMatch:
    """Return a match after it was assigned to a table; unchanged if `table` is `None`, empty or the current table."""
    if not table or match.tables[-1:] == (table,):
        return match
    return replace(match, tables=(*(other for other in match.tables if other != table), table))


def _match_after(event: ClubEvent, match: EventMatch, entry: entries.MatchEntry) -> EventMatch:
    match entry:
        case entries.Moved():
            return _given(match, entry.table)
        case entries.Reported():
            known = match.reports.get(entry.match)
            if known is not None and (known.rev, known.correction) >= (entry.rev, entry.correction):
                return match
            return replace(match, reports={**match.reports, entry.match: entry})
        case entries.Ruled():
            return replace(match, ruling=_checked(event, match, entry))
        case entries.RulingDropped():
            return replace(match, ruling=None)


def _checked(event: ClubEvent, match: EventMatch, ruling: entries.Ruled) -> entries.Ruled:
    """Return a ruling if it is valid for a match; otherwise raise CannotBe."""
    seats = len(match.seated.seats)
    pair = event.made.system is not System.GROUPS
    most = WIN if pair else event.point_units * (FULL_SHARE if event.made.group_shares else event.made.group_size)
    if len(ruling.halves) != seats or not all(0 <= halves <= most for halves in ruling.halves):
        raise CannotBe(f"a match of {seats} counts {seats} numbers of half points from 0 to {most}")
    if pair and sum(ruling.halves) > WIN:
        raise CannotBe(say("a match of two counts a point, shared or not; or nothing for both"))
    if pair and not ruling.played and sorted(ruling.halves) not in ([0, 0], [0, WIN]):
        raise CannotBe(say("a match that was not played counts a point for who was there, and nothing for who was not"))
    return ruling


def _with_match(event: ClubEvent, changed: EventMatch) -> ClubEvent:
    rounds = tuple(
        replace(
            round_,
            matches=tuple(changed if match.seated.id == changed.seated.id else match for match in round_.matches),
        )
        for round_ in event.rounds
    )
    return replace(event, rounds=rounds)
