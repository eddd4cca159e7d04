"""Whole matches of every game against computers, at the page: by mouse, and over a power cut while one thinks."""

import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.support.against_computers import AtThePage
from tests.support.browser import Visitor
from tests.support.looking import LAPTOP, shifts, watch_shifts
from tests.support.nursery import Nursery
from tests.support.person_at_page import Person
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
OVER: Final = re.compile("wins|drawn|share")
MATCHES = {
    "legend": (("legend", "rounds=1", "turn_limit=2"), ("Anne", "aether:1"), ()),
    "captains-chess": (("captains-chess", LADDER), ("Anne", "boreas:1"), MATE),
    "ship-captain-crew": (
        ("ship-captain-crew", "mode=single", "order=seated"),
        ("Anne", "zephyr:1", "zephyr:1"),
        (),
    ),
}
QuickTable = Callable[..., TableProcess]


@pytest.fixture
def quick_table(tmp_path: Path, nursery: Nursery) -> Iterator[QuickTable]:
    """Yield what starts a table with honest dice, whose computers leave people little time to follow."""
    tables: list[TableProcess] = []

    def start(*arguments: str) -> TableProcess:
        program = nursery.program("tests.support.quick_computers:serve_quickly", HONEST)
        words = ("play", *arguments, "--state", str(tmp_path / "state"), "--port", "0")
        tables.append(TableProcess(*words, logs=tmp_path / f"table-{len(tables)}", program=program))
        return tables[-1]

    yield start
    for table in tables:
        table.kill()
        assert table.complaints == ""


def entries(page: Page, table: TableProcess) -> list[dict[str, Any]]:
    """Return what the journal holds of the match."""
    found: list[dict[str, Any]] = page.request.get(f"{table.origin}/export/1.json").json()["entries"]
    return found


def children(parent: int) -> set[int]:
    """Return the processes that another one has started."""
    threads = Path(f"/proc/{parent}/task").glob("*/children")
    return {int(pid) for thread in threads for pid in thread.read_text(encoding="ascii").split()}


def is_at_work(pid: int) -> bool:
    """Return whether a process is there, and not only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("game", MATCHES)
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
    words, names, _ = MATCHES["legend"]
    table = quick_table(*words, "--think", "30", "--players", names[0], "aether:6")
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
    """Swashbuckle: Anne begins, lets Eurus play on, and plays the second half herself, to the end."""
    table = quick_table("swashbuckle", "order=seated", "--players", "Anne", "eurus:1")
    visitor.accept("409 (Conflict)")
    anne = Person(visitor.open(table.printed, **LAPTOP), table)
    page, player = anne.page, AtThePage(anne)
    player.play(most=2)
    anne.open_drawer()
    page.locator('select[name="player-0"]').select_option("eurus:1")
    page.get_by_role("button", name="Let Eurus play on for Anne").click()
    expect(page.locator("#tallies .computer").first).to_have_text("Eurus, level 1")
    expect(page.locator("#heading")).to_contain_text("Turn 8 of 16")
    answered = HTTPStatus.CONFLICT
    while answered == HTTPStatus.CONFLICT:  # Eurus may have thrown in the same moment
        with page.expect_response("**/player*") as response:
            page.get_by_role("button", name="Take over Anne's seat").click()
        answered = HTTPStatus(response.value.status)
    anne.close_drawer()
    expect(page.locator("#tallies .computer")).to_have_count(1)
    assert player.play()
    expect(page.locator("#prompt .prompt")).to_have_text(OVER)
    sat = [entry["player"] for entry in entries(page, table) if entry["entry"] == "seated"]
    assert sat == ["eurus:1", ""]
