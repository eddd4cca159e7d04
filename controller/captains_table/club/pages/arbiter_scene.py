"""What the arbiter's pages show of an event, made of the event alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.club.event_desk import HeldEvent
from captains_table.club.events.at_tables import overdue
from captains_table.club.events.counting import count_of, doubts, finished, is_finished
from captains_table.club.events.entries import System
from captains_table.club.events.event import Entrant, Event, Match
from captains_table.club.events.standings import (
    Crosstable,
    Line,
    crosstable,
    moved_by_mend,
    placed,
    shown,
    shown_values,
    standings,
    tie_breaks_of,
)
from captains_table.club.events.tie_breaks import CODES, WORDS
from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.words import ending_words, event_words


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat of a match: who sits there, and what he has of it; empty while that is open."""

    name: str
    points: str


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match as the arbiter sees it.

    Attributes:
        id: by which it is known.
        board: its number in the round; 0: it is not played.
        seats: who plays, and what each has.
        table: what the table is called that plays it; empty while none does.
        state: in a word what is known: open, playing, counts, or look.
        words: what else there is to say of it.
        by_arbiter: whether the arbiter has spoken.
        is_overdue: whether somebody who is not there by now has lost.
    """

    id: str
    board: int
    seats: tuple[SeatShown, ...]
    table: str
    user: str
    state: str
    words: tuple[str, ...]
    by_arbiter: bool
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round: its number, matches, byes and who sits out, and whether every match of it has a result."""

    number: int
    matches: tuple[MatchShown, ...]
    byes: tuple[str, ...]
    sits_out: tuple[str, ...]
    published_s: int | None
    is_finished: bool

    @property
    def open(self) -> int:
        """How many of its matches have no result yet."""
        return sum(match.state != "counts" for match in self.matches)


@dataclass(frozen=True, slots=True)
class StandingShown:
    """A line of the standings in words; the place is empty where it is shared with the line above."""

    place: str
    name: str
    rating: str
    points: str
    values: tuple[str, ...]
    has_left: bool


@dataclass(frozen=True, slots=True)
class EventShown:
    """An event as the arbiter's page shows it.

    Attributes:
        number: by which it is known.
        title: what it is called.
        words: game, system and options in a line.
        rounds: those that are paired, the latest first.
        planned: how many rounds there are to be.
        standings: who leads.
        tie_breaks: what their tie-breaks are called, in short and in full.
        edition: of FIDE's tie-breaks; empty where they are not FIDE's.
        keeps_old_places: whether it ended before its tie-breaks were mended, and keeps its places.
        moved: whose places the mend of the tie-breaks moves, from where to where.
        table: the crosstable.
        entrants: who takes part, as they entered.
        can_pair: whether the next round can be paired now.
        can_publish: whether the last round is not told to the tables yet.
        can_drop: whether the last round can be taken back.
        is_over: whether it was ended.
        is_pair: whether its matches are of two.
        can_sit_out: whether a player may ask not to be paired in the next round.
        can_enter: whether players may still enter: a round robin is fixed from its first round on.
        is_being_paired: whether the next round is being paired: nothing else is done meanwhile.
    """

    number: int
    title: str
    words: str
    rounds: tuple[RoundShown, ...]
    planned: int
    standings: tuple[StandingShown, ...]
    tie_breaks: tuple[tuple[str, str], ...]
    edition: str
    keeps_old_places: bool
    moved: tuple[tuple[str, int, int], ...]
    table: Crosstable
    entrants: tuple[Entrant, ...]
    can_pair: bool
    can_publish: bool
    can_drop: bool
    is_over: bool
    is_pair: bool
    can_sit_out: bool
    can_enter: bool
    is_being_paired: bool

    @property
    def next_round(self) -> int:
        """The number of the round that is paired next."""
        return len(self.rounds) + 1

    @property
    def resting(self) -> tuple[str, ...]:
        """Who sits out the next round; nobody once the event was ended."""
        if self.is_over:
            return ()
        return tuple(entrant.name for entrant in self.entrants if entrant.rests(self.next_round))

    @property
    def is_complete(self) -> bool:
        """Whether all rounds are played."""
        return len(self.rounds) >= self.planned and all(round_.is_finished for round_ in self.rounds)


def shown_event(held: HeldEvent, tables: Sequence[TableState], now_s: float) -> EventShown:
    """Return an event as the arbiter's page shows it."""
    event = held.event
    last = event.rounds[-1] if event.rounds else None
    all_finished = all(is_finished(event, round_) for round_ in event.rounds)
    return EventShown(
        number=held.number,
        title=event.made.title,
        words=event_words(event),
        rounds=tuple(_rounds(event, tables, now_s))[::-1],
        planned=event.rounds_planned,
        standings=shown_standings(event),
        tie_breaks=tuple((CODES[tie_break], WORDS[tie_break]) for tie_break in tie_breaks_of(event)),
        edition=event.edition if event.made.system is not System.GROUPS else "",
        keeps_old_places=event.keeps_old_places and event.made.system is not System.GROUPS,
        moved=moved_by_mend(event),
        table=crosstable(event),
        entrants=tuple(event.entrants.values()),
        can_pair=all_finished and not event.is_closed and event.next_round <= event.rounds_planned,
        can_publish=last is not None and last.published_s is None and not event.is_closed,
        can_drop=last is not None and not any(match.reports or match.ruling for match in last.matches),
        is_over=event.is_closed,
        is_pair=event.made.system is not System.GROUPS,
        can_sit_out=event.made.system is not System.ROUND_ROBIN and event.next_round <= event.rounds_planned,
        can_enter=not event.is_closed and not (event.rounds and event.made.system is System.ROUND_ROBIN),
        is_being_paired=held.is_being_paired,
    )


def waiting_words(held: HeldEvent, tables: Sequence[TableState], now_s: float) -> tuple[str, ...]:
    """Return what of an event waits for the arbiter, a sentence each; nothing of one that is over."""
    if held.event.is_closed:
        return ()
    matches = [match for round_ in _rounds(held.event, tables, now_s) for match in round_.matches]
    late = sum(match.is_overdue for match in matches)
    doubtful = sum(match.state == "look" for match in matches)
    sentences = (
        f"{_matches(late)} not begun in time: say who was not there." if late else "",
        f"{_matches(doubtful)} to be looked at: say what counts." if doubtful else "",
    )
    return tuple(filter(None, sentences))


def _matches(count: int) -> str:
    return f"{count} {'match is' if count == 1 else 'matches are'}"


def shown_standings(event: Event) -> tuple[StandingShown, ...]:
    """Return the standings in words."""
    return tuple(_standing(event, line, place) for place, line in placed(standings(event)))


def _standing(event: Event, line: Line, place: str) -> StandingShown:
    rating = "" if line.rating is None else str(line.rating)
    return StandingShown(place, line.name, rating, shown(line.halves), shown_values(event, line), line.has_left)


def _rounds(event: Event, tables: Sequence[TableState], now_s: float) -> Sequence[RoundShown]:
    late = {match.seated.id for match in overdue(event, now_s)}
    return [
        RoundShown(
            round_.number,
            tuple(shown_match(event, match, tables, is_overdue=match.seated.id in late) for match in round_.matches),
            tuple(event.name(player) for player in round_.byes),
            tuple(entrant.name for entrant in event.entrants.values() if entrant.rests(round_.number)),
            round_.published_s,
            is_finished(event, round_),
        )
        for round_ in event.rounds
    ]


def shown_match(event: Event, match: Match, tables: Sequence[TableState], *, is_overdue: bool = False) -> MatchShown:
    """Return a match as the arbiter sees it."""
    count = count_of(event, match)
    names = [event.name(seat) for seat in match.seated.seats]
    points = [""] * len(names) if count is None else [shown(halves) for halves in count.halves]
    if count is not None and not count.played:
        points = ["+" if halves else "-" for halves in count.halves]
    user = match.tables[-1] if match.tables else ""
    table = next((table for table in tables if table.user == user), None)
    words = [*doubts(event, match), *_told_otherwise(match)]
    playing = table is not None and table.pairing == match.seated.id
    state = (
        "look" if doubts(event, match) and count is None else "counts" if count else "playing" if playing else "open"
    )
    return MatchShown(
        match.seated.id,
        match.seated.board,
        tuple(SeatShown(name, point) for name, point in zip(names, points, strict=True)),
        user if table is None else table.title,
        user,
        state,
        tuple(words),
        match.ruling is not None,
        is_overdue and not playing,
    )


def _told_otherwise(match: Match) -> list[str]:
    """Return what the arbiter said of a match and why, and what its table says beside it."""
    if match.ruling is None:
        return []
    told = finished(match)
    said = "the arbiter says so" + (f": {match.ruling.why}" if match.ruling.why else "")
    if told is None or told.ending is None:
        return [said]
    return [said, f"its table told {ending_words(told.ending, told.seats)}"]
