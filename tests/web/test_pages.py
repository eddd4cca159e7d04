import re
from dataclasses import replace

import httpx
import pytest

from captains_table.games.contract import AmountAsk, EventKind, GameEvent, Option, Pick, PickAsk, Shape, Square, consent
from captains_table.games.registry import GAMES
from captains_table.table.model.view import BoardDifference, LogLine, Mark, Menu, MenuEntry, Phase, SeatView, View
from captains_table.web.svg import things_svg
from captains_table.web.svg.board_svg import board_svg
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post, visit

NASTY = "<script>alert('Anne')</script>"


def playing(**names: str) -> FakeTable:
    """Return a table with a match on it."""
    table = FakeTable()
    table.new_match("legend", [names.get("first", "Anne"), names.get("second", "Bart")], {})
    return table


@pytest.mark.parametrize(
    "path",
    ["/", "/table", "/new", "/new?game=legend", "/matches", "/records", "/rules/legend", "/rules/captains-chess"],
)
@pytest.mark.parametrize("table", [FakeTable(), playing(), FakeTable(real_board=True)])
def test_every_page_opens_in_every_state(table: FakeTable, path: str) -> None:
    """Idle or playing, simulated or real."""
    answer = get(table, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/", "/table", "/new", "/matches", "/records", "/rules/legend", "/rules/swashbuckle"])
def test_nothing_is_inline_and_nothing_comes_from_elsewhere(path: str) -> None:
    """The content security policy would block it, and the table works offline."""
    html = get(playing(), path).text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|<style", html)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", html)


@pytest.mark.parametrize("path", ["/", "/table", "/new", "/matches", "/records", "/switches"])
def test_a_page_is_not_shown_before_its_last_element_is_there(path: str) -> None:
    """A slow line would show half of it, which jumps when the rest arrives."""
    html = get(playing(), path).text
    expected = re.search(r'<link rel="expect" href="#(\w+)" blocking="render">', html)
    assert expected
    assert re.search(rf'<p id="{expected[1]}"[^>]*>[^<]*</p>\s*</body>\s*</html>\s*$', html)


def test_the_display_shows_the_state_without_any_script() -> None:
    """Spectators without JavaScript see board, dice, tallies, prompt and round."""
    html = get(playing(), "/").text
    assert 'aria-label="white knight on b1"' in html
    assert 'aria-label="roman die: not thrown"' in html
    assert "Anne (White): throw the dice" in html
    assert "Round 1 of 3" in html
    assert '<th scope="col" class="minor">cargo</th>' in html


def test_names_and_words_are_escaped_wherever_they_are_shown() -> None:
    """A player may be called anything."""
    table = playing(first=NASTY)
    view = replace(
        table.view(),
        log=(LogLine(0, NASTY),),
        faults=(NASTY,),
        latest_events=(GameEvent(EventKind.STRIKE, 0, 1, NASTY),),
        heading=NASTY,
        prompt=(NASTY,),
        ask=PickAsk(NASTY, (Option('"><img>', NASTY),)),
    )
    table.show(view)
    for path in ("/", "/table", "/matches"):
        html = get(table, path).text
        assert "<script>alert" not in html
        assert '"><img>' not in html
        assert "<b>Jack" not in html


def test_board_moves_are_no_buttons_unless_the_menu_lists_them() -> None:
    """Moves are made on the board; one that touches a dead switch is in the menu and so becomes a button."""
    table = playing()
    moves = (Option("e2e4", "e2-e4", on_board=True), Option("d2d4", "d2-d4", on_board=True))
    ask = PickAsk("Move", (*moves, Option("done", "End the turn")), "done")
    table.show(replace(table.view(), ask=ask, menu=Menu((MenuEntry("d2d4", "d2-d4"),), 0)))
    before, _, inside = get(table, "/table").text.partition('<details class="moves"')
    assert 'data-pick="done"' in before
    assert 'data-pick="d2d4"' in before
    assert 'data-pick="e2e4"' not in before
    assert 'data-pick="e2e4"' in inside


def test_a_consent_is_addressed_to_the_seat_that_is_asked() -> None:
    """The opponent is asked by name."""
    table = playing()
    table.show(replace(table.view(), seat=1, ask=consent("Anne offers 9 for a knight")))
    html = get(table, "/table").text
    assert '<p class="ask-for"><b>Bart</b>: Anne offers 9 for a knight</p>' in html
    assert 'data-pick="agree"' in html
    assert 'data-pick="refuse"' in html


def test_an_amount_is_a_number_between_its_bounds() -> None:
    """The input knows lo, hi and the default."""
    table = playing()
    table.show(replace(table.view(), ask=AmountAsk("Your price", 0, 30, 20)))
    assert re.search(r'type="number"[^>]*min="0" max="30" value="20"', get(table, "/table").text)


def test_the_dice_to_keep_are_switches_set_as_a_sensible_player_would() -> None:
    """Each die that may be thrown is a toggle."""
    table = playing()
    table.answer(Pick("roll"), 1)
    table.answer(Pick("throw-again"), 2)
    html = get(table, "/table").text
    assert len(re.findall(r'data-die="[1-6]" aria-pressed="(?:true|false)"', html)) == 6


def test_abandoning_asks_twice() -> None:
    """What cannot be undone says so before it is sent."""
    assert re.search(r'data-pick="abandon" title="[^"]+" data-confirm="[^"]+"', get(playing(), "/table").text)


def test_a_board_that_is_wrong_says_so_and_offers_to_set_it_up() -> None:
    """Only a simulated board can be set up by a click."""
    table = playing()
    table.show(replace(table.view(), wrong=BoardDifference((Square(1, 0),), (Square(4, 4),))))
    html = get(table, "/table").text
    assert 'data-post="/board/set-up"' in html
    real = FakeTable(real_board=True)
    real.show(table.view())
    assert 'data-post="/board/set-up"' not in get(real, "/table").text


def test_a_game_with_many_tallies_gets_an_upright_sheet() -> None:
    """Thirteen columns would not fit on a phone."""
    seats = tuple(SeatView(name, {f"box {n}": n for n in range(13)}, on_turn=False) for name in ("Anne", "Bart"))
    table = FakeTable()
    table.show(View(phase=Phase.PLAYING, seats=seats))
    assert 'class="tallies upright"' in get(table, "/").text


def test_the_table_shows_what_physically_stands_there() -> None:
    """The board shows the switches' world, the hand and what lies beside it."""
    table = playing()
    del table.pieces[Square(1, 0)]
    table.hand.append("N")
    table.beside.append("q")
    html = get(table, "/table").text
    assert 'aria-label="b1, empty"' in html
    assert 'aria-label="white knight"' in html
    assert 'data-take="q" aria-label="Take the black queen"' in html
    assert 'aria-label="white knight on b1"' in get(table, "/").text


def test_black_may_look_from_the_other_side() -> None:
    """The board can be turned."""
    html = get(playing(), "/table?side=black").text
    assert html.index('data-square="h1"') < html.index('data-square="a8"')


def test_the_rules_are_there_for_every_game_that_has_them() -> None:
    """An unknown game is answered with the games there are."""
    answer = get(FakeTable(), "/rules/parcheesi")
    assert answer.status_code == 404
    assert "expected one of legend" in answer.json()["error"]


def test_a_person_gets_a_page_and_a_script_gets_json() -> None:
    """The same sentence, as it is best read."""
    answer = get(FakeTable(), "/nowhere", Accept="text/html")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is nothing at" in answer.text
    assert "There is nothing at" in get(FakeTable(), "/nowhere").json()["error"]


def test_exports_are_files() -> None:
    """JSON and PGN, with a name to save them by."""
    answer = get(FakeTable(), "/export/1.pgn")
    assert answer.text == '[Event "Legend"]'
    assert answer.headers["content-disposition"] == 'attachment; filename="match-1.pgn"'
    assert get(FakeTable(), "/export/1.json").headers["content-type"].startswith("application/json")


@pytest.mark.parametrize("file", ["7.json", "1.exe", "one.json", "1", ".json", "99999999999999999999.pgn", "-1.pgn"])
def test_an_export_that_does_not_exist_is_not_found(file: str) -> None:
    """With a sentence that says what was expected."""
    answer = get(FakeTable(), f"/export/{file}")
    assert answer.status_code == 404
    assert "expected" in answer.json()["error"]


def test_a_new_match_is_started_by_a_plain_form() -> None:
    """No script is needed; defaults are left out of the options."""
    table = FakeTable()
    form = {"game": "legend", "name1": " Anne  Bonny ", "name2": "Bart", "rounds": "1", "score": "die", "fen": ""}

    async def send(client: httpx.AsyncClient) -> httpx.Response:
        return await client.post("/new", data=form, headers={"Accept": "text/html"})

    answer = visit(table, send)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert table.calls == [("new", "legend", ("Anne Bonny", "Bart"), {"rounds": "1"})]


def test_a_new_match_is_started_by_json_as_well() -> None:
    """A single name plays alone."""
    table = FakeTable()
    assert post(table, "/new", {"game": "legend", "name1": "Anne"}).status_code == 204
    assert table.view().seats[1].name == "Aether"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name1": "Anne"}, "There is no game"),
        ({"game": "legend"}, "0 players were named: expected 1 to 2"),
        ({"game": "legend", "name1": "A", "name2": "A"}, "different names"),
        ({"game": "legend", "name1": "A" * 41}, "is no name"),
        ({"game": "legend", "name1": "A\u202e"}, "is no name"),
        ({"game": "legend", "name1": "\ud800"}, "is no name"),
        ({"game": "legend", "name1": "A", "rounds": "many"}, "expected a whole number"),
        ({"game": "legend", "name1": "A", "fen": "x"}, "fen=x"),
        ({"game": "legend", "name1": "A", "boom": "1"}, "boom"),
        ({"game": "legend", "name1": "A", "boom": "b" * 300}, "at most 200 characters"),
        ({"game": "legend", "name1": 7}, "as a string"),
    ],
)
def test_a_match_that_cannot_start_says_why(fields: dict[str, object], words: str) -> None:
    """One sentence, status 400, and nothing started."""
    answer = post(FakeTable(), "/new", fields)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_form_that_is_wrong_comes_back_with_what_was_typed() -> None:
    """Nobody likes to type twice."""
    form = {"game": "legend", "name1": NASTY[:20], "rounds": "many"}

    async def send(client: httpx.AsyncClient) -> httpx.Response:
        return await client.post("/new", data=form, headers={"Accept": "text/html"})

    answer = visit(FakeTable(), send)
    assert answer.status_code == 400
    assert 'value="&lt;script&gt;' in answer.text
    assert "expected a whole number from 1 to 99" in answer.text


def test_every_game_has_a_form_with_a_name_for_every_seat() -> None:
    """A sixth game needs no line here."""
    for game in GAMES.values():
        html = get(FakeTable(), f"/new?game={game.key}").text
        assert f'name="name{game.seats.stop - 1}"' in html


def test_resuming_a_match_leads_back_to_the_table() -> None:
    """An unknown match is not found."""
    table = FakeTable()
    assert post(table, "/matches/1/resume").status_code == 204
    assert post(table, "/matches/1/resume", Accept="text/html").headers["location"] == "/table"
    assert post(table, "/matches/9/resume").status_code == 404
    assert post(table, "/matches/x/resume").status_code == 404
    assert table.calls == [("resume", 1), ("resume", 1)]


def test_a_board_of_any_shape_has_all_its_squares() -> None:
    """Nine files by eight ranks as well."""
    for shape in (Shape(8, 8), Shape(9, 8), Shape(3, 12)):
        svg = board_svg(shape, {}, {})
        assert len(re.findall(r'data-square="', svg)) == shape.files * shape.ranks
        assert f'data-square="{shape.squares()[-1]}"' in svg


def test_marks_are_in_the_key_of_the_table() -> None:
    """Whoever wonders what a shape means can look it up."""
    html = get(playing(), "/table").text
    for listed, signs in (("marks-key", list(Mark)), ("marks-key of-crowns", things_svg.crowns_legend())):
        shown = html.partition(f'<ul class="{listed}">')[2].partition("</ul>")[0]
        assert shown.count('class="key-square"') == len(signs)


@pytest.mark.parametrize("piece", ["+B", "c", "N"])
def test_a_crowned_piece_that_lies_beside_the_board_can_be_taken(piece: str) -> None:
    """`+B` is the name of a piece."""
    table = playing()
    table.beside.append(piece)
    assert post(table, "/board/take", {"piece": piece}).status_code == 204


@pytest.mark.parametrize("piece", ["", "+", "BB", "++B", "<", 7])
def test_what_is_no_piece_is_refused(piece: object) -> None:
    """Letters, with or without a crown."""
    assert post(playing(), "/board/take", {"piece": piece}).status_code == 400


def test_the_form_shows_every_option_a_game_declares_with_its_values() -> None:
    """What is declared once is offered everywhere."""
    for game in GAMES.values():
        html = get(FakeTable(), f"/new?game={game.key}").text
        for option in game.options:
            assert f'name="{option.name}"' in html
            assert option.words in html
            assert all(f'value="{choice.value}"' in html for choice in option.choices)
            if option.bounds is not None and not option.choices:
                assert f'min="{option.bounds[0]}" max="{option.bounds[1]}"' in html
