"""A match started, left and resumed at the table, by the knobs next to the glass alone."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Call, OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
LEAVE_MS = 400
CONFIG = f"""
[table]
state_dir = "{{state}}"
[web]
port = 0
[settings]
leave_ms = {LEAVE_MS}
"""


def configured(folder: Path, match: str = "") -> Path:
    """Write the configuration of a table at which *back* is held for a short while."""
    config = folder / "table.toml"
    config.write_text(CONFIG.format(state=folder / "kept") + match)
    return config


def turn(person: Person, knob: str, times: int = 1) -> None:
    """Click a knob so many times, and wait until the page shows what came of it."""
    person.open_drawer()
    for _ in range(times):
        with person.page.expect_response("**/button/*/release*"):
            person.page.locator(f"[data-button={knob}]").click()
    person.catch_up()


def leave(person: Person) -> None:
    person.open_drawer()
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


def test_swashbuckle_is_started_by_the_knobs_for_two_known_names_and_a_typed_one_and_the_earlier_match_resumed(
    open_table: OpenTable, visitor: Visitor, call: Call, tmp_path: Path
) -> None:
    match = '[match]\nplayers = ["Anne", "Bart"]\noptions = { rounds = 1 }\n'
    table = open_table("run", configured(tmp_path, match))
    anne = Person(visitor.open(table.printed), table)
    page = anne.page
    anne.hold_roll()
    legend = (anne.dice(), anne.tallies(), anne.board())
    leave(anne)
    choose(anne, "New match", "Swashbuckle", "3 players", "Bart", "Anne")
    expect(page.locator("#prompt")).to_have_text("Player 3?")
    choose(anne, "Another name", "D", "i", "Done", "A raid: takes from a victim", "only adds", "Begin")
    expect(page.locator("#heading")).to_contain_text("Swashbuckle")
    assert players(anne) == ["Bart", "Anne", "Di"]
    anne.hold_roll()
    leave(anne)
    choose(anne, "Resume a match")
    expect(page.locator("#ask .at-cursor")).to_have_text("Anne, Bart: Legend, Round 1 of 1")
    turn(anne, "choose")
    expect(page.locator("#heading")).to_contain_text("Legend")
    assert (anne.dice(), anne.tallies(), anne.board()) == legend
    listed = call(anne.table).get("/matches").text
    assert listed.index("Bart, Anne and Di") < listed.index("On the table")
    export = call(anne.table).get("/export/2.json").json()
    assert export["entries"][0]["options"] == {"pillage": "add"}
    assert export["entries"][0]["seats"] == ["Bart", "Anne", "Di"]


def test_a_table_told_of_no_match_opens_with_the_lobby_and_the_page_answers_it_by_its_buttons(
    open_table: OpenTable, visitor: Visitor, tmp_path: Path
) -> None:
    table = open_table("run", configured(tmp_path))
    anne = Person(visitor.open(table.printed), table)
    assert anne.offers()[:2] == ["game-legend", "game-captains-chess"]
    expect(anne.page.get_by_role("link", name="Start a match")).to_be_visible()
    for id_ in ("game-ship-captain-crew", "players-1", "letter-A", "letter-l", "done", "change-target"):
        anne.choose(id_)
    anne.page.get_by_label("Target").fill("88")
    anne.page.get_by_role("button", name="Set", exact=True).click()
    expect(anne.button("change-target")).to_have_text("Target: 88")
    anne.choose("begin")
    expect(anne.page.locator("#heading")).to_contain_text("Ship, Captain and Crew")
    assert players(anne) == ["Al"]
