"""The page's event stream: after each change, the fragments that changed and no others."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping

HEARTBEAT_S = 15.0
RETRY_MS = 1000


async def event_stream(
    changes: AsyncIterator[None], fragments: Callable[[], Mapping[str, str]], closing: asyncio.Event
) -> AsyncGenerator[str, None]:
    """Yield server-sent events with the fragments that changed; end when the changes do or the page closes.

    Args:
        changes: yields once at the beginning and after every change.
        fragments: renders all fragments as they are now, by id.
        closing: set when the server stops.
    """
    yield f"retry: {RETRY_MS}\n\n"
    shown: Mapping[str, str] = {}
    async with contextlib.aclosing(_ticks(changes, closing)) as ticks:
        async for changed in ticks:
            if not changed:
                yield ": all is well\n\n"  # so that a peer that vanished is noticed
                continue
            now = fragments()
            fresh = {id_: html for id_, html in now.items() if shown.get(id_) != html}
            shown = now
            if fresh:
                yield f"data: {json.dumps(fresh, separators=(',', ':'))}\n\n"


async def _ticks(changes: AsyncIterator[None], closing: asyncio.Event) -> AsyncGenerator[bool, None]:
    """Yield True after a change, False when nothing changed for a while."""
    closed = asyncio.ensure_future(closing.wait())
    change = asyncio.ensure_future(_next(changes))
    try:
        while True:
            done, _ = await asyncio.wait({closed, change}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
            if closed in done or (change in done and not change.result()):
                return
            yield change in done
            if change in done:
                change = asyncio.ensure_future(_next(changes))
    finally:
        closed.cancel()
        change.cancel()
        await asyncio.wait({closed, change})
        if isinstance(changes, AsyncGenerator):
            await changes.aclose()


async def _next(changes: AsyncIterator[None]) -> bool:
    """Wait for the next change; return whether there was one."""
    async for _ in changes:
        return True
    return False
