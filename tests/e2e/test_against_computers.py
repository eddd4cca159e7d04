"""Matches against computers at the page: by mouse, given to a computer on the way, and over a power cut."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import chess
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.against_computers import LADDER, MATE, MOST_DEEDS, PLAIN
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import LAPTOP, shifts, watch_shifts
from tests.support.person_at_page import POLL_MS, Person
from tests.support.told_dice import HONEST
from tests.support.tools import stockfish

pytestmark = pytest.mark.browser
WATCH_GLIDES: Final = """() => {
  window.glided = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.classList.contains("arriving")) window.glided.push(target.getAttribute("href"));
    }
  }).observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
}"""
CUT_OFF: Final = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED_ENCODING")  # by a kill
IS_ASKED: Final = """() => {
  if (document.querySelector('#result .result')) return "over";
  const answers = document.querySelector("#ask [data-pick]:not(.risky)");
  const throws = document.querySelector('#roll [aria-disabled="false"]');
  return answers || throws ? "asked" : null;
}"""
MAY_MOVE: Final = """() => [...document.querySelectorAll('[data-to]:not([data-to=""])')].map(
(square) => [square.dataset.square, square.dataset.to.split(" ")[0]])"""
FOOLS: Final = (("f2", "f3"), ("g2", "g4"))  # with which a match of chess is lost soonest
OVER: Final = re.compile("wins|^A draw|share")


class AgainstComputers(Person):
    """Plays by the mouse, the plainest thing that is asked."""

    def play(self, most: int = MOST_DEEDS, plan: Sequence[tuple[str, str]] = ()) -> bool:
        """Play until the match is over, or so much was done; return whether it is over."""
        moves = list(plan)
        for _ in range(most):
            asked = self.page.wait_for_function(IS_ASKED, polling=POLL_MS).json_value()
            if asked == "over":
                return True
            self._do(moves)
        return False

    def _do(self, plan: list[tuple[str, str]]) -> None:
        offers = self.offers()
        plain = next((id_ for each in PLAIN for id_ in offers if id_.startswith(each)), None)
        may_move = self.page.evaluate(MAY_MOVE)
        if plain is not None and self.button(plain).is_visible():
            self.choose(plain)
        elif may_move:
            before = self.page.locator("#log").text_content()
            self.click(*(plan.pop(0) if plan else may_move[0]))
            is_told = "(before) => document.getElementById('log').textContent !== before"
            self.page.wait_for_function(is_told, arg=before, polling=POLL_MS)
        else:
            self.hold_roll()

    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.request.get(f"{self.table.origin}/export/1.json").json()["entries"]
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


def test_a_match_against_a_computer_is_won_by_mouse_pieces_glide_and_nothing_jumps(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "captains-chess", LADDER, "--players", "Anne", "boreas:1", dice=HONEST)
    visitor.accept("409 (Conflict)")
    page = visitor.open(table.printed, is_drawn=True, reduced_motion="no-preference", **LAPTOP)
    watch_shifts(page)
    page.evaluate(WATCH_GLIDES)
    expect(page.locator("#tallies .computer[title]")).to_have_text("(beginner)")
    anne = AgainstComputers(page, table)
    assert anne.play(plan=MATE)
    expect(page.locator("#prompt .prompt")).to_have_text(OVER)
    assert shifts(page) == []
    assert [art for art in page.evaluate("window.glided") if "#black-" in art], "Boreas's pieces did not glide"
    started, *others = anne.entries()
    assert started["kinds"] == ["human", "computer"]
    assert [entry for entry in others if entry["entry"] == "acted" and entry["seat"] == 1]


@pytest.mark.long
def test_a_whole_match_against_stockfish_is_played_by_mouse(open_table: OpenTable, visitor: Visitor) -> None:
    """Anne makes the first move that she may, until she is mated; in the suite she helps."""
    assert stockfish()
    table = open_table("play", "chess", "--think", "0.1", "--players", "Anne", "stockfish:9", dice=HONEST)
    table.expected_complaints = None  # that it starts slowly, on a busy machine
    visitor.accept("409 (Conflict)")
    anne = AgainstComputers(visitor.open(table.printed, **LAPTOP), table)
    assert anne.play(plan=() if LONG_RUN else FOOLS)
    expect(anne.page.locator("#prompt .prompt")).to_have_text("Stockfish wins the match")
    board = chess.Board()
    acted = [entry for entry in anne.entries() if entry["entry"] == "acted"]
    for number, entry in enumerate(acted):
        assert entry["seat"] == number % 2
        board.push_uci(entry["action"]["id"])
    assert board.is_checkmate()


def test_a_seat_is_given_to_a_computer_and_taken_over_again_in_the_midst_of_a_match(
    open_table: OpenTable, visitor: Visitor
) -> None:
    words = ("order=seated", "--players", "Anne", "zephyr:1")
    table = open_table("play", "ship-captain-crew", *words, dice=HONEST)
    visitor.accept("409 (Conflict)")
    anne = AgainstComputers(visitor.open(table.printed, **LAPTOP), table)
    page = anne.page
    anne.play(most=2)
    anne.open_drawer()
    page.locator('select[name="player-0"]').select_option("zephyr:1")
    page.get_by_role("button", name="Hand over Anne's seat").click()
    expect(page.locator("#tallies .computer[title]").first).to_contain_text("(Zephyr, beginner)")
    answered = HTTPStatus.CONFLICT
    while answered == HTTPStatus.CONFLICT:  # Zephyr may have thrown in the same moment
        with page.expect_response("**/player*") as response:
            page.get_by_role("button", name="Play it yourself in Anne's seat").click()
        answered = HTTPStatus(response.value.status)
    anne.close_drawer()
    expect(page.locator("#tallies .computer[title]")).to_have_count(1)
    sat = [entry["player"] for entry in anne.entries() if entry["entry"] == "seated"]
    assert sat == ["zephyr:1", ""]
    assert not anne.play(most=2)


def test_a_table_killed_while_a_computer_thinks_goes_on_and_nothing_is_lost(
    open_table: OpenTable, visitor: Visitor
) -> None:
    match = ("legend", "rounds=1", "turn_limit=2", "--think", "30", "--players", "Anne", "aether:6")
    table = open_table("play", *match, dice=HONEST)
    visitor.accept("409 (Conflict)")
    anne = AgainstComputers(visitor.open(table.printed, **LAPTOP), table)
    while not anne.page.locator("#prompt .prompt").inner_text().startswith("Aether"):
        assert not anne.play(most=1)
    expect(anne.page.locator("#prompt .prompt")).to_have_text("Aether thinks")
    written = anne.entries()
    (worker,) = children(table.process.pid)
    assert is_at_work(worker)
    visitor.accept(*CUT_OFF, at=table.origin)
    table.kill()
    again = open_table("play", "--think", "0.1", dice=HONEST)
    anne = AgainstComputers(visitor.open(again.printed, **LAPTOP), again)
    after = anne.entries()
    assert after[: len(written)] == written
    assert [entry["entry"] for entry in after].count("resumed") == 1
    assert anne.play()
    expect(anne.page.locator("#prompt .prompt")).to_have_text(OVER)
    assert not is_at_work(worker), "the thought went on without its table"
