"""Timed matches in which the clock stood still, played at a real board with honest dice; each as it is exported."""

from collections.abc import Callable
from typing import Any, Final

from tests.support.computer_table import ComputerTable
from tests.support.honest_match import SEED, exported

CLOCK: Final = {"clock": "5"}
UNCLEAR: Final = {**CLOCK, "fen": "4k4/n8/1p7/9/9/9/4K4/R7b w - - 0 1"}
EITHER_CAPTURE: Final = "-a1 -a7 +a7 -i1 +i1"
"""A rook takes one of two pieces, whichever: both were lifted and set down on."""


def moved(opponent: str = "Bart") -> ComputerTable:
    """Return a table at which Anne has moved, and the opponent thinks."""
    table = ComputerTable("captains-chess", ("Anne", opponent), CLOCK, seed=SEED)
    table.touch("-e2 +e4")
    table.wait(500)
    table.press()
    table.wait(5000)
    return table


def at_boreas() -> ComputerTable:
    """Return a table at which Anne has moved, and Boreas's answer is to be made by a hand."""
    table = moved("boreas:1")
    table.thinks("e7e6")
    table.wait(30_000)
    return table


def by_hand(table: ComputerTable) -> ComputerTable:
    """Make Boreas's move by hand, and let it press its clock."""
    table.touch("-e7 +e6")
    table.wait(1000)
    table.thinks("press-clock")
    table.wait(2000)
    return table


def cut(table: ComputerTable, *, is_left: bool = False) -> ComputerTable:
    """Cut the power, or leave the match in good order, and take it up again."""
    if is_left:
        table.session.suspend(table.now_ms)
    table.cut_power()
    table.wait(3000)
    return table


def unclear() -> ComputerTable:
    """Return a table at which Anne has captured, and it is not clear what."""
    table = ComputerTable("captains-chess", ("Anne", "Bart"), UNCLEAR, seed=SEED)
    table.touch(EITHER_CAPTURE)
    table.wait(1000)
    return table


def asked(*, is_lifted: bool = False) -> ComputerTable:
    """Return a table at which it is asked what was done, as Anne pressed the clock before that was clear.

    The opponent may have lifted a piece already, which goes back.
    """
    table = unclear()
    table.touch("-e8" if is_lifted else "")
    table.press()
    table.wait(5000)
    table.touch("+e8" if is_lifted else "")
    table.wait(5000 if is_lifted else 15_000)
    return table


def dismissed() -> ComputerTable:
    """Return a table at which it was asked what was done, the question was left, and asked again."""
    table = asked()
    table.pick("still-moving")
    table.wait(2000)
    table.press()
    table.wait(10_000)
    return table


def answer(table: ComputerTable) -> ComputerTable:
    table.pick("a1i1")
    table.wait(2000)
    return table


def put_back() -> ComputerTable:
    """Return a table at which two moves were taken back with the opponent's consent, and the pieces put back."""
    table = ComputerTable("chess", ("Anne", "Bart"), CLOCK, seed=SEED)
    for words in ("-e2 +e4", "-e7 +e5"):
        table.touch(words)
        table.wait(500)
        table.press()
    table.pick("offer-takeback")
    table.pick("agree")
    table.wait(29_000)
    table.touch("-e4 +e2 -e5 +e7")
    table.wait(1000)
    return table


WAYS: Final[dict[str, Callable[[], ComputerTable]]] = {
    "by_hand": lambda: by_hand(at_boreas()),  # a hand made the computer's move
    "left_by_hand": lambda: by_hand(cut(at_boreas(), is_left=True)),
    "cut_by_hand": lambda: by_hand(cut(at_boreas())),
    "put_back": put_back,
    "answered": lambda: answer(asked()),  # it was asked what was done, and answered
    "dismissed": lambda: answer(dismissed()),
    "asked_in_hand": lambda: answer(asked(is_lifted=True)),
    "left": lambda: cut(moved(), is_left=True),
    "cut": lambda: cut(moved()),
}


def stopped(way: str) -> dict[str, Any]:
    """Return the export of a match in which the clock stood still, resigned in the end."""
    table = WAYS[way]()
    for _ in range(2):  # resigning is chosen twice
        if not table.match.is_ended:
            table.pick("resign")
            table.wait(70_000)
    return exported(table.entries())
