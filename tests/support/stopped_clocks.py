"""Timed matches in which the clock stood still, played at a real board with honest dice; each as it is exported."""

from collections.abc import Callable
from typing import Any, Final

from tests.support.computer_table import ComputerTable
from tests.support.honest_match import SEED, exported

CLOCK: Final = {"clock": "5"}
UNCLEAR: Final = {**CLOCK, "fen": "4k4/n8/1p7/9/9/9/4K4/R7b w - - 0 1"}
EITHER_CAPTURE: Final = "-a1 -a7 +a7 -i1 +i1"
"""A rook takes one of two pieces, whichever: both were lifted and set down on."""


def at_boreas() -> ComputerTable:
    """Return a table at which Anne has moved, and Boreas's answer is to be made by a hand."""
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"), CLOCK, seed=SEED)
    table.touch("-e2 +e4")
    table.wait(500)
    table.press()
    table.wait(2000)
    table.thinks("e7e6")
    table.wait(30_000)
    return table


def hand_moved(table: ComputerTable) -> ComputerTable:
    """Make Boreas's move by hand, and let it press its clock."""
    table.touch("-e7 +e6")
    table.wait(1000)
    table.thinks("press-clock")
    table.wait(2000)
    return table


def moved() -> ComputerTable:
    """Return a table at which Anne has moved, and Bart thinks."""
    table = ComputerTable("captains-chess", ("Anne", "Bart"), CLOCK, seed=SEED)
    table.touch("-e2 +e4")
    table.wait(500)
    table.press()
    table.wait(5000)
    return table


def unclear() -> ComputerTable:
    """Return a table at which Anne has captured, and it is not clear what."""
    table = ComputerTable("captains-chess", ("Anne", "Bart"), UNCLEAR, seed=SEED)
    table.touch(EITHER_CAPTURE)
    table.wait(1000)
    return table


def asked() -> ComputerTable:
    """Return a table at which it is asked what was done, as Anne pressed the clock before that was clear."""
    table = unclear()
    table.press()
    table.wait(20_000)
    return table


def answer(table: ComputerTable) -> ComputerTable:
    table.pick("a1i1")
    table.wait(2000)
    return table


def by_hand() -> ComputerTable:
    """A hand made the computer's move."""
    return hand_moved(at_boreas())


def left_by_hand() -> ComputerTable:
    """The match was left while a hand had to move."""
    table = at_boreas()
    table.session.suspend(table.now_ms)
    table.cut_power()
    return hand_moved(table)


def cut_by_hand() -> ComputerTable:
    """The power was cut while a hand had to move."""
    table = at_boreas()
    table.cut_power()
    return hand_moved(table)


def answered() -> ComputerTable:
    """It was asked what was done, and answered."""
    return answer(asked())


def dismissed() -> ComputerTable:
    """It was asked what was done, the question was left, and asked again."""
    table = asked()
    table.pick("still-moving")
    table.wait(2000)
    table.press()
    table.wait(10_000)
    return answer(table)


def asked_in_hand() -> ComputerTable:
    """It was asked what was done while the opponent had lifted a piece already, which went back."""
    table = unclear()
    table.touch("-e8")
    table.press()
    table.wait(5000)
    table.touch("+e8")
    table.wait(5000)
    return answer(table)


def left() -> ComputerTable:
    """The match was left and taken up again."""
    table = moved()
    table.session.suspend(table.now_ms)
    table.cut_power()
    table.wait(3000)
    return table


def cut() -> ComputerTable:
    """The power was cut, and the match taken up again."""
    table = moved()
    table.cut_power()
    table.wait(3000)
    return table


WAYS: Final[dict[str, Callable[[], ComputerTable]]] = {
    way.__name__: way for way in (by_hand, left_by_hand, cut_by_hand, answered, dismissed, asked_in_hand, left, cut)
}


def stopped(way: str) -> dict[str, Any]:
    """Return the export of a match in which the clock stood still, resigned in the end."""
    table = WAYS[way]()
    table.pick("resign")
    table.wait(70_000)
    if not table.match.is_ended:  # resigning is chosen twice
        table.pick("resign")
        table.wait(70_000)
    return exported(table.entries())
