"""The pages of games that have what Legend has not: clocks and nine files; berths, sheets, titles, records."""

import re
from dataclasses import replace

import pytest
from jinja2 import Environment

from captains_table.games.common.records import SolitaireBest, Tally
from captains_table.games.contract import Result, Shape, Square
from captains_table.games.swashbuckle.ranks import ranking_of
from captains_table.storage.exports import NoSuchForm
from captains_table.storage.match_index import Standings
from captains_table.table.model.player_clocks import StageProgress
from captains_table.table.model.view import LastThrow, Phase, RollOffer, SeatView, View
from captains_table.web.cards import card_of, in_words, standing_of, visible_columns
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene
from tests.support.dice_views import DICE_VIEWS, played
from tests.support.display_views import VIEWS
from tests.support.fake_table import FakeTable
from tests.support.party import PARTY, crowded
from tests.support.visiting import get

NASTY = "<script>alert('Anne')</script>"
PINS_IN_THE_KEY = 1  # among the marks that are explained


def shown(view: View, path: str = "/table") -> str:
    table = FakeTable()
    table.show(view)
    answer = get(table, path)
    assert answer.status_code == 200
    return answer.text


def test_berths_name_the_die_that_stands_in_them_and_what_they_wait_for() -> None:
    html = shown(DICE_VIEWS["berths-in-order"], "/")
    assert 'aria-label="ship: 6"' in html
    assert 'aria-label="captain: waits for a 5"' in html
    assert html.count('aria-label="die ') == 4
    assert "score-sheet" not in html


def test_a_die_keeps_its_place_is_named_by_its_berth_and_says_why_a_touch_does_nothing() -> None:
    html = shown(DICE_VIEWS["berths-full"], "/table")
    assert re.findall(r'data-shown="(\d)"', html) == list("12345")
    names = re.findall(r'berth-name">(\w*)<', html)
    assert (names, html.count('class="pin"')) == (["ship", "", "captain", "crew", ""], 3 + PINS_IN_THE_KEY)
    why = re.findall(r'data-why="([^"]*)"', html)
    together = "All these dice are thrown together: none can be kept"
    assert why[:2] == ["The ship stays aside until the turn ends", together]
    over = shown(DICE_VIEWS["last-throw-of-the-cargo"], "/table")
    assert re.findall(r'data-shown="(\d)"', over) == list("12345")
    assert re.findall(r'berth-name">(\w*)<', over) == ["ship", "captain", "crew", "", ""]
    assert over.count('class="pin"') == PINS_IN_THE_KEY, "a turn that is over keeps no dice"
    assert 'data-why="That is Tom&#39;s last throw"' in over
    assert 'data-why="This die has not fallen yet: throw first"' in shown(DICE_VIEWS["berths-empty"], "/table")


def test_the_sheet_shows_what_each_open_box_would_score() -> None:
    assert '<i class="prospect">25</i>' in shown(DICE_VIEWS["boxes-best-first"], "/")


def test_every_seat_has_a_column_on_the_score_sheet() -> None:
    for path in ("/", "/table"):
        html = re.sub(' data-what="[^"]*"', "", shown(DICE_VIEWS["cursed"], path))
        assert '<tr class="row-box"><th scope="row">Full boat</th><td>25</td><td class="on-turn"></td></tr>' in html
        assert (
            '<tr class="row-sum"><th scope="row">Total plunder</th><td>25</td><td class="on-turn">0</td></tr>' in html
        )


def test_boxes_that_score_are_answers_on_the_sheet_and_buttons_with_the_best_first() -> None:
    sheet, _, ask = shown(DICE_VIEWS["boxes-best-first"]).partition('id="ask"')
    boxes = re.findall(r'class="box[^"]*" data-fill="([^"]+)"', sheet)
    assert set(re.findall(r'data-pick="(score-[^"]+)"', ask)) == set(boxes)
    points = [int(words) for words in re.findall(r'data-pick="score-[^"]+">[^<]+: (\d+)<', ask)]
    assert points == sorted(points, reverse=True)
    assert {"score-ones", "score-full-boat", "score-flotsam"} < set(boxes)
    assert "Full boat: 25" in ask


def test_a_box_for_nothing_does_not_look_like_an_offer_and_is_asked_twice() -> None:
    agreed = "game swashbuckle Anne Bart order=seated voluntary_scuttle=true"
    html = shown(played(f"{agreed}; dice 1 2 2 3 3; press roll"))

    def button(data: str, words: str) -> tuple[list[str], str]:
        found = re.search(rf'<button type="button" class="([^"]*)" {data}([^>]*)>{words}', html)
        assert found is not None
        return found[1].split(), found[2]

    classes, asks = button('data-fill="scuttle-swashbuckle"', "0<")
    assert (classes, 'data-confirm="Sure?"' in asks) == (["box", "worthless"], True)
    classes, asks = button('data-pick="scuttle-swashbuckle"', "")
    assert ("wasteful" in classes, "data-confirm=" in asks) == (True, True)
    plain, _, folded = html.partition('id="ask"')[2].partition('<details class="moves" id="wasteful">')
    assert (plain.count('data-pick="scuttle-'), folded.count('data-pick="scuttle-')) == (0, 16)
    assert "16 answers that give something away" in folded
    classes, asks = button('data-fill="score-twos"', "4<")
    assert (classes, "data-confirm" in asks) == (["box"], False)


def test_throws_that_are_rare_are_folded_and_what_the_red_button_does_is_no_second_answer() -> None:
    plain, _, folded = shown(played("game legend Anne Bart")).partition('id="ask"')[2].partition('id="folded-1">')
    assert "<summary>Throw only some of the dice</summary>" in folded
    offered = [re.findall('data-pick="(roll[^"]*)"', part) for part in (plain, folded)]
    assert offered == [["roll"], ["roll-cargo", "roll-legend"]]
    view = played("game legend Anne Bart; dice 5; pick roll-legend")
    ask = shown(replace(view, roll=RollOffer("Throw", possible=True, option="roll-cargo"))).partition('id="ask"')[2]
    classes = {id_: words for words, id_ in re.findall('class="(button[^"]*)" data-pick="([^"]*)"', ask)}
    assert ["by-roll" in classes[id_] for id_ in ("roll-cargo", "throw-again")] == [True, False]


def test_of_several_columns_a_page_shows_those_of_the_player_on_turn_and_others_behind_tabs() -> None:
    html = shown(DICE_VIEWS["two-columns-of-two"]).partition('id="sheet"')[2]
    assert re.findall(r'id="sheet-1-(\d)"( checked)?><bdi>(\w+)</bdi></label>', html) == [
        ("0", "", "Anne"),
        ("1", " checked", "Sunnyseas"),
    ]
    annes, _, own = html.partition("</section>")[0].partition('id="sheet-1-1"')
    assert '<button type="button" class="box" data-fill="score-fives-2" aria-label="Fives, column 2: 5"' in own
    assert re.search(r'<th scope="colgroup" colspan="2" class="on-turn"><bdi[^>]*>Sunnyseas</bdi></th>', own)
    assert "Anne</bdi></th>" not in own
    annes = re.sub(' data-what="[^"]*"', "", annes)
    assert '<tr class="row-box"><th scope="row">Full boat</th><td></td><td>25</td></tr>' in annes
    assert '<th scope="row">Total plunder</th><td colspan="2">25</td>' in annes
    assert "data-fill" not in annes


def test_what_may_be_called_at_any_time_stands_apart_from_the_answers_and_is_asked_twice() -> None:
    view = DICE_VIEWS["two-columns-of-two"]
    html = shown(view)
    calls = html.partition('id="calls"')[2].partition("</section>")[0]
    assert 'data-pick="penalty-0" data-confirm="Really? Press again">Penalty for Anne</button>' in calls
    assert "Penalty for Sunnyseas" in calls
    assert "penalty-0" not in html.partition('id="ask"')[2].partition("</section>")[0]
    assert "penalty-0" not in shown(view, "/")  # nobody acts on the display for a room
    first, *others = view.calls
    assert "penalty-0" not in shown(replace(view, calls=(replace(first, in_vain=True), *others)))


def test_a_title_stands_in_place_of_the_name() -> None:
    view = DICE_VIEWS["cursed"]
    html = shown(replace(view, seats=(replace(view.seats[0], title=NASTY), view.seats[1])))
    assert "&lt;script&gt;" in html
    assert NASTY not in html
    assert ">Anne<" not in html


def test_records_show_titles_wins_and_the_best_alone_or_that_there_are_none() -> None:
    ranking = ranking_of([(("Anne", NASTY), (350, 120))])
    tally, best = Tally("legend", "Bart", 4, 2, 40, drawn=1), SolitaireBest("ship-captain-crew", "Cora", "", 51, 9, 4)

    class Remembering(FakeTable):
        def standings(self) -> Standings:
            return Standings([ranking], [tally, Tally("captains-chess", "Dirk", 3, 1, 1, drawn=2)], [best])

    html = get(Remembering(), "/records").text
    assert "<td>1</td><td>2</td><td>3</td></tr>" in html, "a result is no score"
    assert "Captain Anne" in html
    assert NASTY not in html
    assert "9 turns" in html
    assert "<td>2</td><td>1</td><td>4</td><td>40</td>" in html
    assert "No match has been finished yet" in get(FakeTable(), "/records").text


def test_records_keep_people_from_computers_and_one_target_from_another() -> None:
    ranking = ranking_of([(("Anne", "Eurus (level 1)"), (350, 345))])
    crew = "ship-captain-crew"
    tallies = [
        Tally(crew, "Anne", 2, 1, 52),
        Tally(crew, "Zephyr (level 2)", 1, 1, 57),
        Tally(crew, "Bart", 1, 1, 23, course="target=20"),
        Tally(crew, "Cora", 1, 1, 11, course="mode=single target=20"),
    ]
    alone = [SolitaireBest(crew, "Cora", "", 51, 9, 4), SolitaireBest(crew, "Dirk", "target=20", 21, 4, 1)]

    class Remembering(FakeTable):
        def standings(self) -> Standings:
            return Standings([ranking], tallies, alone, computers=frozenset({"Eurus (level 1)", "Zephyr (level 2)"}))

    html = get(Remembering(), "/records").text
    tables = [
        (re.findall(r'<th scope="col">([^<]*)', table)[0], re.findall(r'<th scope="row"><bdi>([^<]*)', table))
        for table in html.split("<table")[1:]
    ]
    assert tables == [
        ("People", ["Captain Anne"]),
        ("Computers", ["First mate Eurus (beginner)"]),
        ("Player", ["Cora"]),
        ("Player", ["Bart"]),
        ("People", ["Anne"]),
        ("Computers", ["Zephyr (fair)"]),
        ("Player", ["Cora"]),
        ("Player", ["Dirk"]),
    ]
    assert re.findall("<h3>(.*?)</h3>", html) == [
        "Played: one round",
        "Played: to a target, Target: 20",
        "Played: to a target, Target: 50",
        "Ship, Captain and Crew <small>Target: 50</small>",
        "Ship, Captain and Crew <small>Target: 20</small>",
    ]


def test_a_file_that_a_game_does_not_have_is_not_found_in_words() -> None:
    class WithoutPgn(FakeTable):
        def export(self, number: int, form: str) -> str:
            raise NoSuchForm(f"match {number} has no {form}: expected form json")

    answer = get(WithoutPgn(), "/export/1.pgn")
    assert answer.status_code == 404
    assert "expected form json" in answer.json()["error"]


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


def test_clocks_nine_files_and_crowned_pieces_are_shown_and_no_sealed_dice() -> None:
    html = shown(CHESS, "/")
    assert re.search(r'class="clock" role="timer">4:47<', html)
    assert re.search(r'class="clock low" role="timer">0:09<', html)
    assert 'aria-label="black crowned bishop on i8"' in html
    assert html.count('data-square="') == 72
    assert "c0ffee" not in html


def test_a_second_on_the_clock_renders_two_fragments_and_leaves_the_board_alone() -> None:
    renderer, scene = Renderer(), Scene(CHESS)
    before = renderer.fragments("table", scene)
    seats = (replace(CHESS.seats[0], seconds_left=286), CHESS.seats[1])
    after = renderer.fragments("table", replace(scene, view=replace(CHESS, seats=seats)))
    assert after["board"] is before["board"]
    assert "4:46" in after["tallies"]
    assert {name for name in after if after[name] != before[name]} == {"tallies"}


STAGED = replace(
    CHESS,
    seats=(
        replace(CHESS.seats[0], delay_seconds=7, stage=StageProgress(1, 2, 38)),
        replace(CHESS.seats[1], delay_seconds=0, stage=StageProgress(2, 2, None)),
    ),
)


@pytest.mark.parametrize("page", ["/", "/table"])
def test_a_clock_with_stages_and_a_delay_shows_both_and_keeps_the_room_of_a_delay_that_is_over(page: str) -> None:
    html = shown(STAGED, page)
    assert "1/2 · 38 to go</span>" in html
    assert "stage 1 of 2, 38 moves to go" in html
    assert "2/2</span>" in html
    assert re.search(r'class="of-delay"[^>]*>delay 7<', html)
    assert re.search(r'class="of-delay none"[^>]*>delay 0<', html)
    assert "time-note" not in shown(CHESS, page)


def test_a_second_of_a_delay_renders_the_tallies_alone() -> None:
    renderer, scene = Renderer(), Scene(STAGED)
    before = renderer.fragments("table", scene)
    seats = (replace(STAGED.seats[0], delay_seconds=6), STAGED.seats[1])
    after = renderer.fragments("table", replace(scene, view=replace(STAGED, seats=seats)))
    assert {name for name in after if after[name] != before[name]} == {"tallies"}


def test_the_rules_of_a_game_on_time_explain_its_clock_rule_by_rule() -> None:
    html = get(FakeTable(), "/rules/captains-chess").text
    assert [number for number in range(1, 16) if f'id="Z{number}"' not in html] == []


def test_a_game_the_board_has_no_room_for_says_why_and_cannot_be_begun() -> None:
    html = get(FakeTable(board_shape=Shape(8, 8)), "/new?game=captains-chess").text
    assert "needs a board of 9 files and 8 ranks: this one has 8 files and 8 ranks" in html
    assert re.search(r'type="submit" disabled', html)
    assert not re.search(r'type="submit" disabled', get(FakeTable(), "/new?game=captains-chess").text)
    assert not re.search(r'type="submit" disabled', get(FakeTable(board_shape=Shape(8, 8)), "/new?game=legend").text)


def test_what_one_renderer_compiled_another_need_not(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(View())
    first = Renderer().fragments("table", scene)

    def compiled_again(*_: object) -> None:
        raise AssertionError("a template was compiled again")

    monkeypatch.setattr(Environment, "_compile", compiled_again)
    assert Renderer().fragments("table", scene) == first


def test_of_a_crowd_a_line_names_the_first_and_counts_the_rest() -> None:
    assert in_words(PARTY[:2]) == f"{PARTY[0]} and {PARTY[1]}"
    assert in_words(PARTY).endswith(f"{PARTY[5]} and 26 more")
    assert (in_words(()), in_words(("Anne",))) == ("", "Anne")


def test_of_a_crowd_the_columns_around_the_player_on_turn_or_the_last_throw_are_shown() -> None:
    assert list(visible_columns(crowded(DICE_VIEWS["boxes-best-first"]))) == list(range(16, 24)), "around 20, on turn"
    view = crowded(DICE_VIEWS["boxes-best-first"], 31)
    assert list(visible_columns(view)) == list(range(24, 32))
    assert list(visible_columns(replace(view, last_throw=LastThrow(0, (), (), "")))) == list(range(8))


def test_a_winner_is_listed_first_and_equal_scores_share_a_rank() -> None:
    seats = tuple(SeatView(name, {"total": 0}, on_turn=False) for name in "ABCD")
    over = View(Phase.OVER, seats=seats, result=Result(2, (5, 9, 9, 5)))
    assert standing_of(over) == [(2, 1), (1, 2), (0, 3), (3, 3)]
    assert standing_of(replace(over, result=Result(None, (5, 9, 9, 5)))) == [(1, 1), (2, 1), (0, 3), (3, 3)]
    assert standing_of(replace(over, phase=Phase.PLAYING, result=None)) == [(0, None), (1, None), (2, None), (3, None)]


def test_no_card_is_shown_while_the_match_goes_on() -> None:
    assert card_of(VIEWS["after-a-throw"]) is None
    card = card_of(VIEWS["shared"])
    assert card is not None
    assert card.is_final
