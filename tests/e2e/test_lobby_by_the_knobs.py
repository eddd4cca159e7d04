"""A match started, left and resumed at the table, by the knobs beside the glass alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.person_at_page import Person
from tests.support.table_process import Caller, TableProcess

pytestmark = pytest.mark.browser
SitDown = Callable[..., Person]
OpenTable = Callable[..., TableProcess]
HELD_MS = 3400
MOST_LINES = 60


def turn(person: Person, knob: str) -> None:
    """Click a knob and wait until the page shows what came of it."""
    person.open_drawer()
    with person.page.expect_response("**/button/*/release*"):
        person.page.locator(f"[data-button={knob}]").click()
    person.catch_up()


def leave(person: Person) -> None:
    """Hold Back until the lobby opens."""
    person.open_drawer()
    person.page.locator("[data-button=back]").hover()
    person.page.mouse.down()
    person.page.wait_for_timeout(HELD_MS)
    expect(person.page.locator("#heading")).to_contain_text("Captain's Table")
    person.page.mouse.up()
    person.catch_up()


def choose(person: Person, *labels: str) -> None:
    """Turn to each line in its turn and choose it."""
    for label in labels:
        under_cursor = person.page.locator("#ask .at-cursor")
        for _ in range(MOST_LINES):
            if under_cursor.inner_text() == label:
                break
            turn(person, "next")
        assert under_cursor.inner_text() == label
        turn(person, "choose")


def players(person: Person) -> list[str]:
    """Return the names in the table of tallies."""
    names = person.page.locator("#tallies tbody th").all_inner_texts()
    return [name.removeprefix("▶").removesuffix(", on turn").strip() for name in names]


def test_swashbuckle_is_started_by_the_knobs_for_two_known_names_and_a_typed_one_and_the_earlier_match_resumed(
    sit_down: SitDown, call: Callable[[TableProcess], Caller]
) -> None:
    """Legend waits meanwhile, dice and all."""
    anne = sit_down("rounds=1")
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
    """The lines of the menu are buttons on the page; the form for a new match is one click away."""
    config = tmp_path / "table.toml"
    config.write_text(f'[table]\nstate_dir = "{tmp_path}/kept"\n[web]\nport = 0\n')
    table = open_table("run", config)
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
