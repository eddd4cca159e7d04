"""The live pages and their event streams: what a browser is shown, as spectator, seat, owner or game master.

The event stream of a seat's page ends when the seat's key is no longer valid. Luck in a finished match is computed in
the background, and shown once it is known.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from captains_table import catalog
from captains_table.catalog.languages import find_language
from captains_table.games.contract import Game, PickAsk
from captains_table.page.permissions import MASTER_PAGE, check_master, seat_of_key
from captains_table.phrases import ENGLISH, in_language
from captains_table.records.luck import PAIR, luck_in_words
from captains_table.runtime.match_archive import CannotRead
from captains_table.runtime.table import Table
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.screen import WELCOME
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase, View, view_in
from captains_table.web.first_screen import (
    FirstScreen,
    GameCard,
    asks_what_to_play,
    cards,
    champions,
    game_card,
    rematch_unless_open,
)
from captains_table.web.joining import join_link
from captains_table.web.page_language import on_page, page_language
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene, sole_person
from captains_table.web.security import MASTER_PATH, SEAT_PATH, is_loopback
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT, SharedStream, StreamSubscriber, event_response

Item = TypeVar("Item")
Sitting = tuple[int, str]
"""A seat whose page is followed, and the key that opened it."""

NO_STORE: Final = {"Cache-Control": "no-store"}
MOST_PAIRED: Final = 3
"""How many pairings the first screen lists."""
OTHERS_FIRST_S: Final = 0.005
"""How long pages in another language than the table's wait, so that nobody else sees a change later by them."""
RESULT_S: Final = 60.0
"""For how long the room display shows the result of a match."""


@dataclass(frozen=True, slots=True)
class PageVariant:
    """One variant of a live page. Browsers that ask for the same variant share a stream's events.

    Attributes:
        page: `display`, `table`, `seat` or `master`.
        flipped: whether the board is seen from Black's side; `None` for the side of the player whose page it is.
        seat: the seat whose page it is; `None` for the other pages.
        at_home: whether this is the room display opened on the table's own machine; its link for phones then uses the
            machine's current network address.
        language: the code of the language.
    """

    page: str
    flipped: bool | None = None
    seat: int | None = None
    at_home: bool = False
    language: str = ENGLISH.code


@dataclass(eq=False)
class LuckLines:
    """Computes a line about luck for the finished match on the table, and remembers the last one.

    Attributes:
        table: the table; its subscribers are woken when a line is known.
    """

    table: Table
    _number: int | None = field(default=None, init=False)
    _line: str = field(default="", init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    def line(self, number: int, match: Match) -> str | None:
        """Return the line about a match; empty until it is known, `None` if the game has no measure of luck.

        The line is computed once the end of the match is written.
        """
        entry = catalog.find_entry(match.game.key)
        if entry is None or entry.luck is None or not entry.luck_is_known(match.started.options):
            return None
        if self._number != number:
            self._number, self._line, self._task = number, "", None
        if match.is_ended and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._compute(number))
        return self._line

    async def _compute(self, number: int) -> None:
        try:
            review = await self.table.reviews.review(number)
        except (CannotRead, NoSuchMatch):
            return
        story = review.story
        if number == self._number and review.luck is not None and story is not None and story.result is not None:
            self._line = luck_in_words(review.luck, story.result, story.names)
            self.table.subscribers.notify()


@dataclass(eq=False)
class LivePages:
    """Renders the live pages and streams their changes to all browsers.

    Attributes:
        table: the table that is shown.
        renderer: renders templates.
        guests: counts connections and streams.
        reach: the addresses by which other devices reach the page.
    """

    table: Table
    renderer: Renderer
    guests: Guests
    reach: PageReach
    _luck: LuckLines = field(init=False)
    _shown: tuple[int | None, Phase] | None = field(default=None, init=False)
    _since_s: float = field(default=0.0, init=False)
    _broadcasts: dict[PageVariant, SharedStream] = field(default_factory=dict, init=False)
    _seated: dict[StreamSubscriber, Sitting] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._luck = LuckLines(self.table)

    def look(self, request: Request) -> PageVariant:
        """Return the variant of a live page for which a request asks.

        Raises Problem if a request for the page of a seat or of the game master does not carry the page's key.
        """
        path, query = request.url.path, request.query_params
        pages = {SEAT_PATH: "seat", "/table": "table", MASTER_PATH: MASTER_PAGE}
        named = pages.get(path) or query.get("page")
        if named == MASTER_PAGE:
            check_master(request)
        seat = seat_of_key(request, self.table) if named == "seat" else None
        page = named if named in pages.values() and named is not None else "display"
        flipped = {"black": True, "white": False}.get(query.get("side", ""))
        at_home = page == "display" and self.reach.is_asked_at_home(request)
        return PageVariant(page, flipped, seat, at_home, page_language().code)

    def _is_flipped(self, look: PageVariant) -> bool:
        """Return whether a page shows the board from Black's side: as asked for, or else if its player has Black."""
        if look.flipped is not None or look.page == "display":
            return look.flipped or False
        view, match = self.table.view(), self.table.session.match
        seat = sole_person(view) if look.seat is None else look.seat
        if match is None or seat is None or len(view.seats) != PAIR:
            return False
        return seat != match.game.white_seat(match.state)

    def scene(self, look: PageVariant) -> Scene:
        """Return the current content of this variant of a page, in its language."""
        scene, language = self._scene(look), find_language(look.language)
        if language is ENGLISH:
            return scene
        hint = scene.view.hint and replace(scene.view.hint, words=scene.advice())
        view = view_in(replace(scene.view, hint=hint), language, keeps_short=True)
        return in_language(replace(scene, view=view), language)

    def _scene(self, look: PageVariant) -> Scene:
        flipped = self._is_flipped(look)
        if look.page == MASTER_PAGE:
            return self._with_luck(master_scene(self.table, flipped=flipped))
        if look.page == "display" and self._rests():
            scene = Scene(between_matches(self.table.view()), flipped=flipped, watches=True)
        else:
            scene = scene_of(self.table, touch=look.page != "display", flipped=flipped, seat=look.seat)
        is_display = look.page == "display"
        offers_games = asks_what_to_play(scene.view) or (is_display and scene.view.phase is Phase.OVER)
        if offers_games and (is_display or look.page == "table"):
            scene = replace(scene, first=self.first_screen(is_watched=is_display))
        joining = join_link(self.reach.address()) if look.at_home else None
        return self._with_luck(replace(scene, joining=joining))

    def _rests(self) -> bool:
        """Return whether the result of a match has been shown for RESULT_S, so that the room display shows the games.

        The subscribers are woken when that time is over.
        """
        shown = (self.table.matches.current, self.table.view().phase)
        if shown != self._shown:
            self._shown, self._since_s = shown, asyncio.get_running_loop().time()
            if shown[1] is Phase.OVER:
                asyncio.get_running_loop().call_later(RESULT_S + 0.1, self.table.subscribers.notify)
        return shown[1] is Phase.OVER and asyncio.get_running_loop().time() - self._since_s >= RESULT_S

    def _with_luck(self, scene: Scene) -> Scene:
        """Return the scene of a finished match with the match's number and the line about its luck."""
        number, match = self.table.matches.current, self.table.session.match
        if scene.view.phase is not Phase.OVER or number is None or match is None:
            return scene
        return replace(scene, number=number, luck=self._luck.line(number, match))

    def card(self, game: Game[Any]) -> GameCard:
        """Return the card of a game, which may be too large for the board."""
        archive = self.table.archive
        last = dict(if_readable(archive.last_computers))
        return game_card(game, if_readable(archive.known_names), last.get(game.key, ""))

    def first_screen(self, *, is_watched: bool = False) -> FirstScreen:
        """Return what may be played now; what the journal cannot tell is left out, because other pages report that.

        Args:
            is_watched: whether it is for the room display, which shows records and starts nothing.
        """
        table, reach = self.table, self.reach
        names = if_readable(table.archive.known_names)
        last = dict(if_readable(table.archive.last_computers))
        found = FirstScreen(cards(names, table.board_shape, last), has_buttons=table.hands is None)
        if is_watched:
            tallies = if_readable(lambda: table.archive.standings().tallies)
            return replace(found, champions=champions(tallies, names))
        waiting = tuple(each for each in if_readable(table.archive.unfinished) if each.is_begun)
        again = rematch_unless_open(next(iter(if_readable(lambda: [table.archive.last_start()])), None), waiting)
        return replace(
            found,
            paired=tuple(if_readable(table.matches.paired)[:MOST_PAIRED]),
            open=tuple(each for each in waiting if each.number != table.matches.current),
            rematch=again,
            joining=None if reach.is_private else join_link(reach.address()),
        )

    def fragments(self, look: PageVariant) -> Mapping[str, str]:
        """Return the current fragments of a page: map each fragment's id to its HTML."""
        return self.renderer.fragments(look.page, self.scene(look))

    def conflict(self, request: Request, sentence: str) -> Response:
        """Return the response to an action that came too late or too early: status 409, a reason, current fragments."""
        return JSONResponse({"error": on_page(sentence), "fragments": dict(self.fragments(self.look(request)))}, 409)

    async def page(self, request: Request) -> Response:
        """Show the live page that a request asks for; raises Problem if its key is wrong.

        No browser stores the page of a seat or of the game master.
        """
        look = self.look(request)
        scene = self.scene(look)
        is_local = is_loopback(request.url.hostname or "localhost")  # the scene has the link, or nobody else gets here
        html = self.renderer.page(
            look.page,
            scene=scene,
            view=scene.view,
            fragments=self.renderer.fragments(look.page, scene),
            may_touch=request.scope["may_touch"],
            has_seat=request.scope["seat_key"] is not None,
            joining=None if is_local else join_link(self.reach.base(request)),
            boot=BOOT,
            links_seats=self.table.seats is not None,
        )
        return HTMLResponse(html, headers=NO_STORE if look.page in {"seat", MASTER_PAGE} else None)

    async def events(self, request: Request) -> Response:
        """Stream changed fragments, sounds and spoken words; a HEAD request gets only the headers.

        If too many streams are open, return a response with status 503. Raises Problem if the request's key is wrong.
        """
        look = self.look(request)
        shared = self._broadcast(look)
        if look.seat is None:
            return event_response(request, self.guests, shared.watch)
        sitting = look.seat, str(request.scope["seat_key"])
        return event_response(request, self.guests, lambda watcher: self._while_open(shared, watcher, sitting))

    def send_away(self) -> None:
        """End the event stream of each seat's page whose key is no longer valid."""
        for watcher, sitting in self._seated.items():
            if not self._is_open(sitting):
                watcher.dismiss()

    async def _while_open(
        self, shared: SharedStream, watcher: StreamSubscriber, sitting: Sitting
    ) -> AsyncGenerator[str, None]:
        """Yield a seat's events until its key is no longer valid, then the event `gone`.

        The change by which the key became invalid is still yielded. If the events end while the key is valid, there is
        no event `gone`.
        """
        self._seated[watcher] = sitting
        try:
            async with aclosing(shared.watch(watcher)) as events:
                async for event in events:
                    yield event
                    if not self._is_open(sitting):
                        break
        finally:
            del self._seated[watcher]
        if not self._is_open(sitting):
            yield "event: gone\ndata: \n\n"

    def _is_open(self, sitting: Sitting) -> bool:
        seats, (seat, key) = self.table.seats, sitting
        return seats is not None and seats.seat_of(key) == seat

    def _broadcast(self, look: PageVariant) -> SharedStream:
        if look not in self._broadcasts:
            changes, sounds = self.table.subscribers.changes, self.table.sounds.latest
            later_s = 0.0 if look.language == self.table.session.settings.language else OTHERS_FIRST_S
            self._broadcasts[look] = SharedStream(changes, lambda: self.fragments(look), sounds, later_s)
        return self._broadcasts[look]


def if_readable(read: Callable[[], Sequence[Item]]) -> Sequence[Item]:
    """Return what `read` reads from the journal; empty if it cannot be read, since the page works without it."""
    with suppress(CannotRead, JournalUnreadable):
        return read()
    return ()


def between_matches(view: View) -> View:
    """Return the view of a finished match without the match: the lobby that is open in front of it."""
    shown = {name: getattr(view, name) for name in ("ask", "menu", "roll", "faults", "told", "revision", "joining")}
    return View(title=WELCOME, prompt=(view.ask.prompt,) if isinstance(view.ask, PickAsk) else (), **shown)


def scene_of(table: Table, *, touch: bool, flipped: bool, seat: int | None = None) -> Scene:
    """Return the current content of a page.

    Args:
        table: the table that is shown.
        touch: whether the page may play, and shows the simulated board; false for the page of a spectator.
        flipped: whether the board is seen from Black's side.
        seat: the seat whose page it is; `None` for the page of the owner or of a spectator. Only the owner's page shows
            the display's picture, can leave the match, and can call the arbiter.
    """
    hands = table.hands if touch else None
    physical = hands.physical() if hands is not None else None
    if physical is not None:  # a copy, because the last scene is compared with the next
        physical = replace(physical, pieces=dict(physical.pieces))
    display = f"{zlib.crc32(table.display_png()):08x}" if touch and seat is None else ""
    return Scene(
        table.view(),
        physical,
        display,
        flipped,
        seat,
        may_leave=touch and seat is None,
        watches=not touch,
        arbiter=table.matches.club.calls_arbiter if touch and seat is None else None,
    )


def master_scene(table: Table, *, flipped: bool) -> Scene:
    """Return the content of the game master's page: the match's own position, not the simulated board's pieces."""
    view, match = table.view(), table.session.match
    is_played = match is not None and view.phase not in {Phase.IDLE, Phase.OVER}
    corrections = tuple(match.game.corrections(match.state)) if match is not None and is_played else ()
    return Scene(view, flipped=flipped, leads=True, corrections=corrections)
