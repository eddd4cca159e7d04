"""Pieces drawn on the page, with its script and without; saved, changed, printed (docs/rules/crowns.md D1 - D5)."""

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.contract import Square
from captains_table.games.crowns.designs import POINTS, Design, faults_of, half_points_text, parse_design, roster
from captains_table.games.crowns.grids import ARROWS, DOTS, MoveGrid
from captains_table.games.crowns.move_generation import reached
from captains_table.page.design_scene import Draft, read_draft
from captains_table.storage.design_file import DESIGNS, DesignFile
from tests.support.crowns_play import KNIGHT
from tests.support.effort import effort
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, send

TOKEN = "of the table"  # noqa: S105 - of a table that is made here
FERRIS = {"name": "Ferris", "standard": "b4 d4 b2 d2", "levelled": "b5 d5 a4 e4 a2 e2 b1 d1"}
grids = st.builds(
    MoveGrid,
    st.frozensets(st.sampled_from(sorted(DOTS.values()))),
    st.frozensets(st.sampled_from(sorted(ARROWS.values()))),
)


@pytest.fixture
def table(tmp_path: Path) -> FakeTable:
    table = FakeTable()
    table.designs = DesignFile(tmp_path / DESIGNS)
    return table


def drawn(table: FakeTable, **fields: str) -> dict[str, Any]:
    """Return what the script is told after a touch."""
    answer = get(table, f"/designs/draw.json?{urlencode(fields)}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_tap_sets_a_move_and_another_takes_it_away(table: FakeTable) -> None:
    after = drawn(table, name="Ann", standard="b4", levelled="n", tap="standard-d4")
    assert "standard=b4+d4" in after["address"]
    assert re.search('data-cell="standard-d4"[^>]* aria-pressed="true"', after["fragments"]["drawing"])
    assert "standard=b4&" in drawn(table, name="Ann", standard="b4 d4", levelled="n", tap="standard-d4")["address"]
    assert "levelled" not in drawn(table, levelled="n", tap="levelled-n")["address"]


def test_cost_discount_value_points_left_and_gold_are_there_at_once(table: FakeTable) -> None:
    fragments = drawn(table, **FERRIS)["fragments"]
    assert "8 points, less 5: every move keeps the colour" in fragments["drawing"]
    words = " ".join(re.sub("<[^>]*>", " ", fragments["reckoning"]).split())
    assert "21 of 25 points, 4 left" in words
    assert "Value 3" in words
    assert "Gold at first 9 (5 + 4)" in words
    assert fragments["drawn"] == "21 of 25 points. It may be played with."
    assert "it reaches one square in 4" in drawn(table, standard="c5 a3 e3 c1")["fragments"]["drawing"]


@settings(max_examples=effort(25, 1000), deadline=None)
@given(st.sampled_from(["", "Ann", "a:b", "<b>"]), grids, grids)
def test_the_page_holds_against_a_piece_what_the_rules_do_in_their_words(
    name: str, standard: MoveGrid, levelled: MoveGrid
) -> None:
    fields = {"name": name, "standard": str(standard), "levelled": str(levelled)}
    html = unescape(drawn(FakeTable(), **fields)["fragments"]["reckoning"])
    design = Design(name, standard, levelled)
    told = re.findall(r'<span class="rule">(\w+)</span> (.*?)\.</li>', html)
    assert told == [(fault.rule, fault.words) for fault in faults_of(design)]
    assert f"<b>{half_points_text(standard.net + levelled.net)}</b> of {POINTS} points" in html


@settings(max_examples=effort(50, 1000), deadline=None)
@given(grids, grids, st.integers(0, 48), st.integers(0, 1), st.sampled_from([*DOTS, *ARROWS]))
def test_an_address_leads_to_the_same_drawing(
    standard: MoveGrid, levelled: MoveGrid, at: int, party: int, move: str
) -> None:
    draft = Draft(Design("Ann", standard, levelled), Square(at % 7, at // 7), party, "Old")
    assert read_draft(draft.fields()) == draft
    assert draft.tapped(f"levelled-{move}").tapped(f"levelled-{move}") == draft


def test_black_goes_the_other_way_round() -> None:
    grid, middle = parse_design("A: c5 d4 / n").standard, Square(3, 3)
    assert {str(square) for square in reached(grid, 0, middle)} == {"d6", "e5"}
    assert {str(square) for square in reached(grid, 1, middle)} == {"d2", "c3"}
    rook = MoveGrid(arrows=frozenset({(0, 1)}))
    assert {str(square) for square in reached(rook, 1, middle)} == {"d3", "d2", "d1"}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("standard=z9", "'z9' is no move"),
        ("standard=b4+b4", "b4 is named twice"),
        ("piece=nothing", "is no piece: expected NAME"),
        ("tap=other-b4", "There is no 'other-b4' to tap"),
        ("square=h8", "There is no square 'h8'"),
        ("side=red", "There is no side 'red': expected white or black"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(table: FakeTable, query: str, words: str) -> None:
    for path in ("draw", "draw.json"):
        answer = get(table, f"/designs/{path}?{query}", **({"Accept": "text/html"} if path == "draw" else {}))
        assert answer.status_code == 400
        assert words in unescape(answer.text)


def test_a_piece_is_saved_changed_and_deleted_by_forms_alone(table: FakeTable) -> None:
    assert send(table, "/designs/save", FERRIS).headers["location"] == "/designs?saved=Ferris"
    assert table.designs.read().designs == (parse_design(KNIGHT),)
    send(table, "/designs/save", {**FERRIS, "name": "Wheel", "of": "Ferris", "standard": "b4 d4"})
    [wheel] = table.designs.read().designs
    assert str(wheel) == "Wheel: b4 d4 / b5 d5 a4 e4 a2 e2 b1 d1"
    assert "Delete Wheel for good" in get(table, "/designs").text
    assert send(table, "/designs/delete", {"name": "Wheel"}).status_code == 303
    assert table.designs.read().designs == ()
    assert send(table, "/designs/delete", {"name": "Wheel"}).status_code == 404


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"name": ""}, 400, "The piece has no name"),
        ({"levelled": "n ne e"}, 400, "costs too much"),
        ({"name": roster()[0].name}, 409, "is a piece of the roster: expected another name"),
        ({"name": "Taken"}, 409, "Taken is kept here already"),
    ],
)
def test_what_is_refused_stays_on_the_page_with_what_was_drawn(
    table: FakeTable, fields: dict[str, str], status: int, words: str
) -> None:
    table.designs.save(parse_design("Taken: c4 / c4 c2"))
    answer = send(table, "/designs/save", {**FERRIS, **fields})
    assert answer.status_code == status
    assert f'role="alert">{fields.get("name", "Ferris") if status == 409 else ""}' in answer.text
    assert words in unescape(answer.text)
    assert re.search('data-cell="standard-b4"[^>]* aria-pressed="true"', answer.text)


def test_the_empty_page_greets_and_finds_fault_after_a_touch_or_an_attempt_to_save(table: FakeTable) -> None:
    fault = '<span class="rule">'
    page = get(table, "/designs/draw")
    assert (page.status_code, fault in page.text) == (200, False)
    assert "Tap places in both grids" in page.text
    refused = send(table, "/designs/save", {})
    assert (refused.status_code, refused.text.count(fault)) == (400, 2)
    assert "Tap places" not in refused.text
    for touch in ({"tap": "standard-b4"}, {"name": "Ann"}):
        assert fault in drawn(table, **touch)["fragments"]["reckoning"]
        assert fault in get(table, f"/designs/draw?{urlencode(touch)}").text


def test_a_table_that_cannot_write_says_so() -> None:
    answer = send(FakeTable(), "/designs/save", FERRIS)
    assert answer.status_code == 503
    assert "cannot be written" in answer.text


def test_a_spectator_draws_and_does_not_save(table: FakeTable) -> None:
    page = get(table, f"/designs/draw?{urlencode(FERRIS)}", token=TOKEN)
    assert "You are watching only" in page.text
    assert "/designs/save" not in page.text
    for path, fields in (("save", FERRIS), ("delete", {"name": "Ferris"})):
        assert send(table, f"/designs/{path}", fields, token=TOKEN).status_code == 403
    assert table.designs.read().designs == ()


def test_the_list_shows_what_is_kept_the_roster_and_what_is_damaged(table: FakeTable, tmp_path: Path) -> None:
    (tmp_path / DESIGNS).write_text('[[piece]]\nname = "Broken"\nstandard = ""\nlevelled = ""\n')
    table.designs.save(parse_design(KNIGHT))
    html = get(table, "/designs").text
    assert f"{tmp_path / DESIGNS}, line 1: Broken: a grid is empty" in html
    assert re.findall("<h3>([^<]*)</h3>", html) == ["Ferris", *(design.name for design in roster())]


def test_a_card_says_how_its_prices_come_about_and_has_one_button(table: FakeTable) -> None:
    cards = dict(re.findall("<h3>([^<]*)</h3>(.*?)</li>", get(table, "/designs").text, re.DOTALL))
    captions = {
        name: [" ".join(re.sub("<[^>]*>", "", each).split()) for each in re.findall("<figcaption>(.*?)</fig", card)]
        for name, card in cards.items()
    }
    assert captions["Navigator"] == [
        "Value 0 6 points, less 10, but never below 0: it reaches one square in 4",
        "Levelling up 11 11 points, no discount",
    ]
    assert captions["Carpenter"][1] == "Levelling up 22 21.5 points, no discount, rounded up"
    assert captions["Boatswain"][0] == "Value 3 8 points, less 5: every move keeps the colour"
    for design in roster():
        for said, grid in zip(captions[design.name], (design.standard, design.levelled), strict=True):
            price, points = map(float, re.findall(r"(\d+) ([\d.]+) points", said)[0])
            less = float(next(iter(re.findall(r"less (\d+)", said)), "0"))
            assert price == grid.price == -(-max(0, points - less) // 1)
    assert {card.count('class="button') for card in cards.values()} == {1}
    watched = get(table, "/designs", token=TOKEN).text
    assert 'aria-label="Play with' not in watched


def test_a_sign_has_both_sides_and_its_value(table: FakeTable) -> None:
    html = get(table, f"/designs/signs?{urlencode({'piece': KNIGHT})}").text
    assert re.findall('<article class="[^"]*" aria-label="([^"]*)"', html) == ["Ferris, outside", "Ferris, inside"]
    assert re.findall('class="sign-value"><b>([^<]*)', html) == ["3", "18"]
    assert html.count('class="grid-dot"') == 4 + 8
    refused = get(table, f"/designs/signs?{urlencode({'piece': 'Queen: n / n e s w'})}")
    assert refused.status_code == 400
    assert "costs too much" in refused.text
