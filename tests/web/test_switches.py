from captains_table.games.contract import Square
from captains_table.table.recognition.switches import Condition
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post


def test_every_square_shows_its_switch_on_the_page_and_has_a_line_in_the_data() -> None:
    table = with_legend()
    html = get(table, "/switches").text
    assert 'aria-label="e4: closed, 7 changes, good"' in html
    assert 'class="switch is-good is-closed" data-switch="e4" href="/switches?square=e4#details"' in html
    assert "All 1 switches are well" in html
    (switch,) = get(table, "/switches.json").json()["switches"]
    assert switch == {"square": "e4", "closed": True, "changes": 7, "flickers": 2, "condition": "good"}


def test_a_square_that_is_picked_tells_what_its_switch_has_said_without_any_script() -> None:
    table = with_legend()
    table.condition = Condition.SUSPECT
    html = get(table, "/switches?square=e4").text
    details = html.partition('id="details"')[2].partition("</section>")[0]
    for words in ("May be broken: the board has long been wrong here", "closed", ">7<", ">2<", 'data-mask="e4"'):
        assert words in details
    assert "hidden" not in details
    assert 'aria-current="true"' in html
    assert 'Not well: <a href="/switches?square=e4#details"' in html
    assert 'id="details" class="switch-details" aria-live="polite" hidden' in get(table, "/switches?square=k9").text


def test_a_switch_that_is_ignored_already_is_not_offered_to_be_ignored() -> None:
    table = with_legend()
    table.condition = Condition.MASKED
    assert 'data-confirm="Really? Press again" hidden' in get(table, "/switches?square=e4").text


def test_a_switch_can_be_declared_dead_on_the_page_while_a_match_is_played() -> None:
    table = with_legend()
    assert post(table, "/board/mask", {"square": "e4"}).status_code == 204
    assert ("mask", Square(4, 3)) in table.calls
    assert post(FakeTable(), "/board/mask", {"square": "e4"}).status_code == 404
