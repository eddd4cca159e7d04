"""Proposes another level for a rematch against a computer, after several matches in a row were lost or won."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from msgspec.structs import replace

from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.table.lobby.match_setup import Start

IN_A_ROW: Final = 3


@dataclass(frozen=True, slots=True)
class FinishedStart:
    """A finished match: how it was started, and the winner's seat (`None` if nobody won alone)."""

    start: Start
    winner: int | None


def other_level(again: Start, levels: Sequence[int], finished: Iterable[FinishedStart]) -> Start | None:
    """Return a rematch at the next lower or higher level; `None` if no other level is proposed.

    A lower level is proposed if the person lost the last IN_A_ROW matches of the game against this computer, all at the
    present level. A higher level is proposed if the person won them. Only matches of one person against one computer
    count.

    Args:
        again: the rematch at the present level.
        levels: the levels of the computer.
        finished: the finished matches, the latest first.
    """
    pair = _person_and_computer(again)
    if pair is None:
        return None
    person, computer = pair
    results = list(islice(_results(person, computer, again.game, finished), IN_A_ROW))
    if len(results) < IN_A_ROW or len(set(results)) > 1 or results[0] is None:
        return None
    level = min((each for each in levels if each > computer.level), default=None)
    if not results[0]:
        level = max((each for each in levels if each < computer.level), default=None)
    if level is None:
        return None
    other = str(ComputerSeat(computer.key, level))
    return replace(again, names=tuple(name if name == person else other for name in again.names))


def computer_of(start: Start) -> ComputerSeat | None:
    """Return the computer in a match of one person against one computer; `None` for any other match."""
    pair = _person_and_computer(start)
    return None if pair is None else pair[1]


def _results(
    person: str, computer: ComputerSeat, game: str, finished: Iterable[FinishedStart]
) -> Iterable[bool | None]:
    """Yield whether the person won each match of a game against a computer, the latest first.

    Yield `None` for a drawn match, and for a match at another level.
    """
    for match in finished:
        pair = _person_and_computer(match.start) if match.start.game == game else None
        if pair is not None and pair[0] == person and pair[1].key == computer.key:
            is_comparable = match.winner is not None and pair[1].level == computer.level
            yield match.start.names[match.winner or 0] == person if is_comparable else None


def _person_and_computer(start: Start) -> tuple[str, ComputerSeat] | None:
    """Return the person's name and the computer of a match between the two; `None` for any other match."""
    persons, computers = [], []
    for name in start.names:
        try:
            computers.append(ComputerSeat.parsed(name))
        except NoSuchOpponent:
            persons.append(name)
    return (persons[0], computers[0]) if (len(persons), len(computers)) == (1, 1) else None
