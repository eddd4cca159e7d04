"""Sends server-sent events to the live pages: the fragments that changed, new sounds, and new spoken words.

A change is rendered and serialised once for all browsers that watch the same variant of a page. Two further events tell
a page that the program was restarted (`boot`) and that the connection still works (`well`). If too many streams are
open, the client gets a 503 response.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from captains_table.phrases import message, say
from captains_table.table.model.sounds import PlayedSound
from captains_table.web.problems import problem_response
from captains_table.web.serving.guests import Guests, caller_of
from captains_table.web.serving.limits import RETRY_AFTER_S

HEARTBEAT_S = 15.0
LATEST_S = 2.0  # older sounds are not sent, so that a page that was slow or away does not play them late
RETRY_MS = 1000
BOOT = secrets.token_hex(8)
"""Drawn at random at each start of the program, so that a reconnecting page notices a restart."""


class StreamSubscriber:
    """The subscription of one browser to an event stream.

    It is woken by each change and sound. It is dismissed when the server shuts down, when another stream needs its
    place, or when the key of its seat is no longer valid.
    """

    def __init__(self) -> None:
        self.woken = asyncio.Event()
        self.is_dismissed = False

    def wake(self) -> None:
        """Let the stream send what is new, or end if there will be no more changes."""
        self.woken.set()

    def dismiss(self) -> None:
        self.is_dismissed = True
        self.woken.set()


class SharedStream:
    """One variant of a page, with all browsers that watch it.

    Args:
        changes: returns an iterator that yields at the start and after every change, and ends when the table or the
            club stops.
        fragments: renders all current fragments; maps each fragment's id to its HTML.
        heard: returns the latest sounds, oldest first; a new subscriber gets only those played after it joined.
        later_s: how long it waits after a change, so that others are rendered and sent before.
    """

    def __init__(
        self,
        changes: Callable[[], AsyncGenerator[None, None]],
        fragments: Callable[[], Mapping[str, str]],
        heard: Callable[[], Sequence[PlayedSound]] = tuple,
        later_s: float = 0.0,
    ) -> None:
        self._changes = changes
        self._later_s = later_s
        self._heard = heard
        self._heard_to = 0  # the number of the last sound that subscribers were woken for
        self._render = fragments
        self._watchers: set[StreamSubscriber] = set()
        self._following: asyncio.Task[None] | None = None
        self._edition = 0  # how often the fragments changed; 0: nothing was rendered yet
        self._shown: Mapping[str, str] = {}
        self._events: dict[int, str] = {}  # by the edition that a subscriber has: the event with all later changes

    async def watch(self, watcher: StreamSubscriber) -> AsyncGenerator[str, None]:
        """Yield server-sent events: first `boot`, then changed fragments and new sounds.

        The event `well` is yielded whenever there was nothing to send for HEARTBEAT_S.

        End when the changes end, or when the subscriber is dismissed. If an error ended the changes, raise the error.
        """
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
                    yield "event: well\ndata:\n\n"  # so that either side notices a lost connection
                    continue
                watcher.woken.clear()
                event, edition, shown = self._event_since(edition, shown), self._edition, self._shown
                heard, heard_to = self._heard_since(heard_to), self._last_heard()
                if event or heard:
                    yield event + heard
        finally:
            await self._leave(watcher)

    def _join(self, watcher: StreamSubscriber) -> asyncio.Task[None]:
        self._watchers.add(watcher)
        if self._following is None:
            self._following = asyncio.ensure_future(self._follow())
            self._following.add_done_callback(lambda _: self._wake_all())
        elif self._edition or self._following.done():
            watcher.wake()
        return self._following

    async def _leave(self, watcher: StreamSubscriber) -> None:
        """Remove a watcher; if it was the last one, stop following the changes and forget what was rendered."""
        self._watchers.discard(watcher)
        if self._watchers or self._following is None:
            return
        following, self._following, self._edition, self._shown = self._following, None, 0, {}
        following.cancel()
        await asyncio.wait({following})

    async def _follow(self) -> None:
        async with aclosing(self._changes()) as changes:
            async for _ in changes:
                if self._later_s:
                    await asyncio.sleep(self._later_s)
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
        """Return the event with the fragments that differ from those that a subscriber has; empty if none differ.

        Each change of the fragments makes a new edition. The event is made only once for all subscribers that have the
        same edition.

        Args:
            edition: the number of the edition that the subscriber has; 0 if it has none.
            shown: the fragments that the subscriber has.
        """
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
        """Return the event with all sounds and the last spoken sentence that a subscriber has not received yet.

        Sounds and sentences older than LATEST_S are left out. The result is empty if nothing is left.

        Args:
            number: the number of the last sound or sentence that was sent to the subscriber (`PlayedSound.number`).
        """
        earliest_s = asyncio.get_running_loop().time() - LATEST_S
        fresh = [each for each in self._heard() if each.number > number and each.at_s >= earliest_s]
        if not fresh:
            return ""
        sounds = [each.sound for each in fresh if each.sound]
        told = next((each.words for each in reversed(fresh) if each.words), "")
        return f"event: heard\ndata: {json.dumps({'sounds': sounds, 'told': told}, separators=(',', ':'))}\n\n"


class EventStream(StreamingResponse):
    """A streaming response of server-sent events.

    Args:
        events: the events.
        left: called when the stream ends, whichever side ended it.
    """

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[str, None], left: Callable[[], None]) -> None:
        super().__init__(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._events = events
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()
            await self._events.aclose()


def event_response(
    request: Request, guests: Guests, events: Callable[[StreamSubscriber], AsyncGenerator[str, None]]
) -> Response:
    """Return the response with a new subscriber's events; a HEAD request gets only its headers.

    If the maximum number of streams is open, return a 503 response.

    Args:
        request: the request.
        guests: counts the stream until it ends.
        events: returns the events of a subscriber.
    """
    watcher = StreamSubscriber()
    if not guests.admit_stream(watcher, caller_of(request.scope)):
        words = message("{count} pages are followed, as many as are served here at once: ask again in {seconds} s.")
        sentence = say(words, count=guests.streams, seconds=RETRY_AFTER_S)
        return problem_response(503, sentence, {"Retry-After": str(RETRY_AFTER_S)})
    if request.method == "HEAD":
        guests.leave_stream(watcher)
        return Response(media_type=EventStream.media_type)
    return EventStream(events(watcher), lambda: guests.leave_stream(watcher))
