"""The wall: the page with all tables of the club, for a projector, a laptop or a phone.

Next to the tables, the wall shows calls for the arbiter, news, an event's standings, and one table in large size. If
there is not enough room, tables, older news and lines of standings take turns.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.intake.table_state import Glance, TableState
from captains_table.club.pages.club_pages import ClubLivePages, may_touch
from captains_table.club.pages.news import News, NewsFeed
from captains_table.club.pages.programme import ShownStandings, WaitingMatch
from captains_table.club.pages.tiles import Tile
from captains_table.club.pages.wall_layout import (
    FEATURED_FROM,
    LARGEST_WINDOW,
    MOST_TILES,
    BrowserWindow,
    Featured,
    PagedLayout,
    WallLayout,
    excitement,
    featured,
    lay_out_lines,
    lay_out_wall,
)
from captains_table.club.store.store import StoreFailed
from captains_table.club.store.strikes import Strike
from captains_table.table.model.view import Phase
from captains_table.web.page_language import page_language
from captains_table.web.reach import PageReach
from captains_table.web.security import TOKEN_PARAMETER, cookie_of, is_loopback

PAGE_S: Final = 12.0
"""How long each page of the wall is shown when pages turn by themselves."""
ROLL_S: Final = 8.0
"""How long the older lines of news next to the newest one are shown before others take their place."""
SLOW_S: Final = 0.05
"""How long taking in results may take before it is done less often."""
NEWS_SHOWN: Final = 3
WINDOW_COOKIE: Final = "captains-table-window"
"""The cookie in which a browser keeps the size of the wall's window, so that the page is right before any update."""
LISTED_STANDINGS: Final = 8
"""How many lines of standings are shown at once; if there are more, they take turns."""


@dataclass(frozen=True, slots=True)
class WallViewKey:
    """A browser's view of the wall.

    Attributes:
        window: the window's size.
        page: the chosen page; `None` if pages turn by themselves.
        base: the URL by which the browser reached the wall; empty if it is of no use to other devices.
    """

    window: BrowserWindow
    page: int | None = None
    base: str = ""


@dataclass(eq=False)
class Wall(ClubLivePages[WallViewKey]):
    """The wall page, which shows all tables.

    Attributes:
        reach: the addresses by which phones reach the wall.
    """

    reach: PageReach
    _news: NewsFeed = field(init=False, default_factory=NewsFeed)
    _heard_version: int = field(init=False, default=-1)
    _strikes: Sequence[Strike] = field(init=False, default=())
    _held: frozenset[str] = field(init=False, default=frozenset())
    _heard_next_s: float = field(init=False, default=0.0)
    _featured: Featured | None = field(init=False, default=None)
    _excitement: dict[str, tuple[Glance, int]] = field(init=False, default_factory=dict)
    _drawn: dict[tuple[str, bool, str], tuple[object, str]] = field(init=False, default_factory=dict)
    """For each table, size and language: the values that its tile shows, and the HTML rendered from them."""

    def __post_init__(self) -> None:
        self.club.on_table_change(self._notice)
        self.club.on_deletion(self._news.forget)

    async def wall(self, request: Request) -> Response:
        """Show the wall, laid out for the window that the browser's cookie states; updates follow by the stream.

        The address with the club's token, which the server prints for the arbiter, leads to the arbiter's page; but not
        from a link on another site, because browsers would not send the new cookie there.
        """
        is_foreign = request.headers.get("sec-fetch-site") == "cross-site"
        if TOKEN_PARAMETER in request.query_params and may_touch(request) and not is_foreign:
            return RedirectResponse("/arbiter", 303)
        window = window_of(cookie_of(request.headers, WINDOW_COOKIE) or "")
        return self.page(
            "wall",
            tables=self.club.tables.all(),
            places=range(MOST_TILES),
            fragments=self.fragments(WallViewKey(window, base=_base_of(request))),
            may_touch=may_touch(request),
        )

    def stream(self, request: Request) -> Response:
        """Return the stream of live updates of the wall."""
        return self.follow(request, wall_view_key(request))

    def fragments(self, look: WallViewKey) -> Mapping[str, str]:
        """Return the current HTML of the parts of the wall, by element id; `look` states the window and the page."""
        tables = self.club.tables.all()
        self._look_around(tables)
        standings, large = self.programme.standings(), self._featured.user if self._featured else ""
        chosen = large if large == self.club.shown_large else ""
        to_begin = self.programme.to_begin({table.pairing for table in tables if table.pairing}, self.club.now_s())
        laid_out = _worth_showing(tables, look.window, chosen)
        wants_aside = bool(standings or chosen or to_begin)
        plan = lay_out_wall(look.window, len(laid_out), wants_aside=wants_aside, may_feature=bool(large))
        turned = self._turn() if look.page is None and not plan.is_list else look.page
        number = (turned or 0) % plan.pages
        shown = laid_out[plan.page(number)]
        return {
            **self._around(tables, plan, number),
            **self._slots(shown, large=plan.shows_large),
            "featured": self._large_tile(tables) if plan.aside and (chosen or not plan.shows_large) else "",
            "standings": self._shown_standings(standings) if standings else "",
            "pairings": self._pairings(to_begin, plan, look.window) if to_begin else "",
            "phone": self._phone(look.base),
        }

    def _phone(self, base: str) -> str:
        """Return the HTML of the wall's address for phones; empty without one. `base` is as in `WallViewKey`."""
        address = base or ("" if self.reach.is_private else self.reach.address())
        return self.part("phone", address=address) if address else ""

    @staticmethod
    def _turn() -> int:
        """Return the number of a page that grows by one every `PAGE_S`."""
        return int(asyncio.get_running_loop().time() / PAGE_S)

    def _pairings(self, to_begin: Sequence[WaitingMatch], plan: WallLayout, window: BrowserWindow) -> str:
        """Return the HTML of who plays where: as large as all lines fit, else in turns.

        The list hides the tables while most matches wait, and later stands next to them, if there is a side column.
        """
        headings = [*dict.fromkeys(match.heading for match in to_begin)]
        heading = headings[self._turn() % len(headings)]  # of several events, one after the other
        waiting = [match for match in to_begin if match.heading == heading]
        beside = plan.aside and 2 * len(to_begin) <= sum(table.is_at_play for table in self.club.tables.all())
        letters = max(sum(map(len, match.seats)) + len(self.called(match.table)) for match in waiting)
        sheet = lay_out_lines(window, len(waiting), letters, beside=beside)
        matches = waiting[sheet.page(self._turn() // len(headings))]
        return self.part("pairings", sheet=sheet, matches=matches, beside=beside, where=self.called)

    def _around(self, tables: Sequence[TableState], plan: WallLayout, page: int) -> dict[str, str]:
        """Return the HTML of the parts around the tables: header, calls for the arbiter, news, page buttons, layout.

        If there are no tables, a further part explains how tables are connected.
        """
        names = {table.user: table.caption for table in tables}
        return {
            "plan": self.part("plan", plan=plan, page=page),
            "summary": self.part("summary", tables=tables, line=self.club.line),
            "calls": self.part("calls", tables=[table for table in tables if table.needs]),
            "pager": self.part("pager", plan=plan, page=page),
            "news": self.part("news", news=self._shown_news(), names=names),
            "connect": "" if tables else self.part("connect"),
        }

    def _slots(self, tables: Sequence[TableState], *, large: bool) -> dict[str, str]:
        empty = {f"slot-{place}": "" for place in range(MOST_TILES)}
        return empty | {f"slot-{place}": self._tile(table, large=large) for place, table in enumerate(tables)}

    def _large_tile(self, tables: Sequence[TableState]) -> str:
        shown = self._featured.user if self._featured is not None else ""
        return next((self._tile(table, large=True) for table in tables if table.user == shown), "")

    def _tile(self, table: TableState, *, large: bool) -> str:
        """Return the HTML of a table's tile, rendered again only after the table or its captions changed."""
        playing = self.programme.playing(table.pairing) if table.pairing else ""
        waiting = None if table.match else self.programme.waiting(table.user)
        shown, key = (table, playing, waiting), (table.user, large, page_language().code)
        if key not in self._drawn or self._drawn[key][0] != shown:
            view = self.club.view_in(table.user, page_language())
            tile = Tile(table, view, large=large, round=playing, waiting=waiting)
            self._drawn[key] = shown, self.part("tile", tile=tile)
        return self._drawn[key][1]

    def _shown_standings(self, standings: ShownStandings) -> str:
        """Return the HTML of the standings with at most `LISTED_STANDINGS` lines.

        If there are more lines, the wall shows them in turn.
        """
        page = PagedLayout(1, LISTED_STANDINGS, ceil(len(standings.lines) / LISTED_STANDINGS) or 1).page(self._turn())
        return self.part("standings", standings=standings, lines=standings.lines[page], first=page.start)

    # --- news and the featured table ---

    def _notice(self, table: TableState) -> None:
        """Take in new results and the news of a changed table.

        This is done even if nobody watches the wall, so that later spectators see the news.
        """
        self._hear()
        self._news.see(table, self.club.now_s(), self.club.tables.views.phrases)

    def _hear(self) -> None:
        """Add the new results of the latest evening to the news.

        After a strike, and when a match that overlapped another counts, all results are taken in anew. If the results
        cannot be read now, they are read after the next change of the database. If there are so many that reading is
        slow, it takes a third of the time at most.
        """
        version, began_s = self.club.store_version, time.monotonic()
        if self._heard_version == version or began_s < self._heard_next_s:
            return
        self._heard_version = version
        store = self.club.store
        with suppress(StoreFailed):
            evenings = {latest.number for latest in store.evenings()[:1]}  # results of earlier evenings are no news
            held, strikes = store.overlapping(evenings), self.club.strikes
            if strikes != self._strikes or not held.issuperset(self._held):
                evenings |= self._news.forget_results()
            self._held, self._strikes = held, strikes
            for number in sorted(evenings):
                self._news.hear(store.results(number, self._news.last_receipt))
        took_s = time.monotonic() - began_s
        self._heard_next_s = began_s + 3 * took_s if took_s > SLOW_S else 0.0

    def _is_hidden(self, line: News) -> bool:
        """Return whether a line of news is not shown: its match is held, or its table was struck."""
        if line.match:
            return line.match in self._held
        return any(strike.covers(line.user, line.at_s) for strike in self._strikes)

    def _look_around(self, tables: Sequence[TableState]) -> None:
        """Take in new results, and choose the table that is shown large."""
        self._hear()
        glances = {table.user: table.glance for table in tables if table.glance is not None and not table.is_away}
        points = {
            user: self._points(user, glance) for user, glance in glances.items() if glance.phase is not Phase.IDLE
        }
        now_s = asyncio.get_running_loop().time()
        self._featured = featured(self._featured, points, now_s, self.club.shown_large)

    def _points(self, user: str, glance: Glance) -> int:
        """Return how exciting a table's match is; cached until the summary of the table's view changes."""
        if user not in self._excitement or self._excitement[user][0] is not glance:
            self._excitement[user] = glance, excitement(glance)
        return self._excitement[user][1]

    def _shown_news(self) -> Sequence[News]:
        """Return the newest line of news, followed by a few older lines, which take turns as time passes."""
        latest = [line.in_language(page_language()) for line in self._news.latest(self._is_hidden)]
        if len(latest) <= NEWS_SHOWN:
            return latest
        newest, others = latest[0], latest[1:]
        first = int(asyncio.get_running_loop().time() / ROLL_S) * (NEWS_SHOWN - 1)
        return [newest, *(others[(first + place) % len(others)] for place in range(NEWS_SHOWN - 1))]


def _worth_showing(tables: Sequence[TableState], window: BrowserWindow, chosen: str) -> Sequence[TableState]:
    """Return the tables that the wall shows: those at play and those that call, if they are few enough to be large.

    A list shows all tables, and so does the wall while nobody plays or the arbiter has chosen a table. Where all would
    be large, the chosen one is left out, because it is shown next to the others.
    """
    if chosen and window.has_aside and 1 < len(tables) < FEATURED_FROM:
        return [table for table in tables if table.user != chosen]
    busy = [table for table in tables if table.match or table.needs]
    is_few = 0 < len(busy) < min(FEATURED_FROM, len(tables))
    return busy if is_few and not (window.is_narrow or chosen) else tables


def _base_of(request: Request) -> str:
    """Return the URL by which a browser reached the wall; empty if it is of no use to other devices."""
    is_local = is_loopback(request.url.hostname or "localhost")
    return "" if is_local else f"{request.url.scheme}://{request.headers['host']}/"


def wall_view_key(request: Request) -> WallViewKey:
    """Return the view of the wall that a request's query asks for; invalid numbers are replaced by defaults."""
    query = request.query_params
    window, page = window_of(f"{query.get('w', '')}x{query.get('h', '')}"), query.get("at")
    return WallViewKey(window, None if page is None else _number(page, 0), _base_of(request))


def window_of(cookie: str) -> BrowserWindow:
    """Return the size of a window such as `1920x1080`; invalid numbers are replaced by defaults."""
    width, _, height = cookie.partition("x")
    usual = BrowserWindow()
    return BrowserWindow(_number(width, usual.width), _number(height, usual.height))


def _number(text: str, usual: int) -> int:
    """Return the number in a query's text, at most `LARGEST_WINDOW`; `usual` if the text is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST_WINDOW))
    return min(int(text), LARGEST_WINDOW) if is_number else usual
