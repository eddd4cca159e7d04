"""Computers on the page: seated by the form, given a seat and relieved of it, and seen to be what they are."""

import re

import httpx
import pytest

from captains_table.games.contract import Keep
from captains_table.games.legend import Legend
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web.match_form import read_names
from tests.support.computer_table import ComputerTable
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post, visit

AT_LEVEL_3 = SeatView("Aether", {}, on_turn=True, computer="Aether", level="casual", is_thinking=True)


def shown(table: FakeTable, path: str, fragment: str) -> str:
    found = re.search(rf'<(\w+) id="{fragment}".*?</\1>', get(table, path).text, re.DOTALL)
    assert found is not None
    return found[0]


def test_while_a_computer_thinks_the_owner_may_let_it_play_faster() -> None:
    table = FakeTable()
    people = SeatView("Anne", {}, on_turn=False)
    for pace, shows in (("usual", True), ("unhurried", True), ("quick", False)):
        table.show(View(Phase.PLAYING, "legend", seat=0, seats=(AT_LEVEL_3, people), pace=pace))
        assert ('data-post="/pace/quick"' in shown(table, "/table", "ask")) == shows
    table.show(View(Phase.PLAYING, "legend", seat=1, seats=(AT_LEVEL_3, people)))
    assert "/pace/quick" not in shown(table, "/table", "ask"), "a person is on turn"


def test_each_player_is_a_person_unless_a_computer_is_chosen_and_its_levels_are_told_in_words() -> None:
    html = get(FakeTable(), "/new?game=legend").text
    for number in (1, 2):
        select = html.partition(f'<select name="name{number}"')[2].partition("</select>")[0]
        assert '<option value="">a person</option>' in select
        assert '<option value="aether:3">Aether (casual)</option>' in select
        assert "selected" not in select
    assert '<select name="name' not in get(FakeTable(), "/new?game=pig").text.partition("<legend>The match")[0]


def sent(table: FakeTable, form: str) -> httpx.Response:
    """Return the answer to the form for a match of Legend, sent without scripts: each player has two fields."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    return visit(table, lambda client: client.post("/new", content=f"game=legend&{form}", headers=headers))


def test_a_form_without_scripts_sends_a_name_or_a_computer_in_fields_of_one_name() -> None:
    table = FakeTable()
    assert sent(table, "name1=Anne&name1=&name2=Bart&name2=aether%3A3").status_code == 303
    assert table.calls == [("new", "legend", ("Anne", "aether:3"), {})]


def test_the_same_computer_may_play_twice() -> None:
    sent = {"name1": "aether:3", "name2": " aether:3 "}
    assert read_names(sent, Legend()) == ("aether:3", "aether:3")


def test_an_error_leaves_who_was_chosen_as_it_was_and_names_the_level_that_is_not_there() -> None:
    html = sent(FakeTable(), "name1=Anne&name1=&name2=&name2=aether%3A5&rounds=many").text
    assert 'role="alert"' in html
    assert '<option value="aether:5" selected>' in html
    assert 'value="Anne"' in html
    refused = post(FakeTable(), "/new", {"game": "legend", "name1": "Anne", "name2": "aether:9"})
    assert (refused.status_code, "expected a level from 0 to 6" in refused.json()["error"]) == (400, True)


def test_a_seat_is_given_to_a_computer_and_taken_over_again() -> None:
    table = with_legend()
    assert post(table, "/player", {"seat": 1, "player": "aether:3"}).status_code == 204
    assert post(table, "/player", {"seat": 1, "player": ""}).status_code == 204
    assert table.calls == [("seat", 1, "aether:3"), ("seat", 1, "")]
    refused = post(table, "/player", {"seat": 7, "player": ""})
    assert (refused.status_code, refused.json()["error"]) == (400, "Nobody else plays on: there is no seat 7.")


def test_each_seat_has_a_control_for_who_plays_and_a_spectator_has_none() -> None:
    table = with_legend()
    players = shown(table, "/table", "players")
    assert players.count("Hand over") == players.count("A computer plays on for") == 2
    assert '<option value="aether:3">Aether (casual)</option>' in players
    assert "Hand over" not in get(table, "/").text
    anne = SeatView("Anne", {}, on_turn=False)
    table.show(View(phase=Phase.PLAYING, game="legend", seats=(anne, AT_LEVEL_3)))
    players = shown(table, "/table", "players")
    assert "played by Aether (casual)" in players
    assert '<option value="aether:3" selected>' in players, "the level of the computer at the table"
    assert re.findall(r'data-seat-player="(\d)" data-player=""', players) == ["1"]
    table.show(View(phase=Phase.OVER, game="legend", seats=(anne, AT_LEVEL_3)))
    assert "Who plays" not in shown(table, "/table", "players").partition(">")[2]


@pytest.mark.parametrize("path", ["/", "/table"])
def test_a_computer_is_seen_with_its_level_and_that_it_thinks(path: str) -> None:
    table = FakeTable()
    for_anne = SeatView("Anne", {"total": 3}, on_turn=False, computer="Aether", level="beginner")
    table.show(View(phase=Phase.PLAYING, game="legend", seat=1, seats=(for_anne, AT_LEVEL_3)))
    tallies = shown(table, path, "tallies")
    assert re.search(r"Anne</bdi> <small[^>]*>\(Aether, beginner\)</small>", tallies)
    assert re.search(r"Aether</bdi> <small[^>]*>\(casual\)</small>", tallies)
    assert tallies.count("thinks") == 1


@pytest.mark.parametrize(
    ("name", "computer", "level", "played_by", "full_name"),
    [
        ("Anne", "", "", "", "Anne"),
        ("Aether", "", "", "", "Aether"),
        ("Aether", "Aether", "casual", "(casual)", "Aether (casual)"),
        ("Aether 2", "Aether", "strongest", "(strongest)", "Aether 2 (strongest)"),
        ("Aether the Old", "Aether", "strong", "(Aether, strong)", "Aether the Old (Aether, strong)"),
        ("Anne", "Aether", "casual", "(Aether, casual)", "Anne (Aether, casual)"),
        ("Anne", "aether", "", "(aether)", "Anne (aether)"),
        ("Aether", "Aether", "level 3", "(level 3)", "Aether (level 3)"),
    ],
)
def test_a_computer_has_one_name_with_its_level(
    name: str, computer: str, level: str, played_by: str, full_name: str
) -> None:
    seat = SeatView(name, {}, on_turn=False, computer=computer, level=level)
    assert (seat.played_by, seat.full_name) == (played_by, full_name)


def test_on_a_real_board_the_page_marks_from_and_to_and_says_the_move_that_a_hand_is_to_make() -> None:
    board = ComputerTable("captains-chess", ("boreas:3", "Anne"))
    board.wait(2000)
    board.thinks("e2e3")
    board.wait(2000)
    table = FakeTable(real_board=True)
    table.show(board.view)
    html = get(table, "/table").text
    assert "Boreas plays e2-e3" in html
    assert "Put the white pawn from e2 on e3" in html
    assert re.search(r'aria-label="e2, empty, may move"', html)
    assert re.search(r'aria-label="white pawn on e3, may be moved to"', html)
    assert "data-board" not in html
    assert "knob-roll" not in shown(table, "/table", "roll")
    assert board.view.told == "Boreas moves the pawn from e2 to e3. Put the white pawn from e2 on e3."
    board.touch("-e2 +e3")
    board.wait(1000)
    assert board.view.roll.why == "Anne is to move on the board"


def test_no_die_that_tumbles_looks_held() -> None:
    board = ComputerTable("swashbuckle", ("eurus:2", "Anne"), {"order": "seated"}, dice=[1, 2, 3, 4, 5] * 3)
    board.wait(5000)
    board.computer_throws(1, 2)
    assert [die.held for die in board.view.dice] == [True, True, False, False, False]
    board.thinks("throw-again")
    board.wait(2000)
    board.thinks(Keep((3, 4)))
    seen: list[bool] = []
    while board.view.tumbling or not seen:
        board.wait(50)
        seen += [board.view.dice[number].held for number in board.view.tumbling]
    assert set(seen) == {False}
