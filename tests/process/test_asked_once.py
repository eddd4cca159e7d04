"""A process that is asked one thing is waited for with a limit, whatever becomes of it."""

import asyncio
import os
import sys

import pytest

from captains_table.process.asked_once import ask_once

STOPPED = "import os, signal; print(os.getpid(), flush=True); os.kill(os.getpid(), signal.SIGSTOP)"


def test_a_process_that_is_stopped_is_waited_for_with_a_limit_and_ended() -> None:
    command = (sys.executable, "-c", f"import sys; sys.stdout = open(sys.stdin.read(), 'w'); {STOPPED}")

    async def do() -> int:
        read, write = os.pipe()
        with pytest.raises(TimeoutError):
            await ask_once(command, f"/proc/{os.getpid()}/fd/{write}".encode(), 1.0)
        return int(os.read(read, 20))

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(do()), 0)
