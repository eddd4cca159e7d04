"""The club's pages in several languages: by what a browser asks for; on the wall, by the club's or the address's."""

import asyncio
import re

import httpx
import pytest

from captains_table.catalog import languages as known_languages
from captains_table.club.config import parse_club_config
from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.table_page import TablePage, TableViewKey
from captains_table.club.pages.wall import Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow
from captains_table.club.service import ClubService
from captains_table.games.contract import EventKind, GameEvent
from captains_table.games.registry import GAMES
from captains_table.phrases import ENGLISH, Language, noun, say
from captains_table.reporting.messages import FinalScore, ViewMessage
from captains_table.reporting.said import said_of
from captains_table.reporting.table_view import spectator_view
from captains_table.storage.configuration import BadConfig
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web import languages
from captains_table.web.page_language import page_language_of
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.club_tables import arrival, ready
from tests.club.served_club import PAGE, Caller
from tests.languages.pseudo import CLOSE, OPEN, PSEUDO
from tests.support.fake_club import FakeClub

THROW = say("{name}: throw the dice", name="Anne")
DICE = "Anne: W\N{LATIN SMALL LETTER U WITH DIAERESIS}rfle"
MESSAGE = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
UNSAID = re.compile(r"<(script|style|svg|code|pre|title)\b.*?</\1>|<option.*?</option>|<[^>]+>", re.DOTALL)
NAMES = re.compile("Anne|Bart|Harbour Club|An evening|table-1|Pig on nine squares")
LOOK = WallViewKey(BrowserWindow(1920, 1080))


class HeardClub(FakeClub):
    """A club whose tables' messages arrive."""

    view = ClubService.view

    def hear(self, view: View, n: int = 1) -> None:
        """Let a table show a view."""
        shown = spectator_view(view)
        seen = ViewMessage(boot="b", n=n, match="ab" * 32, view=shown, said=said_of(shown))
        for message in (ready(1), seen):
            self.tables.take(arrival("table-1", message))
        self._table_changed("table-1")


def playing(*events: GameEvent) -> View:
    seats = (SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False))
    return View(
        phase=Phase.PLAYING,
        game="legend",
        title=GAMES["legend"].title,
        seats=seats,
        prompt=(THROW,),
        latest_events=events,
    )


@pytest.fixture
def club() -> HeardClub:
    club = HeardClub()
    club.hear(playing())
    club.end("table-1", ("Anne", "Bart"), FinalScore(winner=0, scores=(24, 18)))
    return club


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Language:
    """Let a language be known in which every message stands in brackets."""
    monkeypatch.setattr(languages, "language_codes", lambda: ("en", PSEUDO.code))
    for module in (languages, known_languages):
        monkeypatch.setattr(module, "find_language", lambda code: PSEUDO if code == PSEUDO.code else ENGLISH)
    return PSEUDO


def language_of(answer: httpx.Response) -> str:
    found = re.search(r'<html lang="(\w+)">', answer.text)
    assert found, answer.text[:200]
    return found[1]


@pytest.mark.parametrize(
    "path", ["/tables/table-1", "/evenings", "/evenings/1", "/hall", "/arbiter", "/arbiter/login", "/nowhere"]
)
def test_two_browsers_read_a_page_in_two_languages(club: HeardClub, path: str) -> None:
    caller = Caller(club, language="de")
    for asked, expected in (("de-AT,de;q=0.8", "de"), ("fr", "fr"), ("en", "en"), ("tlh", "de"), ("", "de")):
        assert language_of(caller.get(path, PAGE | {"Accept-Language": asked})) == expected


def test_the_wall_is_in_the_language_of_the_club_or_of_its_address(club: HeardClub) -> None:
    caller, asked = Caller(club, language="de"), PAGE | {"Accept-Language": "fr"}
    assert language_of(caller.get("/", asked)) == "de"
    named = caller.get("/?lang=en", asked)
    assert language_of(named) == "en"
    cookie = named.headers["Set-Cookie"].partition(";")[0]
    assert language_of(caller.get("/", asked | {"Cookie": cookie})) == "en"
    assert language_of(caller.get("/evenings", asked | {"Cookie": cookie})) == "en"
    assert language_of(Caller(club).get("/", asked)) == "en"


def wall_of(club: HeardClub) -> Wall:
    return Wall(club, Programme(club.desk), club_renderer(club), Guests(), PageReach("127.0.0.1", 0))


def shown_in(wall: Wall, language: Language) -> str:
    async def on_loop() -> str:
        with page_language_of(language):
            return "".join(wall.fragments(LOOK).values())

    return asyncio.run(on_loop())


def test_a_german_wall_shows_a_german_prompt_of_a_table_and_an_english_one_the_english(club: HeardClub) -> None:
    wall = wall_of(club)
    for _ in range(2):  # what was drawn is kept for each language
        assert DICE in shown_in(wall, known_languages.find_language("de"))
        assert THROW in shown_in(wall, ENGLISH)
    watched = TablePage(club, Programme(club.desk), club_renderer(club), Guests())
    with page_language_of(known_languages.find_language("de")):
        assert DICE in watched.fragments(TableViewKey("table-1"))["prompt"]


def test_news_are_told_in_each_language(club: HeardClub, pseudo: Language) -> None:
    wall = wall_of(club)
    taken = say("{name} takes {piece}", name="Anne", piece=noun("king"))
    king = GameEvent(EventKind.KING, 0, 0, taken)
    club.hear(playing(king), n=2)
    assert taken in shown_in(wall, ENGLISH)
    assert "Anne beats Bart 24 to 18" in shown_in(wall, ENGLISH)
    told = shown_in(wall, pseudo)
    assert taken not in told
    assert f"Anne takes {OPEN}king" in told
    assert f"{OPEN}Anne beats Bart" in told


def test_a_page_s_refusals_are_in_its_language(club: HeardClub, pseudo: Language) -> None:
    caller, asked = Caller(club), {"Accept-Language": pseudo.code}
    assert caller.get("/pieces/none.svg", asked).json()["error"].startswith(f"{OPEN}")
    assert caller.get("/results/none", asked).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/evenings", "/evenings/1", "/hall", "/hall/legend", "/players?name=Anne", "/arbiter/login"),
        *("/tables/table-1", "/arbiter", "/arbiter/players", "/arbiter/tables", "/arbiter/new", "/arbiter/report"),
    ],
)
def test_what_a_page_says_is_a_message(club: HeardClub, pseudo: Language, path: str) -> None:
    page = Caller(club, language=pseudo.code).get(path, PAGE).text
    text = UNSAID.sub("\n", page)
    while (rest := MESSAGE.sub("", text)) != text:
        text = rest
    assert [words for words in NAMES.sub("", text).splitlines() if re.search(r"[a-z]{3}", words)] == []


def test_an_unknown_language_is_an_error_of_the_configuration() -> None:
    assert parse_club_config({"club": {"language": "de"}}).language == "de"
    assert parse_club_config({}).language == "en"
    with pytest.raises(BadConfig, match=r"language = 'tlh': expected one of en, "):
        parse_club_config({"club": {"language": "tlh"}})
