"""Whole matches of every game against computers, at the page: by mouse, and over a power cut while one thinks."""

import re
from collections.abc import Callable, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.support.against_computers import MOST_DEEDS, PLAIN
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import LAPTOP, shifts, watch_shifts
from tests.support.nursery import Nursery
from tests.support.person_at_page import POLL_MS, Person
from tests.support.quick_computers import HONEST
from tests.support.table_process import TableProcess

pytestmark = pytest.mark.browser
LADDER = "fen=4k4/9/R8/8p/9/9/9/1R2K4 w - - 0 1"  # two rooks drive the king to the edge, wherever he goes
MATE = (("b1", "b7"), ("a6", "a8"))
WATCH_GLIDES: Final = """() => {
  window.glided = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.classList.contains("arriving")) window.glided.push(target.getAttribute("href"));
    }
  }).observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
}"""
CUT_OFF: Final = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED_ENCODING")  # by a kill
THROWS: Final = '#roll [aria-disabled="false"]'
ANSWERS: Final = "#ask [data-pick]:not(.risky):visible"
IS_ASKED: Final = """() => {
  if (document.querySelector('#ask a[href="/matches/current"]')) return "over";
  const answers = document.querySelector("#ask [data-pick]:not(.risky)");
  const throws = document.querySelector('#roll [aria-disabled="false"]');
  return answers || throws ? "asked" : null;
}"""
MAY_MOVE: Final = """() => [...document.querySelectorAll('[data-to]:not([data-to=""])')].map(
(square) => [square.dataset.square, square.dataset.to.split(" ")[0]])"""
OVER: Final = re.compile("wins|drawn|share")
LEGEND = ("legend", "rounds=1", "turn_limit=2")
MATCHES = {
    "legend": (LEGEND, ("Anne", "aether:1"), ()),
    "captains-chess": (("captains-chess", LADDER), ("Anne", "boreas:1"), MATE),
    "ship-captain-crew": (
        ("ship-captain-crew", "mode=single", "order=seated"),
        ("Anne", "zephyr:1", "zephyr:1"),
        (),
    ),
}
PLAYED = list(MATCHES) if LONG_RUN else ["captains-chess", "ship-captain-crew"]  # Legend is played over a power cut
QuickTable = Callable[..., TableProcess]


class AtThePage:
    """Plays by the mouse.

    Args:
        person: who sits at the page.
        plan: the moves to be made on the board, the first first; else any.
    """

    def __init__(self, person: Person, plan: Sequence[tuple[str, str]] = ()) -> None:
        self.person, self.page = person, person.page
        self._plan = list(plan)
        self.deeds = 0

    def play(self, most: int = MOST_DEEDS) -> bool:
        """Play until the match is over, or so much was done; return whether it is over."""
        for _ in range(most):
            asked = self.page.wait_for_function(IS_ASKED, polling=POLL_MS).json_value()
            if asked == "over":
                return True
            self.person.catch_up()
            self._do()
            self.deeds += 1
        return False

    def _do(self) -> None:
        offers = self.person.offers()
        plain = next((id_ for each in PLAIN for id_ in offers if id_.startswith(each)), None)
        may_move = self.page.evaluate(MAY_MOVE)
        if plain is not None and self.person.button(plain).is_visible():
            self.person.choose(plain)
        elif may_move:
            self._move(*(self._plan.pop(0) if self._plan else may_move[0]))
        elif self.page.locator(THROWS).count():
            self.person.hold_roll()
        else:  # nothing plain is in sight, as where only a raid is offered
            self.person.choose(self.page.locator(ANSWERS).first.get_attribute("data-pick") or "")

    def _move(self, start: str, end: str) -> None:
        before = self.page.locator("#log").text_content()
        self.person.click(start, end)
        self.page.wait_for_function(
            "(before) => document.getElementById('log').textContent !== before", arg=before, polling=POLL_MS
        )


@pytest.fixture
def quick_table(open_table: OpenTable, nursery: Nursery) -> QuickTable:
    """Return what starts a table with honest dice, whose computers leave people little time to follow."""
    program = nursery.program("tests.support.quick_computers:serve_quickly", HONEST)
    return lambda *arguments: open_table("play", *arguments, program=program)


def entries(page: Page, table: TableProcess) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.request.get(f"{table.origin}/export/1.json").json()["entries"]
    return found


def children(parent: int) -> set[int]:
    threads = Path(f"/proc/{parent}/task").glob("*/children")
    return {int(pid) for thread in threads for pid in thread.read_text(encoding="ascii").split()}


def is_at_work(pid: int) -> bool:
    """Return whether a process is there, and not only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYED)
def test_a_whole_match_against_computers_by_mouse(game: str, quick_table: QuickTable, visitor: Visitor) -> None:
    """Nothing jumps meanwhile, pieces glide, the result is said, and the export has what the computers did."""
    words, names, plan = MATCHES[game]
    table = quick_table(*words, "--players", *names)
    visitor.accept("409 (Conflict)")
    page = visitor.open(table.printed, reduced_motion="no-preference", **LAPTOP)
    watch_shifts(page)
    page.evaluate(WATCH_GLIDES)
    title = names[-1].partition(":")[0].capitalize()
    expect(page.locator("#tallies .computer").first).to_have_text("level 1")
    assert AtThePage(Person(page, table), plan).play()
    expect(page.locator("#prompt .prompt")).to_have_text(OVER)
    assert shifts(page) == []
    if page.locator("#board svg.board").count():
        glided = [art for art in page.evaluate("window.glided") if "#black-" in art]
        assert glided, f"{title}'s pieces did not glide"
    started, *others = entries(page, table)
    assert started["kinds"] == ["human", *("computer" for _ in names[1:])]
    acted = [entry for entry in others if entry["entry"] == "acted" and entry["seat"] == len(names) - 1]
    assert acted, f"{title} never did anything"


def test_a_table_killed_while_a_computer_thinks_goes_on_and_nothing_is_lost(
    quick_table: QuickTable, visitor: Visitor
) -> None:
    table = quick_table(*LEGEND, "--think", "30", "--players", "Anne", "aether:6")
    visitor.accept("409 (Conflict)")
    anne = Person(visitor.open(table.printed, **LAPTOP), table)
    player = AtThePage(anne)
    while not anne.page.locator("#prompt .prompt").inner_text().startswith("Aether"):
        player.play(most=1)
    expect(anne.page.locator("#prompt .prompt")).to_have_text("Aether thinks")
    written = entries(anne.page, table)
    (worker,) = children(table.process.pid)
    assert is_at_work(worker)
    visitor.accept(*CUT_OFF, at=table.origin)
    table.kill()
    again = quick_table()
    anne = Person(visitor.open(again.printed, **LAPTOP), again)
    after = entries(anne.page, again)
    assert after[: len(written)] == written
    assert [entry["entry"] for entry in after].count("resumed") == 1
    assert AtThePage(anne).play()
    expect(anne.page.locator("#prompt .prompt")).to_have_text(OVER)
    assert not is_at_work(worker), "the thought went on without its table"


def test_a_seat_is_given_to_a_computer_and_taken_over_again(quick_table: QuickTable, visitor: Visitor) -> None:
    table = quick_table("swashbuckle", "order=seated", "--players", "Anne", "eurus:1")
    visitor.accept("409 (Conflict)")
    anne = Person(visitor.open(table.printed, **LAPTOP), table)
    page, player = anne.page, AtThePage(anne)
    player.play(most=2)
    anne.open_drawer()
    page.locator('select[name="player-0"]').select_option("eurus:1")
    page.get_by_role("button", name="Let Eurus play on for Anne").click()
    expect(page.locator("#tallies .computer").first).to_have_text("Eurus, level 1")
    expect(page.locator("#heading")).to_contain_text("Turn 4 of 16")
    answered = HTTPStatus.CONFLICT
    while answered == HTTPStatus.CONFLICT:  # Eurus may have thrown in the same moment
        with page.expect_response("**/player*") as response:
            page.get_by_role("button", name="Take over Anne's seat").click()
        answered = HTTPStatus(response.value.status)
    anne.close_drawer()
    expect(page.locator("#tallies .computer")).to_have_count(1)
    assert not player.play(most=3)
    sat = [entry["player"] for entry in entries(page, table) if entry["entry"] == "seated"]
    assert sat == ["eurus:1", ""]
