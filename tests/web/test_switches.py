from captains_table.games.contract import Square
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post


def playing() -> FakeTable:
    table = FakeTable()
    table.new_match("legend", ["Anne", "Bart"], {})
    return table


def test_every_switch_has_a_line_on_the_page_and_in_the_data() -> None:
    table = playing()
    html = get(table, "/switches").text
    assert 'data-mask="e4"' in html
    assert "<td>7</td><td>2</td>" in html
    (switch,) = get(table, "/switches.json").json()["switches"]
    assert switch == {"square": "e4", "closed": True, "changes": 7, "flickers": 2, "condition": "good"}


def test_a_switch_can_be_declared_dead_on_the_page() -> None:
    table = playing()
    assert post(table, "/board/mask", {"square": "e4"}).status_code == 204
    assert ("mask", Square(4, 3)) in table.calls


def test_a_switch_that_is_not_on_the_board_is_refused() -> None:
    answer = post(playing(), "/board/mask", {"square": "k9"})
    assert answer.status_code == 404


def test_without_a_match_there_is_no_switch_to_declare_dead() -> None:
    assert post(FakeTable(), "/board/mask", {"square": "e4"}).status_code == 404
