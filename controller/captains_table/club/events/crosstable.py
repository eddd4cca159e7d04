"""The crosstable: for each player whom he met, and how it ended, round by round or opponent by opponent."""

from dataclasses import dataclass
from typing import Final

from captains_table.club.events.entries import DRAW, WIN, System
from captains_table.club.events.event import Event
from captains_table.club.events.records import How, Turnout, records
from captains_table.club.events.standings import Line, shown, standings

SIGNS: Final = {WIN: "1", DRAW: "½", 0: "0"}
FORFEIT_SIGNS: Final = {WIN: "+", 0: "-"}
KEYS: Final = {
    System.SWISS: (
        "By rounds, against the number: + won, = drawn, - lost, * still open; w began, b did not; "
        "in brackets: somebody did not come."
    ),
    System.ROUND_ROBIN: "By opponents, by their numbers: 1 won, ½ drawn, 0 lost, * still open; + and -: not played.",
    System.GROUPS: "By rounds: the points, and in brackets the numbers of those they were won against; * still open.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row: his line of the standings, and a cell for each round, or for each line where all meet all."""

    line: Line
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A crosstable: what its columns are called, its rows, and in a sentence how its cells are read."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    key: str


def crosstable(event: Event) -> Crosstable:
    """Return an event's crosstable: by opponents of a round robin, else by rounds.

    A cell by rounds is "+5w": won against the fifth in the standings, having begun; `=` drawn, `-` lost, `*` not played
    yet, with brackets where somebody did not come; "bye", and "½" or "-" where a round was left out. In groups a cell
    has the points.
    """
    lines = standings(event)
    if event.made.system is System.ROUND_ROBIN:
        return _by_opponents(event, lines)
    history = records(event)
    place = {line.player: order for order, line in enumerate(lines, 1)}
    rows = tuple(
        Row(line, tuple(_by_round(event, turnout, place) for turnout in history[line.player])) for line in lines
    )
    return Crosstable(tuple(str(round_.number) for round_ in event.rounds), rows, KEYS[event.made.system])


def _by_opponents(event: Event, lines: tuple[Line, ...]) -> Crosstable:
    history = records(event)
    cells: dict[tuple[int, int], str] = {}
    for player, turnouts in history.items():
        for turnout in turnouts:
            for other in turnout.opponents:
                cells[player, other] = cells.get((player, other), "") + _sign(turnout)
    rows = tuple(
        Row(line, tuple("x" if other is line else cells.get((line.player, other.player), "") for other in lines))
        for line in lines
    )
    return Crosstable(tuple(str(order) for order in range(1, len(lines) + 1)), rows, KEYS[event.made.system])


def _sign(turnout: Turnout) -> str:
    if turnout.how is How.PENDING:
        return "*"
    return SIGNS[turnout.halves] if turnout.how is How.PLAYED else FORFEIT_SIGNS[turnout.halves]


def _by_round(event: Event, turnout: Turnout, place: dict[int, int]) -> str:
    match turnout.how:
        case How.BYE:
            return "bye"
        case How.SAT_OUT | How.AWAY:
            return "½" if turnout.halves else "-"
    if event.made.system is System.GROUPS:
        met = " ".join(str(place[other]) for other in turnout.opponents)
        return f"{'*' if turnout.how is How.PENDING else shown(turnout.halves)} ({met})"
    sign = "*" if turnout.how is How.PENDING else {WIN: "+", DRAW: "=", 0: "-"}[turnout.halves]
    cell = f"{sign}{place[turnout.opponents[0]]}{'w' if turnout.began else 'b'}"
    return f"({cell})" if turnout.how is How.FORFEIT else cell
