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
    command = (sys.executable, "-u", "-c", f"import os, signal, sys, time; {code}")
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
    """Return the processes this one has started and not yet reaped."""
    found = set[int]()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread has ended meanwhile
            found |= {int(pid) for pid in (task / "children").read_text("ascii").split()}
    return found


async def eventually(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody tells when a process is gone
            await asyncio.sleep(0.02)


# --- answers, and what is none --------------------------------------------------------------------------------------


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
def test_what_cannot_be_run_fails_in_words(command: str) -> None:
    with pytest.raises(WorkerFailed, match=r"cannot be run \(.+\)"):
        asyncio.run(Worker([command], msgspec.json.decode).start())


def test_one_that_does_not_run_is_told_nothing_and_answers_nothing() -> None:
    one = worker("print(1)")
    one.send(b"go\n")
    with pytest.raises(WorkerFailed, match="does not run"):
        asyncio.run(one.ask(b"go\n"))


def test_the_longest_line_is_each_users_own() -> None:
    assert (
        len(str(asked(worker("print('\"' + input() * 500_000 + '\"')", WorkerLimits(line_bytes=1 << 21))))) == 1_000_000
    )
    with pytest.raises(WorkerFailed, match="said a line of more than 16 bytes"):
        asked(worker("print('1' * 40)", WorkerLimits(line_bytes=16)))


# --- signs of life --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "limits", "words"),
    [
        (
            "input(); os.kill(os.getpid(), signal.SIGSTOP)",
            WorkerLimits(starting_s=1),
            "gave no sign of life for 1 seconds",
        ),
        (
            "print(); os.kill(os.getpid(), signal.SIGSTOP)",
            WorkerLimits(quiet_s=1),
            "gave no sign of life for 1 seconds",
        ),
        (
            "[print() or time.sleep(0.1) for _ in range(9999)]",
            WorkerLimits(answer_s=1),
            "gave no answer within 1 seconds",
        ),
    ],
)
def test_one_that_is_stopped_or_never_answers_is_waited_for_with_a_limit_and_ended(
    code: str, limits: WorkerLimits, words: str
) -> None:
    left = children()
    with pytest.raises(WorkerFailed, match=words):
        asked(worker(code, limits))
    assert children() <= left


def test_a_question_may_allow_more_time_than_the_limit() -> None:
    async def do() -> None:
        one = worker("[input(), time.sleep(0.5), print(1)]", WorkerLimits(answer_s=0.0))
        await one.start()
        assert await one.ask(b"go\n", extra_s=PATIENCE_S) == 1
        with pytest.raises(TookTooLong):
            await one.ask(b"go\n")
        one.close()

    asyncio.run(do())


def test_one_that_takes_no_question_in_is_not_waited_for_either() -> None:
    with pytest.raises(WorkerFailed, match="gave no sign of life for 1 seconds"):
        asked(worker("time.sleep(1000)", WorkerLimits(starting_s=1)), bytes(3_000_000))


def test_one_that_works_says_that_it_lives() -> None:
    lives = list[float]()

    async def do() -> None:
        one = worker(
            "from captains_table.process import worker_side; worker_side.BEAT_S = 0.05; "
            "worker_side.run_worker(lambda line: len([0 for _ in range(5_000_000)]))"
        )
        await one.start()
        assert await one.ask(b"go\n", on_life=lambda: lives.append(time.monotonic()))
        one.close()

    asyncio.run(do())
    assert len(lives) > 1


# --- limits of its own ----------------------------------------------------------------------------------------------


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


# --- ending ---------------------------------------------------------------------------------------------------------


def test_one_that_works_ends_with_its_asker_and_without_a_word() -> None:
    ours, theirs = socket.socketpair()
    code = (
        "import time; from captains_table.process.worker_side import run_worker; "
        "run_worker(lambda line: time.sleep(1000))"
    )
    with theirs:
        ends = theirs.fileno()
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=ends, stdout=ends, stderr=subprocess.PIPE, text=True
        )
    ours.sendall(b"go\n")
    assert ours.recv(1) == b"\n"  # it has begun
    ours.close()
    _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (0, "")


def test_one_that_is_killed_while_it_is_asked_fails_there() -> None:
    async def do() -> None:
        one = worker("time.sleep(1000)")
        await one.start()
        pid = one.pid
        asking = asyncio.ensure_future(one.ask(b"go\n"))
        await asyncio.sleep(0)
        one.kill()
        with pytest.raises(WorkerFailed):
            await asking
        one.close()
        assert pid not in children()

    asyncio.run(do())


def test_one_that_is_stopped_is_killed_and_reaped() -> None:
    async def do() -> None:
        one = worker("os.kill(os.getpid(), signal.SIGSTOP)")
        await one.start()
        pid = one.pid
        assert pid is not None
        await eventually(lambda: "\nState:\tT" in Path(f"/proc/{pid}/status").read_text("ascii"))
        one.close()
        assert not is_there(pid)

    asyncio.run(do())


def test_one_that_is_started_again_takes_the_place_of_the_first() -> None:
    async def do() -> None:
        one = worker("print(os.getpid()); time.sleep(1000)")
        await one.start()
        first = await one.receive()
        await one.start()
        assert await one.receive() == one.pid != first
        one.close()
        assert not is_there(first)

    asyncio.run(do())


def test_a_start_that_nobody_waits_for_any_more_leaves_nothing_running() -> None:
    async def do() -> None:
        one, left = worker("input()"), children()
        for turns in range(3):
            starting = asyncio.ensure_future(one.start())
            for _ in range(turns + 1):
                await asyncio.sleep(0)
            starting.cancel()
            await asyncio.wait([starting])
        await eventually(lambda: all(is_zombie(pid) for pid in children() - left))
        one.close()
        assert children() <= left

    asyncio.run(do())


def test_one_that_is_closed_while_it_starts_is_not_waited_for_without_end() -> None:
    async def do() -> None:
        one, left = worker("input()"), children()
        starting = asyncio.ensure_future(one.start())
        while not one._unreaped:  # noqa: ASYNC110 - it starts in a thread
            await asyncio.sleep(0)
        one.close()
        assert children() <= left
        await starting
        with pytest.raises(WorkerFailed, match="ended by signal 9"):
            await one.receive()
        one.close()

    asyncio.run(do())


@pytest.mark.parametrize(
    ("code", "within_s", "is_patient"),
    [("sys.exit(input() != 'bye')", PATIENCE_S, True), ("time.sleep(1000)", 0.2, False)],
)
def test_one_that_is_told_to_part_ends_by_itself_or_is_ended(code: str, within_s: float, is_patient: bool) -> None:  # noqa: FBT001 - a parameter
    async def do() -> None:
        one = worker(code)
        await one.start()
        process = one._process
        assert process is not None
        await one.shut_down(b"bye\n", within_s)
        assert process.returncode == (0 if is_patient else -signal.SIGKILL)

    asyncio.run(do())


def test_what_a_foreign_program_complains_of_is_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    assert asked(worker("sys.stderr.write(input()); print(1)", is_foreign=True), b"foreign\n") == 1
    assert asked(worker("sys.stderr.write(input()); print(1)"), b"ours\n") == 1
    assert capfd.readouterr().err == "ours"


# --- once more ------------------------------------------------------------------------------------------------------


def pauses(backoff: Backoff, monkeypatch: pytest.MonkeyPatch, *steady_s: float) -> list[float]:
    """Return how long is waited each time, where so many seconds went by before each."""
    waited, now_s = list[float](), [100.0]

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now_s[0] += seconds

    async def do() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: now_s[0])
        monkeypatch.setattr(asyncio, "sleep", sleep)
        for each in steady_s:
            now_s[0] += each
            await backoff.pause()
        monkeypatch.undo()

    asyncio.run(do())
    return waited


def test_pauses_grow_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(Backoff(1, 5), monkeypatch, 0, 0, 0, 9, 9) == [1, 2, 4, 5, 5]


def test_pauses_begin_anew_once_all_was_well_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(Backoff(1, 60, 30), monkeypatch, 0, 1, 29, 30, 1) == [1, 2, 4, 1, 2]


def test_not_everybody_comes_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(Backoff(1, 60, jitter=lambda: 0.0), monkeypatch, 0, 0) == [0.5, 1]
    assert pauses(Backoff(1, 60, jitter=lambda: 1.0), monkeypatch, 0, 0) == [1.5, 3]


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
