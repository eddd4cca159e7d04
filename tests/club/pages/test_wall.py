"""The wall without a browser: what is drawn, how often, and that nothing of it is anybody else's markup."""

import asyncio
import re
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from html.parser import HTMLParser
from http import cookies

import pytest

from captains_table.club.pages.club_pages import PACE_S, REST, club_renderer, paced
from captains_table.club.pages.programme import Programme, ShownStandings, StandingsLine, WaitingMatch
from captains_table.club.pages.tiles import NOT_LISTENED_TO
from captains_table.club.pages.wall import LISTED_STANDINGS, PAGE_S, Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow
from captains_table.reporting.messages import FinalScore, Pairing, Presence, ViewMessage, encode
from captains_table.reporting.table_view import TableView, spectator_view
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import Coach, Hint, LogLine, Phase, SeatView, View
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.served_club import PAGE, Caller, hall, played
from tests.support.fake_club import EVENING_S, FakeClub

PROJECTOR, PHONE = WallViewKey(BrowserWindow(1920, 1080)), WallViewKey(BrowserWindow(360, 740))
HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "\u202egnikcarc\u202c",
    "\u200f\u200eRTL",
    "W" * 64,
    "{{ 7 * 7 }}",
)
OWN = {"article", "header", "b", "h2", "a", "span", "div", "svg", "g", "path", "rect", "use", "circle", "text", "ol"}
OWN |= {"image", "li", "ul", "p", "bdi", "small", "i", "strong", "button", "time", "table", "colgroup", "col", "thead"}
OWN |= {"tbody", "tr", "th", "td", "pre", "code"}


class Elements(HTMLParser):
    """The elements of some HTML, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def wall_of(club: FakeClub) -> Wall:
    return Wall(club, Evening(club.desk), club_renderer(club), Guests(), PageReach("127.0.0.1", 0))


def fragments(wall: Wall, look: WallViewKey = PROJECTOR) -> Mapping[str, str]:
    """Return what is on the wall now."""

    async def on_loop() -> Mapping[str, str]:
        return wall.fragments(look)

    return asyncio.run(on_loop())


class Evening(Programme):
    """An event whose names are anybody's."""

    names: tuple[str, ...] = ()

    def standings(self) -> ShownStandings | None:
        lines = tuple(StandingsLine("1", name, "3½") for name in self.names)
        return ShownStandings(self.names[0], self.names[0], lines) if self.names else None

    def playing(self, pairing: str) -> str:
        return pairing

    def waiting(self, user: str) -> Pairing | None:  # noqa: ARG002 - the same at every table
        name = self.names[0] if self.names else ""
        return Pairing(id="1", heading=name, game="legend", seats=(name, name)) if name else None

    def to_begin(self, begun: Collection[str], now_s: float) -> Sequence[WaitingMatch]:  # noqa: ARG002 - always
        return [WaitingMatch(name, 1, self.names, name) for name in self.names[:1]]


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_table_says_is_words_and_never_markup(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In names, titles, headings, prompts, logs, results, pairings and standings."""
    monkeypatch.setattr(Evening, "names", (name,) * 3)
    club = FakeClub(title=name)
    printable = name if name.isprintable() else "\u05d0\u05d1"
    seats = tuple(SeatView(printable, {printable: 5}, on_turn=True, title=printable) for _ in range(2))
    for number, view in enumerate((played("whole-round")[9], played("worked-example")[9]), 1):
        plain = replace(view, seats=seats, seat=0, last_throw=None, sheet=(), result=None, title=printable)
        shown = replace(plain, heading=printable, prompt=(printable,), log=(LogLine(0, printable),))
        club.report(f"table-{number}", shown, title=name, pairing=name, needs=True, needs_since_s=EVENING_S)
    club.report("table-3", View(), title=name)
    club.end("table-1", (name, name), FinalScore(winner=0, scores=(9, 3)), name)
    wall = wall_of(club)
    for look in (PROJECTOR, PHONE):
        found = fragments(wall, look)
        drawn = Elements("".join(found.values()))
        assert drawn.tags <= OWN
        assert not any(attribute.startswith("on") for attribute in drawn.attributes)
        assert name in drawn.text or name[:40] in drawn.text
        for html in found.values():
            assert_isolated(html, name)


def test_a_table_that_is_not_listened_to_says_so_and_not_what_is_to_be_played_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evening, "names", ("Anne",) * 3)
    club = FakeClub()
    club.report("table-1", View())
    club.mute("table-1", is_muted=True)
    drawn = "".join(fragments(wall_of(club)).values())
    assert NOT_LISTENED_TO in drawn
    assert "Next" not in drawn


def assert_isolated(html: str, name: str) -> None:
    """See that a name that may turn the direction of writing stands in an element of its own."""
    if not name.isprintable():
        without = re.sub(r"<bdi(?: data-forms=\"[^\"]*\")?>[^<]*</bdi>|aria-label=\"[^\"]*\"", "", html)
        assert name not in without


@pytest.mark.slow
def test_only_the_tile_of_a_table_that_changed_is_drawn_anew() -> None:
    """For twenty walls, too: they are drawn once."""
    club = hall(12)
    wall = wall_of(club)
    fragments(wall)
    drawn = club.drawn
    before = fragments(wall)
    assert club.drawn == drawn
    club.report("table-7", played("whole-round")[20])
    for _ in range(20):
        after = fragments(wall)
    assert club.drawn == drawn + 1
    changed = {id_ for id_ in after if after[id_] != before[id_]}
    assert changed == {"slot-6"}


def test_tables_that_are_on_another_page_are_not_drawn() -> None:
    club = hall(40)
    wall = wall_of(club)
    fragments(wall, WallViewKey(PROJECTOR.window, 0))
    drawn = club.drawn
    club.report("table-39", played("whole-round")[20])
    fragments(wall, WallViewKey(PROJECTOR.window, 0))
    assert club.drawn == drawn
    shown = fragments(wall, WallViewKey(PROJECTOR.window, 1))
    assert "/tables/table-39" in shown["slot-18"]
    assert shown["slot-20"] == ""


def test_a_table_that_needs_an_arbiter_is_called_out_on_every_page() -> None:
    club = hall(40)
    club.report("table-40", needs=True, needs_since_s=EVENING_S)
    found = fragments(wall_of(club), WallViewKey(PROJECTOR.window, 0))
    assert "Table 40" in found["calls"]
    assert "needs an arbiter" in found["calls"]
    found = fragments(wall_of(club), WallViewKey(PROJECTOR.window, 1))
    assert "Arbiter, please" in found["slot-19"]


def test_a_table_that_went_away_says_since_when_and_is_not_shown_large() -> None:
    club = hall(6)
    for number in range(1, 6):
        club.report(f"table-{number}", presence=Presence.LOST, away_since_s=EVENING_S)
    found = fragments(wall_of(club))
    assert re.search(r"Away since \d\d:\d\d", found["slot-0"])
    assert "/tables/table-6" in found["featured"]
    assert "5 away" in found["summary"]


def test_a_match_that_is_over_is_seen_and_is_no_match_at_play() -> None:
    club, views = FakeClub(), played("whole-round")
    for number in (1, 2):
        club.report(f"table-{number}", views[3], board=number)
    assert "2 at play" in fragments(wall_of(club))["summary"]
    club.report("table-1", replace(played("chess-clock")[-1], phase=Phase.OVER))
    found = fragments(wall_of(club))
    assert "1 at play" in found["summary"]
    assert "The match is over" in found["slot-0"]


def test_few_tables_are_large_themselves_and_only_standings_stand_next_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Evening, "names", ("Anne", "Bart"))
    club = hall(3)
    wall = wall_of(club)
    found = fragments(wall)
    assert "Anne" in found["standings"]
    assert found["featured"] == ""
    club.show_large("table-2")
    assert "/tables/table-2" in fragments(wall)["featured"]


def test_no_idle_table_is_shown_large_and_one_that_is_chosen_is_shown_once() -> None:
    club = FakeClub()
    for number in range(1, 7):
        club.report(f"table-{number}", View(), match="", board=number)
    club.show_large("table-2")
    found = fragments(wall_of(club))
    assert found["featured"] == ""
    assert 'data-aside="no"' in found["plan"]
    club = hall(3)
    club.show_large("table-2")
    shown = "".join(fragments(wall_of(club)).values())
    assert [shown.count(f'href="/tables/table-{number}"') for number in (1, 2, 3)] == [1, 1, 1]


def test_the_clocks_of_a_running_match_are_seen_and_never_an_evaluation_of_it() -> None:
    """Neither advice nor a coach's word reaches the wall, and no table can tell either to its club."""
    view, worth, best = played("chess-clock")[4], "+3.7 pawns ahead", "better was Qh5"
    clocks = [clock_face(seat.seconds_left) for seat in view.seats if seat.seconds_left is not None]
    assert len(clocks) == 2
    advised = replace(view, hint=Hint(words=worth), coach=Coach(1, 3, worth, best, slip=best))
    for count in (1, 6):
        club = FakeClub()
        for number in range(1, count + 1):
            club.report(f"table-{number}", advised, board=number)
        for look in (PROJECTOR, PHONE):
            shown = fragments(wall_of(club), look)
            text = Elements(shown["slot-0"]).text
            assert [clock for clock in clocks if clock not in text] == []
            assert not [word for word in (worth, best) if word in "".join(shown.values())]
    told = encode(ViewMessage(boot="b", n=1, view=spectator_view(advised))).decode()
    assert not [word for word in (worth, best) if word in told]
    assert {"hint", "coach"}.isdisjoint(TableView.__struct_fields__)


@pytest.mark.parametrize(
    ("reach", "host", "address"),
    [
        (("192.0.2.7", 8378), "localhost", ""),
        (("127.0.0.1", 8378), "localhost", ""),
        (("127.0.0.1", 8378), "club.example", "club.example"),
    ],
    ids=["no network", "this machine alone", "behind a proxy"],
)
def test_a_code_leads_phones_to_the_wall_where_they_can_reach_it(
    reach: tuple[str, int], host: str, address: str
) -> None:
    club = hall(1)
    base = "" if host == "localhost" else f"https://{host}/"
    wall = Wall(club, Evening(club.desk), club_renderer(club), Guests(), PageReach(*reach))
    shown = fragments(wall, replace(PROJECTOR, base=base))["phone"]
    assert ("<svg" in shown) == bool(address)
    assert address in shown


def test_the_wall_on_the_clubs_own_machine_has_the_address_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PageReach, "address", lambda _: "http://192.0.2.7:8378/")
    club = hall(1)
    wall = Wall(club, Evening(club.desk), club_renderer(club), Guests(), PageReach("0.0.0.0", 8378))  # noqa: S104 - a test's
    assert "<b>192.0.2.7:8378</b>" in fragments(wall)["phone"]


def test_the_arbiters_address_leads_to_the_desk_but_not_from_another_site_whose_links_bring_no_cookie() -> None:
    caller = Caller(hall(1), token="secret")  # noqa: S106 - a test's
    answer = caller.get("/?token=secret")
    assert (answer.status_code, answer.headers["location"]) == (303, "/arbiter")
    assert "set-cookie" in answer.headers
    caller.reads("/?token=secret", 'href="/arbiter"', headers=PAGE | {"Sec-Fetch-Site": "cross-site"})


def test_the_round_of_an_event_stands_where_there_is_room_for_it() -> None:
    """On a small tile its head has room for one thing: where in the match it is."""
    club = hall(6)
    view = played("chess-clock")[4]
    for number in range(1, 7):
        club.report(f"table-{number}", view, pairing="Round 2")
    found = fragments(wall_of(club))
    assert re.search(r'class="round"><bdi>Round 2 · [^<]+</bdi>', found["featured"])
    assert re.search(r'class="round"><bdi>(?!Round 2)[^<]+</bdi>', found["slot-0"])
    assert re.search(r'class="tile-words fits"><bdi[^>]*>Round 2 · [^<]+</bdi>', found["slot-0"])


def test_long_standings_are_shown_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Evening, "names", tuple(f"Player {number}" for number in range(20)))
    wall, seen, began = wall_of(hall(6)), set[str](), asyncio.BaseEventLoop.time
    for turn in range(3):
        monkeypatch.setattr(asyncio.BaseEventLoop, "time", lambda loop, turn=turn: began(loop) + turn * PAGE_S)
        found = fragments(wall)["standings"]
        assert found.count("<li>") <= LISTED_STANDINGS
        seen |= set(re.findall(r"Player \d+", found))
    assert len(seen) == 20


def test_a_table_with_nothing_but_a_status_has_its_place() -> None:
    club = FakeClub()
    club.report("table-1", title="By the bar", needs_update=True)
    found = fragments(wall_of(club))
    assert "By the bar" in found["slot-0"]
    assert "needs an update" in found["slot-0"]


def test_a_line_that_is_down_is_said() -> None:
    club = hall(2)
    club.line = replace(club.line, is_up=False)
    assert "No line to the broker since" in fragments(wall_of(club))["summary"]


async def test_a_change_is_shown_at_once_and_the_next_ones_together() -> None:
    club, loop = hall(1), asyncio.get_running_loop()
    async with aclosing(paced(club)) as shown:
        await anext(shown)
        began = loop.time()
        for moment in range(50):
            club.report("table-1", played("whole-round")[moment])
        await anext(shown)
        assert loop.time() - began >= PACE_S * 0.9
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(shown), 2 * PACE_S)


async def test_who_draws_slowly_rests_longer_so_that_a_slow_computer_has_time_for_its_tables() -> None:
    club, loop = hall(1), asyncio.get_running_loop()
    async with aclosing(paced(club)) as shown:
        await anext(shown)
        time.sleep(2 * PACE_S)  # noqa: ASYNC251 - the loop stands still, as while a page is drawn
        club.report("table-1", played("whole-round")[0])
        drawn = loop.time()
        await anext(shown)
        assert loop.time() - drawn >= 2 * PACE_S * REST * 0.9


# --- addresses ---


def test_a_table_that_never_reported_has_no_page() -> None:
    for path in ("/tables/table-9", "/events?table=table-9", "/tables/%3Cscript%3E"):
        Caller(hall(1)).reads(path, lacks=["<script>"], status=404)


def test_the_wall_leads_the_arbiter_and_nobody_else_to_the_arbiter_s_pages() -> None:
    caller = Caller(hall(1), token="secret")  # noqa: S106 - a test's
    caller.reads("/", 'href="/arbiter"', headers=PAGE | {"X-Table-Token": "secret"})
    caller.reads("/", 'href="/hall"', lacks=['href="/arbiter"'])


def test_an_address_that_is_not_there_leads_back_to_the_wall() -> None:
    links = ('href="/">Back to the wall', 'href="/hall">Hall of fame', '<nav aria-label="Pages">')
    Caller(hall(1)).reads("/nowhere", *links, lacks=["expected"], status=404)


@pytest.mark.parametrize("query", ["w=-1&h=x", "w=99999999999999999999&h=0", "w=%F0%9F%98%80&at=-3", "at=9999", "w=²"])
def test_windows_of_no_size_are_taken_for_something(query: str) -> None:
    answer = Caller(hall(3)).ask("HEAD", f"/events?{query}")
    assert answer.status_code == 200


def test_the_choice_of_the_table_shown_large_is_the_arbiters() -> None:
    caller = Caller(hall(12), token="secret")  # noqa: S106 - a test's
    assert caller.post("/tables/table-3/large", {}).status_code == 403
    assert caller.post("/tables/table-3/large", {}, {"X-Table-Token": "secret"}).status_code == 303


def test_a_page_of_a_table_shows_what_spectators_see_there() -> None:
    Caller(hall(1)).reads("/tables/table-1", 'class="board"', "All tables")


def test_every_place_on_the_wall_is_on_the_page() -> None:
    Caller(hall(1)).reads("/", *(f'id="{id_}"' for id_ in fragments(wall_of(hall(1)))))


def test_the_bar_of_the_club_s_pages_marks_where_one_is_and_they_can_be_kept_as_an_app() -> None:
    caller = Caller(hall(1))
    app = '<link rel="manifest" href="/static/club/manifest.webmanifest">'
    caller.reads("/evenings", app, '<a href="/evenings" aria-current="page">', '<a href="/hall">')
    caller.reads("/", app)
    caller.reads("/tables/table-1", app, lacks=["/static/manifest.webmanifest"])
    manifest = caller.get("/static/club/manifest.webmanifest").json()
    assert manifest["start_url"] == "/"
    assert all(caller.get(icon["src"]).status_code == 200 for icon in manifest["icons"])


def test_the_wall_reads_the_windows_size_without_pythons_slow_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cookies, "_unquote", lambda _: pytest.fail("it may take long"))
    pages = [
        Caller(hall(12)).get("/", PAGE | {"cookie": f"captains-table-window={size}"}) for size in ("1920x1080", "9x9")
    ]
    assert [page.status_code for page in pages] == [200, 200]
    assert pages[0].text != pages[1].text
