"""Who leads: points, then what parts those who are level."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from captains_table.club.events.entries import TIE_BREAKS, TieBreak
from captains_table.club.events.event import Event
from captains_table.club.events.records import How, Records, pairing_numbers, points, records
from captains_table.club.events.tie_breaks import SCALE, direct_encounter, value_of


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings.

    Attributes:
        place: from 1; whom nothing parts share one.
        player: his number in the club.
        name: what he is called.
        rating: what he was rated when he entered.
        halves: his half points.
        played: how many matches he has played.
        values: what parts him from those with as many points, in the order of `tie_breaks_of`, as it is counted.
        has_left: whether he has withdrawn.
    """

    place: int
    player: int
    name: str
    rating: int | None
    halves: int
    played: int
    values: tuple[int, ...]
    has_left: bool = False


def tie_breaks_of(event: Event) -> tuple[TieBreak, ...]:
    """Return what parts those of equal points in an event, the first first."""
    return event.made.tie_breaks or TIE_BREAKS[event.made.system]


def standings(event: Event, until: int | None = None) -> tuple[Line, ...]:
    """Return the standings, the best first; `until`: after this round instead of after all."""
    history, numbers = records(event, until), pairing_numbers(event)
    values = _values(event, history)
    keys = {player: (points(history[player]), *values[player]) for player in event.entrants}
    order = sorted(event.entrants, key=lambda player: (*(-value for value in keys[player]), numbers[player]))
    ranked = sorted(keys.values(), reverse=True)
    return tuple(_line(event, history, player, ranked.index(keys[player]) + 1, values[player]) for player in order)


def placed(lines: Iterable[Line]) -> Iterator[tuple[str, Line]]:
    """Yield each line with its place as people write it: empty where it is shared with the line above."""
    before = 0
    for line in lines:
        yield ("" if line.place == before else str(line.place)), line
        before = line.place


def shown(halves: int, scale: int = 2) -> str:
    """Return a value as people write it: 5½, and ¼ where it is of Sonneborn-Berger."""
    whole, part = divmod(halves, scale)
    fraction = {0: "", 1: "¼", 2: "½", 3: "¾"}[part * 4 // scale]
    return fraction if fraction and not whole else f"{whole}{fraction}"


def shown_values(event: Event, line: Line) -> tuple[str, ...]:
    """Return a line's tie-breaks as people write them."""
    pairs = zip(tie_breaks_of(event), line.values, strict=True)
    return tuple(shown(value, SCALE[tie_break]) for tie_break, value in pairs)


def _line(event: Event, history: Records, player: int, place: int, values: tuple[int, ...]) -> Line:
    entrant = event.entrants[player]
    played = sum(turnout.how is How.PLAYED for turnout in history[player])
    halves = points(history[player])
    return Line(place, player, entrant.name, entrant.rating, halves, played, values, entrant.is_gone)


def _values(event: Event, history: Records) -> Mapping[int, tuple[int, ...]]:
    """Return each player's tie-breaks; the direct encounter of those whom nothing before it has parted."""
    values: dict[int, tuple[int, ...]] = dict.fromkeys(event.entrants, ())
    for tie_break in tie_breaks_of(event):
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            found = _direct(history, values)
        else:
            found = {player: value_of(tie_break, history, player) for player in values}
        values = {player: (*before, found[player]) for player, before in values.items()}
    return values


def _direct(history: Records, values: Mapping[int, tuple[int, ...]]) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for level in _level({player: (points(history[player]), *before) for player, before in values.items()}):
        found |= direct_encounter(history, level) if len(level) > 1 else dict.fromkeys(level, 0)
    return found


def _level(keys: Mapping[int, Sequence[int]]) -> Iterable[frozenset[int]]:
    by_key: dict[tuple[int, ...], set[int]] = {}
    for player, key in keys.items():
        by_key.setdefault(tuple(key), set()).add(player)
    return [frozenset(level) for level in by_key.values()]
