"""The page's event stream: after each change, the fragments that changed and no others, and what was just heard.

Everybody who watches the same page gets the same text: it is rendered and written once a change, however many watch.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from captains_table.table.model.sounds import Heard
from captains_table.web.problems import problem_response, wants_page
from captains_table.web.serving.guests import Guests
from captains_table.web.serving.limits import RETRY_AFTER_S

HEARTBEAT_S = 15.0
LATEST_S = 2.0  # what was heard longer ago than this is over: a page that was slow, or away, stays silent about it
RETRY_MS = 1000
BOOT = secrets.token_hex(8)
"""Drawn anew whenever the program starts: a page that finds another one when it comes back is of an earlier start."""


class Watcher:
    """Somebody who watches; woken by every change, and dismissed when the page closes or has no room."""

    def __init__(self) -> None:
        self.woken = asyncio.Event()
        self.is_dismissed = False

    def wake(self) -> None:
        """Let the stream look whether there is something to send."""
        self.woken.set()

    def dismiss(self) -> None:
        self.is_dismissed = True
        self.woken.set()


class Broadcast:
    """One page for all who watch it.

    Args:
        changes: returns what yields once at the beginning and after every change, and ends when the table stops.
        fragments: renders all fragments as they are now, by id.
        heard: returns the last things that were heard, oldest first; nobody is sent what was heard before he came.
    """

    def __init__(
        self,
        changes: Callable[[], AsyncGenerator[None, None]],
        fragments: Callable[[], Mapping[str, str]],
        heard: Callable[[], Sequence[Heard]] = tuple,
    ) -> None:
        self._changes = changes
        self._heard = heard
        self._heard_to = 0  # the number of the last that those who watch were woken for
        self._render = fragments
        self._watchers: set[Watcher] = set()
        self._following: asyncio.Task[None] | None = None
        self._edition = 0  # how often something changed; nothing was rendered before the first
        self._shown: Mapping[str, str] = {}
        self._events: dict[int, str] = {}  # what brings somebody up to date, by the edition he has seen

    async def watch(self, watcher: Watcher) -> AsyncGenerator[str, None]:
        """Yield server-sent events with the fragments that changed; end when the changes do, or on dismissal."""
        following = self._join(watcher)
        edition, heard_to = 0, self._last_heard()
        shown: Mapping[str, str] = {}
        try:
            yield f"retry: {RETRY_MS}\nevent: boot\ndata:{BOOT}\n\n"
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_S):
                        await watcher.woken.wait()
                if watcher.is_dismissed:
                    return
                if following.done():
                    following.result()
                    return
                if not watcher.woken.is_set():
                    yield "event: well\ndata:\n\n"  # so that either side notices that the other vanished
                    continue
                watcher.woken.clear()
                event, edition, shown = self._event_since(edition, shown), self._edition, self._shown
                heard, heard_to = self._heard_since(heard_to), self._last_heard()
                if event or heard:
                    yield event + heard
        finally:
            await self._leave(watcher)

    def _join(self, watcher: Watcher) -> asyncio.Task[None]:
        self._watchers.add(watcher)
        if self._following is None:
            self._following = asyncio.ensure_future(self._follow())
            self._following.add_done_callback(lambda _: self._wake_all())
        elif self._edition or self._following.done():
            watcher.wake()
        return self._following

    async def _leave(self, watcher: Watcher) -> None:
        """Let a watcher go; with the last one the following ends."""
        self._watchers.discard(watcher)
        if self._watchers or self._following is None:
            return
        following, self._following, self._edition, self._shown = self._following, None, 0, {}
        following.cancel()
        await asyncio.wait({following})

    async def _follow(self) -> None:
        async with aclosing(self._changes()) as changes:
            async for _ in changes:
                now = self._render()
                if now != self._shown:
                    self._shown, self._edition, self._events = now, self._edition + 1, {}
                elif self._heard_to == self._last_heard():
                    continue
                self._heard_to = self._last_heard()
                self._wake_all()

    def _wake_all(self) -> None:
        for watcher in self._watchers:
            watcher.wake()

    def _event_since(self, edition: int, shown: Mapping[str, str]) -> str:
        """Return the event for somebody who has seen this much; it is written once for all who have seen the same."""
        if edition == self._edition:
            return ""
        if edition not in self._events:
            fresh = {id_: html for id_, html in self._shown.items() if shown.get(id_) != html}
            self._events[edition] = f"data: {json.dumps(fresh, separators=(',', ':'))}\n\n" if fresh else ""
        return self._events[edition]

    def _last_heard(self) -> int:
        heard = self._heard()
        return heard[-1].number if heard else 0

    def _heard_since(self, number: int) -> str:
        """Return the event with what was heard after this one and is not over yet: all sounds, and the last words."""
        earliest_s = asyncio.get_running_loop().time() - LATEST_S
        fresh = [each for each in self._heard() if each.number > number and each.at_s >= earliest_s]
        if not fresh:
            return ""
        sounds = [each.sound for each in fresh if each.sound]
        told = next((each.words for each in reversed(fresh) if each.words), "")
        return f"event: heard\ndata: {json.dumps({'sounds': sounds, 'told': told}, separators=(',', ':'))}\n\n"


class EventStream(StreamingResponse):
    """Events as an answer.

    Args:
        events: what is sent.
        left: is called when nothing more will be, whoever ended it.
    """

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[str, None], left: Callable[[], None]) -> None:
        super().__init__(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._events = events
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or nobody is there to take them."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()
            await self._events.aclose()


def no_room(request: Request, guests: Guests) -> Response:
    """Return the answer to somebody who would follow a page while as many as there is room for do."""
    sentence = f"{guests.streams} pages are followed, as many as are served here at once: ask again in"
    response = problem_response(503, f"{sentence} {RETRY_AFTER_S} s.", as_page=wants_page(request))
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response
