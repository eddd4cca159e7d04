"""Sends live updates of the club's pages at a limited rate; browsers with the same view share one rendered update."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Hashable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response

from captains_table.club.pages.club_pages import ClubPages
from captains_table.club.service import ClubService
from captains_table.phrases import Language
from captains_table.web.page_language import page_language, page_language_of
from captains_table.web.serving.guests import caller_of
from captains_table.web.stream import EventStream, SharedStream, StreamSubscriber, no_room

PACE_S: Final = 0.1
"""The least time between two updates; changes in this time are merged."""
REST: Final = 2.0
"""The least pause after an update, as a multiple of its rendering time, so that rendering takes a third of the time."""
TICK_S: Final = 1.0
"""After how long a page is rendered even without changes, because the wall's pages and news change with time."""

LiveViewKey = TypeVar("LiveViewKey", bound=Hashable)


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
        watcher = StreamSubscriber()
        if not self.guests.admit_stream(watcher, caller_of(request.scope)):
            return no_room(self.guests)
        if request.method == "HEAD":
            self.guests.leave_stream(watcher)
            return Response(media_type=EventStream.media_type)
        language = page_language()
        shared = self._broadcasts.get((language.code, look))
        if shared is None:
            shared = SharedStream(lambda: paced(self.club), lambda: self._fragments_in(language, look))
            self._broadcasts[language.code, look] = shared
        return EventStream(shared.watch(watcher), lambda: self.guests.leave_stream(watcher))

    def _fragments_in(self, language: Language, look: LiveViewKey) -> Mapping[str, str]:
        with page_language_of(language):
            return self.fragments(look)
