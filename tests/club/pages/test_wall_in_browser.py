"""The wall in a real browser: nothing jumps, nobody is kept out, a table is followed by every means."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from captains_table.club.pages import wall
from captains_table.club.pages.programme import Programme, ShownStandings, StandingsLine, WaitingMatch
from captains_table.club.pages.wall_layout import BrowserWindow, lay_out_wall
from captains_table.reporting.messages import FinalScore, Pairing, Presence
from captains_table.table.model.view import View
from tests.club.pages.full_tables import SCROLLS, wrong_with_tiles
from tests.club.served_club import TAPES, ServedClub, hall, played, served
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.fake_club import EVENING_S, FakeClub
from tests.support.first_load import MOST_BYTES, FirstLoads
from tests.support.looking import shifts, too_small, watch_shifts

pytestmark = pytest.mark.browser
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
LONG = "Wilhelmina Wrathful Woodworth of the Wide Western Waters, Esquire"[:64]
HOSTILE = (LONG, "<script>alert(1)</script>", "W" * 64, "\u202eabc", "\u200fabc")


class Swiss(Programme):
    """An event of twelve."""

    def standings(self) -> ShownStandings:
        lines = tuple(StandingsLine(str(n), f"P{n}", "3") for n in range(1, 13))
        return ShownStandings("Swiss", "after round 3", lines, "/events/1")


# A picture that is on its way when the club's server goes, at a test's end, is missed on the page.
PICTURES_ARE_THERE = """() => {
  const there = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const wanted = [...document.querySelectorAll("svg image")].map((image) => image.getAttribute("href"));
  return wanted.every((address) => there.has(new URL(address, location).href));
}"""


def tiles(page: Page, count: int) -> None:
    """Wait until so many tables are on the wall, with their pictures."""
    expect(page.locator(".tiles .tile")).to_have_count(count)
    page.wait_for_function(PICTURES_ARE_THERE)


def everything(count: int) -> FakeClub:
    """Return a club with a table in every state."""
    club = hall(count)
    club.report("table-1", needs=True, needs_since_s=EVENING_S)
    club.report("table-2", presence=Presence.LOST, away_since_s=EVENING_S)
    club.report("table-3", View(), match="")
    club.report("table-4", played("chess-clock")[-1], title=LONG)
    club.end("table-4", (LONG, LONG), FinalScore(winner=0, scores=(52, 12)))
    return club


@pytest.fixture(scope="module")
def place() -> Iterator[ServedClub[FakeClub]]:
    """Serve a club of twelve tables with whatever may be on a wall, names of any length and markup too."""
    club = everything(12)
    for number, name in enumerate(HOSTILE, 6):
        club.report(f"table-{number}", title=name, pairing=name)
        club.end(f"table-{number}", (name, name), None, name)
    with served(club, Swiss) as place:
        yield place


def test_the_wall_keeps_nobody_out(visitor: Visitor) -> None:
    """Tables in every state, one of them large, with an event, and the page of one of them."""
    with served(everything(8), Swiss) as club:
        page = visitor.open(club.address, **PROJECTOR)
        tiles(page, 8)
        assert found_on(page) == {}
        loads = FirstLoads(page)
        loads.open(f"{club.address}tables/table-1")
        expect(page.locator("#standing")).to_contain_text("Arbiter, please")
        assert 0 < loads.taken <= MOST_BYTES
        assert found_on(page) == {}


def test_long_names_and_markup_stay_within_their_tiles_and_less_motion_is_respected(
    place: ServedClub[FakeClub], visitor: Visitor
) -> None:
    page = visitor.open(place.address, **PROJECTOR)
    tiles(page, 12)
    assert wrong_with_tiles(page) == []
    assert not page.evaluate(SCROLLS)
    assert page.locator("main script").count() == 0
    assert page.evaluate("document.getAnimations().filter((each) => each.playState === 'running').length") == 0


def test_a_finger_finds_a_table_in_the_list(place: ServedClub[FakeClub], visitor: Visitor) -> None:
    page = visitor.open(place.address, **PHONE)
    tiles(page, 12)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wrong_with_tiles(page) == []
    own = ('id="open-', "/events/1")  # the whole tile is the link; a link among words is as large as they are
    assert [small for small in too_small(page) if not any(words in small for words in own)] == []
    page.locator(".tile", has=page.locator("#open-table-5")).tap(position={"x": 300, "y": 100})
    page.wait_for_url("**/tables/table-5")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-back]").tap()
    page.wait_for_url(place.address)


def test_by_the_keyboard_a_table_is_followed_shown_large_and_left(
    place: ServedClub[FakeClub], visitor: Visitor
) -> None:
    page = visitor.open(place.address, **LAPTOP)
    tiles(page, 12)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/table-2")
    expect(page.locator(".which")).to_contain_text("Table 2")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/tables/table-3")
    view = played("whole-round")[60]
    place.do(lambda club: club.report("table-3", view))
    expect(page.locator("#prompt")).to_contain_text(view.prompt[0])
    assert not page.evaluate(SCROLLS)
    place.do(lambda club: club.report("table-3", presence=Presence.LOST, away_since_s=EVENING_S))
    expect(page.locator("#standing")).to_contain_text("Away since")
    place.do(lambda club: club.report("table-3", presence=Presence.READY))
    page.get_by_role("button", name="Show large on the wall").press("Enter")
    expect(page.get_by_role("button", name="let the wall choose")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("Escape")
    page.wait_for_url(place.address)
    tiles(page, 12)
    expect(page.locator("#featured .berth")).to_have_text("3")


def test_nothing_jumps_while_matches_are_played(visitor: Visitor) -> None:
    """Moves, throws, ends, news, a call for an arbiter, a table that goes away: everything has its place."""
    with served(hall(10), Swiss) as club:
        page = visitor.open(club.address, reduced_motion="no-preference", **PROJECTOR)
        tiles(page, 10)
        expect(page.locator("#featured .tile")).to_have_count(1)
        page.wait_for_timeout(600)
        watch_shifts(page)
        page.evaluate("window.shifts = []")
        for moment in (60, 62):
            for number, tape in enumerate(TAPES, 1):
                view = played(tape)[moment % len(played(tape))]
                club.do(lambda club, number=number, view=view: club.report(f"table-{number}", view))  # type: ignore[misc]
            page.wait_for_timeout(300)
        club.do(lambda club: club.report("table-2", needs=True, needs_since_s=EVENING_S))
        club.do(lambda club: club.report("table-3", presence=Presence.LOST, away_since_s=EVENING_S))
        club.do(lambda club: club.end("table-4", ("Anne", "Bart"), FinalScore(winner=0, scores=(5, 3))))
        expect(page.locator("#calls")).to_contain_text("Table 2 needs an arbiter")
        expect(page.locator("#news")).to_contain_text("Anne beats Bart")
        assert shifts(page) == []


def test_tables_appear_where_there_was_none_and_pages_are_turned_by_hand(visitor: Visitor) -> None:
    with served(FakeClub()) as club:
        page = visitor.open(club.address, **PROJECTOR)
        expect(page.locator("#connect")).to_contain_text("No table has reported yet")
        club.do(lambda club: club.report("table-1", played("whole-round")[9], board=1))
        tiles(page, 1)
        expect(page.locator("#connect")).to_be_empty()
        club.do(report_many)
        tiles(page, 20)
        before = page.locator("#pager").inner_text()
        page.keyboard.press("PageDown")
        expect(page.locator("#pager")).not_to_have_text(before, use_inner_text=True)
        tiles(page, 20)


def report_many(club: FakeClub) -> None:
    for number in range(2, 41):
        club.report(f"table-{number}", played("whole-round")[9], board=number)


WINDOWS = ((1280, 720), (1920, 1080), (1080, 1920))
FIRST_NAMES = ("Anneliese", "Bartholomew") * 40
NAMES_OF_TWENTY = tuple(f"{name} van Berg {place:02}"[-20:] for place, name in enumerate(FIRST_NAMES))
CUT = """() => [...document.querySelectorAll("h1, h2, .tile-words.fits, .who-plays :is(.name, .at)")].filter((each) => {
  const around = each.closest(".tile-head, .tile-words, .name, .standings, .pairings, .head").getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(each.querySelector("[aria-hidden]") ?? each);
  const seen = words.getBoundingClientRect();
  const isWithin = seen.right <= around.right + 1 && seen.bottom <= around.bottom + 3 && seen.left >= around.left - 1;
  return seen.width && !isWithin;
}).map((each) => `${each.className || each.tagName}: ${each.textContent.trim()}`)"""


class ToldRound(Swiss):
    """A round that has just been told: nobody has begun."""

    matches: ClassVar[Sequence[WaitingMatch]] = ()

    def waiting(self, user: str) -> Pairing | None:
        found = (match for match in self.matches if match.table == user)
        return next((Pairing(id="p", heading="Round 2", game="legend", seats=each.seats) for each in found), None)

    def to_begin(self, begun: Collection[str], now_s: float) -> Sequence[WaitingMatch]:  # noqa: ARG002 - now
        return [match for match in self.matches if match.table not in begun]


def test_a_told_round_says_who_plays_where_until_each_table_has_begun_and_cuts_nothing(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = FakeClub(title="The club of Captain Bartholomew Roberts, Utrecht")
    names = iter(NAMES_OF_TWENTY)
    told = [WaitingMatch("Autumn: round 2", at, (next(names), next(names)), f"table-{at}") for at in range(1, 41)]
    for at in range(1, 41):
        club.report(f"table-{at}", View(), board=at, title=f"Table by window {at:03}", match="")
    with served(club, ToldRound) as place:
        page = visitor.open(place.address, **PROJECTOR)
        for count, (width, height) in product((1, 4, 12, 40), WINDOWS):
            monkeypatch.setattr(ToldRound, "matches", told[:count])
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator(".who-plays li").first).to_be_visible()
            expect(page.locator(".who-plays li .name").first).to_contain_text("van Berg")
            page.wait_for_function("count => document.querySelectorAll('.who-plays li').length <= count", arg=count)
            assert page.evaluate(CUT) == [], (count, width, height)
            assert not page.evaluate(SCROLLS)
        monkeypatch.setattr(ToldRound, "matches", told[:0])
        expect(page.locator(".who-plays")).to_have_count(0)


# Whatever is wider or higher than its place, with a sign of it or without.
ALL_CUT = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const isSeen = each instanceof HTMLElement && each.checkVisibility({ visibilityProperty: true });
  const isClipped = isSeen && each.clientWidth > 2 && getComputedStyle(each).overflowX !== "visible";
  if (!isClipped || each.closest(".unseen")) return false;
  const isCut = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2;
  return isCut && each.textContent.trim();
}).map((each) => `${each.id || each.className || each.nodeName}: ${each.textContent.trim()}`)"""


def test_of_running_matches_nothing_is_cut_whatever_the_window_and_clocks_are_seen(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With names of twenty letters, on screens that stand upright too, where letters are as large as on others."""
    monkeypatch.setattr(wall, "PAGE_S", 1e9)  # no page turns while it is measured
    with served(FakeClub(), Swiss) as place:
        page = visitor.open(place.address, **PROJECTOR)
        for first, count in ((1, 1), (2, 4), (5, 12), (13, 40)):
            place.do(lambda club, first=first, count=count: play(club, first, count))  # type: ignore[misc]
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                expected = lay_out_wall(BrowserWindow(width, height), count, wants_aside=True)
                page.wait_for_function(LAID_OUT, arg=[expected.columns, expected.rows])
                expect(page.locator(".tiles .tile").first).to_be_visible()
                page.evaluate(SETTLED)
                assert page.evaluate(ALL_CUT) == [], (count, width, height)
                assert page.evaluate(SMALLEST_NEWS) >= min(width, height) / 67.5 * 1.4
                assert page.locator(".tiles .clock").filter(visible=True).count() >= 2


LAID_OUT = "([columns, rows]) => plan.columns === columns && plan.rows === rows"
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
SMALLEST_NEWS = """() => Math.min(...[...document.querySelectorAll(".ranks, .item")].map(
  (each) => parseFloat(getComputedStyle(each).fontSize)))"""


def play(club: FakeClub, first: int, count: int) -> None:
    """Let tables play, the first with clocks, so that there are so many."""
    names = iter(NAMES_OF_TWENTY * 4)
    for at in range(first, count + 1):
        views = played("chess-clock" if at % 4 == 1 else TAPES[at % len(TAPES)])
        view = views[4] if at % 4 == 1 else views[min(20 + at, len(views) - 1)]
        seats = tuple(replace(seat, name=next(names)) for seat in view.seats)
        club.report(f"table-{at}", replace(view, seats=seats), board=at, title=f"Table by window {at:03}")
    club.end("table-1", NAMES_OF_TWENTY[:4], FinalScore(winner=0, scores=(24, 18, 7, 3)), "swashbuckle")


@pytest.mark.parametrize("count", [1, 4, 12])
def test_titles_and_what_is_next_are_never_cut(count: int, visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    club = FakeClub()
    for at in range(1, count + 1):
        club.report(f"table-{at}", View(), title=f"The table near window {at}", match="")
    names = iter(NAMES_OF_TWENTY)
    told = [WaitingMatch("r", at, (next(names), next(names)), f"table-{at}") for at in range(1, count + 1)]
    monkeypatch.setattr(ToldRound, "matches", told)
    monkeypatch.setattr(ToldRound, "to_begin", lambda *_: ())
    with served(club, ToldRound) as place:
        page = visitor.open(place.address, **PROJECTOR)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            tiles(page, count)
            assert page.evaluate(CUT) == [], (width, height)


def test_a_table_that_plays_alone_fills_the_wall_and_the_page_is_whole_before_any_update(visitor: Visitor) -> None:
    club = FakeClub()
    club.report("table-1", played("whole-round")[9], board=1)
    for at in range(2, 9):
        club.report(f"table-{at}", View(), board=at, match="")
    with served(club) as place:
        page = visitor.open(place.address, java_script_enabled=False, **PROJECTOR)
        expect(page.locator(".tiles .tile")).to_have_count(1)
        expect(page.locator("#summary")).to_contain_text("8 tables")
        page = visitor.open(place.address, **PROJECTOR)
        tiles(page, 1)
        assert page.locator(".tiles .tile.large").count() == 1
        assert page.locator("#featured .tile").count() == 0


def test_a_tile_that_changes_keeps_what_did_not(visitor: Visitor) -> None:
    """A throw of the dice does not draw the board anew, and the keyboard stays where it is."""
    view = played("whole-round")[2]
    with served(hall(1)) as club:
        page = visitor.open(club.address, **LAPTOP)
        tiles(page, 1)
        club.do(lambda club: club.report("table-1", view))
        expect(page.locator("#slot-0 .tile-words")).to_have_text(view.prompt[0])
        page.evaluate("window.board = document.querySelector('#slot-0 svg.miniature')")
        page.locator("#open-large-table-1").focus()
        club.do(lambda club: club.report("table-1", replace(view, prompt=("Anne thinks",), dice=view.dice[:3])))
        expect(page.locator("#slot-0 .tile-words")).to_have_text("Anne thinks")
        expect(page.locator("#slot-0 .tile-dice li")).to_have_count(3)
        assert page.evaluate("window.board === document.querySelector('#slot-0 svg.miniature')")
        expect(page.locator("#open-large-table-1")).to_be_focused()
