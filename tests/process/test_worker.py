"""What a worker knows: it is waited for with limits, whatever becomes of it, and nothing of it is left behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from captains_table.process.worker import Backoff, TookTooLong, Worker, WorkerFailed, WorkerLimits
from tests.support.patience import PATIENCE_S


def worker(code: str, limits: WorkerLimits | None = None, **named: bool) -> Worker[Any]:
    """Return a worker that does this with a line it reads by `input()`."""
    command = (sys.executable, "-u", "-c", f"import os, signal, sys, time\n{code}")
    return Worker(command, msgspec.json.decode, limits or WorkerLimits(), **named)


def working(does: str, **limits: int) -> Worker[Any]:
    """Return a worker of the kit's own that answers a line by what this Python expression is."""
    told = f"from captains_table.process.worker_side import run_worker; run_worker(lambda line: {does}, **{limits})"
    return worker(told, WorkerLimits(answer_s=PATIENCE_S))


def asked(one: Worker[Any], question: bytes = b"go\n") -> object:
    return asyncio.run(one.ask_once(question))


def descriptors() -> set[str]:
    return {each.name for each in Path("/proc/self/fd").iterdir()}


def is_there(pid: object) -> bool:
    """Return whether anything is left of a process, be it a zombie."""
    return Path(f"/proc/{pid}").exists()


def is_zombie(pid: int) -> bool:
    return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text("ascii")


def children() -> set[int]:
    found = set[int]()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread has ended meanwhile
            found |= {int(pid) for pid in (task / "children").read_text("ascii").split()}
    return found


async def eventually(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody tells when a process is gone
            await asyncio.sleep(0.02)


def test_a_question_is_answered_and_nothing_is_left_behind() -> None:
    open_before, left_before = descriptors(), children()
    assert asked(worker("print(len(input()))"), b"12345\n") == 5
    assert descriptors() <= open_before
    assert children() <= left_before


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("input(); sys.exit(5)", "ended with status 5"),
        ("sys.exit(6)", "ended with status 6"),
        ("input(); os.kill(os.getpid(), 9)", "ended by signal 9"),
        ("input(); print('nonsense')", r"said b'nonsense\\n' \(JSON is malformed"),
        ("input(); print('x' * 3_000_000)", "said a line of more than 1,048,576 bytes"),
        ("input(); sys.stdout.write('1'); sys.exit(0)", "ended with status 0"),
    ],
)
def test_one_that_ends_or_says_nonsense_fails_in_words(code: str, words: str) -> None:
    left = children()
    with pytest.raises(WorkerFailed, match=words):
        asked(worker(code))
    assert children() <= left


@pytest.mark.parametrize("command", ["/nowhere/at-all", "/", "nul\0"])
def test_what_cannot_be_run_fails_in_words_and_is_told_nothing_and_answers_nothing(command: str) -> None:
    one = Worker([command], msgspec.json.decode)
    with pytest.raises(WorkerFailed, match=r"cannot be run \(.+\)"):
        asyncio.run(one.start())
    one.send(b"go\n")
    with pytest.raises(WorkerFailed, match="does not run"):
        asyncio.run(one.ask(b"go\n"))


def test_the_longest_line_is_each_users_own() -> None:
    long = worker("print('\"' + input() * 500_000 + '\"')", WorkerLimits(line_bytes=1 << 21))
    assert len(str(asked(long))) == 1_000_000
    with pytest.raises(WorkerFailed, match="said a line of more than 16 bytes"):
        asked(worker("print('1' * 40)", WorkerLimits(line_bytes=16)))


@pytest.mark.parametrize(
    ("code", "limits", "words"),
    [
        ("input(); os.kill(os.getpid(), 19)", WorkerLimits(starting_s=0.3), "gave no sign of life for 0 seconds"),
        ("time.sleep(1000)", WorkerLimits(starting_s=0.3), "gave no sign of life for 0 seconds"),
        ("print(); os.kill(os.getpid(), 19)", WorkerLimits(quiet_s=0.3), "gave no sign of life for 0 seconds"),
        ("while 1: print(); time.sleep(0.1)", WorkerLimits(answer_s=0.3), "gave no answer within 0 seconds"),
    ],
    ids=["stopped at its start", "takes nothing in", "stopped later", "never answers"],
)
def test_one_that_is_stopped_takes_nothing_in_or_never_answers_is_waited_for_with_a_limit_and_ended(
    code: str, limits: WorkerLimits, words: str
) -> None:
    left = children()
    with pytest.raises(WorkerFailed, match=words):
        asked(worker(code, limits), bytes(3_000_000) if "1000" in code else b"go\n")
    assert children() <= left


async def test_a_question_may_allow_more_time_than_the_limit() -> None:
    one = worker("[input(), time.sleep(0.1), print(1)]", WorkerLimits(answer_s=0.0))
    await one.start()
    assert await one.ask(b"go\n", extra_s=PATIENCE_S) == 1
    with pytest.raises(TookTooLong):
        await one.ask(b"go\n")
    one.close()


async def test_one_that_works_says_that_it_lives() -> None:
    lives = list[float]()
    one = worker(
        "from captains_table.process import worker_side; worker_side.BEAT_S = 0.01; "
        "worker_side.run_worker(lambda line: len([0 for _ in range(2_000_000)]))"
    )
    await one.start()
    assert await one.ask(b"go\n", on_life=lambda: lives.append(time.monotonic()))
    one.close()
    assert len(lives) > 1


def test_one_that_takes_more_memory_than_it_may_fails_and_nobody_else() -> None:
    with pytest.raises(WorkerFailed, match="ended with status 1"):
        asked(working("len(bytes(1 << 28))", more_bytes=1 << 26))
    assert asked(working("len(bytes(1 << 20))", more_bytes=1 << 26)) == 1 << 20


@pytest.mark.slow
def test_one_that_takes_more_processor_time_than_it_may_is_ended() -> None:
    with pytest.raises(WorkerFailed, match="ended by signal"):
        asked(working("[None for _ in iter(int, 1)]", cpu_s=1))


def test_it_gives_way_to_others_and_what_a_terminal_interrupts_is_not_it() -> None:
    assert asked(working("os.nice(0)")) == os.nice(0) + 10
    assert asked(working("[os.kill(os.getpid(), signal.SIGINT), 7]")) == [None, 7]


def test_one_that_works_ends_with_its_asker_and_without_a_word() -> None:
    ours, theirs = socket.socketpair()
    code = (
        "import time; from captains_table.process.worker_side import run_worker; run_worker(lambda _: time.sleep(1000))"
    )
    with theirs:
        command, ends = [sys.executable, "-c", code], theirs.fileno()
        process = subprocess.Popen(command, stdin=ends, stdout=ends, stderr=subprocess.PIPE, text=True)
    ours.sendall(b"go\n")
    assert ours.recv(1) == b"\n"  # it has begun
    ours.close()
    _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (0, "")


async def test_one_that_is_stopped_while_it_is_asked_is_killed_and_reaped_and_fails_there() -> None:
    one = worker("os.kill(os.getpid(), signal.SIGSTOP)")
    await one.start()
    pid, asking = one.pid, asyncio.ensure_future(one.ask(b"go\n"))
    assert pid is not None
    await eventually(lambda: "\nState:\tT" in Path(f"/proc/{pid}/status").read_text("ascii"))
    one.kill()
    with pytest.raises(WorkerFailed):
        await asking
    one.close()
    assert not is_there(pid)


async def test_one_that_is_started_again_takes_the_place_of_the_first() -> None:
    one = worker("print(os.getpid()); time.sleep(1000)")
    await one.start()
    first = await one.receive()
    await one.start()
    assert await one.receive() == one.pid != first
    one.close()
    assert not is_there(first)


@pytest.mark.parametrize(
    ("code", "within_s", "status"),
    [("sys.exit(input() != 'bye')", PATIENCE_S, 0), ("time.sleep(1000)", 0.2, -signal.SIGKILL)],
)
async def test_one_that_is_told_to_part_ends_by_itself_or_is_ended(code: str, within_s: float, status: int) -> None:
    one = worker(code)
    await one.start()
    process = one._process
    assert process is not None
    await one.shut_down(b"bye\n", within_s)
    assert process.returncode == status


def test_what_a_foreign_program_complains_of_is_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    assert asked(worker("sys.stderr.write(input()); print(1)", is_foreign=True), b"foreign\n") == 1
    assert asked(worker("sys.stderr.write(input()); print(1)"), b"ours\n") == 1
    assert capfd.readouterr().err == "ours"


@pytest.mark.parametrize(
    ("backoff", "steady_s", "waited"),
    [
        pytest.param(Backoff(1, 5), (0, 0, 0, 9, 9), [1, 2, 4, 5, 5], id="up to the longest"),
        pytest.param(Backoff(1, 60, 30), (0, 1, 29, 30, 1), [1, 2, 4, 1, 2], id="anew once all was well for long"),
        pytest.param(Backoff(1, 60, jitter=lambda: 0.0), (0, 0), [0.5, 1], id="not everybody at once: the first"),
        pytest.param(Backoff(1, 60, jitter=lambda: 1.0), (0, 0), [1.5, 3], id="not everybody at once: the last"),
    ],
)
def test_pauses_grow(
    backoff: Backoff, steady_s: tuple[float, ...], waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where so many seconds went by before each."""
    slept, now_s = list[float](), 100.0

    async def sleep(seconds: float) -> None:
        nonlocal now_s
        slept.append(seconds)
        now_s += seconds

    async def do() -> None:
        nonlocal now_s
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now_s)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        for each in steady_s:
            now_s += each
            await backoff.pause()
        monkeypatch.undo()

    asyncio.run(do())
    assert slept == waited


def test_a_worker_that_is_closed_while_it_starts_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    spawn, may_go_on, was_started = subprocess.Popen, threading.Event(), threading.Event()

    def spawn_late(*args: Any, **named: Any) -> object:  # noqa: ANN401 - as Popen takes them
        was_started.set()
        assert may_go_on.wait(PATIENCE_S)
        return spawn(*args, **named)

    async def close_early() -> None:
        one = worker("time.sleep(60)")
        starting = asyncio.ensure_future(one.start())
        await eventually(was_started.is_set)
        starting.cancel()
        with suppress(asyncio.CancelledError):
            await starting
        one.close()
        may_go_on.set()

    before = children()
    monkeypatch.setattr(subprocess, "Popen", spawn_late)
    asyncio.run(close_early())  # waits for the thread
    assert children() == before
