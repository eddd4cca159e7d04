"""The pages of a table: what they show, and what their forms begin."""

import re
from dataclasses import replace
from html import unescape

import pytest

from captains_table.games.contract import AmountAsk, EventKind, GameEvent, Option, Pick, PickAsk, Shape, Square, consent
from captains_table.games.registry import GAMES
from captains_table.table.model.view import BoardDifference, LogLine, Menu, MenuEntry, Phase, SeatView, View
from captains_table.table.prompts.asks import TURN_BOARD
from captains_table.table.recognition.switches import Condition
from captains_table.web.svg.board_svg import board_svg
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post, send, visit

NASTY = "<script>alert('Anne')</script>"


LIVE = ("/", "/table", "/new", "/matches", "/records", "/switches")


@pytest.mark.parametrize("path", [*LIVE, "/new?game=legend", "/rules/legend", "/rules/captains-chess"])
@pytest.mark.parametrize("table", [FakeTable(), with_legend(), FakeTable(real_board=True)])
def test_every_page_opens_in_every_state_with_nothing_inline_or_from_elsewhere(table: FakeTable, path: str) -> None:
    """The content security policy would block it, and the table works offline."""
    answer = get(table, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|<style", answer.text)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", answer.text)


@pytest.mark.parametrize("path", LIVE)
def test_a_page_is_not_shown_before_its_last_element_is_there(path: str) -> None:
    """A slow line would show half of it, which jumps when the rest arrives."""
    html = get(with_legend(), path).text
    expected = re.search(r'<link rel="expect" href="#(\w+)" blocking="render">', html)
    assert expected
    assert re.search(rf'<p id="{expected[1]}"[^>]*>[^<]*</p>\s*</body>\s*</html>\s*$', html)


def test_the_display_shows_the_state_without_any_script() -> None:
    html = get(with_legend(), "/").text
    assert 'aria-label="white knight on b1"' in html
    assert 'aria-label="roman die: not thrown"' in html
    assert "Anne (White): throw the dice" in html
    assert "Round 1 of 3" in html
    assert '<th scope="col" class="minor">cargo</th>' in html


def test_names_and_words_are_escaped_wherever_they_are_shown() -> None:
    table = with_legend(NASTY)
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
    table = with_legend()
    moves = (Option("e2e4", "e2-e4", on_board=True), Option("d2d4", "d2-d4", on_board=True))
    ask = PickAsk("Move", (*moves, Option("done", "End the turn")), "done")
    table.show(replace(table.view(), ask=ask, menu=Menu((MenuEntry("d2d4", "d2-d4"),), 0)))
    before, _, inside = get(table, "/table").text.partition('<details class="moves"')
    assert 'data-pick="done"' in before
    assert 'data-pick="d2d4"' in before
    assert 'data-pick="e2e4"' not in before
    assert 'data-pick="e2e4"' in inside


def test_a_question_is_asked_in_the_way_it_is_answered() -> None:
    """A consent of the seat that is asked, an amount between its bounds, dice as a sensible player would keep them."""
    table = with_legend()
    table.show(replace(table.view(), seat=1, ask=consent("Anne offers 9 for a knight")))
    html = get(table, "/table").text
    answers = 'data-pick="agree".*data-pick="refuse"'
    assert re.search(f'<p class="ask-for"><b>Bart</b>: Anne offers 9 for a knight</p>.*{answers}', html, re.DOTALL)
    table.show(replace(table.view(), ask=AmountAsk("Your price", 0, 30, 20)))
    assert re.search(r'type="number"[^>]*min="0" max="30" value="20"', get(table, "/table").text)
    keeping = with_legend()
    keeping.answer(Pick("roll"), 1)
    keeping.answer(Pick("throw-again"), 2)
    assert len(re.findall(r'data-die="[1-6]" aria-pressed="(?:true|false)"', get(keeping, "/table").text)) == 6


def test_a_board_that_is_wrong_says_so_and_offers_to_set_it_up() -> None:
    table = with_legend()
    table.show(replace(table.view(), wrong=BoardDifference((Square(1, 0),), (Square(4, 4),))))
    html = get(table, "/table").text
    assert 'data-post="/board/set-up"' in html
    real = FakeTable(real_board=True)
    real.show(table.view())
    assert 'data-post="/board/set-up"' not in get(real, "/table").text


def test_a_game_with_many_tallies_gets_an_upright_sheet() -> None:
    seats = tuple(SeatView(name, {f"box {n}": n for n in range(13)}, on_turn=False) for name in ("Anne", "Bart"))
    table = FakeTable()
    table.show(View(phase=Phase.PLAYING, seats=seats))
    assert 'class="tallies upright"' in get(table, "/").text


def test_the_table_shows_what_physically_stands_there() -> None:
    table = with_legend()
    del table.pieces[Square(1, 0)]
    table.hand.append("N")
    table.beside.append("q")
    html = get(table, "/table").text
    assert 'aria-label="b1, empty"' in html
    assert 'aria-label="white knight"' in html
    assert 'data-take="q" aria-label="Take the black queen"' in html
    assert 'aria-label="white knight on b1"' in get(table, "/").text


def test_black_may_look_from_the_other_side() -> None:
    html = get(with_legend(), "/table?side=black").text
    assert html.index('data-square="h1"') < html.index('data-square="a8"')


def test_an_address_that_leads_nowhere_is_answered_to_a_person_by_a_page_and_to_a_script_by_json() -> None:
    for path, words in (("/nowhere", "There is nothing at"), ("/rules/parcheesi", "expected one of legend")):
        page, answer = get(FakeTable(), path, Accept="text/html"), get(FakeTable(), path)
        assert (page.status_code, answer.status_code) == (404, 404)
        assert page.headers["content-type"].startswith("text/html")
        assert words in page.text
        assert words in answer.json()["error"]


def test_who_has_lost_the_way_has_the_bar_and_links_by_name() -> None:
    page = get(FakeTable(), "/nowhere", Accept="text/html").text
    ways = dict(re.findall(r'<a class="button[^"]*" href="([^"]+)">([^<]+)</a>', page.partition("<main")[2]))
    assert ways == {"/table": "Back to the table", "/matches": "Matches", "/records": "Records", "/rules": "Rules"}
    assert '<nav class="bar-nav" aria-label="Pages">' in page
    assert not re.search(r"expected one of|/verify", page)


WHERE = {"/table": "Play", "/matches": "Matches", "/records": "Records", "/rules": "Rules"}


WITHIN = {"/new": "Play", "/new?game=legend": "Play", "/rules/legend": "Rules", "/verify": "Matches"}


@pytest.mark.parametrize(("path", "name"), [*WHERE.items(), *WITHIN.items()])
def test_the_bar_marks_where_one_is(path: str, name: str) -> None:
    bar = get(FakeTable(), path).text.partition('aria-label="Pages">')[2].partition("</nav>")[0]
    marked = re.findall(r'<a href="[^"]*" aria-current="(\w+)">.*?<span>([^<]*)</span></a>', bar)
    assert marked == [("page" if path in WHERE else "true", name)]


def test_the_bar_is_the_same_on_every_page_and_leads_to_the_match_or_to_the_games() -> None:
    def bar(table: FakeTable, path: str) -> str:
        return get(table, path).text.partition('<header class="bar">')[2].partition("</header>")[0]

    def goes(table: FakeTable, path: str = "/play") -> str:
        return visit(table, lambda client: client.get(path, follow_redirects=False)).headers["location"]

    for table in (FakeTable(), with_legend()):
        entries = {tuple(re.findall(r'<a href="(/\w+)[^>]*>.*?<span>(\w+)</span>', bar(table, path))) for path in WHERE}
        names = (("/play", "Play"), ("/matches", "Matches"), ("/records", "Records"), ("/designs", "Pieces"))
        assert entries == {(*names, ("/rules", "Rules"))}
    assert all("Back to the match" in bar(with_legend(), path) for path in WHERE if path != "/table")
    assert "Back to the match" not in bar(with_legend(), "/table") + bar(FakeTable(), "/matches")
    assert (goes(FakeTable()), goes(with_legend())) == ("/table", "/table")
    over = FakeTable()
    over.show(View(phase=Phase.OVER))
    assert goes(over) == "/new", "and not to the result once more"
    [from_table] = re.findall(r'<a href="([^"]*)" aria-current="page">', bar(with_legend(), "/table"))
    assert goes(with_legend(), from_table) == "/new", "from the match one wants the other games"
    assert goes(FakeTable(), from_table) == "/table"


def test_every_icon_of_a_page_is_drawn_and_is_next_to_words() -> None:
    drawn = set(re.findall(r'<symbol id="(\w+)"', get(FakeTable(), "/static/icons.svg").text))
    seen = get(with_legend(), "/table").text + get(FakeTable(), "/table").text
    used = re.findall(r'icons\.svg#(\w+)"/></svg>\s*(?:<span[^>]*>)?\w', seen)
    assert (
        {"computer", "people", "log", "more", "settings", "flip", "undo", "play", "matches", "records", "rules"}
        <= set(used)
        == drawn
    )
    assert len(used) == seen.count("icons.svg#")


def test_every_page_can_be_kept_as_an_app_with_its_icons() -> None:
    for path in ("/", "/table", "/records", "/rules/legend", "/nowhere"):
        page = get(FakeTable(), path, Accept="text/html").text
        assert '<link rel="manifest" href="/static/manifest.webmanifest">' in page, path
    answer = get(FakeTable(), "/static/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert (manifest["start_url"], manifest["display"]) == ("/table", "standalone")
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        assert get(FakeTable(), icon["src"]).headers["content-type"] == icon["type"]


def test_who_watches_is_told_to_ask_for_a_code_not_for_a_token() -> None:
    page = get(with_legend(), "/table", token="sea shanty").text  # noqa: S106 - of the tests
    assert "You are watching. To play, ask for your seat's code." in unescape(page)
    assert "token" not in page.partition('<p class="notice">')[2].partition("</p>")[0]


def test_the_health_of_the_table_is_json() -> None:
    assert get(FakeTable(), "/health").json()["status"] == "ok"


def test_exports_are_files() -> None:
    answer = get(FakeTable(), "/export/1.pgn")
    assert answer.text == '[Event "Legend"]'
    assert answer.headers["content-disposition"] == 'attachment; filename="match-1.pgn"'
    assert get(FakeTable(), "/export/1.json").headers["content-type"].startswith("application/json")


@pytest.mark.parametrize("file", ["7.json", "1.exe", "one.json", "1", ".json", "99999999999999999999.pgn", "-1.pgn"])
def test_an_export_that_does_not_exist_is_not_found(file: str) -> None:
    answer = get(FakeTable(), f"/export/{file}")
    assert answer.status_code == 404
    assert "expected" in answer.json()["error"]


def test_a_new_match_is_started_by_a_plain_form_or_by_json() -> None:
    table = FakeTable()
    form = {"game": "legend", "name1": " Anne  Bonny ", "name2": "Bart", "rounds": "1", "score": "die", "fen": ""}
    answer = send(table, "/new", form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert table.calls == [("new", "legend", ("Anne Bonny", "Bart"), {"rounds": "1"})]
    with_joiners = ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001f468\u200d\U0001f469\u200d\U0001f467")
    fields = {"game": "legend", "name1": with_joiners[0], "name2": with_joiners[1]}
    assert send(table, "/new", fields).status_code == 303
    assert table.calls[-1][2] == with_joiners
    assert post(table, "/new", {"game": "legend", "name1": "Anne"}).status_code == 204
    assert table.view().seats[1].name == "Aether"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name1": "Anne"}, "There is no game"),
        ({"game": "legend"}, "0 players were named: expected 1 to 2"),
        ({"game": "legend", "name1": "A", "name2": "A"}, "different names"),
        ({"game": "legend", "name1": "A" * 41}, "is no name: it has 41 characters"),
        ({"game": "legend", "name1": "A\u202e"}, "is no name: it has U+202E (right-to-left override) in it"),
        ({"game": "legend", "name1": "\ud800"}, "is no name: it has U+D800 (half of a character) in it"),
        ({"game": "legend", "name1": "A", "rounds": "many"}, "expected a whole number"),
        ({"game": "legend", "name1": "A", "fen": "x"}, "fen=x"),
        ({"game": "legend", "name1": "A", "boom": "1"}, "boom"),
        ({"game": "legend", "name1": "A", "boom": "b" * 300}, "at most 200 characters"),
        ({"game": "legend", "name1": 7}, "as a string"),
    ],
)
def test_a_match_that_cannot_start_says_why(fields: dict[str, object], words: str) -> None:
    answer = post(FakeTable(), "/new", fields)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_form_that_is_wrong_comes_back_with_what_was_typed() -> None:
    answer = send(FakeTable(), "/new", {"game": "legend", "name1": NASTY[:20], "rounds": "many"})
    assert answer.status_code == 400
    assert 'value="&lt;script&gt;' in answer.text
    assert "expected a whole number from 1 to 99" in answer.text


def test_resuming_a_match_leads_back_to_the_table() -> None:
    table = FakeTable()
    assert post(table, "/matches/1/resume").status_code == 204
    assert post(table, "/matches/1/resume", Accept="text/html").headers["location"] == "/table"
    assert post(table, "/matches/9/resume").status_code == 404
    assert post(table, "/matches/x/resume").status_code == 404
    assert table.calls == [("resume", 1), ("resume", 1)]


def test_a_board_of_any_shape_has_all_its_squares() -> None:
    for shape in (Shape(8, 8), Shape(9, 8), Shape(3, 12)):
        svg = board_svg(shape, {}, {})
        assert len(re.findall(r'data-square="', svg)) == shape.files * shape.ranks
        assert f'data-square="{shape.squares()[-1]}"' in svg


def test_the_form_has_a_name_for_every_seat_and_every_option_a_game_declares_with_its_values() -> None:
    for game in GAMES.values():
        html = get(FakeTable(), f"/new?game={game.key}").text
        assert f'name="name{game.seats.stop - 1}"' in html
        for option in game.options:
            assert f'name="{option.name}"' in html
            assert option.words in html
            assert all(f'value="{choice.value}"' in html for choice in option.choices)
            if option.bounds is not None and not option.choices:
                assert f'min="{option.bounds[0]}" max="{option.bounds[1]}"' in html


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


@pytest.mark.parametrize("path", ["/table", "/switches"])
def test_which_board_is_read_stands_in_the_settings_and_next_to_its_switches(path: str) -> None:
    table = FakeTable()
    assert "DGT board" not in get(table, path).text
    table.session.board_words = lambda: "DGT board on /dev/ttyUSB0, battery at 80 %"
    assert "DGT board on /dev/ttyUSB0, battery at 80 %" in get(table, path).text


def test_that_a_board_lies_the_other_way_round_can_be_answered_next_to_what_must_be_put_back() -> None:
    view = View(phase=Phase.PLAYING, seats=(SeatView("Anne", {}, on_turn=True),), seat=0, calls=(TURN_BOARD,))
    wrong = replace(view, ask=PickAsk("Your move", (Option("e2e4", "e4"),)), wrong=BoardDifference((Square(4, 6),)))
    for shown in (view, wrong):
        table = FakeTable()
        table.show(shown)
        html = get(table, "/table").text
        assert html.count(f'data-pick="{TURN_BOARD.id}"') == 1
    assert html.index(TURN_BOARD.label) < html.index("Answer before the board is right")
