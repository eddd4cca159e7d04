"""The pages of a match with clocks, nine files and crowned pieces."""

import re
from dataclasses import replace

from captains_table.games.contract import Shape, Square
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene
from tests.support.fake_table import FakeTable
from tests.support.visiting import get

CHESS = View(
    phase=Phase.PLAYING,
    game="captains-chess",
    title="Captain's Chess",
    seat=0,
    seats=(SeatView("Anne", {}, on_turn=True, seconds_left=287), SeatView("Bart", {}, on_turn=False, seconds_left=9)),
    shape=Shape(9, 8),
    pieces={Square(8, 7): "+b", Square(0, 0): "C"},
    commitment="c0ffee",
)


def test_clocks_are_shown_and_little_time_is_marked() -> None:
    table = FakeTable()
    table.show(CHESS)
    html = get(table, "/").text
    assert re.search(r'class="clock" role="timer">4:47<', html)
    assert re.search(r'class="clock low" role="timer">0:09<', html)


def test_a_game_without_dice_speaks_of_no_sealed_dice() -> None:
    table = FakeTable()
    table.show(CHESS)
    assert "c0ffee" not in get(table, "/").text


def test_nine_files_and_crowned_pieces_are_drawn() -> None:
    table = FakeTable()
    table.show(CHESS)
    html = get(table, "/").text
    assert 'aria-label="black crowned bishop on i8"' in html
    assert html.count('data-square="') == 72


def test_a_second_on_the_clock_renders_two_fragments_and_leaves_the_board_alone() -> None:
    renderer, scene = Renderer(), Scene(CHESS)
    before = renderer.fragments("table", scene)
    seats = (replace(CHESS.seats[0], seconds_left=286), CHESS.seats[1])
    after = renderer.fragments("table", replace(scene, view=replace(CHESS, seats=seats)))
    assert after["board"] is before["board"]
    assert "4:46" in after["tallies"]
    assert {name for name in after if after[name] != before[name]} == {"tallies"}


def test_a_game_the_board_has_no_room_for_says_why_and_cannot_be_begun() -> None:
    html = get(FakeTable(board_shape=Shape(8, 8)), "/new?game=captains-chess").text
    assert "needs a board of 9 files and 8 ranks: this one has 8 files and 8 ranks" in html
    assert re.search(r'type="submit" disabled', html)
    assert not re.search(r'type="submit" disabled', get(FakeTable(), "/new?game=captains-chess").text)
    assert not re.search(r'type="submit" disabled', get(FakeTable(board_shape=Shape(8, 8)), "/new?game=legend").text)
