"""What follows a page of the club: changes at a pace that browsers keep up with, drawn once for all who look alike."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Hashable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from captains_table.club.pages.club_pages import ClubPages
from captains_table.club.service import ClubService
from captains_table.web.serving.guests import caller_of
from captains_table.web.stream import Broadcast, EventStream, Watcher, no_room

PACE_S: Final = 0.1
"""So long after one change the next is shown at the earliest, with all that changed meanwhile."""
REST: Final = 2.0
"""And so many times as long as it took to draw: on a slow computer a page takes a third of its time and no more."""
TICK_S: Final = 1.0
"""So often a page is looked at though nothing changed: pages turn by themselves, and news roll."""

Look = TypeVar("Look", bound=Hashable)


async def paced(club: ClubService) -> AsyncGenerator[None, None]:
    """Yield at once, after every change but not more often than the pace has it, and at least at every tick.

    Whoever is yielded to draws before he asks for more.
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
class FollowedPages(ClubPages, ABC, Generic[Look]):
    """Pages of one kind, and all who follow them."""

    _broadcasts: dict[Look, Broadcast] = field(init=False, default_factory=dict)
    _watchers: dict[Watcher, Look] = field(init=False, default_factory=dict)

    @abstractmethod
    def fragments(self, look: Look) -> Mapping[str, str]:
        """Return what changes by itself of what somebody looks at, as it is now, by id."""

    def follow(self, request: Request, look: Look) -> Response:
        """Return the stream of what changes on a page; whoever asks for the headers alone gets no more."""
        watcher = Watcher()
        if not self.guests.admit_stream(watcher, caller_of(request.scope)):
            return no_room(request, self.guests)
        if request.method == "HEAD":
            self.guests.leave_stream(watcher)
            return Response(media_type=EventStream.media_type)
        if look not in self._broadcasts:
            self._broadcasts[look] = Broadcast(lambda: paced(self.club), lambda: self.fragments(look))
        self._watchers[watcher] = look
        return EventStream(self._broadcasts[look].watch(watcher), lambda: self._leave(watcher))

    def _leave(self, watcher: Watcher) -> None:
        """Let a watcher go; what nobody looks at any more is forgotten."""
        self.guests.leave_stream(watcher)
        look = self._watchers.pop(watcher)
        if look not in self._watchers.values():
            del self._broadcasts[look]
