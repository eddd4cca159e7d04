"""The language of each request: what the browser asks for, what its user chose, and what the pages say then."""

import re
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from markupsafe import Markup
from starlette.datastructures import Headers

from captains_table.catalog import languages as known_languages
from captains_table.games.contract import Whereabouts
from captains_table.page import live_pages
from captains_table.phrases import ENGLISH, Language, noun, say
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web import languages, render
from captains_table.web.page_language import page_language_of, said_in_html
from captains_table.web.reach import PageReach
from captains_table.web.render import texts_of_scripts
from captains_table.web.serving.guests import Guests
from tests.languages.pseudo import PSEUDO
from tests.support.dice_views import DICE_VIEWS
from tests.support.fake_table import with_legend
from tests.support.visiting import get, post, visit

IN_PRISON = SeatView("Anne", {}, on_turn=True, at=Whereabouts(noun("prison")))
STATIC = Path(render.__file__).parent / "static"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", []),
        ("de", ["de"]),
        ("de-AT,de;q=0.9,en;q=0.5", ["de", "de", "en"]),
        ("en;q=0.2, fr;q=0.8", ["fr", "en"]),
        ("de;q=0, fr", ["fr"]),
        ("de;q=much, *", ["*"]),
    ],
)
def test_the_languages_that_a_browser_asks_for_come_in_the_order_of_their_weights(
    header: str, expected: list[str]
) -> None:
    assert list(filter(None, languages.accepted(header))) == expected


def test_a_choice_counts_more_than_what_the_browser_asks_for_and_an_address_more_than_that() -> None:
    headers = Headers({"accept-language": "fr", "cookie": f"{languages.COOKIE}=de"})
    assert languages.wanted("", headers, ("en", "de", "fr")) == "de"
    assert languages.wanted("en", headers, ("en", "de", "fr")) == "en"
    assert languages.wanted(languages.AS_ASKED, headers, ("en", "de", "fr")) == "fr"
    assert languages.wanted("tlh", Headers({"accept-language": "tlh"}), ("en", "de", "fr")) == ""


def _language_of(html: str) -> str:
    found = re.search(r'<html lang="(\w+)">', html)
    assert found
    return found[1]


@pytest.mark.parametrize("path", ["/", "/table", "/matches", "/seats", "/nowhere", "/rules/legend"])
def test_two_browsers_at_one_table_read_it_in_two_languages(path: str) -> None:
    table = with_legend()
    for asked in ("de-DE,de;q=0.8", "fr", "en"):
        answer = get(table, path, Accept="text/html", **{"Accept-Language": asked})
        assert _language_of(answer.text) == asked[:2]
        assert "Accept-Language" in answer.headers["Vary"]


def test_the_address_sets_the_language_for_all_further_pages_until_it_is_forgotten() -> None:
    async def read(client: httpx.AsyncClient) -> httpx.Response:
        french = {"Accept-Language": "fr"}
        assert _language_of((await client.get("/matches?lang=de")).text) == "de"
        assert _language_of((await client.get("/records", headers=french)).text) == "de"
        await client.get(f"/records?lang={languages.AS_ASKED}")
        assert _language_of((await client.get("/records", headers=french)).text) == "fr"
        return await client.get("/records?lang=tlh")

    assert "set-cookie" not in visit(with_legend(), read).headers


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Language:
    """Let a language be known in which every message stands in brackets."""
    monkeypatch.setattr(languages, "language_codes", lambda: ("en", PSEUDO.code))
    for module in (languages, known_languages, live_pages):
        monkeypatch.setattr(module, "find_language", lambda code: PSEUDO if code == PSEUDO.code else ENGLISH)
    return PSEUDO


def test_fragments_streams_and_refusals_are_in_the_language_of_the_page(pseudo: Language) -> None:
    table, asked = with_legend(), {"Accept-Language": pseudo.code}
    page = get(table, "/table", **asked).text
    assert 'aria-label="⟦Board' in page
    assert ">⟦Settings" in page
    streamed = live_pages.LivePages(table, render.Renderer(), Guests(), PageReach("127.0.0.1", 0))
    assert "⟦Board" in streamed.fragments(live_pages.PageVariant("table", language=pseudo.code))["board"]
    assert post(table, "/answer", {"revision": "x"}, **asked).json()["error"].startswith("⟦")
    assert not post(table, "/answer", {"revision": "x"}).json()["error"].startswith("⟦")


def test_a_change_is_rendered_once_for_each_language_in_use(pseudo: Language) -> None:
    table, renderer = with_legend(), render.Renderer()
    pages = live_pages.LivePages(table, renderer, Guests(), PageReach("127.0.0.1", 0))
    english, other = (live_pages.PageVariant("table", language=code) for code in (ENGLISH.code, pseudo.code))
    assert pages._broadcast(other) is pages._broadcast(live_pages.PageVariant("table", language=pseudo.code))
    assert pages._broadcast(other) is not pages._broadcast(english)
    rendered = [pages.fragments(variant) for variant in (english, other, english, other)]
    assert rendered[0] is rendered[2], "nothing changed meanwhile"
    assert rendered[1] is rendered[3]


def test_what_scripts_say_is_brought_by_the_page_in_its_language(pseudo: Language) -> None:
    table = with_legend()
    english, other = (get(table, "/matches", **{"Accept-Language": code}).text for code in ("en", pseudo.code))
    assert 'id="texts"' not in english
    assert "⟦Copied." in other


def test_what_is_shown_can_be_explained_on_a_page_in_any_language(pseudo: Language) -> None:
    table, asked = with_legend(), {"Accept-Language": pseudo.code}
    for view in (
        DICE_VIEWS["berths-filling"],
        DICE_VIEWS["boxes-best-first"],
        View(Phase.PLAYING, "crowns", seats=(IN_PRISON,)),
    ):
        table.show(view)
        places = set(re.findall(r'data-what="([^"]+)"', get(table, "/table", **asked).text))
        assert places & {"slot 1", "row 1", "place 1"}
        for place in places:
            [told] = get(table, f"/meaning?{urlencode({'of': place})}", **asked).json()["sentences"]
            assert told["words"].startswith("⟦"), place


def test_the_level_of_the_computer_at_the_table_is_chosen_on_a_page_in_any_language(pseudo: Language) -> None:
    table = with_legend()
    seats = (
        SeatView("Anne", {}, on_turn=True),
        SeatView("Aether", {}, on_turn=False, computer="Aether", level=say("casual")),
    )
    table.show(View(phase=Phase.PLAYING, game="legend", seats=seats))
    assert '"aether:3" selected' in get(table, "/table", **{"Accept-Language": pseudo.code}).text


def test_every_text_of_a_script_is_a_message() -> None:
    scripts = "".join(file.read_text(encoding="utf-8") for file in STATIC.glob("*.js"))
    assert {"Copied.", "closed", "open", "Rule {rule}", "All: bid {bid}"} < texts_of_scripts()
    assert not re.findall(r'\b(?:say|sayAloud)\((?:"|`)', scripts)


def test_what_players_are_called_is_escaped_within_messages() -> None:
    nasty = '<b>"Anne"</b>'
    with page_language_of(PSEUDO):
        shown = said_in_html("<i>{name}</i>: {what}", name=nasty, what=say("{who} wins", who=nasty))
        assert "<b>" not in shown
        assert shown.count("&lt;b&gt;") == 2
        assert said_in_html('Say "it"').startswith("⟦Say &#34;it&#34;")
        assert '<b class="clock">' in said_in_html("in {clock}", clock=Markup('<b class="clock">1:00</b>'))
