"""What the daemon tells systemd, heard on a real socket as systemd hears it."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from captains_table.process.supervisor import answer_watchdog, notify_supervisor, watchdog_s
from tests.support.patience import PATIENCE_S
from tests.support.supervisor import Supervisor
from tests.support.table_process import COMMAND, TableProcess


@pytest.mark.parametrize("sign", ["", "@"])
def test_what_is_told_arrives_in_one_message_at_an_abstract_socket_too(
    sign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"captains-table-{os.getpid()}" if sign else str(tmp_path / "socket")
    listening = Supervisor(f"\0{name}" if sign else name)
    monkeypatch.setenv("NOTIFY_SOCKET", f"{sign}{name}")
    notify_supervisor("READY=1", "STATUS=here")
    assert listening.on_event() == ["READY=1", "STATUS=here"]
    listening.socket.close()


def test_without_systemd_and_with_one_that_is_gone_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify_supervisor("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify_supervisor("READY=1")


def test_the_watchdog_is_answered_only_by_the_process_it_watches() -> None:
    own = str(os.getpid())
    assert watchdog_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": own}) == 20
    assert watchdog_s({"WATCHDOG_USEC": "20000000"}) == 20
    assert watchdog_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}) is None
    assert watchdog_s({"WATCHDOG_USEC": "soon"}) is None
    assert watchdog_s({}) is None


def test_a_loop_that_hangs_is_not_heard_until_it_turns_again(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "40000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)

    async def beats(count: int) -> None:
        """Wait until it has answered so often."""
        async with asyncio.timeout(PATIENCE_S):
            while count > 0:
                await asyncio.sleep(0.01)
                count -= supervisor.heard_by_now().count("WATCHDOG=1")

    async def live_hang_live() -> int:
        answering = asyncio.ensure_future(answer_watchdog())
        await beats(3)
        time.sleep(0.2)  # noqa: ASYNC251 - the loop hangs
        hung = supervisor.heard_by_now().count("WATCHDOG=1")
        await beats(1)
        answering.cancel()
        return hung

    assert asyncio.run(live_hang_live()) == 0


@pytest.mark.slow
def test_a_table_that_is_to_outlive_its_terminal_says_when_it_is_ready_that_it_lives_and_that_it_stops(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "200000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    arguments = ("play", "--state", tmp_path / "state", "--port", "0")
    table = TableProcess(*arguments, logs=tmp_path / "logs", program=("nohup", COMMAND))
    try:
        first = supervisor.on_event()
        table.process.send_signal(signal.SIGHUP)  # which `nohup` lets a program ignore
        heard = first + supervisor.on_event() + supervisor.on_event()
        table.process.send_signal(signal.SIGTERM)
        assert table.process.wait(PATIENCE_S) == 0
    finally:
        table.kill()
    assert f"STATUS=The page is at {table.origin}/" in heard
    assert {"READY=1", "WATCHDOG=1"} <= set(heard)
    assert heard.count("READY=1") == 1
    assert supervisor.heard_by_now().count("STOPPING=1") == 1
