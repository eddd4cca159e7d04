"""The first screen: a card for each game, and above the cards what waits."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest
from msgspec.structs import replace

from captains_table import catalog
from captains_table.games.common.records import Tally
from captains_table.games.contract import Option, PickAsk, Shape
from captains_table.page.live_pages import MOST_PAIRED
from captains_table.runtime.match_archive import CannotRead
from captains_table.storage.match_index import Standings
from captains_table.table.lobby.match_setup import ClubPairing, Start, UnfinishedMatch
from captains_table.table.model.view import Phase, View
from captains_table.web.first_screen import champions, rematch_unless_open
from tests.support.fake_table import FakeTable, with_legend
from tests.support.visiting import get, post, visit

TOKEN = "of the table"  # noqa: S105 - nobody's
OPEN_ASK = PickAsk("How many play?", (Option("players-2", "2 players"),))
OPEN = UnfinishedMatch(7, "legend", ("Anne", "Aether (beginner)"), "Round 2 of 3", (41, 36), "Anne")


class Remembering(FakeTable):
    """A table at which somebody has won."""

    def standings(self) -> Standings:
        return Standings(tallies=(Tally("legend", "Aether (level 1)", 9, 9), Tally("legend", "Anne", 9, 3)))


def first(table: FakeTable, path: str = "/table") -> str:
    """Return the part of the page with the cards."""
    return get(table, path).text.partition('class="first')[2].partition("</main>")[0]


def card(html: str, game: str) -> str:
    return html.partition(f'id="card-{game}"')[2].partition('<li class="card')[0]


def fields(form: str) -> dict[str, str]:
    """Return what a form of hidden fields and chosen discs sends."""
    found = re.findall(
        r'type="(hidden|radio)" name="(\w+)"(?: id="[^"]*")? value="([^"]*)"(?: aria-label="[^"]*")?( checked)?', form
    )
    return {name: unescape(value) for kind, name, value, checked in found if kind == "hidden" or checked}


@pytest.mark.parametrize("path", ["/table", "/new"])
def test_each_game_is_a_card_and_one_press_begins_a_round_against_its_weakest_computer(path: str) -> None:
    table = FakeTable()
    html = first(table, path)
    assert re.findall(r'id="card-([\w-]+)"', html) == [each.game.key for each in catalog.entries()]
    legend = card(html, "legend")
    assert 'src="/games/legend.svg"' in legend
    for words in ("Dice command, chessmen obey.", "1\u20132", "30&#160;min", 'action="/lessons/legend"'):
        assert words in legend
    assert [legend.count(f'value="aether:{level}"') for level in range(8)] == [1] * 7 + [0]
    assert fields(legend) == {"game": "legend", "name1": "Sailor", "rounds": "1", "name2": "aether:0"}
    crowns = card(first(table, path), "crowns")
    assert fields(crowns)["timer"] == "0", "no bell rings while a newcomer reads"
    together = re.search(r'href="(/new\?game=crowns[^"]*)"', crowns)
    assert together is None or "timer" not in together[1]
    table.known = ["Anne", "Bart"]
    assert post(table, "/new", fields(card(first(table, path), "legend"))).status_code == 204
    assert table.calls == [("new", "legend", ("Anne", "aether:0"), {"rounds": "1"})]
    table = FakeTable()
    table.against = {"legend": "aether:4", "crowns": "engine:2"}
    html = first(table, path)
    assert fields(card(html, "legend"))["name2"] == "aether:4", "the level of the last match"
    assert fields(card(html, "crowns"))["name2"] == "notus:0", "a computer that is not offered is no level"
    if path == "/new":
        assert fields(get(table, "/new?game=legend").text.partition('id="form"')[0])["name2"] == "aether:4"


def test_a_game_without_picture_sentence_and_computer_has_a_plain_card_whose_form_is_filled_in() -> None:
    table = FakeTable()
    pig = card(first(table), "pig")
    assert "<img" not in pig
    assert "min</span>" not in pig
    assert "<form" not in pig
    address = re.search(r'class="button primary" href="([^"]*)"', pig)
    assert address is not None
    form = get(table, unescape(address[1])).text
    assert re.findall(r'name="name\d"[^>]*? value="(\w+)"', form) == ["Sailor", "Mate"]
    table.known = ["Mate", "Anne", "Bart"]
    together = re.search(r'href="(/new\?game=legend[^"]*)"', first(table))
    assert together is not None
    assert unescape(together[1]) == "/new?game=legend&name1=Mate&name2=Anne&rounds=1"


def test_only_games_with_room_on_the_board_have_a_card() -> None:
    html = first(FakeTable(board_shape=Shape(8, 8)))
    assert "card-legend" in html
    assert "card-captains-chess" not in html


def test_an_open_match_comes_first_with_who_score_and_turn_and_one_press_goes_on() -> None:
    table = FakeTable()
    untouched = replace(OPEN, number=9, is_begun=False)
    table.left = (untouched, OPEN, replace(OPEN, number=3, scores=(0, 0)))
    table.again = Start("legend", ("aether:1", "Anne"), {"rounds": "1"})
    html = first(table)
    assert html.index("Go on with Legend") < html.index("card-legend")
    for words in (
        "<bdi>Anne</bdi> and <bdi>Aether (beginner)</bdi>",
        "41 : 36",
        "Round 2 of 3",
        "Anne to play",
        "1 more",
        'action="/matches/7/resume"',
    ):
        assert words in html
    assert "Rematch" not in html, "it is the match that is open"
    table.left = (replace(OPEN, names=("Anne", "Bart"), scores=(0, 0)),)
    assert "Rematch" in first(table)
    assert 'class="score"' not in first(table)
    table.left = (replace(OPEN, game="crowns", scores=(38, 12)),)
    assert '<b class="score">38 : 12 gold</b>' in first(table)
    table.left = (untouched,)
    assert "Go on with" not in first(table)
    assert "Rematch" in first(table), "a match in which nothing was done takes nothing's place"
    assert rematch_unless_open(None, table.left) is None


def test_a_rematch_is_one_press_that_sends_what_the_form_would_unless_a_match_is_played() -> None:
    table = FakeTable()
    assert "Rematch" not in first(table, "/new")
    begun = with_legend()
    begun.again = Start("legend", ("Bart", "Anne"), {})
    assert "Rematch" not in first(begun, "/new")
    waiting = get(begun, "/new").text.partition('class="waiting"')[2].partition("</li>")[0]
    assert "<b>Legend</b>" in waiting
    assert '<a class="button primary" href="/table">Back to the match</a>' in waiting
    table.again = Start("captains-chess", ("Bart", "Anne & Co"), {"clock": "5+3", "clock_start": "press"})
    html = first(table).partition("<b>Rematch</b>")[2].partition("</li>")[0]
    assert "<bdi>Bart</bdi> and <bdi>Anne &amp; Co</bdi>" in html
    assert "Clock: 5+3 minutes" in html
    expected = {"game": "captains-chess", "name1": "Bart", "name2": "Anne & Co", **table.again.options}
    assert fields(html) == expected
    changed = re.search(r'href="(/new\?[^"]*)"', html)
    assert changed is not None
    filled = get(table, unescape(changed[1])).text
    assert 'value="Anne &amp; Co"' in filled
    assert re.search(r'name="clock"[^>]* value="5\+3"', filled)
    table.again = Start("swashbuckle", ("eurus:2", "Anne", "eurus:2"), {})
    again = first(table).partition("<b>Rematch</b>")[2].partition("</form>")[0]
    assert list(fields(again).values()) == ["swashbuckle", "eurus:2", "Anne", "eurus:2"]


def test_what_the_club_wants_played_comes_first_of_all() -> None:
    table = FakeTable()
    table.wanted = tuple(
        ClubPairing(f"Round <{number}>", Start("legend", ("Anne", "Bart & Co"), {}, number)) for number in "1234"
    )
    table.left = (OPEN,)
    html = first(table)
    assert html.index("Round &lt;1&gt;</b> Anne \u2013 Bart &amp; Co") < html.index("Go on with Legend")
    assert html.count('name="pairing"') == MOST_PAIRED
    table.show(View(phase=Phase.PLAYING))
    assert 'name="pairing"' not in get(table, "/table").text


def test_cards_come_and_go_with_what_is_asked_and_a_refusal_stands_above_them() -> None:
    table = FakeTable()
    table.show(View(title="Captain's Table", prompt=("Match 7 cannot be taken up again.", "What is to be played?")))
    assert re.search(r'role="alert">Match 7 cannot be taken up again\.', first(table))
    for view in (View(title="Legend", ask=OPEN_ASK), View(phase=Phase.PLAYING), View(phase=Phase.OVER)):
        table.show(view)
        assert first(table) == ""
    table.show(View(title="Legend", ask=OPEN_ASK))
    html = get(table, "/table").text
    assert '<div class="harbour"><img src="/games/legend.svg"' in html
    assert "knob-roll" not in html, "there is nothing to throw"


def test_cards_are_there_though_the_journal_cannot_be_read() -> None:
    class Forgetful(FakeTable):
        def known_names(self) -> list[str]:
            raise CannotRead("The journal cannot be read.")

        unfinished = last_start = paired = standings = known_names  # type: ignore[assignment]

    for path in ("/table", "/new"):
        assert fields(card(first(Forgetful(), path), "legend"))["name1"] == "Sailor"
    assert "Dice command" in get(Forgetful(), "/").text


def test_who_only_watches_sees_the_cards_and_can_press_nothing() -> None:
    table = FakeTable()
    for path in ("/table", "/new"):
        html = get(table, path, token=TOKEN).text
        assert " data-watches" in html
        assert "card-legend" in html
        assert " data-watches" not in get(table, path).text
    assert post(table, "/new", {"game": "legend", "name1": "A", "name2": "B"}, token=TOKEN).status_code == 403


def test_pictures_are_small_drawings_of_their_own_address() -> None:
    def ask(table: FakeTable, path: str) -> tuple[int, str, str]:
        answer = visit(table, lambda client: client.get(path))
        return answer.status_code, answer.headers["content-type"], answer.text

    for entry in catalog.entries():
        status, kind, text = ask(FakeTable(), f"/games/{entry.game.key}.svg")
        if entry.picture is None:
            assert status == 404
            continue
        assert (status, kind) == (200, "image/svg+xml")
        assert len(text) < 15_000
        assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own
        assert not re.search(r"<script|href|url\((?!#)|\son\w+=", text)
    assert ask(FakeTable(), "/games/whist.svg")[0] == 404


def test_the_room_display_tells_of_the_games_in_turn_and_of_the_person_who_won_most() -> None:
    table = Remembering()
    table.known = ["Anne"]
    html = get(table, "/").text
    slides = html.partition('class="slides"')[2].partition("</ol>")[0]
    assert slides.count("<li") == len(catalog.entries())
    assert "Dice command, chessmen obey." in slides
    assert "1\u20132 players" in slides
    assert "<b>3</b> wins in Legend: Anne" in html
    assert "Aether" not in html.partition("champions")[2].partition("</ul>")[0]
    assert champions((Tally("whist", "Anne", 1, 1), Tally("legend", "Anne", 1, 0)), {"Anne"}) == ()
    table.show(View(phase=Phase.PLAYING, game="legend"))
    assert "slides" not in get(table, "/").text
