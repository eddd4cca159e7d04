"""A match started, left and resumed at the table, by the knobs next to the glass alone, or by the page's buttons."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Call, OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person
from tests.support.table_process import write_config

pytestmark = pytest.mark.browser
SOON_LEFT = ("[settings]", "leave_ms = 400")  # as long *back* is held
MATCH = ("[match]", 'players = ["Anne", "Bart"]', "options = { rounds = 1 }")


def turn(person: Person, knob: str, times: int = 1) -> None:
    """Click a knob so many times, and wait until the page shows what came of it."""
    person.open_workshop()
    for _ in range(times):
        with person.page.expect_response("**/button/*/release*"):
            person.page.locator(f"[data-button={knob}]").click()
    person.catch_up()


def leave(person: Person) -> None:
    person.open_workshop()
    person.page.locator("[data-button=back]").hover()
    person.page.mouse.down()
    expect(person.page.locator("#heading")).to_contain_text("Captain's Table")
    person.page.mouse.up()
    person.catch_up()


def choose(person: Person, *labels: str) -> None:
    for label in labels:
        lines = person.page.locator("#ask [data-pick]").all_inner_texts()
        under_cursor = person.page.locator("#ask .at-cursor")
        turn(person, "next", (lines.index(label) - lines.index(under_cursor.inner_text())) % len(lines))
        expect(under_cursor).to_have_text(label)
        turn(person, "choose")


def players(person: Person) -> list[str]:
    names = person.page.locator("#tallies tbody th").all_inner_texts()
    return [name.removeprefix("▶").removesuffix(", on turn").strip() for name in names]


def test_swashbuckle_is_started_by_the_knobs_for_two_known_names_and_the_earlier_match_resumed(
    open_table: OpenTable, visitor: Visitor, call: Call, tmp_path: Path
) -> None:
    table = open_table("run", write_config(tmp_path, *SOON_LEFT, *MATCH))
    anne = Person(visitor.open(table.printed), table)
    heading = anne.page.locator("#heading")
    anne.hold_roll()
    legend = (anne.dice(), anne.tallies(), anne.board())
    leave(anne)
    choose(anne, "New match", "Swashbuckle", "2 players", "Bart", "Anne", "Begin")
    expect(heading).to_contain_text("Swashbuckle")
    assert players(anne) == ["Bart", "Anne"]
    leave(anne)
    choose(anne, "Resume a match")
    expect(anne.page.locator("#ask .at-cursor")).to_have_text("Anne, Bart: Legend, Round 1 of 1")
    turn(anne, "choose")
    expect(heading).to_contain_text("Legend")
    assert (anne.dice(), anne.tallies(), anne.board()) == legend
    listed = call(table).get("/matches").text.replace("<bdi>", "").replace("</bdi>", "")
    assert listed.index("Bart and Anne") < listed.rindex("Back to the match")
    assert call(table).get("/export/2.json").json()["entries"][0]["seats"] == ["Bart", "Anne"]


def test_a_table_told_of_no_match_opens_with_the_lobby_and_the_page_answers_it_by_its_buttons(
    open_table: OpenTable, visitor: Visitor, tmp_path: Path
) -> None:
    """A name is spelled letter by letter, and an option's number typed."""
    table = open_table("run", write_config(tmp_path))
    anne = Person(visitor.open(table.printed), table)
    cursor = anne.page.locator("#ask .at-cursor")
    expect(cursor).to_be_hidden()  # what is to be played is asked by the cards
    turn(anne, "next")
    expect(cursor).to_be_visible()
    expect(anne.page.locator("#card-legend")).to_be_visible()
    choose(anne, "New match", "Ship, Captain and Crew")
    anne.page.keyboard.press("Escape")
    expect(anne.page.locator("#card-legend")).to_be_hidden()
    for id_ in ("players-1", "letter-A", "letter-l", "done", "change-target"):
        anne.choose(id_)
    anne.page.get_by_label("Target").fill("88")
    anne.page.get_by_role("button", name="Set", exact=True).click()
    expect(anne.button("change-target")).to_have_text("Target: 88")
    anne.choose("begin")
    expect(anne.page.locator("#heading")).to_contain_text("Ship, Captain and Crew")
    assert players(anne) == ["Al"]
