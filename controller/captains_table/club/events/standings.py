"""Computes the standings of an event, with points and tie-breaks, and its crosstable.

It also writes points and tie-break values as text, and finds players whose place changes under corrected tie-breaks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.club.events.entries import DRAW, TIE_BREAKS, WIN, System, TieBreak
from captains_table.club.events.event import ClubEvent, may_be_dropped
from captains_table.club.events.keizer import KeizerLine, keizer_table
from captains_table.club.events.player_rounds import (
    How,
    PlayerRound,
    counted_rounds,
    pairing_numbers,
    player_rounds,
    seeding,
    total_halves,
)
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS, Comparison, Form
from captains_table.phrases import say

SIGNS: Final = {WIN: "1", DRAW: "½", 0: "0"}
FORFEIT_SIGNS: Final = {WIN: "+", 0: "-"}
KEY_OF_ROUNDS: Final = say(
    "By rounds, against the number: + won, = drawn, - lost, * still open; w began, b did not; "
    "in brackets: somebody did not come; a mere - or ½: absent."
)
KEYS: Final = {
    System.SWISS: KEY_OF_ROUNDS,
    System.ROUND_ROBIN: say(
        "By opponents, by their numbers: 1 won, ½ drawn, 0 lost, * still open; + and -: not played; "
        "in brackets: counts for nobody."
    ),
    System.GROUPS: say(
        "By rounds: the points, and in brackets the numbers of those they were won against; * still open."
    ),
    System.KEIZER: KEY_OF_ROUNDS,
}
KEIZER_COLUMNS: Final = (
    Form(say("Value"), say("what a win against the player counts")),
    Form(say("Gain"), say("what the last round added to the score")),
    Form(say("Matches"), say("points by matches alone")),
)


@dataclass(frozen=True, slots=True)
class TieBreakResult:
    """A player's place (from 1; level players share it) and the values of the tie-breaks, each in its own unit."""

    place: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StandingsEntry:
    """A line of the standings.

    Attributes:
        place: the place, from 1; level players share a place.
        player: the player's number in the club.
        name: the player's name.
        halves: the player's points, in the event's units (half points).
        points: the text of the points, or in Keizer of the score.
        values: the values of the tie-breaks in the order of `tie_breaks_of`; `Form.scale` turns them into points.
        has_left: whether the player has withdrawn.
        keizer: the player's value, score and gain in a Keizer event.
    """

    place: int
    player: int
    name: str
    halves: int
    points: str
    values: tuple[int, ...]
    has_left: bool = False
    keizer: KeizerLine | None = None


def tie_breaks_of(event: ClubEvent) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of an event, in the order in which they are applied."""
    return event.made.tie_breaks or TIE_BREAKS[event.made.system]


def comparison_of(event: ClubEvent, until: int | None = None) -> Comparison:
    """Return the players' rounds, and the rules by which tie-breaks are computed from these rounds.

    `Comparison.rounds` is the planned number of rounds; in an ended event, it is the number of paired rounds.

    Args:
        event: the event.
        until: the last round that counts; `None` for all rounds.
    """
    return Comparison(
        counted_rounds(event, until),
        event.rounds_planned if not event.is_closed else len(event.rounds),
        event.edition,
        event.draw_units,
        is_round_robin=event.made.system is System.ROUND_ROBIN,
        is_corrected=event.made.system is not System.GROUPS and not event.keeps_old_places,
    )


def standings(event: ClubEvent, until: int | None = None) -> tuple[StandingsEntry, ...]:
    """Return the standings after the round `until` (`None`: after all rounds); the best player is first."""
    if event.made.system is System.KEIZER:
        return _by_keizer(event, until)
    comparison, numbers = comparison_of(event, until), pairing_numbers(event)
    places = ranked_by_tie_breaks(comparison, tie_breaks_of(event))
    order = sorted(event.entrants, key=lambda player: (places[player].place, numbers[player]))
    return tuple(
        _entry(event, player, comparison.history[player], places[player].place, places[player].values)
        for player in order
    )


def present_standings(event: ClubEvent) -> tuple[StandingsEntry, ...]:
    """Return the standings without the last round as long as none of its matches has a report or a ruling."""
    return standings(event, len(event.rounds) - 1 if may_be_dropped(event) else None)


def _by_keizer(event: ClubEvent, until: int | None) -> tuple[StandingsEntry, ...]:
    history = counted_rounds(event, until)
    lines = enumerate(keizer_table(event.keizer, seeding(event), history), 1)
    return tuple(_entry(event, line.player, history[line.player], place, keizer=line) for place, line in lines)


def _entry(
    event: ClubEvent,
    player: int,
    turnouts: tuple[PlayerRound, ...],
    place: int,
    values: tuple[int, ...] = (),
    keizer: KeizerLine | None = None,
) -> StandingsEntry:
    halves = total_halves(turnouts)
    points = points_text(halves, event.point_units) if keizer is None else points_text(*keizer.score.as_integer_ratio())
    has_left = event.entrants[player].is_gone
    return StandingsEntry(place, player, event.name(player), halves, points, values, has_left, keizer)


def ranked_by_tie_breaks(comparison: Comparison, tie_breaks: Sequence[TieBreak]) -> Mapping[int, TieBreakResult]:
    """Rank the players by points, then by the tie-breaks in order; return each player's place and tie-break values.

    The keys of the result are the players' numbers. A direct encounter is computed among the players who are level on
    points and on all earlier tie-breaks.
    """
    history = comparison.history
    keys: dict[int, tuple[int, ...]] = {player: (total_halves(turnouts),) for player, turnouts in history.items()}
    values: dict[int, tuple[int, ...]] = dict.fromkeys(history, ())
    for tie_break in tie_breaks:
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            found = _direct(comparison, keys)
            keys = {player: (*key, -found[player]) for player, key in keys.items()}
        else:
            found = {player: comparison.value(tie_break, player) for player in history}
            keys = {player: (*key, found[player]) for player, key in keys.items()}
        values = {player: (*before, found[player]) for player, before in values.items()}
    best_first = sorted(keys.values(), reverse=True)
    first: dict[tuple[int, ...], int] = {}
    for place, key in enumerate(best_first, 1):
        first.setdefault(key, place)
    return {player: TieBreakResult(first[key], values[player]) for player, key in keys.items()}


def moved_by_correction(event: ClubEvent) -> tuple[tuple[str, int, int], ...]:
    """Return (name, old place, new place) for each player whose place differs between the old and the new tie-breaks.

    The new tie-breaks follow FIDE's regulations in more details (`Comparison.is_corrected`). The tuples are sorted by
    the new place. The result is empty if the event is played in groups or by Keizer, or if it states an edition of the
    regulations, because an event with a stated edition never used the old tie-breaks.
    """
    if event.made.edition is not None or event.made.system in {System.GROUPS, System.KEIZER}:
        return ()
    corrected = replace(comparison_of(event), is_corrected=True)
    now, before = (
        ranked_by_tie_breaks(comparison, tie_breaks_of(event))
        for comparison in (corrected, replace(corrected, is_corrected=False))
    )
    moved = [player for player in event.entrants if now[player].place != before[player].place]
    return tuple(
        (event.name(player), before[player].place, now[player].place)
        for player in sorted(moved, key=lambda player: now[player].place)
    )


def placed(lines: Iterable[StandingsEntry]) -> Iterator[tuple[str, StandingsEntry]]:
    """Yield a pair for each line: its place as text (empty if the line above has the same place), and the line."""
    before = 0
    for line in lines:
        yield ("" if line.place == before else str(line.place)), line
        before = line.place


def points_text(halves: int, scale: int = 2) -> str:
    """Return points as people write them, such as 5½; thirds and other fractions have two decimals, such as 66.67.

    Args:
        halves: the number of points multiplied by `scale`.
        scale: 2 for half points, 4 for quarter points, 1 for whole points, and so on.
    """
    whole, part = divmod(halves, scale)
    if part * 4 % scale:
        return f"{halves / scale:.2f}"
    fraction = {0: "", 1: "¼", 2: "½", 3: "¾"}[part * 4 // scale]
    return fraction if fraction and not whole else f"{whole}{fraction}"


def columns_of(event: ClubEvent) -> tuple[Form, ...]:
    """Return the columns of the standings next to the points: the tie-breaks, or what Keizer has instead."""
    if event.made.system is System.KEIZER:
        return KEIZER_COLUMNS
    return tuple(TIE_BREAK_FORMS[tie_break] for tie_break in tie_breaks_of(event))


def shown_values(event: ClubEvent, line: StandingsEntry) -> tuple[str, ...]:
    """Return the text of each of `columns_of` in a player's line of the standings.

    The text of the direct encounter is empty if its value is 0, because no other player is then level with the player.
    """
    if line.keizer is not None:
        gain = points_text(*line.keizer.gain.as_integer_ratio())
        return str(line.keizer.value), gain, points_text(line.halves)
    scales = {2: event.point_units, 4: event.point_units**2}
    pairs = zip(tie_breaks_of(event), line.values, strict=True)
    return tuple(
        ""
        if tie_break is TieBreak.DIRECT_ENCOUNTER and not value
        else points_text(value, scales.get(TIE_BREAK_FORMS[tie_break].scale, 1))
        for tie_break, value in pairs
    )


def _direct(comparison: Comparison, keys: Mapping[int, tuple[int, ...]]) -> Mapping[int, int]:
    """Return each player's place, from 1, among the players on the same level; 0 for a player alone on a level.

    The places follow from the matches among players on the same level (the direct encounter).

    Args:
        comparison: the rounds and rules.
        keys: each player's values by the earlier criteria; players with equal values are on the same level.
    """
    by_key: dict[tuple[int, ...], set[int]] = {}
    for player, key in keys.items():
        by_key.setdefault(key, set()).add(player)
    found = dict.fromkeys(keys, 0)
    for level in by_key.values():
        if len(level) > 1:
            found |= comparison.direct_encounter(frozenset(level))
    return found


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A player's row: the line of the standings, and a cell for each round (in a round robin, for each opponent)."""

    line: StandingsEntry
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A crosstable: the headings of its columns, its rows, and a sentence that explains its cells."""

    headings: tuple[str, ...]
    rows: tuple[CrosstableRow, ...]
    key: str


def crosstable(event: ClubEvent) -> Crosstable:
    """Return an event's crosstable.

    The crosstable of a round robin has a column for each opponent. Any other crosstable has a column for each round.

    In a Swiss event, the cell "+5w" means that the player won against the fifth in the standings, and had the first
    seat ("b": the second). Instead of "+", "=" means drawn, "-" lost, and "*" that there is no result yet. Brackets
    mean that a player did not come. In groups, a cell has the points ("*": no result yet) and, in brackets, the
    opponents' positions in the standings. In both systems, a bye is "bye", and a round for which the player was away
    or sat out is "½" or "-" (no points).

    In a round robin, a cell has "1", "½", "0", "*", or "+" or "-" for a match that was not played; two matches against
    one opponent give two signs. The player's own column has "x".
    """
    lines = present_standings(event)
    if event.made.system is System.ROUND_ROBIN:
        return _by_opponents(event, lines)
    history = player_rounds(event)
    place = {line.player: order for order, line in enumerate(lines, 1)}
    rows = tuple(
        CrosstableRow(line, tuple(_by_round(event, turnout, place) for turnout in history[line.player]))
        for line in lines
    )
    return Crosstable(tuple(str(round_.number) for round_ in event.rounds), rows, KEYS[event.made.system])


def _by_opponents(event: ClubEvent, lines: tuple[StandingsEntry, ...]) -> Crosstable:
    history = player_rounds(event)
    cells: dict[tuple[int, int], str] = {}
    for player, turnouts in history.items():
        for turnout in turnouts:
            for other in turnout.opponents:
                is_annulled = event.entrants[player].is_annulled or event.entrants[other].is_annulled
                sign = f"({_sign(turnout)})" if is_annulled else _sign(turnout)
                cells[player, other] = cells.get((player, other), "") + sign
    rows = tuple(
        CrosstableRow(
            line, tuple("x" if other is line else cells.get((line.player, other.player), "") for other in lines)
        )
        for line in lines
    )
    return Crosstable(tuple(str(order) for order in range(1, len(lines) + 1)), rows, KEYS[event.made.system])


def _sign(turnout: PlayerRound) -> str:
    if turnout.how is How.PENDING:
        return "*"
    return SIGNS[turnout.halves] if turnout.how is How.PLAYED else FORFEIT_SIGNS[turnout.halves]


def _by_round(event: ClubEvent, turnout: PlayerRound, place: dict[int, int]) -> str:
    match turnout.how:
        case How.BYE:
            return "bye"
        case How.SAT_OUT | How.AWAY:
            return points_text(turnout.halves, event.point_units) if turnout.halves else "-"
    if event.made.system is System.GROUPS:
        met = " ".join(str(place[other]) for other in turnout.opponents)
        return f"{'*' if turnout.how is How.PENDING else points_text(turnout.halves, event.point_units)} ({met})"
    sign = "*" if turnout.how is How.PENDING else {WIN: "+", DRAW: "=", 0: "-"}[turnout.halves]
    cell = f"{sign}{place[turnout.opponents[0]]}{'w' if turnout.began else 'b'}"
    return f"({cell})" if turnout.how is How.FORFEIT else cell
