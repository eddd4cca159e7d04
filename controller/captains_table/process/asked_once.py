"""A process of its own that is asked one thing and answers, while the loop goes on."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence


async def ask_once(command: Sequence[str], question: bytes, longest_s: float) -> tuple[bytes, int | None]:
    """Return what a process writes once it has read a question, and its exit code; it does not outlive the call.

    Args:
        command: what starts it.
        question: what stands at its standard input.
        longest_s: how many seconds it may take.

    Raises:
        TimeoutError: it took longer.
    """
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(longest_s):
            said, _ = await process.communicate(question)
        return said, process.returncode
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
