"""Prepares an event for templates: rounds, matches, standings, crosstable, and what the arbiter can or should do."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.club.event_manager import HeldEvent
from captains_table.club.events.counting import counting_report, doubts, is_finished, match_points
from captains_table.club.events.entries import System
from captains_table.club.events.event import ClubEvent, EventMatch, may_be_dropped
from captains_table.club.events.standings import (
    columns_of,
    crosstable,
    moved_by_correction,
    placed,
    points_text,
    present_standings,
    shown_values,
)
from captains_table.club.events.table_assignment import overdue
from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.words import ABSENCE_WORDS, ending_words, event_words, keizer_words
from captains_table.phrases import say, several


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat of a match: the player's name and points.

    The points are empty until a result counts. If the match does not count as played, they are `+` or `-`.
    """

    name: str
    points: str


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match as the arbiter sees it.

    Attributes:
        id: the id of its pairing.
        board: its number in the round; 0 if it is not played.
        seats: the players with their points.
        table: the title of the table to which the match is assigned, or the user name of an unknown table; empty if the
            match is not assigned.
        user: the user name of this table; empty if the match is not assigned.
        state: "counts" if the match has points, else "look" if the arbiter should look at it, else "playing" if its
            table shows it, else "open".
        words: remarks: doubts about the match, or the ruling, its reason and the table's report.
        by_arbiter: whether there is a ruling.
        is_told: whether its table told how it ended, so that a ruling needs a reason.
        is_overdue: whether the time limit for absent players has passed, and the match is neither reported nor shown by
            its table.
    """

    id: str
    board: int
    seats: tuple[SeatShown, ...]
    table: str
    user: str
    state: str
    words: tuple[str, ...]
    by_arbiter: bool
    is_told: bool
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round as the arbiter sees it.

    Attributes:
        number: its number, from 1.
        matches: its matches.
        byes: the names of the players with a bye.
        sits_out: the names of the players who asked not to play the round.
        published_s: when it was published, in Unix seconds; `None` if it was not.
        is_finished: whether every match has points.
    """

    number: int
    matches: tuple[MatchShown, ...]
    byes: tuple[str, ...]
    sits_out: tuple[str, ...]
    published_s: int | None
    is_finished: bool

    @property
    def open(self) -> int:
        """The number of the round's matches without points."""
        return sum(match.state != "counts" for match in self.matches)


def shown_event(held: HeldEvent, tables: Sequence[TableState], now_s: float) -> dict[str, object]:
    """Return the values with which templates show an event, keyed by name.

    The value `rounds` has the paired rounds, the latest first. `standings` has a tuple for each line: the place as it
    is shown, the line, and its tie-breaks as texts. `moved` is the result of `moved_by_correction`. `resting` names the
    players who sit out each round to come, by its number. Each value `can_...` says whether the action in its name is
    possible now.
    """
    event, system = held.event, held.event.made.system
    last = event.rounds[-1] if event.rounds else None
    rounds = _rounds(event, tables, now_s)[::-1]
    to_come = range(event.next_round, event.rounds_planned + 1)
    is_finished, is_next = all(round_.is_finished for round_ in rounds), event.next_round <= event.rounds_planned
    return {
        "held": held,
        "event": event,
        "words": event_words(event),
        "rounds": rounds,
        "standings": [(place, line, shown_values(event, line)) for place, line in placed(present_standings(event))],
        "tie_breaks": columns_of(event),
        "keizer": keizer_words(event.keizer) if system is System.KEIZER else "",
        "absences": ABSENCE_WORDS,
        "moved": moved_by_correction(event),
        "crosstable": crosstable(event),
        "resting": {number: names for number in to_come if (names := _resting(event, number)) and not event.is_closed},
        "to_come": to_come,
        "too_few": system is System.SWISS and is_next and not event.is_closed and _players_left(event),
        "can_pair": is_finished and is_next and not event.is_closed,
        "can_publish": last is not None and last.published_s is None and not event.is_closed,
        "can_drop": may_be_dropped(event),
        "can_sit_out": system is not System.ROUND_ROBIN and is_next,
        "can_enter": not event.is_closed and not (event.rounds and system is System.ROUND_ROBIN),
        "is_complete": is_finished and not is_next,
        "is_pair": system is not System.GROUPS,
        "is_swiss": system is System.SWISS,
    }


def _players_left(event: ClubEvent) -> int:
    """Return how many players take part in a Swiss event that has too many rounds for them; 0 if there are enough."""
    taking_part = sum(not entrant.is_gone for entrant in event.entrants.values())
    return taking_part if 0 < taking_part <= event.rounds_planned else 0


def waiting_words(held: HeldEvent, tables: Sequence[TableState], now_s: float) -> tuple[str, ...]:
    """Return a sentence with the number of overdue matches, and one with the number of doubtful matches.

    A sentence is left out if its number is 0. The result is empty after the event was ended.
    """
    if held.event.is_closed:
        return ()
    matches = [match for round_ in _rounds(held.event, tables, now_s) for match in round_.matches]
    late = sum(match.is_overdue for match in matches)
    doubtful = sum(match.state == "look" for match in matches)
    sentences = (
        late
        and several(
            late,
            "{n} match is not begun in time: say who was not there.",
            "{n} matches are not begun in time: say who was not there.",
        ),
        doubtful
        and several(
            doubtful,
            "{n} match is to be looked at: say what counts.",
            "{n} matches are to be looked at: say what counts.",
        ),
    )
    return tuple(words for words in sentences if words)


def _resting(event: ClubEvent, number: int) -> tuple[str, ...]:
    """Return the names of the players who sit out a round."""
    return tuple(entrant.name for entrant in event.entrants.values() if entrant.rests(number))


def _rounds(event: ClubEvent, tables: Sequence[TableState], now_s: float) -> Sequence[RoundShown]:
    late = {match.seated.id for match in overdue(event, now_s)}
    return [
        RoundShown(
            round_.number,
            tuple(shown_match(event, match, tables, is_overdue=match.seated.id in late) for match in round_.matches),
            tuple(event.name(player) for player in round_.byes),
            _resting(event, round_.number),
            round_.published_s,
            is_finished(event, round_),
        )
        for round_ in event.rounds
    ]


def shown_match(
    event: ClubEvent, match: EventMatch, tables: Sequence[TableState], *, is_overdue: bool = False
) -> MatchShown:
    """Return a match as the arbiter sees it."""
    count = match_points(event, match)
    names = [event.name(seat) for seat in match.seated.seats]
    points = [""] * len(names) if count is None else [points_text(halves, event.point_units) for halves in count.halves]
    if count is not None and not count.played:
        points = ["+" if halves else "-" for halves in count.halves]
    user = match.tables[-1] if match.tables else ""
    table = next((table for table in tables if table.user == user), None)
    doubted = doubts(event, match)
    playing = table is not None and table.pairing == match.seated.id
    state = "counts" if count else "look" if doubted else "playing" if playing else "open"
    return MatchShown(
        match.seated.id,
        match.seated.board,
        tuple(SeatShown(name, point) for name, point in zip(names, points, strict=True)),
        user if table is None else table.title,
        user,
        state,
        (*doubted, *_ruling_words(match)),
        match.ruling is not None,
        bool(match.reports),
        is_overdue and not playing,
    )


def _ruling_words(match: EventMatch) -> list[str]:
    """Return texts about the arbiter's ruling on a match; empty without a ruling.

    The texts also give the reason for the ruling and the result that the table reported, if they are known.
    """
    if match.ruling is None:
        return []
    told = counting_report(match)
    said = say("the arbiter says so")
    if match.ruling.why:
        said = say("the arbiter says so: {reason}", match.ruling.why)
    if told is None or told.ending is None:
        return [said]
    return [said, say("its table told: {ending}", ending_words(told.ending, told.seats))]
