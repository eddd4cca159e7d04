import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping

import httpx
import pytest

from captains_table.games.contract import Pick, Square
from captains_table.page.app import create_app
from captains_table.page.live_pages import scene_of
from captains_table.table.model.events import Button
from captains_table.table.model.sounds import PlayedSound
from captains_table.web import stream
from captains_table.web.reach import PageReach
from captains_table.web.render import FRAGMENTS, Renderer
from captains_table.web.serving.server import CannotListen, PortTaken, listen, serve_page
from captains_table.web.stream import SharedStream, StreamSubscriber
from tests.support.fake_table import FakeTable
from tests.support.patience import PATIENCE_S


def playing() -> FakeTable:
    """Return a table with a match on it."""
    table = FakeTable()
    table.new_match("legend", ["Anne", "Bart"], {})
    return table


async def next_data(events: AsyncIterator[str]) -> dict[str, str]:
    """Return the fragments of the next event."""
    async for event in events:
        if event.startswith("data: "):
            assert event.endswith("\n\n")
            fragments: dict[str, str] = json.loads(event.removeprefix("data: "))
            return fragments
    raise AssertionError("the stream ended")


def broadcast_of(table: FakeTable) -> SharedStream:
    """Return what all who watch a table's page are sent."""
    renderer = Renderer()
    return SharedStream(
        table.subscribers.changes, lambda: renderer.fragments("table", scene_of(table, touch=True, flipped=False))
    )


def stream_of(table: FakeTable, watcher: StreamSubscriber | None = None) -> AsyncGenerator[str, None]:
    """Return the events of a table's page."""
    return broadcast_of(table).watch(watcher or StreamSubscriber())


def test_the_first_event_brings_everything_and_later_ones_what_changed() -> None:
    """A click on a square changes board, hand and glass, not the tallies."""

    async def run() -> None:
        table = playing()
        events = stream_of(table)
        assert set(await next_data(events)) == set(FRAGMENTS["table"])
        table.answer(Pick("roll"), 1)
        changed = await next_data(events)
        assert {"dice", "ask", "board", "log"} <= set(changed)
        assert "tallies" not in changed
        assert "hand" not in changed
        await events.aclose()
        assert not table.watched

    asyncio.run(run())


def test_a_page_is_rendered_once_for_all_who_watch_it() -> None:
    """Also for those who come later, and for those who were away while something changed."""

    async def run() -> None:
        table, rendered = playing(), [0]
        renderer = Renderer()

        def fragments() -> Mapping[str, str]:
            rendered[0] += 1
            return renderer.fragments("table", scene_of(table, touch=True, flipped=False))

        broadcast = SharedStream(table.subscribers.changes, fragments)
        streams = [broadcast.watch(StreamSubscriber()) for _ in range(20)]
        first = [await next_data(events) for events in streams]
        assert all(fresh == first[0] for fresh in first)
        assert rendered == [1]
        table.answer(Pick("roll"), 1)
        changed = [await next_data(events) for events in streams[1:]]
        assert all(fresh == changed[0] for fresh in changed)
        late = broadcast.watch(StreamSubscriber())
        assert await next_data(late) == {**first[0], **changed[0]}
        assert rendered == [2]
        table.press(Button.ROLL)
        table.click(Square(4, 1))
        latest = await next_data(late)
        assert {**first[0], **await next_data(streams[0])} == {**first[0], **changed[0], **latest}
        assert rendered == [3]
        for events in (*streams, late):
            await events.aclose()
        assert not table.watched

    asyncio.run(run())


def test_a_page_that_cannot_be_drawn_fails_for_all_who_watch_it() -> None:
    """And nobody waits for it for ever; not the one who comes later either."""

    async def run() -> None:
        def fragments() -> Mapping[str, str]:
            raise ZeroDivisionError

        broadcast = SharedStream(playing().changes, fragments)
        for _ in range(2):
            streams = [broadcast.watch(StreamSubscriber()) for _ in range(2)]
            for events in streams:
                with pytest.raises(ZeroDivisionError):
                    await next_data(events)

    asyncio.run(run())


def test_nothing_is_sent_when_nothing_changed() -> None:
    """A change that is not seen on the page makes no event."""

    async def run() -> None:
        table = playing()
        events = stream_of(table)
        await next_data(events)
        table.show(table.view())
        waiting = asyncio.ensure_future(next_data(events))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        table.answer(Pick("roll"), 1)
        table.show(table._assemble())
        assert "dice" in await waiting
        await events.aclose()

    asyncio.run(run())


async def next_heard(events: AsyncIterator[str]) -> dict[str, object]:
    """Return what was heard next."""
    async for event in events:
        if "event: heard\ndata: " in event:
            heard: dict[str, object] = json.loads(event.partition("event: heard\ndata: ")[2])
            return heard
    raise AssertionError("the stream ended")


def sounding(table: FakeTable) -> SharedStream:
    """Return what all who watch and listen to a table's page are sent."""
    return SharedStream(table.subscribers.changes, lambda: {"prompt": table.view().heading}, table.latest)


def hear(table: FakeTable, number: int, *, ago_s: float = 0.0, sound: str = "", words: str = "") -> None:
    """Let something be heard at a table."""
    table.sounding.append(PlayedSound(number, asyncio.get_running_loop().time() - ago_s, sound, words))


def test_what_is_heard_is_sent_to_all_who_are_there_though_nothing_else_changed() -> None:
    async def run() -> None:
        table = playing()
        broadcast = sounding(table)
        streams = [broadcast.watch(StreamSubscriber()) for _ in range(3)]
        for events in streams:
            await next_data(events)
        hear(table, 1, sound="throw")
        hear(table, 2, words="Anne throws a 6.")
        table.show(table.view())
        for events in streams:
            assert await next_heard(events) == {"sounds": ["throw"], "told": "Anne throws a 6."}
        hear(table, 3, sound="move")
        hear(table, 4, sound="strike")
        table.show(table.view())
        assert await next_heard(streams[0]) == {"sounds": ["move", "strike"], "told": ""}
        for events in streams:
            await events.aclose()

    asyncio.run(run())


def test_whoever_comes_late_or_comes_again_hears_nothing_of_what_was() -> None:
    async def run() -> None:
        table = playing()
        broadcast = sounding(table)
        there = broadcast.watch(StreamSubscriber())
        await next_data(there)
        hear(table, 1, sound="king", words="Anne captures the king.")
        table.show(table.view())
        await next_heard(there)
        late = broadcast.watch(StreamSubscriber())
        await next_data(late)
        hear(table, 2, sound="throw")
        table.show(table.view())
        assert await next_heard(late) == {"sounds": ["throw"], "told": ""}
        await late.aclose()
        await there.aclose()

    asyncio.run(run())


def test_a_page_too_slow_to_take_it_in_time_stays_silent_about_what_is_over() -> None:
    async def run() -> None:
        table = playing()
        events = sounding(table).watch(StreamSubscriber())
        await next_data(events)
        hear(table, 1, ago_s=2.5, sound="king", words="Anne captures the king.")
        hear(table, 2, ago_s=1.0, sound="throw")
        table.show(table.view())
        assert await next_heard(events) == {"sounds": ["throw"], "told": ""}
        await events.aclose()

    asyncio.run(run())


def test_a_quiet_stream_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a peer that vanished is noticed, at either end: what is a comment is told to no script."""
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.01)

    async def run() -> None:
        events = stream_of(playing())
        await next_data(events)
        assert await anext(events) == "event: well\ndata:\n\n"
        assert await anext(events) == "event: well\ndata:\n\n"
        await events.aclose()

    asyncio.run(run())


def test_a_stream_begins_by_saying_which_start_of_the_program_it_is() -> None:
    """A page of an earlier one may look otherwise by now."""

    async def run() -> None:
        events = stream_of(playing())
        assert f"event: boot\ndata:{stream.BOOT}\n\n" in await anext(events)
        await events.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("who", ["table", "page"])
def test_the_stream_ends_when_the_table_or_the_page_stops(who: str) -> None:
    """And leaves no subscription behind."""

    async def run() -> None:
        table, watcher = playing(), StreamSubscriber()
        events = stream_of(table, watcher)
        await next_data(events)
        if who == "table":
            table.close()
        else:
            watcher.dismiss()
        assert [event async for event in events] == []
        assert not table.watched

    asyncio.run(run())


@pytest.mark.parametrize("who", ["table", "page"])
def test_the_server_stops_at_once_with_an_open_page(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither at the next beat nor when the page goes, whether the table stopped first or not."""
    monkeypatch.setattr(stream, "HEARTBEAT_S", 10 * PATIENCE_S)

    async def run() -> None:
        table, stopping = playing(), asyncio.Event()
        listener = listen("127.0.0.1", 0)
        address = PageReach(*listener.getsockname()[:2]).own
        serving = asyncio.ensure_future(serve_page(create_app(table), listener, stopping=stopping))
        async with (
            httpx.AsyncClient(base_url=address) as client,
            client.stream("GET", "/events?page=table") as answer,
        ):
            assert answer.headers["content-type"].startswith("text/event-stream")
            lines = answer.aiter_lines()
            while not (await anext(lines)).startswith("data: "):
                pass
            if who == "table":
                table.close()
            stopping.set()
            assert [line async for line in lines if line] == []
            async with asyncio.timeout(PATIENCE_S):
                await serving

    asyncio.run(run())


def test_cancelling_the_server_stops_it_cleanly() -> None:
    """A daemon may simply cancel its tasks."""

    async def run() -> None:
        listener = listen("127.0.0.1", 0)
        address = PageReach(*listener.getsockname()[:2]).own
        serving = asyncio.ensure_future(serve_page(create_app(playing()), listener, stopping=asyncio.Event()))
        await asyncio.sleep(0.05)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        async with httpx.AsyncClient() as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(address)

    asyncio.run(run())


def test_a_port_that_is_taken_is_named() -> None:
    """Before anything else has started."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert PageReach(*first.getsockname()[:2]).own == f"http://127.0.0.1:{port}/"
        with pytest.raises(PortTaken, match=f"port {port} on 127.0.0.1 is taken"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 8080), ("127.0.0.1", 70000), ("no-such-host.invalid", 80)])
def test_an_address_that_cannot_be_listened_on_is_named(host: str, port: int) -> None:
    """With the reason."""
    with pytest.raises(CannotListen, match=str(port)):
        listen(host, port)
