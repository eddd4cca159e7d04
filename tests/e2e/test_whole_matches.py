"""A whole match of every game, from first throw or move to winner: by mouse, by one finger, or by keyboard alone.

Every day each game is played in one way, and each way is used; at length, every game in every way.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import TellDice
from tests.e2e.ways_to_play import ByFinger, ByKeys
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import LAPTOP, PHONE
from tests.support.person_at_page import Person

pytestmark = [pytest.mark.browser, pytest.mark.long]
Way = tuple[type[Person], dict[str, Any]]
WAYS: dict[str, Way] = {
    "mouse": (Person, LAPTOP),
    "finger": (ByFinger, PHONE),
    "keyboard": (ByKeys, LAPTOP),
}
TWO = ("Anne", "Bart")
FACES = "6543265431"  # both have a crew, Anne with 5 of cargo, Bart with 4
MIXED = "654321256134"
PAWNS = "fen=7k/4p1P1/8/8/1p6/P7/8/4K3 w - - 0 1"  # whatever the die shows, a pawn may move
MATE = [("e2", "e3"), ("e7", "e5"), ("d1", "h5"), ("e8", "e7"), ("h5", "e5")]
BOXES = 16


def ways(*everyday: str) -> pytest.MarkDecorator:
    """Play a test in these ways every day, and in all of them at length."""
    played = WAYS if LONG_RUN else everyday
    return pytest.mark.parametrize("way", [WAYS[name] for name in played], ids=played)


def sit_down(
    way: Way, tell_dice: TellDice, visitor: Visitor, *arguments: str, names: tuple[str, ...] = TWO, faces: str = FACES
) -> Person:
    """Start a table, open its page, and return who plays there."""
    kind, window = way
    table = tell_dice(faces, *arguments, names=names)
    visitor.accept("409 (Conflict)")  # somebody may be sooner than the switches have settled, and answers again
    return kind(visitor.open(table.printed, **window), table)


def wins(person: Person) -> None:
    expect(person.page.locator("#prompt .prompt")).to_have_text("Anne wins the match")


@ways("finger")
def test_a_match_of_legend(way: Way, tell_dice: TellDice, visitor: Visitor) -> None:
    anne = sit_down(way, tell_dice, visitor, "legend", "rounds=1", PAWNS)
    anne.pawn_turn("a3", "b4")
    anne.pawn_turn("e7", "e6")
    anne.hold_roll()
    anne.click("g7", "h8")
    anne.choose("g7h8q")
    anne.end_turn()
    wins(anne)


@ways("keyboard")
def test_a_match_of_captains_chess(way: Way, tell_dice: TellDice, visitor: Visitor) -> None:
    anne = sit_down(way, tell_dice, visitor, "captains-chess")
    for start, end in MATE:
        anne.click(start, end)
        expect(anne.square(end)).to_have_attribute("aria-label", re.compile(f" on {end}, last move"))
    wins(anne)


@ways("keyboard")
def test_a_match_of_ship_captain_and_crew(way: Way, tell_dice: TellDice, visitor: Visitor) -> None:
    anne = sit_down(way, tell_dice, visitor, "ship-captain-crew", "mode=single", "order=seated")
    for _ in TWO:
        anne.hold_roll()
        anne.choose("stand")
    wins(anne)


@ways("mouse")
def test_a_match_of_swashbuckle(way: Way, tell_dice: TellDice, visitor: Visitor) -> None:
    anne = sit_down(way, tell_dice, visitor, "swashbuckle", "order=seated", names=("Anne",), faces=MIXED)
    for _ in range(BOXES):
        anne.hold_roll()
        anne.choose(next(id_ for id_ in anne.offers() if id_.startswith(("score-", "scuttle-"))))
    expect(anne.page.locator("#prompt .prompt")).to_contain_text("Anne ends with")
