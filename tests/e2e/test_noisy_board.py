"""The page's switch "noisy board": switches as on a real board, and moves that are understood all the same."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SitDown
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
MOVES = [("e7", "e5"), ("a2", "a4")]


def flickers(person: Person) -> int:
    """Return how many raw changes of all switches were no more than bounce."""
    with urllib.request.urlopen(f"{person.table.origin}/switches.json") as answer:
        return sum(report["flickers"] for report in json.load(answer)["switches"])


def test_moves_clicked_on_a_noisy_board_are_understood(sit_down: SitDown, visitor: Visitor) -> None:
    visitor.accept("409 (Conflict)")  # an answer while a neighbour's switch still flickers is given again
    anne = sit_down()
    anne.open_drawer()
    switch = anne.page.get_by_role("switch", name="Noisy board")
    expect(switch).to_have_attribute("aria-checked", "false")
    anne.pawn_turn("g2", "g4")
    assert flickers(anne) == 0
    anne.open_drawer()
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true")
    for start, end in MOVES:
        anne.pawn_turn(start, end)
        expect(anne.square(end)).to_have_attribute("aria-label", re.compile("pawn"))
    assert flickers(anne) > 0
    anne.open_drawer()
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
