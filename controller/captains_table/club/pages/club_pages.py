"""The base classes and the renderer of the club's pages, the check of who may see them, and helpers for responses.

Pages with live updates get them at a limited rate, and browsers with the same view share one rendered update.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from captains_table.club.access import Public
from captains_table.club.event_manager import EventManager
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.words import BRIEF, MEANING, caption, counted_words, game_title, how_words, time_of_day
from captains_table.club.service import ClubService
from captains_table.club.store.arbiters import BY_TOKEN, acting_arbiter, acting_in_name_of
from captains_table.phrases import Language, as_sentence, capitalized, message_of, say
from captains_table.table.model.view import View, view_in
from captains_table.web.page_language import page_language, page_language_of
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT, SharedStream, event_response

LOG_IN: Final = "/arbiter/login"
ARBITERS_ALONE: Final = say(
    "This page is the arbiter's: log in, or open the address with the token of the club's server."
)
NOT_PUBLIC: Final = say("This club does not show this page to everybody: log in to see it.")
NOTHING_YET: Final = View(prompt=(say("This table has shown nothing yet"),))
PACE_S: Final = 0.1
"""The least time between two updates; changes in this time are merged."""
REST: Final = 2.0
"""The least pause after an update, as a multiple of its rendering time, so that rendering takes a third of the time."""
TICK_S: Final = 1.0
"""After how long a page is rendered even without changes, because the wall's pages and news change with time."""

Handler = Callable[[Request], Awaitable[Response]]
Chunk = TypeVar("Chunk")
LiveViewKey = TypeVar("LiveViewKey", bound=Hashable)


def club_renderer(club: ClubService, public: Public = Public.ALL) -> Renderer:
    """Return the renderer of the club's pages, with the functions and values that all templates use.

    Links to pages that `public` does not show to everybody are left out.
    """
    return Renderer(
        "captains_table.club.pages",
        capitalized=capitalized,
        acting_arbiter=acting_arbiter,
        boot=BOOT,
        brief=BRIEF,
        called=partial(caption, club),
        clock=time_of_day,
        club=club.title,
        counted_words=counted_words,
        how=how_words,
        meaning=MEANING,
        shows={step.value: public.shows(step) for step in Public},
        title_of=game_title,
    )


@dataclass(eq=False)
class ClubPages:
    """The base class of a group of the club's pages.

    Attributes:
        club: the club that is shown.
        programme: the club's events, as the wall shows them.
        renderer: renders the templates.
        guests: counts and limits connections.
    """

    club: ClubService
    programme: Programme
    renderer: Renderer
    guests: Guests

    @property
    def events(self) -> EventManager:
        """The club's events and players, which the arbiter's pages change."""
        return self.programme.events

    def called(self, user: str) -> str:
        """Return the caption of a table."""
        return caption(self.club, user)

    def scene(self, user: str, *, flipped: bool) -> Scene:
        """Return what a table shows to spectators, in the language of the page."""
        view = self.club.view_in(user, page_language())
        return Scene(view or view_in(NOTHING_YET, page_language()), flipped=flipped, watches=True)

    def page(self, template: str, status: int = 200, /, **values: object) -> Response:
        """Return a page rendered from its template, as a response with this status."""
        return HTMLResponse(self.part(template, **values), status)

    def part(self, template: str, /, **values: object) -> str:
        """Return the HTML of a part of a page, rendered from its template."""
        return self.renderer.page(f"club/{template}", **values).strip()


async def paced(club: ClubService) -> AsyncGenerator[None, None]:
    """Yield whenever a page must be rendered: first at once, then after changes, and after `TICK_S` without changes.

    The consumer renders the page before it asks for the next value. Then there is a pause of at least `PACE_S`, and of
    at least `REST` times the time that rendering took. The generator ends when the club stops.
    """
    loop = asyncio.get_running_loop()
    async with aclosing(club.changes()) as changes:
        upcoming = asyncio.ensure_future(anext(changes, None))
        try:
            while True:
                done, _ = await asyncio.wait({upcoming}, timeout=TICK_S)
                if done:
                    if upcoming.result() is None:
                        return
                    upcoming = asyncio.ensure_future(anext(changes, None))
                began_s = loop.time()
                yield
                await asyncio.sleep(max(PACE_S, REST * (loop.time() - began_s)))
        finally:
            upcoming.cancel()
            await asyncio.wait({upcoming})


@dataclass(eq=False)
class ClubLivePages(ClubPages, ABC, Generic[LiveViewKey]):
    """A kind of page with live updates, and its subscribers.

    All subscribers with an equal `LiveViewKey`, such as an event's number, see the same content.
    """

    _broadcasts: WeakValueDictionary[tuple[str, LiveViewKey], SharedStream] = field(
        init=False, default_factory=WeakValueDictionary
    )
    """The shared stream of each view that is watched, by the language's code and the view.

    The events of its subscribers keep it alive."""

    @abstractmethod
    def fragments(self, look: LiveViewKey) -> Mapping[str, str]:
        """Return the current HTML of the page's live parts, by element id; `look` identifies what the page shows."""

    def follow(self, request: Request, look: LiveViewKey) -> Response:
        """Return the stream of live updates of the view `look`; for a HEAD request, return only the stream's headers.

        If too many streams are open, return an error response.
        """
        language = page_language()
        shared = self._broadcasts.get((language.code, look))
        if shared is None:
            shared = SharedStream(lambda: paced(self.club), lambda: self._fragments_in(language, look))
            self._broadcasts[language.code, look] = shared
        return event_response(request, self.guests, shared.watch)

    def _fragments_in(self, language: Language, look: LiveViewKey) -> Mapping[str, str]:
        with page_language_of(language):
            return self.fragments(look)


def may_touch(request: Request) -> bool:
    """Return whether a request may change things: it carries the club's token, or no token is needed."""
    return bool(request.scope.get("may_touch", False))


def check_access(request: Request, step: Public | None, public: Public) -> None:
    """Raise Problem unless a request may see the addresses of a step.

    Args:
        request: the request.
        step: the step; `None` for the addresses of the arbiters alone.
        public: what requests without a pass may see.
    """
    if not may_touch(request) and not public.shows(step):
        raise Problem(403, ARBITERS_ALONE if step is None else NOT_PUBLIC)


def guarded(handler: Handler, step: Public | None, public: Public) -> Handler:
    """Wrap the handler of an address of a step so that it refuses requests that may not see it.

    What the handler does is logged in the name of the arbiter. A stream ends when the arbiter's log-in does.
    """

    @wraps(handler)
    async def checked(request: Request) -> Response:
        check_access(request, step, public)
        acting = request.scope["user_name"] or (BY_TOKEN if request.scope["has_token"] else "")
        with acting_in_name_of(acting):
            response = await handler(request)
        if step is None:  # so that nobody goes back to it after the log-out
            response.headers["Cache-Control"] = "no-store"
        if isinstance(response, StreamingResponse) and may_touch(request):
            response.body_iterator = _while_allowed(request.scope["may_still_touch"], response.body_iterator)
        return response

    return checked


async def _while_allowed(is_allowed: Callable[[], bool], body: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
    async for chunk in body:
        if not is_allowed():
            return
        yield chunk


def as_file(name: str) -> dict[str, str]:
    """Return the headers that make a browser save a response as a file with this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def sentence_of(error: Exception) -> str:
    """Return an error's message as a sentence that starts with a capital letter and ends with a full stop."""
    return as_sentence(message_of(error))
