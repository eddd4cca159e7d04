import asyncio
import gc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from captains_table.reporting.broker import (
    Broker,
    BrokerUnusable,
    cancel_all,
    keep_connected,
    mqtt_client,
    read_authority,
    read_password,
)
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S


def test_a_password_is_the_one_line_of_a_private_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("sea shanty\n")
    file.chmod(0o600)
    assert read_password(file) == "sea shanty"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_password_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "password"
    file.write_text("sea shanty\n")
    file.chmod(mode)
    with pytest.raises(BrokerUnusable, match=r"may be read by others .* expected 0600"):
        read_password(file)


@pytest.mark.parametrize("content", [b"", b"\n", b"two\nlines\n", b"x" * 1025, b"\xff"])
def test_a_file_without_one_password_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "password"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(BrokerUnusable, match="password"):
        read_password(file)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrokerUnusable, match="nowhere cannot be read"):
        read_password(tmp_path / "nowhere")
    with pytest.raises(BrokerUnusable, match="nowhere cannot be used"):
        read_authority(tmp_path / "nowhere")


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    with pytest.raises(BrokerUnusable, match="expected a certificate"):
        read_authority(file)


def test_a_password_is_in_no_traceback() -> None:
    assert "shanty" not in repr(Broker("localhost", password="sea shanty"))  # noqa: S106 - nobody's


@pytest.mark.slow
def test_a_line_comes_back_after_the_broker_was_killed(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        asyncio.run(_told_before_and_after_a_kill(mosquitto))


async def _told_before_and_after_a_kill(mosquitto: Mosquitto) -> None:
    told: asyncio.Queue[bytes] = asyncio.Queue()
    losses: asyncio.Queue[str] = asyncio.Queue()

    async def listen(line: aiomqtt.Client) -> None:
        await line.subscribe("sea/#", qos=1)
        await line.publish("sea/state", b"calm", qos=1)
        async for message in line.messages:
            told.put_nowait(bytes(message.payload))

    held = asyncio.ensure_future(
        keep_connected(lambda: mqtt_client(_at(mosquitto), "listener"), listen, losses.put_nowait)
    )
    async with asyncio.timeout(PATIENCE_S):
        assert await told.get() == b"calm"
        mosquitto.kill()
        assert await losses.get()
        mosquitto.start()
        assert await told.get() == b"calm"
    held.cancel()
    await asyncio.wait([held])


async def _watch_on(line: aiomqtt.Client) -> None:
    """Say something, and hear of the line's end."""
    said = asyncio.ensure_future(line.publish("sea/state", b"storm", qos=1))
    try:
        async for _ in line.messages:
            pass
    finally:
        said.cancel()
        await asyncio.wait([said])


async def _look_away(line: aiomqtt.Client) -> None:
    """Say something, and hear of no answer; nobody asks how the line ended."""
    await line.publish("sea/state", b"storm", qos=1, timeout=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("speak", [_watch_on, _look_away])
def test_a_line_that_breaks_as_something_is_said_on_it_breaks_nothing_else(
    speak: Callable[[aiomqtt.Client], Awaitable[None]], tmp_path: Path
) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        asyncio.run(_said_as_the_broker_is_killed(mosquitto, speak))


async def _said_as_the_broker_is_killed(
    mosquitto: Mosquitto, speak: Callable[[aiomqtt.Client], Awaitable[None]]
) -> None:
    failures: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, failure: failures.append(failure))

    async def kill_and_speak(line: aiomqtt.Client) -> None:
        mosquitto.kill()  # nothing is read of that before something is said, in one turn of the loop
        await speak(line)

    lost: asyncio.Queue[str] = asyncio.Queue()
    held = asyncio.ensure_future(
        keep_connected(lambda: mqtt_client(_at(mosquitto), "speaker"), kill_and_speak, lost.put_nowait)
    )
    async with asyncio.timeout(PATIENCE_S):
        assert await lost.get()
    held.cancel()
    await asyncio.wait([held])
    del held
    gc.collect()  # what nobody will ask about any more, asyncio tells now
    assert failures == []


def _at(mosquitto: Mosquitto) -> Broker:
    return Broker("127.0.0.1", mosquitto.port)


def test_a_task_that_misses_a_cancellation_is_cancelled_again_until_it_ends() -> None:
    missed: list[str] = []

    async def hard_of_hearing() -> None:
        while len(missed) < 2:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                missed.append("once more")
        await asyncio.sleep(3600)

    async def ended() -> bool:
        task = asyncio.ensure_future(hard_of_hearing())
        await asyncio.sleep(0)
        await cancel_all([task], 0.01)
        return task.cancelled()

    assert asyncio.run(ended())
    assert len(missed) == 2
