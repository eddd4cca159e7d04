"""The event streams of the pages: who is sent what, and how they end."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

import httpx
import pytest

from captains_table.games.contract import Pick, Square
from captains_table.page.app import create_app
from captains_table.page.live_pages import scene_of
from captains_table.table.model.events import Button, ButtonPressed
from captains_table.web import stream
from captains_table.web.reach import PageReach
from captains_table.web.render import FRAGMENTS, Renderer
from captains_table.web.serving.server import CannotListen, PortTaken, listen, serve_page
from captains_table.web.stream import SharedStream, StreamSubscriber
from tests.support.fake_table import FakeTable, with_legend
from tests.support.patience import PATIENCE_S

HEARD = "event: heard\ndata: "


async def next_event(events: AsyncIterator[str], begins: str = "data: ") -> Any:  # noqa: ANN401 - JSON
    """Return the data of the next event that begins so: the fragments, or what is heard."""
    async for sent in events:
        assert sent.endswith("\n\n")
        assert begins == HEARD or HEARD not in sent
        for event in sent.split("\n\n"):
            if event.startswith(begins):
                return json.loads(event.removeprefix(begins))
    raise AssertionError("the stream ended")


def stream_of(table: FakeTable, watcher: StreamSubscriber | None = None) -> AsyncGenerator[str, None]:
    """Return the events of a table's page."""
    renderer = Renderer()
    shared = SharedStream(
        table.subscribers.changes, lambda: renderer.fragments("table", scene_of(table, touch=True, flipped=False))
    )
    return shared.watch(watcher or StreamSubscriber())


async def test_the_first_event_brings_everything_and_later_ones_what_changed() -> None:
    table = with_legend()
    events = stream_of(table)
    assert set(await next_event(events)) == set(FRAGMENTS["table"])
    table.answer(Pick("roll"), 1)
    changed = await next_event(events)
    assert {"dice", "ask", "board", "log"} <= set(changed)
    assert "tallies" not in changed
    assert "hand" not in changed
    await events.aclose()
    assert not table.subscribers._changed


async def test_a_page_is_rendered_once_for_all_who_watch_it() -> None:
    """Also for those who come later, and for those who were away while something changed."""
    table, rendered = with_legend(), [0]
    renderer = Renderer()

    def fragments() -> Mapping[str, str]:
        rendered[0] += 1
        return renderer.fragments("table", scene_of(table, touch=True, flipped=False))

    broadcast = SharedStream(table.subscribers.changes, fragments)
    streams = [broadcast.watch(StreamSubscriber()) for _ in range(20)]
    first = [await next_event(events) for events in streams]
    assert all(fresh == first[0] for fresh in first)
    assert rendered == [1]
    table.answer(Pick("roll"), 1)
    changed = [await next_event(events) for events in streams[1:]]
    assert all(fresh == changed[0] for fresh in changed)
    late = broadcast.watch(StreamSubscriber())
    assert await next_event(late) == {**first[0], **changed[0]}
    assert rendered == [2]
    table.handle(ButtonPressed(Button.ROLL))
    table.click(Square(4, 1))
    latest = await next_event(late)
    assert {**first[0], **await next_event(streams[0])} == {**first[0], **changed[0], **latest}
    assert rendered == [3]
    for events in (*streams, late):
        await events.aclose()
    assert not table.subscribers._changed


async def test_a_page_that_cannot_be_drawn_fails_for_all_who_watch_it() -> None:
    def fragments() -> Mapping[str, str]:
        raise ZeroDivisionError

    broadcast = SharedStream(with_legend().subscribers.changes, fragments)
    for _ in range(2):
        streams = [broadcast.watch(StreamSubscriber()) for _ in range(2)]
        for events in streams:
            with pytest.raises(ZeroDivisionError):
                await next_event(events)


async def test_nothing_is_sent_when_nothing_changed() -> None:
    table = with_legend()
    events = stream_of(table)
    await next_event(events)
    table.show(table.view())
    waiting = asyncio.ensure_future(next_event(events))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    table.answer(Pick("roll"), 1)
    table.show(table._assemble())
    assert "dice" in await waiting
    await events.aclose()


def sounding(table: FakeTable) -> SharedStream:
    """Return what all who watch and listen to a table's page are sent."""
    return SharedStream(table.subscribers.changes, lambda: {"prompt": table.view().heading}, table.sounds.latest)


async def test_what_is_heard_is_sent_to_all_who_are_there_and_to_nobody_who_comes_later() -> None:
    table = with_legend()
    broadcast = sounding(table)
    streams = [broadcast.watch(StreamSubscriber()) for _ in range(3)]
    for events in streams:
        await next_event(events)
    table.speak(sound="throw")
    table.speak("Anne throws a 6.")
    for events in streams:
        assert await next_event(events, HEARD) == {"sounds": ["throw"], "told": "Anne throws a 6."}
    table.speak(sound="move")
    table.speak(sound="strike")
    assert await next_event(streams[0], HEARD) == {"sounds": ["move", "strike"], "told": ""}
    late = broadcast.watch(StreamSubscriber())
    await next_event(late)
    table.speak(sound="king")
    assert await next_event(late, HEARD) == {"sounds": ["king"], "told": ""}
    for events in (*streams, late):
        await events.aclose()


async def test_a_page_too_slow_to_take_it_in_time_stays_silent_about_what_is_over() -> None:
    table = with_legend()
    events = sounding(table).watch(StreamSubscriber())
    await next_event(events)
    now_s = asyncio.get_running_loop().time()
    for table.time_s, sound in ((now_s - 2.5, "king"), (now_s - 1, "throw")):
        table.speak(sound=sound)
    assert await next_event(events, HEARD) == {"sounds": ["throw"], "told": ""}
    await events.aclose()


async def test_a_stream_says_first_which_start_of_the_program_it_is_and_beats_while_it_is_quiet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that a peer that vanished is noticed, at either end: what is a comment is told to no script."""
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.01)
    events = stream_of(with_legend())
    assert f"event: boot\ndata:{stream.BOOT}\n\n" in await anext(events)
    await next_event(events)
    for _ in range(2):
        assert await anext(events) == "event: well\ndata:\n\n"
    await events.aclose()


@pytest.mark.parametrize("who", ["table", "page"])
async def test_the_stream_ends_when_the_table_or_the_page_stops(who: str) -> None:
    table, watcher = with_legend(), StreamSubscriber()
    events = stream_of(table, watcher)
    await next_event(events)
    if who == "table":
        table.subscribers.end()
    else:
        watcher.dismiss()
    assert [event async for event in events] == []
    assert not table.subscribers._changed


def serve(table: FakeTable, stopping: asyncio.Event) -> tuple[str, asyncio.Future[None]]:
    listener = listen("127.0.0.1", 0)
    serving = asyncio.ensure_future(serve_page(create_app(table), listener, stopping=stopping))
    return PageReach(*listener.getsockname()[:2]).own, serving


@pytest.mark.slow
@pytest.mark.parametrize("who", ["table", "page"])
async def test_the_server_stops_at_once_with_an_open_page(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither at the next beat nor when the page goes, whether the table stopped first or not."""
    monkeypatch.setattr(stream, "HEARTBEAT_S", 10 * PATIENCE_S)
    table, stopping = with_legend(), asyncio.Event()
    address, serving = serve(table, stopping)
    async with (
        httpx.AsyncClient(base_url=address) as client,
        client.stream("GET", "/events?page=table") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.aiter_lines()
        while not (await anext(lines)).startswith("data: "):
            pass
        if who == "table":
            table.subscribers.end()
        stopping.set()
        assert [line async for line in lines if line] == []
        async with asyncio.timeout(PATIENCE_S):
            await serving


@pytest.mark.slow
async def test_cancelling_the_server_stops_it_cleanly() -> None:
    address, serving = serve(with_legend(), asyncio.Event())
    await asyncio.sleep(0.05)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(address)


def test_the_second_packet_of_an_answer_does_not_wait_until_the_first_is_acknowledged() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()[:2]):
        taken_in, _ = listener.accept()
        with taken_in:
            assert taken_in.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_or_an_address_that_cannot_be_listened_on_is_named() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert PageReach(*first.getsockname()[:2]).own == f"http://127.0.0.1:{port}/"
        with pytest.raises(PortTaken, match=f"port {port} on 127.0.0.1 is taken"):
            listen("127.0.0.1", port)
    for host, port in (("192.0.2.1", 8080), ("127.0.0.1", 70000), ("no-such-host.invalid", 80)):
        with pytest.raises(CannotListen, match=str(port)):
            listen(host, port)
