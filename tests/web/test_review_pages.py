"""The page of one match: result, moments, charts; with links alone."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st
from msgspec import structs

from captains_table.games.common.short_names import short_names
from captains_table.games.contract import Action, Bell, Bid, EndMatch, Pick, Result, Rolled
from captains_table.runtime.reviews import Review
from captains_table.table.history.review import JudgedDecision
from captains_table.table.model.view import SeatView, View
from captains_table.web.result_picture import result_svg, text_width
from captains_table.web.svg.chart_svg import ChartLine, step_chart
from tests.support.fake_table import FakeTable
from tests.support.reviewed import BEGAN, entries_of, reviewed
from tests.support.visiting import get

MINUS = "\N{MINUS SIGN}"
NASTY = "<script>alert('Anne')</script>"
CREW: list[Action] = [Rolled((6, 5, 4, 3, 3)), Pick("stand"), Rolled((6, 5, 4, 6, 6)), Pick("stand")]
SEATED = {"order": "seated", "target": "10"}


def table_with(*reviews: Review) -> FakeTable:
    table = FakeTable()
    table.looked_back = {review.number: review for review in reviews}
    return table


@pytest.fixture(scope="module")
def finished() -> FakeTable:
    """Return a table with four matches that are over, one of each game."""
    matches = (
        entries_of("legend", options={"rounds": "1", "turn_limit": "8"}, luck=5),
        entries_of("captains-chess", [Pick("e2e4"), Pick("e7e5"), Pick("resign")]),
        *(entries_of(game, luck=5) for game in ("ship-captain-crew", "swashbuckle")),
    )
    return table_with(*(reviewed(entries, number) for number, entries in enumerate(matches, start=1)))


@pytest.fixture
def table() -> FakeTable:
    """Return a table with a short match of Ship, Captain, Crew that is over."""
    return table_with(reviewed(entries_of("ship-captain-crew", CREW, options=SEATED)))


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_finished_match_shows_who_won_everybody_in_order_and_the_charts_that_mean_something(
    finished: FakeTable, number: int
) -> None:
    charts = ["Material"] if number == 2 else ["Totals", "Luck"]
    html = get(finished, f"/matches/{number}").text
    assert re.search(r"<h2>(?:Anne wins|Bart wins|A draw)</h2>", html)
    scores = [int(score) for score in re.findall(r"</span><b>(-?\d+)</b></li>", html)]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 2
    for link in (f"/export/{number}.json", f"/matches/{number}/verify", "?at=0#review"):
        assert f'href="{link}"' in html
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|<style", html)
    assert re.findall(r"<figcaption><h2>(\w+)</h2>", html) == charts
    assert ("Where the points come from" in html) == ("Luck" in charts)
    assert "Costliest decision" not in html or "(Decisions look ahead)" not in html, "two measures of one decision"
    told = re.findall(r"(\w+)&#39;s dice were (\d+) points? better", html)
    assert re.findall(r"Better dice, that of Anne above the line: at the end (\w+) (\d+) ahead", html)[:1] == told
    assert bool(told) == ("Luck" in charts), "the chart says what the words say"


def test_the_scores_of_crowns_are_gold_in_the_result_and_its_picture() -> None:
    table = table_with(reviewed(entries_of("crowns", [Bid(0, 1), Bell(), Pick("pass"), EndMatch()])))
    assert re.findall(r"</span><b>(\d+ gold)</b></li>", get(table, "/matches/1").text) == ["19 gold", "15 gold"]
    assert "19 : 15 gold" in texts_of(get(table, "/matches/1/result.svg").text)


def test_who_is_level_shares_the_place() -> None:
    level = entries_of("ship-captain-crew", [*CREW[:2], *CREW[:2]], options={"order": "seated"}, names=("Anne", "Bart"))
    html = get(table_with(reviewed(level)), "/matches/1").text
    assert re.findall(r'<span class="place">(\d)</span>', html) == ["1", "1"]
    assert "<h2>Not over yet</h2>" in html
    drawn = entries_of("captains-chess", [Pick("e2e4"), Pick("offer-draw"), Pick("agree")], names=("Anne", "Bart"))
    html = get(table_with(reviewed(drawn)), "/matches/1").text
    assert "<h2>A draw</h2>" in html
    assert re.findall(r"<b>(.)</b></li>", html) == ["\u00bd", "\u00bd"]


def test_a_link_leads_to_a_moment_and_each_moment_to_the_next_from_the_last(table: FakeTable) -> None:
    html = get(table, "/matches/1?at=3").text
    assert "Bart: throws 6, 5, 4, 6, 6" in text_of(html)
    assert html.count('aria-label="die 4: 6"') == 1
    assert 'aria-label="ship: 6"' in html
    assert '<th scope="col">last cargo</th>' in html
    stood = text_of(get(table, "/matches/1/moment?at=2").text)
    assert "decision \u22122.0 (Stand with 6), better: Throw both cargo dice" in stood
    assert "Costliest decision" in html
    for to in ("at=0", "at=2", "at=4"):
        assert f'href="?{to}#review"' in html
    assert '<a href="?at=3#review" data-at="3" aria-current="step">' in html
    assert '<input id="slide" type="range" name="at" min="0" max="4" value="3">' in html
    assert 'value="http://localhost:8080/matches/1?at=3#review"' in html
    assert "<b>4</b> of 4" in get(table, "/matches/1").text


@pytest.mark.parametrize("at", ["5", "-1", "x", "1.5", "9" * 30, "²"])
def test_a_moment_that_is_none_is_an_error_in_words(table: FakeTable, at: str) -> None:
    for path in ("/matches/1", "/matches/1/moment"):
        answer = get(table, f"{path}?at={at}")
        assert answer.status_code == 404
        assert "expected 0 to 4" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/matches/9", "/matches/9/moment", "/matches/9/verify", "/matches/nine"])
def test_a_match_that_is_none_is_an_error_in_words(path: str) -> None:
    answer = get(FakeTable(), path)
    assert answer.status_code == 404
    assert "expected a number from the list of matches" in answer.json()["error"]


def test_a_moment_alone_is_a_fragment_of_the_page(finished: FakeTable) -> None:
    moment = get(finished, "/matches/1/moment?at=7").text
    assert "<html" not in moment
    assert moment.strip() in get(finished, "/matches/1?at=7").text


def test_the_board_is_seen_from_either_side(finished: FakeTable) -> None:
    html = get(finished, "/matches/2?at=1&side=black").text
    assert html.index('data-square="h1"') < html.index('data-square="h8"')
    assert 'href="?at=2&amp;side=black#review"' in html


def test_names_are_escaped_wherever_they_are_shown() -> None:
    table = table_with(
        reviewed(entries_of("ship-captain-crew", CREW * 2, options=SEATED | {"target": "99"}, names=(NASTY, "Bart")))
    )
    html = get(table, "/matches/1").text
    assert "<script>alert" not in html
    assert "Totals turn by turn" in html


def test_the_sheet_stands_in_the_order_of_the_result(finished: FakeTable) -> None:
    html = get(finished, "/matches/4").text
    head = html[html.index('<table class="score-sheet">') :]
    names = re.findall(r'<th scope="col"><bdi>(\w+)</bdi></th>', head)
    totals = [int(cell) for cell in re.findall(r"<td>(\d+)</td>", head.rpartition("Total plunder")[2])]
    assert sorted(names) == ["Anne", "Bart"]
    assert totals == sorted(totals, reverse=True)


def test_a_running_match_says_what_is_shown_and_what_is_still_to_come() -> None:
    words = text_of(get(table_with(reviewed(entries_of("swashbuckle", luck=1, most=30))), "/matches/1").text)
    assert "Not over yet" in words
    assert "What is shown is what everybody may know by now" in words
    assert "still expected, and not scored yet" in words


def test_a_match_that_cannot_be_replayed_says_why() -> None:
    table = table_with(Review(1, BEGAN, "legend", why_not="It does not replay: action 3"), Review(2, BEGAN, "mermaids"))
    assert "It does not replay: action 3." in get(table, "/matches/1").text
    assert "mermaids" in get(table, "/matches/2").text
    assert get(table, "/matches/2/moment").status_code == 409


def test_a_match_that_has_hardly_begun_is_shown() -> None:
    for game in ("legend", "captains-chess", "ship-captain-crew", "swashbuckle"):
        html = get(table_with(reviewed(entries_of(game))), "/matches/1").text
        assert "<b>0</b> of 0" in html


def test_the_list_and_the_table_lead_to_it() -> None:
    html = get(FakeTable(), "/matches").text
    assert 'href="/matches/1"' in html
    answer = get(FakeTable(), "/matches/current")
    assert (answer.status_code, answer.headers["location"]) == (303, "/matches/2")


def test_decisions_are_judged_when_somebody_asks_once_the_match_is_over(table: FakeTable) -> None:
    refused = get(table, "/matches/1?judged=1")
    assert (refused.status_code, "is not over" in refused.text) == (409, True)
    table.analysed[1] = (JudgedDecision(1, 0, "Anne: a dear one", 3.25, "another one"), JudgedDecision(2, 1, "Bart", 0))
    asked_not = get(table, "/matches/1").text
    assert "What did each decision cost?" in asked_not
    assert "another one" not in asked_not
    asked = get(table, "/matches/1?judged=1").text
    assert "What did each decision cost?" not in asked
    for words in ("Anne: a dear one", "better: another one", "3.2", "<td>1</td><td><b>nothing</b></td>"):
        assert words in asked


# --- games like chess -------------------------------------------------------------------------------------------------

OPENING: list[Action] = [Pick("e2e4"), Pick("e7e5"), Pick("d1h5"), Pick("e8e7"), Pick("h5e5")]
LINE = ("b8c6", "f1c4", "g8f6")
JUDGED = (
    JudgedDecision(1, 0, "Anne: e2-e4", 0.0, "e2-e4", "e2e4", "level", 0.3, ("e2e4", "e7e5"), 53.0, 0.0, 0),
    JudgedDecision(2, 1, "Bart: e7-e5", 0.0, "e7-e5", "e7e5", "level", -0.3, ("e7e5",), 47.0, 0.0, 1),
    JudgedDecision(3, 0, "Anne: Qd1-h5", 0.6, "Ng1-f3", "g1f3", "level", 0.4, ("g1f3",), 54.0, 5.0, 2),
    JudgedDecision(4, 1, "Bart: Ke8-e7", 9.0, "Nb8-c6", "b8c6", "about 1 pawn ahead", 0.6, LINE, 56.0, 54.4, 3),
)


@pytest.fixture
def chess() -> FakeTable:
    """Return a table with a short match of chess that is over, and its judged decisions."""
    table = table_with(reviewed(entries_of("chess", OPENING)))
    table.analysed[1] = JUDGED
    return table


def test_errors_of_chess_are_called_by_name_with_the_chance_that_they_lost(chess: FakeTable) -> None:
    html = get(chess, "/matches/1?judged=1").text
    told = text_of(html)
    assert f"Bart: Ke8-e7 blunder, {MINUS}54% better: Nb8-c6" in told
    assert f"Anne: Qd1-h5 inaccuracy, {MINUS}5% better: Ng1-f3" in told
    assert "Accuracy" in told
    assert re.search(r"Anne 2 0.6 83% ", told)
    assert re.search(r"Bart 2 9.0 51% ", told)
    assert (
        "Evaluation, per cent of the chance to win beyond a half, that of Anne above the line"
        in get(chess, "/matches/1?judged=1").text
    )


def test_without_chances_errors_are_graded_by_pawns_and_no_accuracy_is_told(chess: FakeTable) -> None:
    chess.analysed[1] = tuple(structs.replace(each, chance=None, lost_chance=None) for each in JUDGED)
    html = get(chess, "/matches/1?judged=1").text
    assert f"blunder, {MINUS}9.0" in html
    assert f"inaccuracy, {MINUS}0.6" in html
    assert "Accuracy" not in html
    assert "Evaluation, in pawns, that of Anne above the line" in html


def test_the_better_line_is_played_on_the_board_move_by_move(chess: FakeTable) -> None:
    html = get(chess, "/matches/1?judged=1").text
    [address] = re.findall(r'href="(\?at=4&judged=1&amp;line=b8c6[^"]*)"|$', html)[:1]
    shown = text_of(get(chess, "/matches/1" + address.replace("&amp;", "&").removesuffix("#review")).text)
    assert "Instead of Bart: Ke8-e7: Nb8-c6 Bf1-c4 Ng8-f6 Back to the match" in shown
    boards = [get(chess, f"/matches/1/moment?at=4&line=b8c6.f1c4.g8f6&ply={ply}").text for ply in (1, 2, 3)]
    assert len({re.sub(r"(?s).*?(<svg class=.*?</svg>).*", r"\1", board) for board in boards}) == 3
    assert all("Ke8-e7" in board for board in boards)


@pytest.mark.parametrize("query", ["=b8c6&ply=2", "=b8c6&ply=0", "=e2e4", "=resign.e2e4", "=b8c6&ply=x"])
def test_a_line_that_cannot_be_played_there_is_refused_in_words(chess: FakeTable, query: str) -> None:
    answer = get(chess, f"/matches/1/moment?at=4&line{query}")
    assert (answer.status_code, "line" in answer.text) == (404, True)


def test_the_progress_of_an_analysis_is_told_and_nothing_else(chess: FakeTable) -> None:
    assert get(chess, "/matches/1/progress").status_code == 204
    chess.analysing = 1
    assert get(chess, "/matches/1/progress").json() == {"done": 4, "of": 9}


# --- charts ---------------------------------------------------------------------------------------------------------


def test_lines_of_a_chart_are_told_apart_by_shape_and_name_and_no_label_lies_over_another() -> None:
    lines = [ChartLine(seat, f"Player {seat}", [0, 10, 20 + seat / 10], f"{20 + seat}") for seat in range(8)]
    svg = step_chart(lines, label="Totals", along="turns")
    for drawing in svg.split("</svg>")[:2]:
        shapes = {re.findall(r'<g class="shape"[^>]*>(.*?)</g>', part)[0] for part in drawing.split('class="line ')[1:]}
        assert len(shapes) == 8
        heights = sorted(float(y) for y in re.findall(r'class="name" x="[\d.]+" y="([\d.]+)"', drawing))
        assert len(heights) == 8
        assert all(below - above >= 15 for above, below in pairwise(heights))
        assert 0 < heights[0] < heights[-1] < 330


@pytest.mark.parametrize("values", [[0, 0], [0, -3, -7.5], [0, 1], [0, 0.4], [0, 1e6], [0, -1e-12], [0, 5, -5, 1234.5]])
def test_a_chart_holds_every_value(values: list[float]) -> None:
    svg = step_chart([ChartLine(0, "Anne", values, "")], label="Luck", along="turns", signed=True)
    path = re.findall(r'class="trail" d="([^"]+)"', svg)[0]
    heights = [float(y) for y in re.findall(r"(?:V|M[\d.]+ )(-?[\d.]+)", path)]
    assert all(13 <= y <= 297 for y in heights)
    assert 2 <= svg.count('text-anchor="end"') / 2 <= 12


# --- a picture to keep ------------------------------------------------------------------------------------------------


def texts_of(svg: str) -> list[str]:
    """Return the lines of text of a picture; fails if it is no XML."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_result_is_kept_as_a_picture_that_needs_no_other_file(finished: FakeTable, number: int) -> None:
    answer = get(finished, f"/matches/{number}/result.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert f'filename="match-{number}.svg"' in answer.headers["content-disposition"]
    assert set(re.findall(r"url\(.{5}", answer.text)) == {'url("data'}
    texts, story = texts_of(answer.text), finished.looked_back[number].story
    assert story is not None
    assert story.result is not None
    assert {*story.names, *map(str, story.result.scores), story.game.title} <= set(texts)
    assert story.result.why in texts
    assert f"Fingerprint {finished.looked_back[number].digest[:16]}" in texts
    assert get(finished, f"/matches/{number}").text.count(f'href="/matches/{number}/result.svg"') == 1


def test_a_picture_shortens_long_names_rather_than_squeeze_them() -> None:
    names = ("Wolfeschlegelsteinhausenbergerdorff Sr", "Bartholomew Roberts the First")
    match = entries_of("captains-chess", [Pick("e2e4"), Pick("e7e5"), Pick("resign")], names=names)
    svg = get(table_with(reviewed(match)), "/matches/1/result.svg").text
    assert [text for text in texts_of(svg) if "\u2026" in text] == [
        "Bartholomew Roberts\u2026 wins",
        "Bartholomew Roberts\u2026",
        "Wolfeschlegelsteinh\u2026",
    ]
    assert "textLength" not in svg


def test_a_match_that_goes_on_has_no_picture() -> None:
    going_on = table_with(reviewed(entries_of("captains-chess", [Pick("e2e4")])))
    answer = get(going_on, "/matches/1/result.svg")
    assert answer.status_code == 409
    assert "is not over" in answer.text


PERSIAN, FAMILY = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ODD = ("<b>&\"'", PERSIAN, FAMILY, "]]>", "\x00\ufffe\ud800")
NAMES = st.text(min_size=1, max_size=40) | st.sampled_from(ODD)


@given(NAMES, NAMES, st.integers(-9, 400), st.integers(-9, 400))
def test_a_picture_is_well_formed_whatever_the_players_are_called(one: str, other: str, score: int, more: int) -> None:
    low, high = sorted((score, more))
    view = View(title="Legend", seats=tuple(SeatView(name, {}, on_turn=False) for name in (one, other)))
    svg = result_svg(view, Result(0, (high, low), f"{other} resigns"), "", "")
    texts = texts_of(svg)
    assert len(texts) == 9
    if one.isprintable():
        assert texts[4] == short_names((one, other), 1160, text_width)[0]
    for width in re.findall(r'width="([\d.]+)%"', svg):
        assert 0 <= float(width) <= 100
